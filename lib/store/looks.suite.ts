import { deleteDB } from 'idb';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { snapshotOf } from '#lib/content/snapshot.testing.ts';
import { watchSpace, type Watch } from '#lib/content/watch.ts';
import type { Round } from '#lib/rounds/types.ts';
import {
  contentRules,
  getWatch,
  liveNumbers,
  pageChange,
  pageVersions,
  roundChanges,
  textUsage,
  versionText,
  watchChange,
} from './changes.ts';
import { closeStore, useDatabase, withStore } from './open.ts';
import type { PageLook } from './page-looks.ts';
import { listWatches, pageDetails } from './read.ts';
import { Recorder } from './recorder.ts';
import { MOST_VERSIONS } from './versions.ts';

const SITE = 'https://board.example.com';
const KEY = `${SITE}/a`;
type Entries = Parameters<typeof snapshotOf>[0];

let names = 0;
let database = '';
let at = 0;
let ids = 0;
let recorder: Recorder;

const freshRecorder = () => new Recorder({ now: () => at, randomId: () => `id-${(ids += 1)}` });

async function start(scope?: string): Promise<Round> {
  const where = scope === undefined ? { name: 'Board', origins: [`${SITE}/*`] } : { id: scope };
  return (await recorder.commands.startRound({ scope: where, base: 'last' })).round;
}

let document = 'd0';
/** The page is shown anew. */
async function show(path = '/a'): Promise<void> {
  document = `d${(ids += 1)}`;
  at += 1000;
  const url = SITE + path;
  await recorder.record({
    type: 'shown',
    id: `e${(ids += 1)}`,
    by: 'observer',
    document,
    moment: 'start',
    url,
    at,
  });
}

async function look(entries: Entries, more: Partial<PageLook> & { path?: string } = {}) {
  const { path = '/a', ...rest } = more;
  at += 5000;
  return recorder.look({
    id: `l${(ids += 1)}`,
    url: SITE + path,
    at,
    document,
    showing: `${document}:${path}`,
    frames: new Map([['0', snapshotOf(entries, { frames: false })]]),
    busy: false,
    isFirst: false,
    ...rest,
  });
}

const page = async (round: Round, key = KEY) => (await pageDetails(round.space, key))!.page;
const STATES = (state: string): Entries => [
  { text: 'Services', heading: 'Services' },
  { text: 'mail', row: 'mail', column: 'Service', heading: 'Services' },
  { text: state, row: 'mail', column: 'State', heading: 'Services' },
  { text: 'shop', row: 'shop', column: 'Service', heading: 'Services' },
  { text: 'UP', row: 'shop', column: 'State', heading: 'Services' },
];

