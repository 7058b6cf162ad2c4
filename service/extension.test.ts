// What the extension queues (lib/store) against a real service: lost replies, stops in the middle, a service that is away.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { closeStore, useDatabase, withStore } from '#lib/store/open.ts';
import { outboxState } from '#lib/store/outbox.ts';
import { Recorder } from '#lib/store/recorder.ts';
import { sendWaiting } from '#lib/store/sender.ts';
import { leaseNext } from '#lib/store/team-next.ts';
import { pullRound } from '#lib/store/team-pull.ts';
import { teamFacts } from '#lib/store/team.ts';
import type { SenderStep } from '#lib/store/faults.ts';
import { TeamClient, TeamError, type TeamFetch } from '#lib/team/client.ts';
import { teamFingerprint } from '#lib/team/outbox.ts';
import { newBinding, teamPlace, type Pairing } from '#lib/team/pairing.ts';
import { MemoryStore } from './stores/memory.ts';
import { serveForTest, TOKEN, type TestService } from './testing.ts';

const SITE = 'https://shop.example.com';
let names = 0;

const plain: TeamFetch = async (url, init) => {
  const response = await fetch(url, init);
  return {
    status: response.status,
    text: () => response.text(),
    bytes: () => response.body as unknown as AsyncIterable<Uint8Array>,
  };
};

class Stopped extends Error {}

/** One browser that is paired with a service. */
class Profile {
  readonly database = `team-${process.pid}-${(names += 1)}`;
  readonly pairing: Pairing;
  readonly recorder: Recorder;
  at = 1_700_000_000_000;
  space = '';
  round = '';
  #ids = 0;

  constructor(service: TestService) {
    this.pairing = { address: service.url, token: TOKEN, pairedAt: 0, scopes: {} };
    this.recorder = new Recorder({
      now: () => this.at,
      randomId: () => this.id(),
      pairing: async () => this.pairing,
    });
  }

  id(): string {
    return `${this.database}-${(this.#ids += 1)}`;
  }

  use(): void {
    useDatabase(this.database);
  }

  async start(): Promise<void> {
    this.use();
    const scope = { name: 'Shop', origins: [`${SITE}/*`] };
    const { round } = await this.recorder.commands.startRound({ scope, base: 'none' });
    const row = await withStore((db) => db.get('scopes', round.scope));
    this.pairing.scopes[round.scope] = { ...newBinding(row!), round: 'all' };
    this.space = round.space;
    this.round = round.id;
  }

  async visit(path: string): Promise<void> {
    this.use();
    this.at += 1_000;
    const id = this.id();
    await this.recorder.record({
      type: 'shown',
      id,
      by: 'browser',
      document: `d${id}`,
      moment: 'start',
      url: SITE + path,
      at: this.at,
    });
  }

  send(fetch: TeamFetch = plain, step: (step: SenderStep) => void = () => undefined) {
    this.use();
    const client = new TeamClient(this.pairing, fetch);
    const around = { client, now: () => this.at, random: () => 0, randomId: () => this.id(), step };
    return sendWaiting(around);
  }

  /** Sends until nothing waits. */
  async drain(): Promise<void> {
    for (let turn = 0; turn < 100; turn++) {
      this.at += 20 * 60_000;
      if ((await this.send()).stopped === undefined) return;
    }
    throw new Error('The outbox does not empty.');
  }
}

const FAULTS = ['none', 'lost', 'down', 'busy', 'html', 'sending', 'answered', 'settled'] as const;
type Fault = (typeof FAULTS)[number];

/** A way to the service that breaks so. */
function breaking(fault: Fault): TeamFetch {
  return async (url, init) => {
    if (fault === 'down') throw new TypeError('Failed to fetch');
    const other = { bytes: () => (async function* () {})() };
    if (fault === 'busy') return { status: 503, text: async () => '', ...other };
    if (fault === 'html') return { status: 200, text: async () => '<html>captive portal</html>', ...other };
    const answer = await plain(url, init);
    if (fault !== 'lost') return answer;
    await answer.text();
    throw new TypeError('Failed to fetch');
  };
}

const stopAt = (fault: Fault) => (step: SenderStep) => {
  if (step === `outbox:${fault}`) throw new Stopped();
};

