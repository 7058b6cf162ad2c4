// Commands that views give, where they do more than write one row: what a word of a person changes, and that it can be taken back.
import 'fake-indexeddb/auto';
import { deleteDB } from 'idb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Shown } from '#lib/rounds/events.ts';
import type { Alias, Round } from '#lib/rounds/types.ts';
import { closeStore, useDatabase, withStore } from './open.ts';
import { getRound, getScope, listProposals, listRounds, pageDetails, pagesOf } from './read.ts';
import { recount } from './recount.ts';
import { Recorder } from './recorder.ts';

const SITE = 'https://shop.example.com';
const HOUR = 3_600_000;
const NINE = Date.UTC(2026, 10, 30, 9);

let at = NINE;
let count = 0;
let database = '';
let recorder: Recorder;

beforeEach(() => {
  database = `commands-${(count += 1)}`;
  useDatabase(database);
  at = NINE;
  recorder = new Recorder({ now: () => at, randomId: () => `id-${(count += 1)}` });
});
afterEach(async () => {
  await closeStore();
  await deleteDB(database);
});

const start = async (hosts = ['shop.example.com']): Promise<Round> => {
  const origins = hosts.map((host) => `https://${host}/*`);
  const { round } = await recorder.commands.startRound({ scope: { name: 'Shop', origins }, base: 'none' });
  return round;
};

function visit(url: string, more: Partial<Shown> = {}): Promise<unknown> {
  at += 1_000;
  const id = `e${(count += 1)}`;
  const document = `d-${id}`;
  return recorder.record({ type: 'shown', id, by: 'browser', document, moment: 'start', url, at, ...more });
}

async function stateOf({ space }: Round, key: string): Promise<string | undefined> {
  return (await pageDetails(space, key))?.page.state;
}

const aliasOf = (scope: string, from: string): Promise<Alias | undefined> =>
  withStore((db) => db.get('aliases', [scope, from]));

async function expectCounted(round: Round): Promise<void> {
  expect((await getRound(round.id))?.counters).toEqual(await recount(round));
}

describe('marking by hand', () => {
  it('is taken back: the page is what its visits say', async () => {
    const round = await start();
    await visit(`${SITE}/a`);
    const page = { space: round.space, key: `${SITE}/a` };
    at += 1_000;
    await recorder.commands.markPage({ ...page, state: 'retrying', reason: 'captcha' });
    expect(await stateOf(round, page.key)).toBe('retrying');
    const { page: after } = await recorder.commands.markPage({ ...page, state: null });
    expect(after).toMatchObject({ state: 'visited', visits: 1 });
    expect(after).not.toHaveProperty('mark');
    expect(after).not.toHaveProperty('reason');
    await expectCounted(round);
  });

  it('of a page that nobody saw leaves nothing behind when it is taken back', async () => {
    const round = await start();
    const page = { space: round.space, key: `${SITE}/unseen` };
    await recorder.commands.markPage({ ...page, state: 'visited' });
    expect(await recorder.commands.markPage({ ...page, state: null })).toEqual({ page: null });
    expect((await pagesOf(round.space, { limit: 10 })).rows).toEqual([]);
    await expectCounted(round);
  });

  it('brings an older marking back at its own time, so that a later visit still stands', async () => {
    const round = await start();
    const page = { space: round.space, key: `${SITE}/a` };
    const marked = at;
    await recorder.commands.markPage({ ...page, state: 'retrying', reason: 'login' });
    await visit(page.key);
    at += 1_000;
    await recorder.commands.markPage({ ...page, state: 'known' });
    expect(await stateOf(round, page.key)).toBe('known');
    await recorder.commands.markPage({ ...page, state: 'retrying', reason: 'login', at: marked });
    expect(await stateOf(round, page.key)).toBe('visited');
    await expectCounted(round);
  });
});

