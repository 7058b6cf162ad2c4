import { deleteDB } from 'idb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BACKUP_STORES, writeBackup } from '#lib/exchange/backup.ts';
import type { Page, Round, Scope } from '#lib/rounds/types.ts';
import { policyVersion } from '#lib/url/index.ts';
import { backupRows } from './backup.ts';
import { closeStore, openStore, useDatabase } from './open.ts';
import { listRounds, listTrash, streamPages } from './read.ts';
import { recount } from './recount.ts';
import { Recorder } from './recorder.ts';
import { deleteLeftovers, restore, type Restored, type RestoreOptions } from './restore.ts';

const SITE = 'https://shop.example.com';
let at = 0;
let names = 0;
let ids = 0;
let current = '';

/** One browser: a database of its own, and whatever switches it. */
async function freshBrowser(): Promise<Recorder> {
  current = `onceover-test-${Date.now()}-${(names += 1)}`;
  useDatabase(current);
  return new Recorder({ now: () => at, randomId: () => `id-${(ids += 1)}` });
}

async function visit(recorder: Recorder, path: string, id = `event-${(ids += 1)}`): Promise<void> {
  at += 1_000;
  await recorder.record({
    type: 'shown',
    id,
    by: 'browser',
    document: `document-${id}`,
    moment: 'start',
    url: SITE + path,
    at,
  });
}

async function start(recorder: Recorder, scope?: string, mode?: Scope['mode']): Promise<Round> {
  at += 1_000;
  const sites = { name: 'Shop', origins: [`${SITE}/*`], ...(mode && { mode }) };
  const fields = { scope: scope === undefined ? sites : { id: scope }, base: 'last' };
  return (await recorder.commands.startRound(fields)).round;
}

async function save(): Promise<Uint8Array> {
  const parts: string[] = [];
  for await (const text of writeBackup(backupRows(), { createdAt: at, app: '1' })) parts.push(text);
  return new TextEncoder().encode(parts.join(''));
}

/** Everything that is stored, but for the log and what is built from rows. */
async function rows(): Promise<Record<string, unknown[]>> {
  const db = await openStore();
  const all: Record<string, unknown[]> = {};
  for (const store of [...BACKUP_STORES, 'trash', 'events'] as const)
    if (store !== 'meta') all[store] = await db.getAll(store);
  return all;
}

function put(
  file: Uint8Array,
  mode: 'merge' | 'replace',
  more: Partial<RestoreOptions> = {},
): Promise<Restored> {
  return restore({
    mode,
    read: async function* () {
      for (let from = 0; from < file.length; from += 1_000) yield file.subarray(from, from + 1_000);
    },
    randomId: () => `test-${Date.now()}-${(names += 1)}`,
    alone: (work) => work(),
    switchTo: async (name) => {
      current = name;
      useDatabase(name);
    },
    signal: new AbortController().signal,
    onProgress: () => {},
    ...more,
  });
}

/** What a page is, whatever order it was told in. */
async function pagesOf(space: string): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for await (const { key, state, visits, url, isNew, inBase, verdict } of streamPages(space, {}))
    found[key.slice(SITE.length)] = { state, visits, url, isNew, inBase, verdict };
  return found;
}

async function expectTrue(): Promise<void> {
  for (const round of await listRounds())
    if (round.space === round.id)
      expect(round.counters, `round ${round.number}`).toEqual(await recount(round));
  const seqs: unknown[] = [];
  for (const { space, seq } of (await rows())['pages'] as Page[]) seqs.push(`${space} ${seq}`);
  expect(new Set(seqs).size, 'numbers are unique in their space').toBe(seqs.length);
}