const ops = fc.array(
  fc.oneof(
    fc.record({ op: fc.constant('visit' as const), page: fc.nat(12) }),
    fc.record({ op: fc.constant('send' as const), fault: fc.constantFrom(...FAULTS) }),
  ),
  { minLength: 4, maxLength: 40 },
);

test('whatever breaks, each visited page is marked once, as ours', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(ops, async (list) => {
      const service = await serveForTest();
      const profile = new Profile(service);
      await profile.start();
      const visited = new Set<string>();
      for (const item of list) {
        if (item.op === 'visit') {
          await profile.visit(`/${item.page}`);
          visited.add(`${SITE}/${item.page}`);
          continue;
        }
        profile.at += 20 * 60_000;
        await profile.send(breaking(item.fault), stopAt(item.fault)).catch((error: unknown) => {
          if (!(error instanceof Stopped)) throw error;
        });
      }
      await profile.drain();
      const { body } = await service.ask('/v1/ns/shop/export');
      const text = body === null ? '' : await new Response(body).text();
      const held = [...text.matchAll(/"url_fp":"([0-9a-f]+)"/g)].map(([, fp]) => fp!);
      expect(held.toSorted()).toEqual([...visited].map((key) => teamFingerprint({ key })).toSorted());
      // A lost reply that was not replayed would have come back as somebody else's mark.
      const rows = await withStore((db) => db.getAll('team'));
      expect(rows.filter(({ own }) => own)).toHaveLength(visited.size);
      expect(await outboxState()).toEqual({ waiting: 0, tries: 0, nextAt: 0 });
      await closeStore();
      await service.stop();
    }),
    { numRuns: 25 },
  );
});

test('a second profile learns that the team was there first', async () => {
  const service = await serveForTest();
  const [anna, ben] = [new Profile(service), new Profile(service)];
  await anna.start();
  await ben.start();
  for (const path of ['/a', '/b']) await anna.visit(path);
  await anna.drain();
  for (const path of ['/b', '/c']) await ben.visit(path);
  await ben.drain();
  const rows = await withStore((db) => db.getAll('team'));
  const theirs = rows.filter(({ own }) => !own).map(({ fp }) => fp);
  expect(theirs).toEqual([teamFingerprint({ key: `${SITE}/b` })]);
  expect(rows).toHaveLength(2);
  await service.stop();
});

test('days without the service: everything arrives once, in its order', async () => {
  const service = await serveForTest();
  const profile = new Profile(service);
  await profile.start();
  const paths = Array.from({ length: 100 }, (_, n) => `/${n}`);
  for (const path of paths) {
    await profile.visit(path);
    if (profile.at % 7 === 0) await profile.send(breaking('down'));
  }
  const order: string[] = [];
  const watched: TeamFetch = (url, init) => {
    for (const { url_fp } of JSON.parse(init.body ?? '').items as { url_fp: string }[]) order.push(url_fp);
    return plain(url, init);
  };
  profile.at += 3 * 24 * 3_600_000;
  expect(await profile.send(watched)).toMatchObject({ sent: 100, refused: {} });
  expect(order).toEqual(paths.map((path) => teamFingerprint({ key: SITE + path })));
  await service.stop();
});

test('a namespace of another policy refuses, and a round of another policy goes beside', async () => {
  const service = await serveForTest({ store: new MemoryStore() });
  await service.json('/v1/ns/shop/mark', { items: [{ url_fp: '0'.repeat(32) }], policy: '9-other' });
  const profile = new Profile(service);
  await profile.start();
  await profile.visit('/a');
  expect(await profile.send()).toEqual({ sent: 1, refused: { form: 1 } });
  const [id] = Object.keys(profile.pairing.scopes);
  const round = { scope: id!, startedAt: 0, policyVersion: '1-new' };
  expect(teamPlace(profile.pairing, round)).toMatchObject({ ns: 'shop.1-new', policy: '1-new' });
  await service.stop();
});

