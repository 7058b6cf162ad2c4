import { deleteDB, openDB } from 'idb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { leftOf } from '#lib/rounds/coverage.ts';
import type { CaptureEvent, Shown } from '#lib/rounds/events.ts';
import type { Round, Schedule } from '#lib/rounds/types.ts';
import type { Commands } from './commands.ts';
import { FailOnDemand, RECORDER_STEPS, type RecorderStep } from './faults.ts';
import { closeStore, openStore, StoreError, useDatabase, withStore } from './open.ts';
import {
  diagnostics,
  getRound,
  listRounds,
  listTrash,
  pageDetails,
  pagesOf,
  streamPages,
  visitsOf,
  mostRepeated,
} from './read.ts';
import { recount } from './recount.ts';
import { Recorder } from './recorder.ts';
import { SCHEMA_VERSION } from './schema.ts';
import { CommandError } from './surroundings.ts';

const SITE = 'https://shop.example.com';
const HOUR = 3_600_000;

let names = 0;
let database = '';
let at = 0;
let faults: FailOnDemand;
let steps: RecorderStep[] = [];
let recorder: Recorder;
let ids = 0;

function freshRecorder(): Recorder {
  return new Recorder({
    now: () => at,
    randomId: () => `id-${(ids += 1)}`,
    faults,
    step: (step) => void steps.push(step),
  });
}

const shown = (path: string, more: Partial<Shown> = {}): Shown => {
  const url = `${SITE}${path}`;
  const count = (ids += 1);
  return {
    type: 'shown',
    id: `e${count}`,
    by: 'browser',
    document: `d${count}`,
    moment: 'start',
    url,
    at,
    ...more,
  };
};

async function start(more: { base?: string; scope?: string; schedule?: Schedule } = {}): Promise<Round> {
  const scope = more.scope === undefined ? { name: 'Shop', origins: [`${SITE}/*`] } : { id: more.scope };
  return (await recorder.commands.startRound({ scope, base: more.base ?? 'last' })).round;
}

async function keysOf(space: string, filter: Partial<Parameters<typeof pagesOf>[1]> = {}): Promise<string[]> {
  const { rows } = await pagesOf(space, { limit: 1000, ...filter });
  return rows.map(({ key }) => key.slice(SITE.length));
}

async function expectTrue(round: Round): Promise<Round> {
  const now = (await getRound(round.id))!;
  expect(now.counters).toEqual(await recount(round));
  return now;
}