describe('the word of a person on an alias', () => {
  const [from, to] = [`${SITE}/latest`, `${SITE}/issues/7`];
  const redirected = () => visit(to, { chain: [{ url: from, kind: 'server', status: 302 }] });

  it('is taken back, and a tentative alias is tentative again, not accepted for good', async () => {
    const round = await start();
    await redirected();
    const seen = await aliasOf(round.scope, from);
    expect(seen).toMatchObject({ to, strength: 'tentative', evidence: 'redirect' });
    const word = { scope: round.scope, from };
    for (const accept of [false, true]) {
      at += 1_000;
      await recorder.commands.setAlias({ ...word, accept });
      expect(await aliasOf(round.scope, from)).toMatchObject(
        accept ? { strength: 'permanent', evidence: 'accepted' } : { undone: true },
      );
      await recorder.commands.setAlias({ ...word, accept: null });
      const { to: same, strength, evidence, targets, undone } = (await aliasOf(round.scope, from))!;
      expect({ same, strength, evidence, undone }).toEqual({
        same: to,
        strength: 'tentative',
        evidence: 'redirect',
        undone: undefined,
      });
      expect(targets).toEqual(seen?.targets);
      await expectCounted(round);
    }
    // The next round asks again where the original leads.
    at += 1_000;
    await recorder.commands.endRound({ round: round.id });
    const { round: next } = await recorder.commands.startRound({ scope: { id: round.scope }, base: 'last' });
    expect((await pageDetails(next.space, from))?.page).toMatchObject({ state: 'known', hint: to });
  });

  it('keeps what was seen before it was accepted when the redirect is seen again', async () => {
    const round = await start();
    await redirected();
    at += 1_000;
    await recorder.commands.setAlias({ scope: round.scope, from, accept: true });
    await redirected();
    expect(await aliasOf(round.scope, from)).toMatchObject({ evidence: 'accepted' });
    await recorder.commands.setAlias({ scope: round.scope, from, accept: null });
    const alias = await aliasOf(round.scope, from);
    expect(alias).toMatchObject({ strength: 'tentative', evidence: 'redirect' });
    expect(alias?.targets[0]).toMatchObject({ times: 2 });
  });
});

describe('proposals', () => {
  const canonical = async (path: string, names: string) => {
    await visit(`${SITE}${path}`);
    const url = `${SITE}${path}`;
    const content = { digest: path, maskedDigest: path, blocks: 9, canonical: `${SITE}${names}` };
    await recorder.record({ type: 'content', id: `c${(count += 1)}`, url, at, ...content });
  };

  it('merge nothing by themselves, are listed, accepted, kept apart, and proposed again', async () => {
    const round = await start();
    await visit(`${SITE}/item`);
    await canonical('/item-blue', '/item');
    await canonical('/item-red', '/item');
    expect((await pagesOf(round.space, { state: 'visited', limit: 10 })).rows).toHaveLength(3);
    const listed = async () => (await listProposals(round.scope, 10)).map(({ fromUrl }) => fromUrl);
    expect(await listed()).toEqual([`${SITE}/item-blue`, `${SITE}/item-red`]);
    const { apart } = (await pageDetails(round.space, `${SITE}/item`))!;
    expect(apart.map(({ from }) => from)).toEqual([`${SITE}/item-blue`, `${SITE}/item-red`]);

    const word = { scope: round.scope, from: `${SITE}/item-blue` };
    at += 1_000;
    await recorder.commands.setAlias({ ...word, accept: true });
    expect((await pagesOf(round.space, { state: 'visited', limit: 10 })).rows).toHaveLength(2);
    expect(await listed()).toEqual([`${SITE}/item-red`]);
    await recorder.commands.setAlias({ ...word, accept: null });
    expect((await pagesOf(round.space, { state: 'visited', limit: 10 })).rows).toHaveLength(3);
    expect(await listed()).toEqual([`${SITE}/item-blue`, `${SITE}/item-red`]);

    await recorder.commands.setAlias({ ...word, accept: false });
    expect(await listed()).toEqual([`${SITE}/item-red`]);
    await canonical('/item-blue', '/item');
    expect(await listed()).toEqual([`${SITE}/item-red`]);
    await expectCounted(round);
  });
});

