import * as fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { BACKUP_STORES, readBackup, verifyBackup, writeBackup } from './index.ts';
import type { BackupStore } from './index.ts';

type Item = { store: BackupStore; row: Record<string, unknown> };

const SCOPE = {
  id: 's',
  name: 'Shop 巡检',
  origins: ['https://a.example.com/*'],
  paths: [],
  mode: 'inspecting',
  policy: {},
  policyVersion: '1-a',
  createdAt: 1,
};
const PAGE = {
  space: 'r',
  key: 'https://a.example.com/',
  scope: 's',
  host: 'a.example.com',
  path: '/',
  state: 'visited',
  seq: 1,
  url: 'https://a.example.com/?utm_source=x',
  firstSeenAt: 1,
  visits: 1,
  addresses: 1,
  isNew: true,
  inBase: false,
  policyVersion: '1-a',
  title: 'a\u2028b\n"',
};
const ROWS: Item[] = [
  { store: 'scopes', row: SCOPE },
  { store: 'pages', row: PAGE },
  { store: 'meta', row: { blocks: Uint8Array.of(0, 1, 255), nested: [{ buffer: Uint8Array.of() }] } },
];

async function write(rows: Item[]): Promise<string> {
  let text = '';
  for await (const piece of writeBackup(rows, { createdAt: 0, app: '0.1.0' })) text += piece;
  return text;
}

async function read(bytes: Uint8Array): Promise<Item[]> {
  const rows: Item[] = [];
  for await (const { store, row } of readBackup([bytes])) rows.push({ store, row });
  return rows;
}

/** Those of which files of version 1 have no rows that could be used. */
const NEW_STORES = new Set<string>(['texts', 'snapshots', 'watches', 'contentRules']);

describe('backup', () => {
  test('what was written comes back, bytes too, however it is cut', async () => {
    const bytes = Buffer.from(await write(ROWS));
    expect(await read(bytes)).toEqual(ROWS);
    const summary = await verifyBackup(Array.from(bytes, (byte) => Uint8Array.of(byte)));
    expect(summary).toMatchObject({
      header: { version: 2, app: '0.1.0' },
      counts: { scopes: 1, pages: 1, meta: 1, visits: 0 },
    });
  });

  test('any JSON row of a free store comes back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.dictionary(fc.string(), fc.jsonValue())), async (rows) => {
        const items = rows.map((row): Item => ({
          store: 'meta',
          row: JSON.parse(JSON.stringify(row)) as Record<string, unknown>,
        }));
        expect(await read(Buffer.from(await write(items)))).toEqual(items);
      }),
    );
  });

  test('one changed, missing or added byte anywhere is noticed', async () => {
    const bytes = Buffer.from(await write(ROWS));
    await fc.assert(
      fc.asyncProperty(
        fc.nat(bytes.length - 1),
        fc.integer({ min: 1, max: 255 }),
        fc.constantFrom('change', 'cut', 'drop', 'add'),
        async (at, by, how) => {
          const damaged =
            how === 'change'
              ? Buffer.from(bytes).fill(((bytes[at] ?? 0) + by) % 256, at, at + 1)
              : how === 'cut'
                ? bytes.subarray(0, at)
                : how === 'drop'
                  ? Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)])
                  : Buffer.concat([bytes.subarray(0, at), Buffer.of(by), bytes.subarray(at)]);
          // White space inside the last line changes nothing that counts, nor does the line feed at its end.
          const last = bytes.lastIndexOf(10, bytes.length - 2);
          fc.pre(at <= last || how === 'cut');
          fc.pre(!(how === 'cut' && at === bytes.length - 1));
          await expect(verifyBackup([damaged])).rejects.toThrow(
            /damaged|cut off|no backup|newer|unknown|missing|not what|empty|follows|no object/,
          );
        },
      ),
      { numRuns: 400 },
    );
  });

  test.each([
    ['', 'empty'],
    ['https://a.example.com/\n', 'Line 1: this is no backup'],
    ['{"format":"onceover-backup","version":3,"createdAt":"","app":"9"}\n', 'Update Onceover'],
    ['{"format":"onceover-backup","version":0}\n', 'no backup'],
  ])('%j is refused: %s', async (text, message) => {
    await expect(verifyBackup([Buffer.from(text)])).rejects.toThrow(message);
  });

  test.each([
    ['pages', { ...PAGE, url: 'javascript:alert(1)' }, '"url"'],
    ['pages', { ...PAGE, url: 'https://user:pw@a.example.com/' }, '"url"'],
    ['pages', { ...PAGE, state: 'deleted' }, '"state"'],
    ['pages', { ...PAGE, firstSeenAt: 1e99 }, '"firstSeenAt"'],
    ['pages', { ...PAGE, key: undefined }, '"key" is missing'],
    ['scopes', { ...SCOPE, mode: 'x' }, '"mode"'],
  ] as const)('a hostile row is refused: %s %j', async (store, row, message) => {
    await expect(read(Buffer.from(await write([{ store, row }])))).rejects.toThrow(message);
  });

  test('files of every version stay readable', async () => {
    const rows = await read(readFileSync(new URL('samples/backup-v1.onceover', import.meta.url)));
    expect(new Set(rows.map(({ store }) => store))).toEqual(
      new Set(BACKUP_STORES.filter((store) => !NEW_STORES.has(store))),
    );
  });
});
