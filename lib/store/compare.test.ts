// Any two rounds of a scope beside each other, not only a round and the one it is based on.
import 'fake-indexeddb/auto';
import { deleteDB } from 'idb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Round } from '#lib/rounds/types.ts';
import { closeStore, useDatabase } from './open.ts';
import { pagesOf, type PageFilter } from './read.ts';
import { Recorder } from './recorder.ts';

const SITE = 'https://shop.example.com';
const DATABASE = 'compare-any-two';

let at = Date.UTC(2026, 10, 30, 9);
let ids = 0;
const recorder = new Recorder({ now: () => at, randomId: () => `id-${(ids += 1)}` });
const rounds: Round[] = [];

async function begin(): Promise<Round> {
  const [before] = rounds.slice(-1);
  if (before) await recorder.commands.endRound({ round: before.id });
  const scope = before ? { id: before.scope } : { name: 'Shop', origins: [`${SITE}/*`] };
  const { round } = await recorder.commands.startRound({ scope, base: 'last' });
  rounds.push(round);
  return round;
}

async function visit(path: string, says: string, status = 200): Promise<void> {
  at += 1_000;
  const url = `${SITE}${path}`;
  const id = `e${(ids += 1)}`;
  const document = `d-${id}`;
  await recorder.record({ type: 'shown', id, by: 'browser', document, moment: 'start', url, at, status });
  const content = { digest: says, maskedDigest: says, blocks: 2 };
  await recorder.record({ type: 'content', id: `c${id}`, url, at, ...content });
}

const link = (...paths: string[]) =>
  recorder.record({
    type: 'links',
    id: `l${(ids += 1)}`,
    url: `${SITE}/`,
    at,
    links: paths.map((path) => SITE + path),
  });

async function listed(compare: PageFilter['compare'], base?: Round): Promise<string[]> {
  const { rows } = await pagesOf(rounds[2]!.space, {
    ...(compare && { compare }),
    ...(base && { base: base.space }),
    limit: 100,
  });
  return rows.map(({ key }) => key.slice(SITE.length));
}

beforeAll(async () => {
  useDatabase(DATABASE);
  await begin();
  await visit('/same', 'one');
  await visit('/changing', 'one');
  await visit('/only-first', 'one');
  await visit('/lost', 'one');
  await begin();
  await visit('/same', 'one');
  await visit('/changing', 'two');
  await visit('/only-second', 'two');
  await begin();
  await visit('/same', 'one');
  await visit('/changing', 'two');
  await visit('/lost', 'gone', 404);
  await visit('/third', 'three');
  await link('/only-first', '/only-second', '/nobody');
});
afterAll(async () => {
  await closeStore();
  await deleteDB(DATABASE);
});

describe('the third round', () => {
  it.each<[PageFilter['compare'], string[], string[]]>([
    ['left', ['/only-second'], ['/only-first']],
    ['new', ['/lost', '/third'], ['/third']],
    ['changed', [], ['/changing']],
    ['gone', ['/lost'], ['/lost']],
    ['retry', [], []],
    ['beside', ['/nobody', '/only-first'], ['/nobody', '/only-second']],
  ])('%s: with the second, its base, and with the first', async (compare, withBase, withFirst) => {
    expect(await listed(compare)).toEqual(withBase);
    expect(await listed(compare, rounds[1])).toEqual(withBase);
    expect(await listed(compare, rounds[0])).toEqual(withFirst);
  });
});