/** Tests that must pass on a fake IndexedDB and on a real one. */
export function describeRestore(): void {
  beforeEach(() => {
    at = 1_700_000_000_000;
    ids = 0;
  });
  afterEach(async () => {
    await closeStore();
    for (const { name = '' } of await indexedDB.databases()) {
      await closeStore(name);
      await deleteDB(name);
    }
  });

  /** Two rounds with a base, returns, a failure, a verdict and something in the trash. */
  async function workedWith(): Promise<{ recorder: Recorder; first: Round; second: Round }> {
    const recorder = await freshBrowser();
    const first = await start(recorder);
    for (const path of ['/a', '/b', '/c', '/a', '/gone', '/d?utm_source=x']) await visit(recorder, path);
    await recorder.commands.endRound({ round: first.id });
    const second = await start(recorder, first.scope);
    for (const path of ['/a', '/new', '/d']) await visit(recorder, path);
    await recorder.commands.setVerdict({
      space: second.id,
      key: `${SITE}/a`,
      verdict: 'problem',
      note: 'slow',
    });
    await recorder.commands.deletePage({ space: second.id, key: `${SITE}/new` });
    return { recorder, first, second };
  }

  describe('replace', () => {
    it('gives the rows of the backup in an empty browser, and work goes on', async () => {
      const { first, second } = await workedWith();
      const file = await save();
      const before = await rows();
      const recorder = await freshBrowser();
      const { counts } = (await put(file, 'replace')).summary;
      expect(counts).toMatchObject({ scopes: 1, rounds: 2, pages: 7 });
      expect(await rows()).toEqual({ ...before, trash: [], events: [] });
      await expectTrue();
      await visit(recorder, '/b');
      expect((await pagesOf(second.id))['/b']).toMatchObject({ state: 'visited', inBase: true });
      await expectTrue();
      expect(await pagesOf(first.id)).toHaveProperty('/gone');
    });

    it('takes over what was recorded meanwhile, and keeps the old database as it was', async () => {
      const { recorder, second } = await workedWith();
      const file = await save();
      await visit(recorder, '/b');
      let isTold = false;
      const old = current;
      const { before } = await put(file, 'replace', {
        onProgress: (done) => {
          isTold ||= done > 0;
        },
        alone: async (work) => {
          await visit(recorder, '/during');
          await visit(recorder, '/a');
          await recorder.commands.setVerdict({ space: second.id, key: `${SITE}/d`, verdict: 'ok' });
          return work();
        },
      });
      expect(isTold).toBe(true);
      expect(before).toBe(old);
      const pages = await pagesOf(second.id);
      expect(pages['/during']).toMatchObject({ state: 'visited', visits: 1 });
      expect(pages['/a']).toMatchObject({ visits: 2, verdict: 'problem' });
      expect(pages['/d']).toMatchObject({ verdict: 'ok' });
      // It was visited after the backup was made and before the restore began.
      expect(pages).not.toHaveProperty('/b');
      await expectTrue();
      const numberOf = async () => (await (await openStore()).get('meta', 'log')) as { number: number };
      const { number } = await numberOf();
      useDatabase(old);
      expect(await pagesOf(second.id)).toHaveProperty('/b');
      expect(number).toBeGreaterThan((await numberOf()).number);
    });
  });

  describe('merge', () => {
    it('of a browser’s own backup changes nothing', async () => {
      await workedWith();
      const before = await rows();
      const { added } = await put(await save(), 'merge');
      expect(added).toBe(0);
      expect(await rows()).toEqual(before);
      await expectTrue();
    });

    it('unites what two people saw in one round as if one had seen it all', async () => {
      const mine = await freshBrowser();
      const round = await start(mine);
      for (const path of ['/a', '/b']) await visit(mine, path);
      const shared = await save();
      const theirs = await freshBrowser();
      await put(shared, 'replace');
      theirs.sets.forget();
      for (const path of ['/b', '/c', '/b']) await visit(theirs, path);
      await theirs.commands.setVerdict({ space: round.id, key: `${SITE}/b`, verdict: 'ok' });
      const file = await save();

      // The other browser again, with more of its own.
      const again = await freshBrowser();
      await put(shared, 'replace');
      again.sets.forget();
      for (const path of ['/b', '/mine']) await visit(again, path);
      const { added, skipped } = await put(file, 'merge');
      expect(added).toBeGreaterThan(0);
      expect(skipped).toBeGreaterThan(0);
      const found = await pagesOf(round.id);
      expect(Object.keys(found).toSorted()).toEqual(['/a', '/b', '/c', '/mine']);
      expect(found['/b']).toMatchObject({ visits: 4, verdict: 'ok', state: 'visited' });
      await expectTrue();
      const [open, ...others] = (await listRounds()).filter(({ state }) => state !== 'ended');
      expect(open?.id).toBe(round.id);
      expect(others).toEqual([]);
      const after = await rows();
      expect((await put(file, 'merge')).added).toBe(0);
      expect(await rows()).toEqual(after);
      // The trash and the ids of events stay.
      again.sets.forget();
      await visit(again, '/c');
      expect((await pagesOf(round.id))['/c']).toMatchObject({ visits: 2 });
      await expectTrue();
    });

    it('ends foreign open rounds, and the own open round goes on recording', async () => {
      const theirs = await freshBrowser();
      const first = await start(theirs);
      await visit(theirs, '/a');
      const shared = await save();
      await theirs.commands.endRound({ round: first.id });
      const foreign = await start(theirs, first.scope);
      for (const path of ['/a', '/theirs']) await visit(theirs, path);
      const file = await save();

      const mine = await freshBrowser();
      await put(shared, 'replace');
      mine.sets.forget();
      await mine.commands.endRound({ round: first.id });
      const own = await start(mine, first.scope);
      await visit(mine, '/mine');
      await put(file, 'merge');
      mine.sets.forget();
      const rounds = await listRounds(first.scope);
      expect(rounds.find(({ id }) => id === foreign.id)?.state).toBe('ended');
      expect(rounds.find(({ id }) => id === own.id)?.state).toBe('open');
      expect(new Set(rounds.map(({ number }) => number)).size).toBe(3);
      await visit(mine, '/after');
      expect(Object.keys(await pagesOf(own.id)).toSorted()).toEqual(['/after', '/mine']);
      expect(Object.keys(await pagesOf(foreign.id)).toSorted()).toEqual(['/a', '/theirs']);
      await expectTrue();
    });

    it('makes the keys of another policy version again: what was one page there may be two here', async () => {
      const mine = await freshBrowser();
      const own = await start(mine, undefined, 'collecting');
      await visit(mine, '/list?page=1');
      const shared = await save();
      const theirs = await freshBrowser();
      await put(shared, 'replace');
      // Their policy takes pages of a list for one.
      const db = await openStore();
      const policy = { removeParams: ['page'] };
      const version = policyVersion(policy);
      const [scope] = await db.getAll('scopes');
      await db.put('scopes', { ...scope!, policy, policyVersion: version });
      const [round] = await db.getAll('rounds');
      await db.put('rounds', { ...round!, policy, policyVersion: version });
      await db.clear('pages');
      await db.clear('visits');
      await db.clear('variants');
      theirs.sets.forget();
      for (const path of ['/list?page=2', '/list?page=3', '/other']) await visit(theirs, path);
      expect(Object.keys(await pagesOf(own.scope))).toEqual(['/list', '/other']);
      const file = await save();

      const again = await freshBrowser();
      await put(shared, 'replace');
      await put(file, 'merge');
      const pages = await pagesOf(own.scope);
      expect(Object.keys(pages)).toEqual(['/list?page=1', '/list?page=2', '/list?page=3', '/other']);
      for (const [path, page] of Object.entries(pages))
        expect(page).toMatchObject({ state: 'visited', visits: 1, url: SITE + path });
      const [latest] = await listRounds();
      expect(latest?.counters).toMatchObject({ visited: 4 });
      again.sets.forget();
      await visit(again, '/list?page=2');
      expect((await pagesOf(own.scope))['/list?page=2']).toMatchObject({ visits: 2 });
    });

    it('tells later rounds what their base has now', async () => {
      const theirs = await freshBrowser();
      const base = await start(theirs);
      await visit(theirs, '/a');
      const shared = await save();
      await visit(theirs, '/theirs');
      const file = await save();
      const mine = await freshBrowser();
      await put(shared, 'replace');
      mine.sets.forget();
      await mine.commands.endRound({ round: base.id });
      const next = await start(mine, base.scope);
      await visit(mine, '/theirs');
      expect((await pagesOf(next.id))['/theirs']).toMatchObject({ inBase: false });
      await put(file, 'merge');
      expect((await pagesOf(next.id))['/theirs']).toMatchObject({ inBase: true });
      const round = (await listRounds()).find(({ id }) => id === next.id);
      expect(round).toMatchObject({ baseSize: 2, counters: { baseVisited: 1 } });
      await expectTrue();
    });
  });

  describe('what goes wrong leaves everything as it was', () => {
    it.each(['merge', 'replace'] as const)('%s cancelled at any moment', async (mode) => {
      await workedWith();
      const file = await save();
      const before = await rows();
      const name = current;
      let steps = 0;
      await put(file, mode, {
        onProgress: () => (steps += 1),
        switchTo: () => Promise.reject(new Error('no')),
      }).catch(() => undefined);
      expect(steps).toBeGreaterThan(2);
      for (let stop = 1; stop <= steps; stop++) {
        const controller = new AbortController();
        let passed = 0;
        const cancelled = put(file, mode, {
          signal: controller.signal,
          onProgress: () => {
            passed += 1;
            if (passed === stop) controller.abort(new Error('cancelled'));
          },
          switchTo: () => Promise.reject(new Error('the switch failed')),
        });
        await expect(cancelled).rejects.toThrow(/cancelled|the switch failed/);
        expect(current).toBe(name);
        expect(await rows()).toEqual(before);
      }
      const left = (await indexedDB.databases()).map((each) => each.name);
      expect(left).toEqual([name]);
    });

    it('a browser that died half-way leaves a database that is deleted later', async () => {
      await workedWith();
      await openStore('onceover-half');
      await closeStore('onceover-half');
      await openStore('elsewhere');
      expect(await deleteLeftovers([current])).toEqual(['onceover-half']);
      const left = (await indexedDB.databases()).map(({ name }) => name);
      expect(new Set(left)).toEqual(new Set(['elsewhere', current]));
    });

    it('a damaged, cut off, newer or foreign file', async () => {
      await workedWith();
      const file = await save();
      const before = await rows();
      const text = new TextDecoder().decode(file);
      const lines = text.trimEnd().split('\n');
      const swap = (from: string, to: string) => text.replace(from, to);
      const damaged: [string, string][] = [
        ['', 'The file is empty, so it is no backup.'],
        ['https://shop.example.com/\n', 'Line 1: this is no backup of Onceover.'],
        [text.slice(20), 'Line 1: this is no backup of Onceover.'],
        [
          swap('"version":2', '"version":3'),
          'made by a newer Onceover (format 3, this one reads up to 2). Update Onceover.',
        ],
        [lines.slice(0, -1).join('\n'), `The backup is cut off after line ${lines.length - 1}`],
        [text.slice(0, Math.floor(text.length / 2)), 'the line is damaged or cut off. Use another copy.'],
        [swap('"state":"visited"', '"state":"visitex"'), 'pages: field "state" is not what it must be.'],
        [swap(`"url":"${SITE}/a"`, '"url":"javascript:alert(1)"'), 'field "url" is not what it must be.'],
        [swap('"slow"', '"fast"'), 'The backup is damaged: its checksum does not agree. Use another copy.'],
        [lines.toSpliced(4, 1).join('\n'), 'The backup is damaged: its checksum does not agree.'],
        [
          `${text}{"store":"texts","row":{"hash":"1"}}\n`,
          `Line ${lines.length + 1}: something follows the end`,
        ],
        [text.replace(/"sha256":"./, '"sha256":"_'), 'The backup is damaged: its checksum does not agree.'],
      ];
      for (const [bad, message] of damaged) {
        const restoring = put(new TextEncoder().encode(bad), 'merge');
        await expect(restoring, message).rejects.toThrow(message);
        expect(await rows()).toEqual(before);
      }
      expect((await indexedDB.databases()).map(({ name }) => name)).toEqual([current]);
    });

    it.each([
      ['rounds', { policy: { siteRules: 1 } }, 'the policy cannot be used'],
      ['scopes', { policy: { nonsense: true } }, 'the policy cannot be used'],
      ['scopes', { origins: [1] }, '"origins"'],
      ['rounds', { scope: 'nowhere' }, 'the project of this round is missing'],
      ['pages', { space: 'nowhere' }, 'the round of this row is missing'],
    ])('a whole file with a hostile row: %s %j', async (store, change, message) => {
      await workedWith();
      const before = await rows();
      const hostile = async function* () {
        for await (const item of backupRows())
          yield item.store === store ? { ...item, row: { ...item.row, ...change } } : item;
      };
      const parts: string[] = [];
      for await (const text of writeBackup(hostile(), { createdAt: at, app: '1' })) parts.push(text);
      await expect(put(new TextEncoder().encode(parts.join('')), 'replace')).rejects.toThrow(message);
      expect(await rows()).toEqual(before);
    });
  });

  it('a list made into a backup comes as a round that can be looked at and gone on with', async () => {
    const page = (path: string, seq: number) => ({
      space: 's',
      key: SITE + path,
      scope: 's',
      host: 'shop.example.com',
      path,
      state: 'known',
      seq,
      url: SITE + path,
      firstSeenAt: at,
      visits: 0,
      addresses: 1,
      isNew: true,
      inBase: false,
      policyVersion: '',
    });
    const scope = {
      id: 's',
      name: 'List',
      origins: [],
      paths: [],
      mode: 'collecting',
      policy: {},
      policyVersion: '',
      createdAt: at,
    };
    const list = [
      { store: 'scopes', row: scope },
      { store: 'pages', row: page('/a', 0) },
      { store: 'pages', row: page('/b?utm_source=x', 1) },
      { store: 'pages', row: page('/b', 2) },
    ] as const;
    const parts: string[] = [];
    for await (const text of writeBackup(list, { createdAt: at, app: '1' })) parts.push(text);
    await freshBrowser();
    await put(new TextEncoder().encode(parts.join('')), 'merge');
    expect(Object.keys(await pagesOf('s'))).toEqual(['/a', '/b']);
    const [round, ...more] = await listRounds();
    expect(more).toEqual([]);
    expect(round).toMatchObject({ number: 1, state: 'ended', space: 's', counters: { known: 2 } });
    expect(await listTrash()).toEqual([]);
  });
}