describe('a schedule', () => {
  it('opens its first round at the next edge, and lets the round that is open go on until then', async () => {
    const round = await start();
    // The round is days old when the schedule is set.
    at += 50 * HOUR + 30 * 60_000;
    await recorder.commands.updateScope({ scope: round.scope, schedule: { every: 'day', hour: 9 } });
    expect((await getScope(round.scope))?.scheduledAt).toBe(at);
    expect(await recorder.openDue()).toBeUndefined();
    await visit(`${SITE}/still-here`);
    expect(await listRounds(round.scope)).toHaveLength(1);
    at = NINE + 72 * HOUR;
    await visit(`${SITE}/next-day`);
    const [next, old] = await listRounds(round.scope);
    expect(old).toMatchObject({ state: 'ended', endedAt: NINE + 72 * HOUR });
    expect(next).toMatchObject({ state: 'open', startedAt: NINE + 72 * HOUR });
    expect(await stateOf(old!, `${SITE}/still-here`)).toBe('visited');

    await recorder.commands.updateScope({ scope: round.scope, schedule: null });
    const scope = await getScope(round.scope);
    expect(scope).not.toHaveProperty('schedule');
    expect(scope).not.toHaveProperty('scheduledAt');
  });

  it('of other hours does not cut the window that is open', async () => {
    const round = await start();
    await recorder.commands.updateScope({ scope: round.scope, schedule: { every: 'hours', hours: 1 } });
    at = NINE + HOUR + 60_000;
    await visit(`${SITE}/a`);
    expect(await listRounds(round.scope)).toHaveLength(2);
    await recorder.commands.updateScope({ scope: round.scope, schedule: { every: 'day', hour: 9 } });
    at = NINE + 3 * HOUR;
    await visit(`${SITE}/b`);
    expect(await listRounds(round.scope)).toHaveLength(2);
    at = NINE + 24 * HOUR;
    await visit(`${SITE}/c`);
    const [, old] = await listRounds(round.scope);
    expect(old).toMatchObject({ endedAt: NINE + 24 * HOUR });
  });
});

describe('one site that is paused', () => {
  it('is not recorded, nor are links on it, while the others are; until it goes on', async () => {
    const wiki = 'https://wiki.example.com';
    const round = await start(['shop.example.com', 'wiki.example.com']);
    const pause = (paused: boolean) =>
      recorder.commands.pauseSite({ round: round.id, host: 'wiki.example.com', paused });
    expect((await pause(true)).round.pausedSites).toEqual(['wiki.example.com']);
    await visit(`${wiki}/a`);
    await visit(`${SITE}/a`);
    const links = [`${SITE}/linked`];
    await recorder.record({ type: 'links', id: 'l1', url: `${wiki}/a`, at, links });
    const keys = async () => (await pagesOf(round.space, { limit: 10 })).rows.map(({ key }) => key);
    expect(await keys()).toEqual([`${SITE}/a`]);
    expect((await pause(false)).round).not.toHaveProperty('pausedSites');
    await visit(`${wiki}/a`);
    expect(await keys()).toEqual([`${SITE}/a`, `${wiki}/a`]);
    await pause(true);
    const { round: ended } = await recorder.commands.endRound({ round: round.id });
    expect(ended).not.toHaveProperty('pausedSites');
  });
});

describe('the next page', () => {
  it('is of the site and beginning that are asked for, left or to be tried again', async () => {
    const wiki = 'https://wiki.example.com';
    const round = await start(['shop.example.com', 'wiki.example.com']);
    const links = [`${SITE}/a`, `${wiki}/ops/b`, `${wiki}/team/c`];
    await visit(`${SITE}/`);
    await recorder.record({ type: 'links', id: 'l', url: `${SITE}/`, at, links });
    await visit(`${wiki}/team/failing`, { status: 503 });
    const next = async (more: object) =>
      (await recorder.commands.nextUnvisited({ round: round.id, open: false, ...more })).page?.key;
    expect(await next({})).toBe(`${SITE}/a`);
    expect(await next({ host: 'wiki.example.com' })).toBe(`${wiki}/ops/b`);
    expect(await next({ host: 'wiki.example.com', prefix: '/team/' })).toBe(`${wiki}/team/c`);
    expect(await next({ retry: true, host: 'wiki.example.com', prefix: '/team/' })).toBe(
      `${wiki}/team/failing`,
    );
    expect(await next({ retry: true, host: 'shop.example.com' })).toBeUndefined();
  });
});