/** The tests of versions, watches and rules, which must pass on a fake IndexedDB and on a real one. */
export function describeLooks(): void {
  beforeEach(() => {
    database = `looks-${Date.now()}-${(names += 1)}`;
    useDatabase(database);
    at = 1_700_000_000_000;
    recorder = freshRecorder();
  });
  afterEach(async () => {
    await closeStore();
    await deleteDB(database);
  });

  describe('versions of pages', () => {
    it('come back as they were read, whatever is in them, with frames in their order', async () => {
      const round = await start();
      await show();
      const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 });
      const entry = fc.record(
        {
          text,
          id: fc.string(),
          row: fc.string(),
          heading: fc.string(),
          noise: fc.constant('exclude-selector x'),
        },
        { requiredKeys: ['text'] },
      );
      const frames = fc.array(fc.array(entry, { maxLength: 30 }), { minLength: 1, maxLength: 12 });
      // What reads like the version before is no new version, so each look has a word of its own.
      let looks = 0;
      await fc.assert(
        fc.asyncProperty(frames, async ([first, ...others]) => {
          const all = [[{ text: `look ${(looks += 1)}` }, ...first!], ...others];
          const given = new Map(
            all.map((entries, n) => [n === 0 ? '0' : `0.${n}`, snapshotOf(entries, { frames: false })]),
          );
          await show();
          await look([], { frames: given });
          const [version] = await pageVersions(round.space, KEY);
          const read = (await versionText(round.space, KEY, version!.seq))!;
          const expected = [...given.values()].flatMap(({ blocks }) => blocks);
          expect(read.blocks).toEqual(
            expected.map((block, order) => ({ ...block, place: { ...block.place, order } })),
          );
        }),
        { numRuns: 25 },
      );
    });

    it('store a text once, a long one compressed, and forget it with the last round that has it', async () => {
      const long = 'a long line that repeats itself, '.repeat(200);
      const first = await start();
      await show();
      await look(['header', long, 'news of today']);
      await show('/b');
      await look(['header', long, 'other'], { path: '/b' });
      const before = await textUsage();
      expect(before).toMatchObject({ snapshots: 2, texts: 4 });
      expect(before.stored).toBeLessThan(long.length);
      for (let n = 0; n < 3; n += 1) {
        await recorder.commands.endRound({
          round: (await withStore((db) => db.getAll('rounds'))).at(-1)!.id,
        });
        at += 1000;
        await start(first.scope);
        await show();
        await look(['header', 'news of day', `day ${n}`]);
      }
      await recorder.pruneTexts(2);
      expect(await pageVersions(first.space, KEY)).toEqual([]);
      // The rounds 3 and 4, whose base is 3: header, news of day, day 1, day 2.
      expect(await textUsage()).toMatchObject({ snapshots: 2, texts: 4 });
    });

    it('keep a text that is asked for while others are swept', async () => {
      const round = await start();
      await show();
      await look(['kept', 'dropped']);
      await withStore((db) => db.clear('snapshots'));
      let isSwept = false;
      const mean = new Recorder({
        now: () => at,
        randomId: () => `id-${(ids += 1)}`,
        alone: async (work) => {
          if (!isSwept) {
            isSwept = true;
            await look(['kept', 'newer']);
          }
          return work();
        },
      });
      await mean.pruneTexts(5);
      const [version] = await pageVersions(round.space, KEY);
      expect((await versionText(round.space, KEY, version!.seq))!.blocks.map(({ text }) => text)).toEqual([
        'kept',
        'newer',
      ]);
      expect((await textUsage()).texts).toBe(2);
    });

    it('whose hash is that of another text keep their own', async () => {
      const round = await start();
      await show();
      await look(['one']);
      const hostile = snapshotOf(['two']);
      const [block] = snapshotOf(['one']).blocks;
      hostile.blocks[0]!.exact = block!.exact;
      await show('/b');
      await look([], { path: '/b', frames: new Map([['0', { ...hostile, digest: 'ffffffffffffffff' }]]) });
      const read = async (key: string) =>
        (await versionText(round.space, key, 1))!.blocks.map(({ text }) => text);
      expect(await read(KEY)).toEqual(['one']);
      expect(await read(`${SITE}/b`)).toEqual(['two']);
    });

    it('are at most so many a page, the first and the latest among them', async () => {
      const round = await start();
      await show();
      for (let n = 0; n < MOST_VERSIONS + 8; n += 1) await look([`state ${'x'.repeat(n)}`, 'UP']);
      const versions = await pageVersions(round.space, KEY);
      expect(versions).toHaveLength(MOST_VERSIONS);
      expect(versions.at(-1)?.seq).toBe(1);
      expect(versions[0]?.seq).toBe(MOST_VERSIONS + 8);
    });

    it('say that a page flips between two', async () => {
      const round = await start();
      for (const name of ['A', 'B', 'A']) {
        await show();
        await look([`variant ${name} of the page`, 'the rest']);
      }
      expect((await pageVersions(round.space, KEY)).map(({ same }) => same)).toEqual([
        1,
        undefined,
        undefined,
      ]);
    });
  });

  describe('a change', () => {
    it('is told against the base round, and is none once it is taken back', async () => {
      const first = await start();
      await show();
      await look(STATES('UP'), { isFirst: true });
      await recorder.commands.endRound({ round: first.id });
      at += 1000;
      const second = await start(first.scope);
      await show();
      expect(await look(STATES('DOWN'), { isFirst: true })).toMatchObject({ changed: true });
      expect(await page(second)).toMatchObject({ changed: true });
      const { change, before, after } = (await pageChange(second.space, KEY))!;
      expect(before).toMatchObject({ space: first.space });
      expect(after).toMatchObject({ space: second.space });
      expect(change!.blocks).toMatchObject([{ op: 'edited', before: 'UP', after: 'DOWN' }]);
      expect(await look(STATES('UP'))).toMatchObject({ changed: false });
      expect(await page(second)).toMatchObject({ changed: false });
    });

    it('that is noise is none', async () => {
      const first = await start();
      await show();
      await look(['Report', 'updated 3 minutes ago'], { isFirst: true });
      await recorder.commands.endRound({ round: first.id });
      at += 1000;
      const second = await start(first.scope);
      await show();
      await look(['Report', 'updated 8 minutes ago'], { isFirst: true });
      expect((await page(second)).changed ?? false).toBe(false);
      const { change } = (await pageChange(second.space, KEY))!;
      expect(change).toMatchObject({ changed: true, quiet: true });
    });

    it('on many pages is one line', async () => {
      const first = await start();
      const paths = ['/a', '/b', '/c', '/d'];
      for (const path of paths) {
        await show(path);
        await look([`text of ${path}`, 'Call 555-0100'], { path, isFirst: true });
      }
      await recorder.commands.endRound({ round: first.id });
      at += 1000;
      const second = await start(first.scope);
      for (const path of paths) {
        await show(path);
        await look([path === '/d' ? 'rewritten' : `text of ${path}`, 'Call 555-0199'], {
          path,
          isFirst: true,
        });
      }
      const { groups, pages, cut } = await roundChanges(second.space);
      expect(cut).toBe(false);
      expect(pages.map(({ news }) => news)).toEqual([1, 1, 1, 2]);
      expect(groups.map(({ before, pages: on }) => [before, on.length])).toEqual([
        ['Call 555-0100', 4],
        ['text of /d', 1],
      ]);
    });

    it('of a shell, an empty page or an error is no baseline, until the person says so', async () => {
      const first = await start();
      await show();
      await look(STATES('UP'), { isFirst: true });
      for (const bad of [['Loading…'], [], ['502 Bad Gateway'], ['nothing of what was']]) {
        await show();
        await look(bad, { isFirst: true });
        expect((await page(first)).changed ?? false).toBe(false);
      }
      const versions = await pageVersions(first.space, KEY);
      expect(versions.map(({ doubt }) => doubt)).toEqual([
        'vanished',
        'error',
        'empty',
        'loading',
        undefined,
      ]);
      expect((await pageChange(first.space, KEY))!.after.seq).toBe(1);
      await recorder.commands.acceptVersion({ space: first.space, key: KEY, seq: versions[0]!.seq });
      expect((await pageChange(first.space, KEY))!.after.seq).toBe(versions[0]!.seq);
    });

    it('by frames that are late is none', async () => {
      const round = await start();
      await show();
      const frame = (text: string) => snapshotOf([text, 'UP']);
      await look([], { frames: new Map([['0', frame('page')]]), isFirst: true });
      await look([], {
        frames: new Map([
          ['0', frame('page')],
          ['0.0', frame('late')],
        ]),
      });
      expect((await page(round)).changed ?? false).toBe(false);
      expect(await pageVersions(round.space, KEY)).toMatchObject([{ frames: ['0', '0.0'] }]);
    });
  });

  it('what was read by other rules is not compared: reading more is no change, in a round or a watch', async () => {
    const round = await start();
    await show();
    const by = (entries: Entries) => ({
      frames: new Map([['0', snapshotOf(entries, { frames: false, attributeText: true })]]),
    });
    await look(STATES('UP'), { isFirst: true });
    const { watch } = await recorder.commands.addWatch({
      scope: round.scope,
      url: `${SITE}/a`,
      label: 'all',
    });
    await look(STATES('UP'));
    await recorder.commands.setContentRule({ scope: round.scope, rules: { attributeText: true } });
    const more = (state: string): Entries => [...STATES(state), { text: 'a picture of the hall' }];
    await look([], by(more('UP')));
    expect((await page(round)).changed).not.toBe(true);
    expect(await getWatch(watch.id)).toMatchObject({ state: 'same', unseen: false });
    await look([], by(more('DOWN')));
    expect((await page(round)).changed).toBe(true);
    expect(await getWatch(watch.id)).toMatchObject({ state: 'changed', unseen: true });
    await recorder.commands.endRound({ round: round.id });
    const next = await start(round.scope);
    await show();
    await look(STATES('UP'), { isFirst: true });
    expect((await page(next)).changed).not.toBe(true);
  });

  describe('live numbers', () => {
    it('make one version a minute at most, whatever words change between; each word makes its own', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.record({ word: fc.constantFrom('UP', 'DOWN'), moves: fc.nat(5) }), {
            minLength: 10,
            maxLength: 16,
          }),
          async (steps) => {
            const round = await start();
            await show();
            let words = 1;
            let before = 'UP';
            // So many numbers that none is live.
            const values = [10, 20, 30, 40, 50];
            const now = (word: string): Entries => [
              ...STATES(word),
              ...values.map((value, index) => ({
                text: `load ${value} %`,
                row: `row ${index}`,
                column: 'Load',
              })),
            ];
            await look(now('UP'), { isFirst: true });
            for (const { word, moves } of steps) {
              if (moves < 5) values[moves]! += 1;
              words += Number(word !== before);
              before = word;
              await look(now(word));
            }
            const versions = await pageVersions(round.space, KEY);
            const numeric = versions.filter(({ numbers }) => numbers).map(({ at: time }) => time);
            for (const [index, time] of numeric.slice(1).entries())
              expect(numeric[index]! - time).toBeGreaterThanOrEqual(60_000);
            const others = versions.filter(({ numbers }) => !numbers);
            expect(others).toHaveLength(words);
            await recorder.commands.endRound({ round: round.id });
          },
        ),
        { numRuns: 6 },
      );
    });

    const board = (load: number, state = 'UP'): Entries => [
      { text: 'Load', heading: 'Load' },
      { text: `${load} %`, row: 'cpu', heading: 'Load' },
      { text: state, row: 'state', heading: 'Load' },
      'one more line',
    ];

    it('make at most one version a minute, and none once they are live; a word among them still does', async () => {
      const round = await start();
      await show();
      for (let n = 0; n < 60; n += 1) await look(board(n * 7), { isFirst: n === 0 });
      const versions = await pageVersions(round.space, KEY);
      expect(versions.length).toBeLessThanOrEqual(3);
      expect(await liveNumbers(round.scope, KEY)).toMatchObject([{ label: 'cpu', least: 0 }]);
      await look(board(999, 'DOWN'));
      const after = await pageVersions(round.space, KEY);
      expect(after).toHaveLength(versions.length + 1);
      const { change, live } = (await pageChange(round.space, KEY))!;
      expect(change!.blocks).toMatchObject([{ before: 'UP', after: 'DOWN' }]);
      expect(live).toMatchObject([{ label: 'cpu' }]);
    });

    it('that change now and then while a page is open are news', async () => {
      const round = await start();
      await show();
      for (let n = 0; n < 8; n += 1) {
        await look(board(n), { isFirst: n === 0 });
        at += 10 * 60_000;
      }
      expect(await pageVersions(round.space, KEY)).toHaveLength(8);
      expect(await liveNumbers(round.scope, KEY)).toEqual([]);
    });
  });

  describe('watches', () => {
    const region = { heading: 'Services', row: 'mail', column: 'State' };
    const add = async (scope: string, more: object = {}): Promise<Watch> =>
      (await recorder.commands.addWatch({ scope, url: KEY, ...more })).watch;
    const state = async (watch: Watch) => {
      const { state: now, unseen } = (await getWatch(watch.id))!;
      return [now, unseen];
    };

    it('of a region see its changes only, until the person looked', async () => {
      const round = await start();
      await show();
      const watch = await add(round.scope, { region, label: 'mail' });
      expect(await state(watch)).toEqual(['waiting', false]);
      expect((await look(STATES('UP'))).news).toEqual([]);
      expect(await state(watch)).toEqual(['same', false]);
      expect((await look([...STATES('UP'), 'something else'])).news).toEqual([]);
      expect(await state(watch)).toEqual(['same', false]);
      expect((await look(STATES('DOWN'))).news.map(({ id }) => id)).toEqual([watch.id]);
      expect(await state(watch)).toEqual(['changed', true]);
      const { found } = (await watchChange(watch.id))!;
      expect(found!.change!.blocks).toMatchObject([{ before: 'UP', after: 'DOWN' }]);
      expect((await listWatches())[0]?.id).toBe(watch.id);
      // An outage that is over is still news to who did not look; it is not told twice.
      expect((await look(STATES('UP'))).news).toEqual([]);
      expect(await state(watch)).toEqual(['same', true]);
      const { seen } = (await getWatch(watch.id))!;
      await recorder.commands.seenWatch({ watch: watch.id });
      expect(await state(watch)).toEqual(['same', false]);
      // Taken back, it is news as before.
      await recorder.commands.seenWatch({ watch: watch.id, seen: seen! });
      expect((await state(watch))[1]).toBe(true);
      expect((await getWatch(watch.id))!.seen).toBe(seen);
      await recorder.commands.seenWatch({ watch: watch.id });
      expect((await pageVersions(watchSpace(watch.id), KEY)).length).toBe(3);
    });

    it('say that a region is not there, that the page is too busy, and nothing while it loads', async () => {
      const round = await start();
      await show();
      const watch = await add(round.scope, { region });
      await look(STATES('UP'));
      await look(['Loading…']);
      expect(await state(watch)).toEqual(['same', false]);
      await look(['Another page', 'with text', 'of its own']);
      expect(await state(watch)).toEqual(['not-found', false]);
      await look(STATES('UP'), { busy: true });
      expect(await state(watch)).toEqual(['busy', false]);
      await look(STATES('UP'));
      expect(await state(watch)).toEqual(['same', false]);
    });

    it('with a limit tell live numbers that pass it, and no others', async () => {
      const round = await start();
      await show();
      const load = (value: number): Entries => [{ text: `${value} %`, row: 'cpu', heading: 'Load' }, 'text'];
      const watch = await add(round.scope, { region: { row: 'cpu' } });
      for (let value = 1; value <= 10; value += 1) await look(load(value));
      await recorder.commands.seenWatch({ watch: watch.id });
      const [live] = await liveNumbers(watchSpace(watch.id), KEY);
      const thresholds = [{ value: live!.name, above: 90 }];
      await recorder.commands.changeWatch({ watch: watch.id, thresholds });
      for (const value of [20, 85, 40]) expect((await look(load(value))).news).toEqual([]);
      expect((await look(load(95))).news.map(({ id }) => id)).toEqual([watch.id]);
      expect(await state(watch)).toEqual(['changed', true]);
      await recorder.commands.changeWatch({ watch: watch.id, thresholds: [] });
      expect((await getWatch(watch.id))?.thresholds ?? []).toEqual([]);
    });

    it('are removed and come back, with their versions', async () => {
      const round = await start();
      await show();
      const watch = await add(round.scope, { region });
      await look(STATES('UP'));
      const { undo } = await recorder.commands.removeWatch({ watch: watch.id });
      expect(await listWatches()).toEqual([]);
      await recorder.commands.undo({ undo });
      expect(await listWatches(round.scope)).toMatchObject([{ id: watch.id, state: 'same' }]);
      expect(await pageVersions(watchSpace(watch.id), KEY)).toHaveLength(1);
      const again = await recorder.commands.removeWatch({ watch: watch.id });
      expect(again.undo).not.toBe(undo);
      at += 31 * 24 * 3_600_000;
      await recorder.tidy();
      expect(await pageVersions(watchSpace(watch.id), KEY)).toEqual([]);
    });

    it('are for pages of the project', async () => {
      const { scope } = await start();
      await expect(recorder.commands.addWatch({ scope, url: 'https://other.example.com/' })).rejects.toThrow(
        'project',
      );
    });
  });

  describe('rules', () => {
    it('judge again what is stored: of the page, of its watches, and when they are taken back', async () => {
      const first = await start();
      await show();
      await look(STATES('UP'), { isFirst: true });
      await recorder.commands.endRound({ round: first.id });
      at += 1000;
      const second = await start(first.scope);
      const { watch } = await recorder.commands.addWatch({ scope: first.scope, url: KEY });
      await show();
      await look(STATES('UP'), { isFirst: true });
      await look(STATES('DOWN'));
      const seen = async () => [(await page(second)).changed ?? false, (await getWatch(watch.id))!.unseen];
      expect(await seen()).toEqual([true, true]);
      const place = { row: 'mail', column: 'State' };
      const { rule } = await recorder.commands.ignoreBlock({ scope: first.scope, key: KEY, place });
      expect(await seen()).toEqual([false, false]);
      expect((await pageChange(second.space, KEY))!.change).toMatchObject({ changed: true, quiet: true });
      const { undo } = await recorder.commands.removeContentRule({ rule });
      expect((await seen())[0]).toBe(true);
      await recorder.commands.undo({ undo });
      expect((await seen())[0]).toBe(false);
      expect(await contentRules(first.scope)).toHaveLength(1);
    });

    it('that are none are refused', async () => {
      const { scope } = await start();
      const set = (rules: object) => recorder.commands.setContentRule({ scope, rules });
      await expect(set({ mask: true })).rejects.toThrow('Unknown content rule "mask"');
      await expect(set({ ignore: [{}] })).rejects.toThrow('needs one of');
    });

    it('offer to ignore a block that changed at each of three looks', async () => {
      const round = await start();
      await show();
      for (const word of ['one', 'two', 'three', 'four']) await look(STATES(word));
      const { offers } = (await pageChange(round.space, KEY))!;
      expect(offers).toMatchObject([{ place: { row: 'mail', column: 'State' } }]);
    });
  });
}