/** The store's tests, which must pass on a fake IndexedDB and on a real one. */
export function describeRecorder(): void {
  beforeEach(() => {
    database = `test-${Date.now()}-${(names += 1)}`;
    useDatabase(database);
    at = 1_700_000_000_000;
    faults = new FailOnDemand();
    steps = [];
    recorder = freshRecorder();
  });
  afterEach(async () => {
    await closeStore();
    await deleteDB(database);
  });

  describe('recording', () => {
    it('records nothing outside an open round', async () => {
      expect((await recorder.record(shown('/a'))).recorded).toBe(false);
      const round = await start();
      expect((await recorder.record(shown('/a', { at: at - 1 }))).recorded).toBe(false);
      expect((await recorder.record({ ...shown('/a'), url: 'https://other.example.com/a' })).recorded).toBe(
        false,
      );
      await recorder.commands.pauseRound({ round: round.id, until: null });
      expect((await recorder.record(shown('/a'))).recorded).toBe(false);
      at += 10;
      await recorder.commands.resumeRound({ round: round.id });
      expect((await recorder.record(shown('/a'))).recorded).toBe(true);
      expect(await keysOf(round.space)).toEqual(['/a']);
    });

    it('takes a batch of 100 with one duplicate: 99 effects, nothing lost', async () => {
      const round = await start();
      const events = Array.from({ length: 99 }, (_, index) => shown(`/page/${index}`));
      const told = await Promise.all([...events, events[50]!].map((event) => recorder.record(event)));
      expect(told.every(({ recorded }) => recorded)).toBe(true);
      expect((await expectTrue(round)).counters).toMatchObject({ visits: 99, visited: 99, duplicates: 0 });
      expect((await diagnostics()).repeated).toBe(1);
    });

    it('records several events in one transaction: all or none', async () => {
      const round = await start();
      const events = [shown('/a'), shown('/a'), shown('/b', { status: 503, by: 'observer' }), shown('/a')];
      faults.fail('quota');
      await expect(recorder.recordAll([...events, events[0]!])).rejects.toMatchObject({ fault: 'not-saved' });
      expect(await keysOf(round.space)).toEqual([]);
      const told = await recorder.recordAll([...events, events[0]!]);
      expect(told.map(({ recorded }) => recorded)).toEqual([true, true, true, true, true]);
      expect((await expectTrue(round)).counters).toMatchObject({
        visits: 3,
        duplicates: 2,
        visited: 1,
        retrying: 1,
      });
      expect(await diagnostics()).toMatchObject({ events: 4, repeated: 1 });
    });

    it('decides at once from two windows: 50 visits of one page are 50, and one is the first', async () => {
      const round = await start();
      const other = freshRecorder();
      await Promise.all(
        Array.from({ length: 50 }, (_, index) => [recorder, other][index % 2]!.record(shown('/a'))),
      );
      expect((await expectTrue(round)).counters).toMatchObject({ visits: 50, duplicates: 49, visited: 1 });
      const { rows } = await visitsOf(round.id, { limit: 100 });
      expect(rows.filter(({ kind }) => kind === 'first')).toHaveLength(1);
    });

    it('merges what browser and observer tell, and corrects by a status that comes second', async () => {
      const round = await start();
      const told = shown('/slow', { how: 'link', source: `${SITE}/list`, document: 'D' });
      await recorder.record(told);
      expect(await keysOf(round.space, { state: 'visited' })).toEqual(['/slow']);
      await recorder.record({ ...told, id: 'o', by: 'observer', status: 503, at: at + 30, title: 'Busy' });
      expect(await keysOf(round.space, { state: 'retrying' })).toEqual(['/slow']);
      expect((await expectTrue(round)).counters).toMatchObject({
        visits: 0,
        failed: 1,
        retrying: 1,
        visited: 0,
      });
      at += HOUR;
      await recorder.record(shown('/slow', { status: 200, by: 'observer' }));
      const details = (await pageDetails(round.space, `${SITE}/slow`))!;
      expect(details.page).toMatchObject({
        state: 'visited',
        visits: 1,
        tries: { count: 1, status: 503 },
        status: 200,
      });
      expect(details.visits.map(({ kind }) => kind)).toEqual(['first', 'failed']);
      expect(details.page.from).toBe(`${SITE}/list`);
      await expectTrue(round);
    });

    it('records a page of two scopes in both', async () => {
      const shop = await start();
      const { round: all } = await recorder.commands.startRound({
        scope: { name: 'All', origins: ['https://*.example.com/*'], mode: 'collecting' },
        base: 'none',
      });
      const { tick } = await recorder.record(shown('/a?utm_source=x'));
      expect(new Set(tick?.rounds)).toEqual(new Set([shop.id, all.id]));
      expect(await keysOf(shop.space)).toEqual(['/a']);
      expect(await keysOf(all.scope)).toEqual(['/a']);
    });

    it('keeps long addresses under their hash, whole beside it', async () => {
      const round = await start();
      const path = `/long?q=${'x'.repeat(100_000)}`;
      await recorder.record(shown(path));
      const { rows } = await pagesOf(round.space, { limit: 10 });
      expect(rows[0]?.key).toMatch(/^sha256:[0-9a-f]{64}$/);
      expect(rows[0]).toMatchObject({
        fullKey: `${SITE}${path}`,
        url: `${SITE}${path}`,
        host: 'shop.example.com',
      });
      expect((await pageDetails(round.space, rows[0]!.key))?.variants[0]?.fullUrl).toBe(`${SITE}${path}`);
    });

    it('counts addresses that no key can be made of, and goes on', async () => {
      const round = await start();
      const events: CaptureEvent[] = ['javascript:void 0', 'data:,x', 'chrome://newtab/', `${SITE}/%zz`].map(
        (url) => ({
          ...shown('/'),
          url,
        }),
      );
      for (const event of events) await recorder.record(event);
      expect(await keysOf(round.space)).toEqual(['/%25zz']);
      const found = { type: 'links' as const, id: 'l', url: `${SITE}/`, at, collapsed: 3, refused: 2 };
      for (let told = 0; told < 2; told++) await recorder.record({ ...found, links: [`${SITE}/b`] });
      expect(await diagnostics()).toMatchObject({ collapsed: 3, refused: { page: 2, import: 0, paste: 0 } });
      await recorder.record({ ...found, id: 'm', url: 'https://other.example.com/', links: [] });
      expect(await diagnostics()).toMatchObject({ collapsed: 3 });
    });

    it('passes every step it names', async () => {
      const { id, scope } = await start();
      await recorder.record(shown('/a'));
      await recorder.record({ type: 'links', id: 'l', url: `${SITE}/a`, at, links: [`${SITE}/b`] });
      await recorder.saveSets();
      await recorder.commands.endRound({ round: id });
      await recorder.commands.updateScope({ scope, schedule: { every: 'hours', hours: 1 } });
      at += 2 * HOUR;
      await recorder.openDue();
      expect(new Set(steps)).toEqual(new Set(RECORDER_STEPS));
    });
  });

  describe('faults', () => {
    it('writes nothing when the disk is full, says so by name, and records the same event later', async () => {
      const round = await start();
      const event = shown('/a');
      faults.fail('quota');
      await expect(recorder.record(event)).rejects.toMatchObject({ name: 'StoreError', fault: 'not-saved' });
      expect(await keysOf(round.space)).toEqual([]);
      expect((await recorder.record(event)).recorded).toBe(true);
      expect((await expectTrue(round)).counters.visits).toBe(1);
    });

    it('says that the database is broken when it cannot be written', async () => {
      await start();
      faults.fail('write');
      await expect(recorder.record(shown('/a'))).rejects.toMatchObject({ fault: 'broken' });
    });

    it('opens again, once, when the browser closed the connection', async () => {
      const round = await start();
      faults.fail('close');
      expect((await recorder.record(shown('/a'))).recorded).toBe(true);
      (await openStore()).close();
      expect((await recorder.record(shown('/b'))).recorded).toBe(true);
      expect((await expectTrue(round)).counters.visits).toBe(2);
      faults.fail('close', 2);
      await expect(recorder.record(shown('/c'))).rejects.toThrow();
    });

    it.each(RECORDER_STEPS.filter((step) => step.startsWith('event:')))(
      'loses nothing and counts nothing twice when it dies at %s and is told again',
      async (fatal) => {
        const round = await start();
        const chain = [{ url: `${SITE}/x`, kind: 'server' as const }];
        const events = [
          shown('/a', { document: 'D', chain }),
          shown('/a', { document: 'D', by: 'observer', status: 200 }),
          shown('/b', { by: 'observer', status: 503 }),
        ];
        for (const event of events) {
          const dies = (step: RecorderStep) => {
            if (step === fatal) throw new Error('dead');
          };
          const mortal = new Recorder({ now: () => at, randomId: () => 'x', step: dies });
          await expect(mortal.record(event)).rejects.toThrow('dead');
          expect((await freshRecorder().record(event)).recorded).toBe(true);
        }
        expect((await expectTrue(round)).counters).toMatchObject({
          visits: 1,
          visited: 1,
          failed: 1,
          retrying: 1,
        });
        expect((await mostRepeated(round.space, 5)).length).toBe(0);
      },
    );

    /** A day of every kind of work; each step is told again until it is done, as the worker's callers do. */
    async function workingDay(mortal: () => Recorder): Promise<string[]> {
      const again = async <T>(work: (by: Recorder) => Promise<T>): Promise<T> => {
        for (;;) {
          try {
            return await work(mortal());
          } catch (error) {
            if (!/dead|abort/i.test((error as Error).message) && !(error instanceof StoreError)) throw error;
          }
        }
      };
      at = Math.floor(at / HOUR) * HOUR + 1000;
      const first = await again((by) =>
        by.commands.startRound({ scope: { name: 'Shop', origins: [`${SITE}/*`] }, base: 'none' }, 'start'),
      );
      const { scope } = first.round;
      const schedule: Schedule = { every: 'hours', hours: 1 };
      await again((by) => by.commands.updateScope({ scope, schedule }, 'schedule'));
      const hour = async (name: string) => {
        for (const event of [
          shown('/a', { id: `${name}1`, document: name, title: 'A' }),
          shown('/a', { id: `${name}2`, document: name, by: 'observer', status: 200 }),
          shown('/b', {
            id: `${name}3`,
            document: `${name}3`,
            chain: [{ url: `${SITE}/x`, kind: 'server' }],
          }),
          shown('/busy', { id: `${name}4`, document: `${name}4`, by: 'observer', status: 503 }),
        ])
          await again((by) => by.record(event));
        const links = Array.from({ length: 5 }, (_, index) => `${SITE}/${name}/${index}`);
        const found = { type: 'links' as const, id: `${name}5`, url: `${SITE}/a`, at, links, collapsed: 1 };
        await again((by) => by.record(found));
        await again((by) => by.saveSets());
      };
      await hour('one');
      at += 2 * HOUR;
      // The clock went back a little, and on again.
      await again((by) => by.openDue());
      at -= 60_000;
      await hour('two');
      at += 120_000;
      await hour('three');
      const rows = await withStore(async (db) =>
        Promise.all((['rounds', 'pages', 'visits', 'aliases'] as const).map((store) => db.getAll(store))),
      );
      for (const round of await listRounds()) await expectTrue(round);
      const { refused, collapsed } = await diagnostics();
      // Ids are made up, and numbers of the log may have gaps.
      const names = new Map((await listRounds()).map(({ id, number }) => [id, `round ${number}`]));
      names.set(scope, 'scope');
      const plain = (name: string, value: unknown) => {
        if (/seq$/i.test(name)) return undefined;
        return typeof value === 'string' ? value.replace(/\bid-\d+/g, (id) => names.get(id) ?? id) : value;
      };
      return [...rows.flat(), refused, collapsed].map((row) => JSON.stringify(row, plain)).toSorted();
    }

    /** The same day in a database of its own, without any fault. */
    async function withoutFaults(): Promise<string[]> {
      const mine = database;
      const then = at;
      useDatabase(`${mine}-oracle`);
      const expected = await workingDay(freshRecorder);
      await closeStore();
      await deleteDB(`${mine}-oracle`);
      useDatabase(mine);
      at = then;
      return expected;
    }

    it.each(RECORDER_STEPS)(
      'ends a working day with the same round when it dies again and again at %s',
      async (fatal) => {
        const expected = await withoutFaults();
        let passed = 0;
        let deaths = 0;
        const step = (name: RecorderStep) => {
          if (name !== fatal) return;
          passed += 1;
          // Every other time: it gets through when it is told again.
          if (passed % 2 === 0) return;
          deaths += 1;
          throw new Error('dead');
        };
        const mortal = () => new Recorder({ now: () => at, randomId: () => `id-${(ids += 1)}`, step });
        expect(await workingDay(mortal)).toEqual(expected);
        expect(deaths, 'a step that is never passed').toBeGreaterThan(0);
      },
    );

    it.each(['quota', 'write', 'close'] as const)(
      'ends it with the same round under faults of the store: %s',
      async (fault) => {
        const expected = await withoutFaults();
        let recorders = 0;
        const mortal = () => {
          // A closed database is opened again once by itself; twice in a row is a fault.
          if (++recorders % 2 === 1) faults.fail(fault, fault === 'close' ? 2 : 1);
          else faults.fail(fault, 0);
          return freshRecorder();
        };
        const found = await workingDay(mortal).catch((error: unknown) => error);
        expect(found).toEqual(expected);
      },
    );

    it('holds inside a transaction without losing it', async () => {
      const round = await start();
      const slow = new Recorder({
        now: () => at,
        randomId: () => 'x',
        step: () => new Promise((done) => setTimeout(done, 20)),
      });
      expect((await slow.record(shown('/a'))).recorded).toBe(true);
      expect((await expectTrue(round)).counters.visits).toBe(1);
    });

    it('says by name that the database is newer', async () => {
      await closeStore();
      (await openDB(database, SCHEMA_VERSION + 1)).close();
      await expect(openStore()).rejects.toMatchObject({ fault: 'newer-database' });
      await expect(recorder.record(shown('/a'))).rejects.toBeInstanceOf(StoreError);
    });

    it('says by name that another tab blocks, to all who ask, and goes on once it is closed', async () => {
      await closeStore();
      // An older version, held by a tab that does not let go. Version 1 is the first, so a newer one is asked for here.
      const holder = await openDB(database, SCHEMA_VERSION);
      const newer = openDB(database, SCHEMA_VERSION + 1);
      const asked = await Promise.allSettled([openStore(), openStore()]);
      for (const each of asked)
        expect(each).toMatchObject({ status: 'rejected', reason: { fault: 'blocked' } });
      holder.close();
      (await newer).close();
    });

    it('closes when another page brings a newer version', async () => {
      await openStore();
      const newer = await openDB(database, SCHEMA_VERSION + 1);
      expect(newer.version).toBe(SCHEMA_VERSION + 1);
      newer.close();
    });
  });

  describe('known links', () => {
    const links = (paths: string[], id = `l${(ids += 1)}`): CaptureEvent => ({
      type: 'links',
      id,
      url: `${SITE}/list`,
      at,
      links: paths.map((path) => (path.startsWith('/') ? `${SITE}${path}` : path)),
    });

    it('adds links of the scope, each key once, and nothing else', async () => {
      const round = await start();
      await recorder.record(shown('/list'));
      const told = links([
        '/a',
        '/a?utm_source=x',
        '/b#top',
        'mailto:a@example.com',
        'https://other.example.com/',
        '/list',
      ]);
      expect((await recorder.record(told)).added).toBe(2);
      expect((await recorder.record(told)).added).toBe(0);
      expect(await keysOf(round.space, { left: true })).toEqual(['/a', '/b']);
      await recorder.record(shown('/a'));
      expect((await expectTrue(round)).counters).toMatchObject({ known: 1, visited: 2, visits: 2 });
      const { states } = await recorder.commands.lookup({
        url: `${SITE}/list`,
        links: [`${SITE}/a?utm_source=y`, `${SITE}/b`, `${SITE}/c`, 'mailto:a@example.com'],
      });
      expect(states.map((each) => each?.state ?? null)).toEqual(['visited', 'known', null, null]);
    });

    it('answers by aliases: an original is known by its target, and has no row of its own', async () => {
      const round = await start();
      await recorder.record(links(['/x', '/y']));
      await recorder.record(shown('/item', { chain: [{ url: `${SITE}/x`, kind: 'server' }] }));
      expect(await keysOf(round.space)).toEqual(['/item', '/y']);
      expect((await recorder.record(links(['/x']))).added).toBe(0);
      const ask = { url: `${SITE}/list`, links: [`${SITE}/x`] };
      expect((await recorder.commands.lookup(ask)).states[0]?.state).toBe('visited');
      await recorder.commands.setAlias({ scope: round.scope, from: `${SITE}/x`, accept: false });
      expect(await keysOf(round.space)).toEqual(['/item', '/x', '/y']);
      expect((await recorder.commands.lookup(ask)).states[0]?.state).toBe('known');
      await expectTrue(round);
    });

    it('answers the same from saved sets, from the log and from the rows', async () => {
      const round = await start();
      await recorder.record(links(['/a', '/b', '/c']));
      await recorder.record(shown('/a'));
      const ask = { url: `${SITE}/list`, links: ['/a', '/b', '/c', '/d'].map((path) => SITE + path) };
      const before = await recorder.commands.lookup(ask);
      await recorder.saveSets();
      await recorder.record(shown('/b', { status: 404, by: 'observer' }));
      await recorder.commands.deletePage({ space: round.space, key: `${SITE}/c` });
      const expected = [{ state: 'visited' }, { state: 'gone' }, null, null];
      for (const each of [recorder, freshRecorder()]) {
        expect((await each.commands.lookup(ask)).states).toMatchObject(expected);
      }
      expect(before.states.map((each) => each?.state ?? null)).toEqual(['visited', 'known', 'known', null]);
      await withStore(async (db) => {
        for (const row of await db.getAll('sets')) {
          row.bytes[row.bytes.length - 1]! ^= 255;
          await db.put('sets', row);
        }
      });
      expect((await freshRecorder().commands.lookup(ask)).states).toMatchObject(expected);
    });
  });

  describe('base rounds', () => {
    it('counts and lists what is left, new, gone and to be tried again', async () => {
      const first = await start();
      for (const path of ['/a', '/b', '/c', '/d']) await recorder.record(shown(path));
      at += HOUR;
      await recorder.commands.endRound({ round: first.id });
      const round = await start({ scope: first.scope });
      expect(round).toMatchObject({ base: first.id, baseSize: 4, number: 2 });
      await recorder.record(shown('/a'));
      await recorder.record(shown('/b', { status: 404, by: 'observer' }));
      await recorder.record(shown('/c', { status: 502, by: 'observer' }));
      await recorder.record(shown('/new'));
      const { counters } = await expectTrue(round);
      expect(counters).toMatchObject({ baseVisited: 1, baseGone: 1, baseRetrying: 1 });
      expect(await keysOf(round.space, { left: true })).toEqual(['/d']);
      expect(await keysOf(round.space, { compare: 'new' })).toEqual(['/new']);
      expect(await keysOf(round.space, { compare: 'gone' })).toEqual(['/b']);
      expect(await keysOf(round.space, { compare: 'retry' })).toEqual(['/c']);
      expect(await keysOf(round.space, { compare: 'all' })).toEqual(['/a', '/b', '/c', '/d', '/new']);
      const next = await recorder.commands.nextUnvisited({ round: round.id, open: false });
      expect(next.page).toMatchObject({ url: `${SITE}/d`, state: 'known' });
      const again = await recorder.commands.nextUnvisited({ round: round.id, open: false, retry: true });
      expect(again.page?.url).toBe(`${SITE}/c`);
      const pages = (await pagesOf(round.space, { limit: 10 })).rows;
      expect(pages.map(({ key, isNew }) => [key.slice(SITE.length), isNew])).toEqual([
        ['/a', false],
        ['/b', false],
        ['/c', false],
        ['/new', true],
      ]);
    });

    it('leaves the originals of tentative aliases again, with a hint, until they are opened', async () => {
      const first = await start();
      const latest = { url: `${SITE}/latest`, kind: 'server' } as const;
      await recorder.record(shown('/issue/41', { chain: [latest] }));
      at += HOUR;
      await recorder.commands.endRound({ round: first.id });
      const round = await start({ scope: first.scope });
      expect(round.baseSize).toBe(2);
      expect(await keysOf(round.space, { left: true })).toEqual(['/issue/41', '/latest']);
      const details = await pageDetails(round.space, `${SITE}/latest`);
      expect(details?.page.hint).toBe(`${SITE}/issue/41`);
      at += HOUR;
      await recorder.record(shown('/issue/42', { chain: [latest] }));
      expect(await keysOf(round.space, { left: true })).toEqual(['/issue/41']);
      expect(await keysOf(round.space)).toEqual(['/issue/42']);
    });

    it('counts a base page as visited when it turns out to be an original', async () => {
      const first = await start();
      for (const path of ['/old', '/b']) await recorder.record(shown(path));
      at += HOUR;
      await recorder.commands.endRound({ round: first.id });
      const round = await start({ scope: first.scope });
      at += HOUR;
      await recorder.record(
        shown('/moved', { chain: [{ url: `${SITE}/old`, kind: 'server', status: 301 }] }),
      );
      expect(await keysOf(round.space, { left: true })).toEqual(['/b']);
      expect((await expectTrue(round)).counters.baseVisited).toBe(1);
      at += HOUR;
      await recorder.commands.endRound({ round: round.id });
      // Now both are one page for good: compared with the first round, one page is left.
      const third = await start({ scope: first.scope, base: first.id });
      expect(third.baseSize).toBe(1);
      expect(await keysOf(third.space, { left: true })).toEqual(['/b']);
      at += HOUR;
      await recorder.record(
        shown('/moved', { chain: [{ url: `${SITE}/old`, kind: 'server', status: 301 }] }),
      );
      expect(leftOf(await expectTrue(third))).toBe(1);
      // The old address shows itself: a page of its own again, and of the base.
      at += HOUR;
      await recorder.record(shown('/old'));
      const now = await expectTrue(third);
      expect(now).toMatchObject({ baseSize: 2, counters: { baseVisited: 1 } });
      expect(await keysOf(third.space, { left: true })).toEqual(['/b']);
    });
  });

  describe('windows', () => {
    it('opens the next round by the clock, splits events by their own time, and takes late tellings of the old one', async () => {
      const first = await start();
      await recorder.commands.endRound({ round: first.id });
      await recorder.commands.updateScope({ scope: first.scope, schedule: { every: 'hours', hours: 1 } });
      at = Math.floor(at / HOUR) * HOUR + 10 * HOUR - 1000;
      await recorder.record(shown('/before'));
      const late = shown('/late', { at: at + 500 });
      at += 2000;
      await recorder.record(shown('/after'));
      await recorder.record(late);
      const [current, old] = await listRounds(first.scope);
      expect(current).toMatchObject({
        state: 'open',
        base: old!.id,
        startedAt: Math.floor(at / HOUR) * HOUR,
        baseSize: 2,
      });
      expect(old).toMatchObject({ state: 'ended', endedAt: current!.startedAt });
      expect(await keysOf(old!.space)).toEqual(['/before', '/late']);
      expect(await keysOf(current!.space)).toEqual(['/after']);
      await expectTrue(old!);
      await expectTrue(current!);
      // Asleep for a day, and the clock set back: one round more, none less.
      at += 24 * HOUR;
      await recorder.openDue();
      expect(await listRounds(first.scope)).toHaveLength(4);
      at -= 5 * HOUR;
      expect(await recorder.openDue()).toBeUndefined();
      expect((await recorder.record(shown('/back-in-time'))).recorded).toBe(true);
      // Frozen: what is told of it much later is not taken.
      at += 5 * HOUR;
      expect((await recorder.record(shown('/much-later', { at: late.at }))).recorded).toBe(false);
    });

    it.each([
      ['summer time begins', '2025-03-30T22:00Z', 60, 120, '2025-03-30T01:00Z'],
      ['summer time ends', '2025-10-26T23:00Z', 120, 60, '2025-10-26T01:00Z'],
      ['a journey to the east', '2025-06-10T15:00Z', 120, 540, '2025-06-10T12:00Z'],
    ])('puts the edge of a day between two events: %s', async (_, edge, before, after, change) => {
      const offset = (moment: number) => (moment < Date.parse(change) ? before : after);
      recorder = new Recorder({ now: () => at, randomId: () => `id-${(ids += 1)}`, offset });
      at = Date.parse(edge) - 30 * HOUR;
      const first = await start();
      await recorder.commands.endRound({ round: first.id });
      await recorder.commands.updateScope({ scope: first.scope, schedule: { every: 'day', hour: 0 } });
      at = Date.parse(edge) - 1000;
      await recorder.record(shown('/yesterday'));
      // The computer slept over the edge: both are told after it, the later one first.
      const late = shown('/late', { at: Date.parse(edge) - 1 });
      at = Date.parse(edge) + 60_000;
      await recorder.record(shown('/today', { at: Date.parse(edge) }));
      await recorder.record(late);
      const [current, old] = await listRounds(first.scope);
      expect(current?.startedAt).toBe(Date.parse(edge));
      expect(await keysOf(current!.space)).toEqual(['/today']);
      expect(await keysOf(old!.space)).toEqual(['/late', '/yesterday']);
    });

    it('leaves a round that has ended as it is, whatever happens afterwards', async () => {
      const first = await start();
      const chain = (path: string, status?: number) => [
        { url: `${SITE}${path}`, kind: 'server' as const, ...(status !== undefined && { status }) },
      ];
      const day = async () => {
        for (const event of [
          shown('/a', { title: 'A' }),
          shown('/b', { chain: chain('/go/1') }),
          shown('/b', { chain: chain('/old', 301) }),
          shown('/login', { chain: chain('/x') }),
          shown('/login?next=2', { chain: chain('/y') }),
          shown('/t?sid=abcdef0123456789', { chain: chain('/token') }),
          shown('/busy', { by: 'observer', status: 503 }),
          shown('/lost', { by: 'observer', status: 404 }),
        ])
          await recorder.record(event);
        const links = ['/a', '/c', '/d', '/token'].map((path) => `${SITE}${path}`);
        await recorder.record({ type: 'links', id: `l${(ids += 1)}`, url: `${SITE}/`, at, links });
        at += 1000;
      };
      await day();
      await recorder.commands.endRound({ round: first.id });
      at += HOUR;
      const rowsOf = async (round: Round) => ({
        round: await getRound(round.id),
        pages: (await pagesOf(round.space, { limit: 1000 })).rows,
        visits: await visitsOf(round.id, { limit: 1000 }),
      });
      const before = await rowsOf(first);
      // Tellings of that day that come much too late, and words for it.
      const old = { at: at - HOUR - 500 };
      for (const event of [
        shown('/e', old),
        shown('/a', old),
        shown('/b', { ...old, chain: chain('/go/9') }),
      ])
        expect((await recorder.record(event)).recorded).toBe(false);
      const { space } = first;
      const refused = { code: 'conflict' };
      await expect(
        recorder.commands.markPage({ space, key: `${SITE}/a`, state: 'known' }),
      ).rejects.toMatchObject(refused);
      await expect(
        recorder.commands.setVerdict({ space, key: `${SITE}/a`, verdict: 'ok' }),
      ).rejects.toMatchObject(refused);
      expect(await rowsOf(first)).toEqual(before);
      // Another round with the same paths, other ends of the same redirects, a token seen again, and an alias taken back.
      const second = await start({ scope: first.scope });
      await day();
      await recorder.record(shown('/go/1'));
      await recorder.record(shown('/old'));
      await recorder.record(shown('/t?sid=fedcba9876543210', { chain: chain('/token') }));
      await recorder.record(shown('/lost', { by: 'observer', status: 200 }));
      await recorder.commands.setAlias({ scope: first.scope, from: `${SITE}/x`, accept: false });
      await recorder.commands.markPage({ space: second.space, key: `${SITE}/c`, state: 'visited' });
      await recorder.commands.deletePage({ space: second.space, key: `${SITE}/a` });
      await recorder.tidy();
      expect(await rowsOf(first)).toEqual(before);
      await expectTrue(second);
    });
  });

  describe('words of a person', () => {
    it('marks pages by hand, and a later showing decides again', async () => {
      const round = await start();
      await recorder.record(shown('/a'));
      const key = `${SITE}/a`;
      at += 1000;
      const { page } = await recorder.commands.markPage({
        space: round.space,
        key,
        state: 'retrying',
        reason: 'captcha',
      });
      expect(page).toMatchObject({ state: 'retrying', reason: 'captcha', visits: 1 });
      expect((await expectTrue(round)).counters).toMatchObject({ retrying: 1, visited: 0 });
      at += 1000;
      await recorder.record(shown('/a'));
      expect((await pageDetails(round.space, key))?.page).toMatchObject({ state: 'visited', visits: 2 });
      await recorder.commands.markPage({ space: round.space, key: `${SITE}/never`, state: 'visited' });
      expect(await keysOf(round.space, { state: 'visited' })).toEqual(['/a', '/never']);
      await expectTrue(round);
    });

    it('deletes a page and brings it back, united with what came since', async () => {
      const round = await start();
      const { space } = round;
      const key = `${SITE}/a`;
      await recorder.record(shown('/a?utm_source=mail'));
      await recorder.record(shown('/b'));
      at += 1000;
      await recorder.commands.setVerdict({ space, key, verdict: 'problem', note: 'broken image' });
      const { undo } = await recorder.commands.deletePage({ space, key });
      expect(await keysOf(space)).toEqual(['/b']);
      expect((await expectTrue(round)).counters).toMatchObject({ visits: 1, visited: 1 });
      at += 1000;
      await recorder.record(shown('/a'));
      at += 1000;
      await recorder.commands.setVerdict({ space, key, verdict: 'ok' });
      await recorder.commands.undo({ undo });
      const details = (await pageDetails(space, key))!;
      expect(details.page).toMatchObject({
        visits: 2,
        verdict: 'ok',
        url: `${SITE}/a?utm_source=mail`,
        addresses: 2,
      });
      expect(details.visits.map(({ kind }) => kind)).toEqual(['return', 'first']);
      await expectTrue(round);
      await expect(recorder.commands.undo({ undo })).rejects.toBeInstanceOf(CommandError);
    });

    it('deletes a round and brings it back; the trash is emptied after 30 days', async () => {
      const round = await start();
      await recorder.record(shown('/a'));
      const { undo } = await recorder.commands.deleteRound({ round: round.id });
      expect(await listRounds()).toEqual([]);
      expect((await listTrash()).map(({ id }) => id)).toEqual([undo]);
      const second = await start({ scope: round.scope });
      await recorder.record(shown('/a'));
      expect((await pagesOf(second.space, { limit: 1 })).rows[0]?.isNew).toBe(true);
      await recorder.commands.undo({ undo });
      expect(await keysOf(round.space)).toEqual(['/a']);
      await recorder.commands.deleteRound({ round: round.id });
      at += 31 * 24 * HOUR;
      await recorder.tidy();
      expect(await keysOf(round.space)).toEqual([]);
      expect(await listTrash()).toEqual([]);
    });

    /** Each changes something that doing it twice would show, and answers. */
    const COMMANDS: Record<
      // Accepting a version twice is accepting it.
      Exclude<keyof Commands, 'nextUnvisited' | 'lookup' | 'undo' | 'acceptVersion'>,
      (round: Round, message: string, by: Recorder) => Promise<object>
    > = {
      startRound: async ({ scope }, message, by) =>
        by.commands.startRound({ scope: { id: scope }, base: 'last' }, message),
      pauseRound: async ({ id }, message, by) => by.commands.pauseRound({ round: id, until: 5 }, message),
      pauseSite: async ({ id }, message, by) =>
        by.commands.pauseSite({ round: id, host: 'shop.example.com', paused: true }, message),
      resumeRound: async ({ id }, message, by) => by.commands.resumeRound({ round: id }, message),
      endRound: async ({ id }, message, by) => by.commands.endRound({ round: id }, message),
      setVerdict: async ({ space }, message, by) =>
        by.commands.setVerdict({ space, key: `${SITE}/a`, verdict: 'skip', note: 'no' }, message),
      markPage: async ({ space }, message, by) =>
        by.commands.markPage({ space, key: `${SITE}/a`, state: 'known' }, message),
      setAlias: async ({ scope }, message, by) =>
        by.commands.setAlias({ scope, from: `${SITE}/x`, accept: false }, message),
      updateScope: async ({ scope }, message, by) =>
        by.commands.updateScope({ scope, name: `name at ${at}` }, message),
      deletePage: async ({ space }, message, by) =>
        by.commands.deletePage({ space, key: `${SITE}/a` }, message),
      deleteRound: async ({ id }, message, by) => by.commands.deleteRound({ round: id }, message),
      addWatch: async ({ scope }, message, by) =>
        by.commands.addWatch({ scope, url: `${SITE}/a`, region: { heading: 'H' } }, message),
      changeWatch: async (_, message, by) =>
        by.commands.changeWatch({ watch: watched, label: `label at ${at}`, notify: true }, message),
      removeWatch: async (_, message, by) => by.commands.removeWatch({ watch: watched }, message),
      seenWatch: async (_, message, by) => by.commands.seenWatch({ watch: watched }, message),
      seenPage: async ({ space }, message, by) => by.commands.seenPage({ space, key: `${SITE}/a` }, message),
      ignoreBlock: async ({ scope }, message, by) =>
        by.commands.ignoreBlock({ scope, key: `${SITE}/a`, place: { id: 'clock' } }, message),
      setContentRule: async ({ scope }, message, by) =>
        by.commands.setContentRule({ scope, rules: { attributeText: true } }, message),
      removeContentRule: async (_, message, by) => by.commands.removeContentRule({ rule }, message),
    };
    let watched = '';
    let rule = '';

    const everything = () =>
      withStore(async (db) => {
        const stores = [
          'scopes',
          'rounds',
          'pages',
          'visits',
          'aliases',
          'watches',
          'contentRules',
          'trash',
          'log',
          'events',
        ] as const;
        return Promise.all(stores.map((store) => db.getAll(store)));
      });

    it.each(Object.keys(COMMANDS) as (keyof typeof COMMANDS)[])(
      '%s is done once, whenever the worker died, and answers what it did',
      async (name) => {
        const round = await start();
        const chain = [{ url: `${SITE}/x`, kind: 'server' as const }];
        await recorder.record(shown('/a', { chain }));
        if (name === 'startRound') await recorder.commands.endRound({ round: round.id });
        if (name === 'resumeRound') await recorder.commands.pauseRound({ round: round.id, until: null });
        const place = { scope: round.scope, url: `${SITE}/a` };
        watched = (await recorder.commands.addWatch(place)).watch.id;
        const ignored = { scope: round.scope, place: { id: 'clock' } };
        rule = (await recorder.commands.ignoreBlock(ignored)).rule;
        at += 1000;
        const command = COMMANDS[name];
        const before = await everything();
        const mortal = new Recorder({
          now: () => at,
          randomId: () => 'never',
          step: (step) => {
            if (step === 'command:decided') throw new Error('dead');
          },
        });
        await expect(command(round, 'm', mortal)).rejects.toThrow('dead');
        expect(await everything()).toEqual(before);
        const answer = await command(round, 'm', freshRecorder());
        const after = await everything();
        expect(after).not.toEqual(before);
        // It died after the transaction, before anybody heard.
        at += 1000;
        expect(await command(round, 'm', freshRecorder())).toEqual(answer);
        expect(await everything()).toEqual(after);
        // Another message is another command: it is done, or cannot be.
        const another = await command(round, 'n', freshRecorder()).catch((error: unknown) => error);
        if (!(another instanceof CommandError)) expect(await everything()).not.toEqual(after);
      },
    );

    it('takes a deletion back once, and does not answer a page that borrows the id of a command', async () => {
      const { space } = await start();
      await recorder.record(shown('/a'));
      const { undo } = await recorder.commands.deletePage({ space, key: `${SITE}/a` }, 'd');
      expect(await recorder.commands.undo({ undo }, 'u')).toEqual({});
      expect(await freshRecorder().commands.undo({ undo }, 'u')).toEqual({});
      expect(await keysOf(space)).toEqual(['/a']);
      await expect(recorder.commands.undo({ undo }, 'v')).rejects.toBeInstanceOf(CommandError);
      expect((await recorder.record(shown('/b', { id: 'w' }))).recorded).toBe(true);
      expect(await recorder.commands.deletePage({ space, key: `${SITE}/b` }, 'w')).toHaveProperty('undo');
    });

    it('has one open round a scope', async () => {
      const round = await start();
      await expect(start({ scope: round.scope })).rejects.toMatchObject({ code: 'conflict' });
      await recorder.commands.endRound({ round: round.id });
      await expect(recorder.commands.endRound({ round: round.id })).rejects.toMatchObject({
        code: 'conflict',
      });
      await expect(
        recorder.commands.updateScope({ scope: round.scope, policy: { nonsense: 1 } }),
      ).rejects.toMatchObject({
        code: 'bad-request',
      });
    });
  });

  describe('lists', () => {
    it('pages through every order without losing or repeating a row', async () => {
      const round = await start();
      const links = Array.from({ length: 57 }, (_, index) => `${SITE}/dir${index % 3}/p${index}`);
      await recorder.record({ type: 'links', id: 'l', url: `${SITE}/`, at, links });
      for (const order of ['key', 'path', 'seq', 'newest'] as const) {
        const seen: string[] = [];
        let after: string | null = null;
        do {
          const { rows, next }: Awaited<ReturnType<typeof pagesOf>> = await pagesOf(round.space, {
            order,
            after,
            limit: 10,
          });
          seen.push(...rows.map(({ url }) => url));
          after = next;
        } while (after !== null);
        expect(seen.toSorted()).toEqual(links.toSorted());
        if (order === 'seq') expect(seen).toEqual(links);
        if (order === 'newest') expect(seen).toEqual(links.toReversed());
      }
      const host = 'shop.example.com';
      expect(await keysOf(round.space, { host, prefix: '/dir1/' })).toHaveLength(19);
      expect(await keysOf(round.space, { text: 'DIR2 p5' })).toEqual([
        '/dir2/p5',
        '/dir2/p50',
        '/dir2/p53',
        '/dir2/p56',
      ]);
      const streamed: string[] = [];
      for await (const { url } of streamPages(round.space, { order: 'seq' })) streamed.push(url);
      expect(streamed).toEqual(links);
      const short = await pagesOf(round.space, { text: 'nothing', limit: 5, budget: 20 });
      expect(short).toMatchObject({ rows: [], scanned: 20 });
      expect(short.next).not.toBeNull();
    });
  });
}