test("the team's round is fetched whole, or asked for page by page, and nothing of it is visited here", async () => {
  const service = await serveForTest();
  const items = Array.from({ length: 1_200 }, (_, n) => ({ url: `${SITE}/${n}` }));
  await service.json('/v1/ns/shop/mark', { items });
  const ben = new Profile(service);
  await ben.start();
  const links = ['/5', '/6', '/nobody'].map((path) => SITE + path);
  await ben.recorder.record({ type: 'links', id: 'l', url: `${SITE}/`, at: ben.at, links });
  const round = (await withStore((db) => db.get('rounds', ben.round)))!;
  const place = teamPlace(ben.pairing, round)!;
  const keys = [...links, `${SITE}/1199`].map((key) => ({ key }));
  const seen = async () => (await teamFacts(place, keys)).map((fact) => fact?.state);
  const client = new TeamClient(ben.pairing, plain);
  expect(await pullRound(client, place, { space: ben.space, isWanted: () => false })).toBe(1_200);
  expect(await seen()).toEqual([undefined, undefined, undefined, undefined]);
  const huge: Pick<TeamClient, 'namespace' | 'exportRound' | 'batch'> = {
    namespace: async () => ({
      policy: place.policy,
      form: 'sha256-16',
      addresses: false,
      rounds: [{ round: 'all', count: 10 ** 9 }],
    }),
    exportRound: () => Promise.reject(new Error('too much')),
    batch: client.batch.bind(client),
  };
  await pullRound(huge, place, { space: ben.space });
  expect(await seen()).toEqual(['visited', 'visited', undefined, undefined]);
  expect(await pullRound(client, place, { space: ben.space })).toBe(1_200);
  expect(await seen()).toEqual(['visited', 'visited', undefined, 'visited']);
  expect((await withStore((db) => db.getAll('pages'))).map(({ state }) => state)).toEqual([
    'known',
    'known',
    'known',
  ]);
  // A namespace of other rules says nothing of these pages.
  expect(await pullRound(client, { ...place, policy: '9-other' }, { space: ben.space })).toBe(0);
  await service.stop();
});

test('two who ask for the next page get two pages', async () => {
  const service = await serveForTest();
  const team = [new Profile(service), new Profile(service)];
  const next = async (profile: Profile) => {
    profile.use();
    const round = (await withStore((db) => db.get('rounds', profile.round)))!;
    const place = teamPlace(profile.pairing, round)!;
    const client = new TeamClient(profile.pairing, plain);
    return (await leaseNext(client, round, place, { filter: {}, now: Date.now() }))?.url;
  };
  for (const profile of team) {
    await profile.start();
    const links = ['/a', '/b', '/c'].map((path) => SITE + path);
    await profile.recorder.record({
      type: 'links',
      id: profile.id(),
      url: `${SITE}/`,
      at: profile.at,
      links,
    });
  }
  const [anna, ben] = team as [Profile, Profile];
  expect(await next(anna)).toBe(`${SITE}/a`);
  // Asked again before it went there: it is still hers.
  expect(await next(anna)).toBe(`${SITE}/a`);
  expect(await next(ben)).toBe(`${SITE}/b`);
  await ben.visit('/b');
  await ben.drain();
  expect(await next(ben)).toBe(`${SITE}/c`);
  await anna.visit('/a');
  await anna.drain();
  // What is left here is seen by the other or with the other.
  expect(await next(anna)).toBeUndefined();
  await service.stop();
});

test('each fault has its name', async () => {
  const service = await serveForTest();
  const profile = new Profile(service);
  const causeOf = (token: string, fetch: TeamFetch, address = service.url) =>
    new TeamClient({ address, token }, fetch).about().then(
      () => 'none',
      (error: unknown) => (error instanceof TeamError ? error.team : String(error)),
    );
  const from = (headers: Record<string, string>): TeamFetch => {
    return (url, init) => plain(url, { ...init, headers: { ...init.headers, ...headers } });
  };
  expect(await causeOf(TOKEN, plain)).toBe('none');
  expect(await causeOf('wrong', plain)).toBe('token');
  expect(await causeOf(TOKEN, from({ Origin: `chrome-extension://${'a'.repeat(32)}` }))).toBe('not-paired');
  expect(await causeOf(TOKEN, breaking('down'))).toBe('unreachable');
  expect(await causeOf(TOKEN, breaking('html'))).toBe('not-service');
  expect(await causeOf(TOKEN, breaking('busy'))).toBe('busy');
  expect(await causeOf(TOKEN, plain, 'http://127.0.0.1:1')).toBe('unreachable');
  const client = new TeamClient(profile.pairing, plain);
  expect(await client.namespace('nobody')).toBeUndefined();
  await service.stop();
});
