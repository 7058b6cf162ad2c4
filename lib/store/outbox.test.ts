import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fingerprint } from '#lib/fingerprint/index.ts';
import type { Shown } from '#lib/rounds/events.ts';
import type { Round } from '#lib/rounds/types.ts';
import { pauseAfter, type Outgoing } from '#lib/team/outbox.ts';
import { newBinding, readPairing, serviceOrigin, teamPlace, type Pairing } from '#lib/team/pairing.ts';
import type { Key } from '#lib/url/index.ts';
import { FailOnDemand } from './faults.ts';
import { closeStore, useDatabase, withStore } from './open.ts';
import { forgetTeam, halveBatch, nextBatch, outboxState, queueRound, settleBatch } from './outbox.ts';
import { Recorder } from './recorder.ts';
import { restore } from './restore.ts';
import { writeBackup } from '#lib/exchange/backup.ts';
import { backupRows } from './backup.ts';
import { keepTeam, teamFacts, tidyTeam } from './team.ts';

const SITE = 'https://shop.example.com';
const fp = (path: string): string => fingerprint(`${SITE}${path}` as Key, 'sha256-16');

let names = 0;
let ids = 0;
let at = 0;
let faults: FailOnDemand;
let pairing: Pairing | undefined;
let recorder: Recorder;
let round: Round;

