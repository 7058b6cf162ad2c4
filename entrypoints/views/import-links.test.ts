import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Round, Scope } from '#lib/rounds/types.ts';
import { closeStore, openStore, useDatabase } from '#lib/store/open.ts';
import { diagnostics, getRound, listScopes, listTrash, streamPages } from '#lib/store/read.ts';
import { recount } from '#lib/store/recount.ts';
import { Recorder } from '#lib/store/recorder.ts';
import { compareFile, previewImport, runImport, type Going, type ImportSource } from './import-links.ts';
import { pasted } from './import-sources.ts';

const SITE = 'https://shop.example.com';
let databases = 0;
let recorder: Recorder;
let round: Round;
let scope: Scope;

beforeEach(async () => {
  useDatabase(`import-links-${databases++}`);
  recorder = new Recorder({ now: Date.now, randomId: () => crypto.randomUUID() });
  const sites = { name: 'Shop', origins: [`${SITE}/*`] };
  ({ round } = await recorder.commands.startRound({ scope: sites, base: 'none' }));
  [scope] = (await listScopes()) as [Scope];
});
afterEach(() => closeStore());

const going = (signal = new AbortController().signal): Going => ({ signal, onProgress: () => {} });
const file = (text: string, more: Partial<ImportSource> = {}): ImportSource => {
  return { name: 'links.txt', blob: new Blob([text]), by: 'import', ...more };
};

async function pages(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { key, state } of streamPages(round.space, {})) found[key.slice(SITE.length)] = state;
  return found;
}

async function visit(path: string): Promise<void> {
  const id = crypto.randomUUID();
  const at = Date.now();
  await recorder.record({
    type: 'shown',
    id,
    by: 'browser',
    document: id,
    moment: 'start',
    url: SITE + path,
    at,
  });
}

const LINKS = `${SITE}/a\n${SITE}/seen\n${SITE}/a?utm_source=x\nhttps://other.example.com/\nmailto:a@example.com\n${SITE}/b\n`;

describe('an import', () => {
  it('counts before it writes, writes what it counted, and is taken back into the trash', async () => {
    await visit('/seen');
    const source = file(LINKS, { format: 'list' });
    const before = await pages();
    const preview = await previewImport(source, round, scope, going());
    expect(preview).toMatchObject({
      places: { new: 2, known: 0, visited: 1, outside: 1 },
      repeats: 1,
      bad: 1,
      problems: [{ line: 5, column: 1, reason: 'unsupported-scheme' }],
    });
    expect(await pages()).toEqual(before);

    const { added, takeBack } = await runImport(source, round, scope, going());
    expect(added).toBe(2);
    expect(await pages()).toEqual({ '/a': 'known', '/b': 'known', '/seen': 'visited' });
    expect((await previewImport(source, round, scope, going())).places).toMatchObject({ new: 0, known: 2 });
    expect((await runImport(source, round, scope, going())).added).toBe(0);
    expect((await getRound(round.id))?.counters).toEqual(await recount(round));

    // What somebody went to meanwhile stays.
    await visit('/b');
    expect(await takeBack()).toBe(1);
    expect(await pages()).toEqual({ '/b': 'visited', '/seen': 'visited' });
    expect((await getRound(round.id))?.counters).toEqual(await recount(round));
    const [trash, ...more] = await listTrash();
    expect(more).toEqual([]);
    expect(trash).toMatchObject({ what: 'links', label: 'links.txt' });
    await recorder.commands.undo({ undo: trash!.id });
    expect(await pages()).toEqual({ '/a': 'known', '/b': 'visited', '/seen': 'visited' });
    expect((await getRound(round.id))?.counters).toEqual(await recount(round));
    expect(await (await openStore()).count('trash')).toBe(0);
    // The worker's set knows it too.
    const { states } = await recorder.commands.lookup({ url: `${SITE}/`, links: [`${SITE}/a`, `${SITE}/c`] });
    expect(states).toEqual([{ state: 'known', changed: false }, null]);
  });

  it('makes pages of lists out of HTML that a visit will find', async () => {
    const source = pasted(`see ${SITE}/list?page=2&amp;sort=name and ${SITE}/x`, undefined, 'Pasted');
    await runImport(source, round, scope, going());
    await visit('/list?page=2&sort=name');
    expect(await pages()).toEqual({ '/list?page=2&sort=name': 'visited', '/x': 'known' });
  });

  it('counts for Diagnostics what is no address, by source and once however often it is read', async () => {
    const source = file(LINKS, { format: 'list' });
    await previewImport(source, round, scope, going());
    await previewImport(source, round, scope, going());
    await runImport(source, round, scope, going());
    await compareFile(source, round, scope, going());
    expect((await diagnostics()).refused).toEqual({ page: 0, import: 1, paste: 0 });
    await previewImport(file(LINKS, { format: 'list', by: 'paste' }), round, scope, going());
    expect((await diagnostics()).refused).toEqual({ page: 0, import: 1, paste: 1 });
  });

  it('is many steps long and can be cancelled in between: what is there is counted and can be taken back', async () => {
    const many = Array.from({ length: 3_000 }, (_, index) => `${SITE}/p/${index}`).join('\n');
    const controller = new AbortController();
    const source = file(many);
    const cancelled = await runImport(source, round, scope, {
      signal: controller.signal,
      onProgress: (links) => links >= 2_000 && controller.abort(new Error('cancelled')),
    });
    expect(cancelled.stopped).toBe('cancelled');
    expect(cancelled.added).toBeGreaterThan(0);
    expect(cancelled.added).toBeLessThan(3_000);
    expect(Object.keys(await pages())).toHaveLength(cancelled.added);
    const rest = await runImport(source, round, scope, going());
    expect(cancelled.added + rest.added).toBe(3_000);
    expect(await cancelled.takeBack()).toBe(cancelled.added);
    expect(await rest.takeBack()).toBe(rest.added);
    expect(await pages()).toEqual({});
    expect((await getRound(round.id))?.counters.known).toBe(0);
  });

  it('into a round that has ended writes nothing', async () => {
    await recorder.commands.endRound({ round: round.id });
    await expect(runImport(file(LINKS), round, scope, going())).rejects.toThrow('ended');
    expect(await pages()).toEqual({});
  });

  it('compares a crawler’s result with the round', async () => {
    for (const path of ['/a', '/b', '/c?x=1&y=2']) await visit(path);
    const result = `${SITE}/c?y=2&x=1\n${SITE}/d\nhttps://other.example.com/\n${SITE}/a#top\n::\n`;
    const lists = await compareFile(file(result, { format: 'list' }), round, scope, going());
    expect(lists.round.first).toEqual([`${SITE}/b`]);
    expect(lists.file.first).toEqual([`${SITE}/d`]);
    expect(lists.both.count).toBe(2);
    expect(await new Blob(lists.round.text).text()).toBe(`${SITE}/b\n`);
    expect(lists).toMatchObject({ outside: 1, bad: 1 });
  });
});