const shown = (path: string, more: Partial<Shown> = {}): Shown => {
  const count = (ids += 1);
  const url = SITE + path;
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

const waiting = (): Promise<(Outgoing & { seq: number })[]> => withStore((db) => db.getAll('outbox'));

beforeEach(async () => {
  useDatabase(`onceover-outbox-${Date.now()}-${(names += 1)}`);
  at = Date.UTC(2026, 4, 4, 10);
  faults = new FailOnDemand();
  pairing = undefined;
  recorder = new Recorder({
    now: () => at,
    randomId: () => `id-${(ids += 1)}`,
    faults,
    pairing: async () => pairing,
  });
  const scope = { name: 'My Shop!', origins: [`${SITE}/*`] };
  ({ round } = await recorder.commands.startRound({ scope, base: 'none' }));
  const row = await withStore((db) => db.get('scopes', round.scope));
  pairing = {
    address: 'http://127.0.0.1:1',
    token: 't',
    pairedAt: 0,
    scopes: { [row!.id]: newBinding(row!) },
  };
});

afterEach(() => closeStore());

describe('the outbox', () => {
  it('takes a page with its visit, once, and never without', async () => {
    faults.fail('quota');
    await expect(recorder.record(shown('/a'))).rejects.toThrow();
    expect(await waiting()).toEqual([]);
    await recorder.record(shown('/a'));
    await recorder.record(shown('/a'));
    const { policyVersion: policy } = round;
    expect(await waiting()).toEqual([
      {
        seq: 1,
        ns: 'my-shop',
        round: 'day@2026-05-04T00Z',
        policy,
        verb: 'mark',
        at,
        item: { url_fp: fp('/a') },
      },
    ]);
  });

  it('takes nothing where nobody paired, or the scope takes no part', async () => {
    const paired = pairing!;
    pairing = undefined;
    await recorder.record(shown('/a'));
    pairing = { ...paired, scopes: {} };
    await recorder.record(shown('/b'));
    expect(await waiting()).toEqual([]);
    // What was visited before is queued when somebody asks for it.
    pairing = paired;
    expect(await queueRound(round.space, teamPlace(pairing, round)!, at)).toBe(2);
    expect((await waiting()).map(({ item }) => item)).toEqual([{ url_fp: fp('/a') }, { url_fp: fp('/b') }]);
  });

  it('takes addresses only where that was wished, and says what is gone', async () => {
    pairing!.scopes[round.scope]!.addresses = true;
    await recorder.record(shown('/a?x=1#part'));
    await recorder.record(shown('/gone', { status: 404 }));
    expect((await waiting()).map(({ item }) => item)).toEqual([
      { url_fp: fp('/a?x=1'), url: `${SITE}/a?x=1#part` },
      { url_fp: fp('/gone'), url: `${SITE}/gone`, state: 'gone' },
    ]);
  });

  it('takes what was marked by hand', async () => {
    await recorder.record({ type: 'links', id: 'l', url: `${SITE}/`, at, links: [`${SITE}/a`] });
    expect(await waiting()).toEqual([]);
    await recorder.commands.markPage({ space: round.space, key: `${SITE}/a`, state: 'visited' });
    expect((await waiting()).map(({ item }) => item)).toEqual([{ url_fp: fp('/a') }]);
  });

  it('takes permanent redirects and no others', async () => {
    const hop = (path: string, status: number) => ({ url: SITE + path, kind: 'server' as const, status });
    await recorder.record(shown('/new', { chain: [hop('/old', 301)] }));
    await recorder.record(shown('/login', { chain: [hop('/private', 302)] }));
    const redirects = (await waiting()).filter(({ verb }) => verb === 'redirects');
    expect(redirects.map(({ item }) => item)).toEqual([
      { from_fp: fp('/old'), to_fp: fp('/new'), permanent: true },
    ]);
  });

  it('releases a leased page that could not be shown, once', async () => {
    const place = teamPlace(pairing, round)!;
    await keepTeam(place, [{ fp: fp('/a'), lease: { token: 7, until: at + 300_000 } }]);
    await recorder.record({ type: 'links', id: 'l', url: `${SITE}/`, at, links: [`${SITE}/a`] });
    const failed = () => recorder.record(shown('/a', { status: 503 }));
    await failed();
    at += 1_000;
    await failed();
    expect(await waiting()).toMatchObject([{ verb: 'release', item: { url_fp: fp('/a'), token: 7 } }]);
    expect((await waiting())[0]?.item).toMatchObject({ retry_at: expect.any(Number) as number });
  });

  it('keeps the batch under way together, whatever comes meanwhile', async () => {
    for (const path of ['/a', '/b']) await recorder.record(shown(path));
    const first = (await nextBatch('one'))!;
    await recorder.record(shown('/c'));
    expect(await nextBatch('two')).toEqual(first);
    await halveBatch(first, 'half');
    const half = (await nextBatch('three'))!;
    expect(half).toMatchObject({ batch: { id: 'half' }, entries: [{ item: { url_fp: fp('/a') } }] });
    await settleBatch(first, []);
    expect(await outboxState()).toMatchObject({ waiting: 3 });
    await settleBatch(half, [{ seen: { fp: fp('/a'), at, state: 'visited', own: true } }]);
    expect((await nextBatch('four'))?.entries.map(({ item }) => item)).toEqual([
      { url_fp: fp('/b') },
      { url_fp: fp('/c') },
    ]);
    await forgetTeam();
    expect(await outboxState()).toEqual({ waiting: 0, tries: 0, nextAt: 0 });
  });

  it('lets the oldest go where a hundred thousand wait', async () => {
    for (const path of ['/a', '/b']) await recorder.record(shown(path));
    const begun = await nextBatch('one');
    const last = (await waiting())[1]!;
    await withStore((db) => db.put('outbox', { ...last, seq: 100_000 }));
    await recorder.record(shown('/c'));
    expect((await waiting()).map(({ seq }) => seq)).toEqual([2, 100_000, 100_001]);
    // The batch that had the first is another request now.
    expect(begun?.batch.seqs).toEqual([1, 2]);
    expect((await nextBatch('two'))?.batch).toMatchObject({ id: 'two', seqs: [2, 100_000, 100_001] });
  });

  it('moves along with a restore, and is in no backup', async () => {
    await recorder.record(shown('/a'));
    const begun = await nextBatch('one');
    const place = teamPlace(pairing, round)!;
    await keepTeam(place, [{ fp: fp('/t'), at: 5, state: 'visited' }]);
    let text = '';
    for await (const part of writeBackup(backupRows(), { createdAt: at, app: '1' })) text += part;
    expect(text).not.toContain(fp('/a'));
    const bytes = new TextEncoder().encode(text);
    for (const mode of ['replace', 'merge'] as const)
      await restore({
        mode,
        read: async function* () {
          yield bytes;
        },
        randomId: () => `r${(ids += 1)}`,
        alone: (work) => work(),
        switchTo: async (name) => useDatabase(name),
        signal: new AbortController().signal,
        onProgress: () => undefined,
      });
    expect(await nextBatch('two')).toEqual(begun);
    expect(await teamFacts(place, [{ key: `${SITE}/t` }])).toEqual([{ at: 5, state: 'visited' }]);
  });
});

describe('what the team saw', () => {
  it('is of others only, whatever is heard later', async () => {
    const place = { ns: 'a', round: 'all' };
    await keepTeam(place, [
      { fp: fp('/ours'), at: 1, state: 'visited', own: true },
      { fp: fp('/theirs'), at: 2, state: 'gone' },
    ]);
    await keepTeam(place, [{ fp: fp('/ours'), at: 1, state: 'visited' }]);
    const keys = ['/ours', '/theirs', '/nobody'].map((path) => ({ key: SITE + path }));
    expect(await teamFacts(place, keys)).toEqual([undefined, { at: 2, state: 'gone' }, undefined]);
    expect(await teamFacts({ ns: 'b', round: 'all' }, keys)).toEqual([undefined, undefined, undefined]);
  });

  it('is forgotten long after its window', async () => {
    const page = { fp: fp('/a'), at: 1, state: 'visited' as const };
    const rounds = ['day@2026-04-01T00Z', 'day@2026-05-04T00Z', 'all'];
    for (const name of rounds) await keepTeam({ ns: 'a', round: name }, [page]);
    await tidyTeam(at);
    const kept = await withStore((db) => db.getAllKeys('team'));
    expect(kept.map(([, name]) => name)).toEqual(['all', 'day@2026-05-04T00Z']);
  });
});

describe('a pairing', () => {
  it.each([
    ['127.0.0.1:8321', 'http://127.0.0.1:8321'],
    [' https://Seen.example.com/path?x#y ', 'https://seen.example.com'],
    ['localhost:8321/', 'http://localhost:8321'],
    ['[::1]:8321', 'http://[::1]:8321'],
    ['http://user:pass@seen.example.com', undefined],
    ['ftp://seen.example.com', undefined],
    ['javascript:alert(1)', undefined],
    ['', undefined],
  ])('reads %j as %j', (typed, origin) => {
    expect(serviceOrigin(typed)).toBe(origin);
  });

  it('reads what was stored, and nothing that is damaged', () => {
    expect(readPairing(pairing)).toEqual(pairing);
    expect(readPairing({ ...pairing, token: '' })).toBeUndefined();
    expect(readPairing({ ...pairing, address: 'http://a.example.com/path' })).toBeUndefined();
    expect(readPairing({ ...pairing, scopes: { a: { on: true, ns: '../x' } } })?.scopes).toEqual({});
    expect(readPairing(null)).toBeUndefined();
  });

  it('waits longer after each failure, up to a quarter of an hour', () => {
    const pauses = [1, 2, 3, 9, 10, 60].map((tries) => [pauseAfter(tries, 0), pauseAfter(tries, 0.999)]);
    for (const [least = 0, most = 0] of pauses) expect(most).toBeLessThanOrEqual(2 * least + 1);
    expect(pauses.map(([least]) => least)).toEqual([1_000, 2_000, 4_000, 256_000, 450_000, 450_000]);
  });
});
