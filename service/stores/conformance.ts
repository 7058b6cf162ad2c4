import * as fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { answerAt, ANSWER_BYTES, reasonNumber, type Answer } from '../answers.ts';
import { DEFAULT_FORM } from '../forms.ts';
import {
  KeyReusedError,
  LONGEST_LEASE,
  type Batch,
  type Namespace,
  type Store,
  type Verb,
} from '../store.ts';
import { roundKey } from '../windows.ts';

/** How the suite gets a store, and gets it again as after a restart; a volatile one has no `reopen`. */
export interface Opener {
  readonly open: () => Promise<Store>;
  readonly reopen?: (store: Store) => Promise<Store>;
  /** It keeps no times of first sightings. */
  readonly isTimeless?: true;
  /** Which bits of a fingerprint decide, where these are not all. */
  readonly decides?: (bit: number) => boolean;
  /** Its server forgets by a clock of its own. */
  readonly hasOwnClock?: true;
  /** Runs of the comparison with a plain map; 30 where absent. */
  readonly runs?: number;
}

const NOW = Date.UTC(2026, 0, 15, 12, 30);
const MINUTE = 60_000;
const NAMESPACE: Namespace = { ns: 'shop', policy: '1-test', form: DEFAULT_FORM, addresses: false };

/** Fingerprint number n. */
function fingerprint(n: number): Buffer {
  const bytes = Buffer.alloc(16, n % 251);
  bytes.writeUInt32BE(n, 0);
  bytes.writeUInt32BE(n * 7, 12);
  return bytes;
}

interface Asked {
  readonly round?: string;
  readonly namespace?: Namespace;
  readonly now?: number;
  readonly tokens?: readonly number[];
  readonly states?: readonly number[];
  readonly times?: readonly number[];
  readonly addresses?: readonly (string | undefined)[];
  readonly key?: string;
  readonly digest?: string;
  readonly leaseMs?: number;
  readonly refused?: readonly number[];
}

function batchOf(verb: Verb, numbers: readonly number[], asked: Asked = {}): Batch {
  const now = asked.now ?? NOW;
  const { tokens, states, times, addresses, key } = asked;
  return {
    namespace: asked.namespace ?? NAMESPACE,
    round: roundKey(asked.round ?? 'all', now)!,
    verb,
    count: numbers.length,
    width: 16,
    fingerprints: Buffer.concat(numbers.map(fingerprint)),
    refused: Uint8Array.from(asked.refused ?? numbers.map(() => 0)),
    at: now,
    now,
    until: now + (asked.leaseMs ?? MINUTE),
    ...(tokens ? { tokens: Float64Array.from(tokens) } : {}),
    ...(states ? { states: Uint8Array.from(states) } : {}),
    ...(times ? { times: Float64Array.from(times) } : {}),
    ...(addresses ? { addresses } : {}),
    ...(key === undefined
      ? {}
      : {
          journal: { key: Buffer.from(key.padEnd(16)), digest: Buffer.from((asked.digest ?? '').padEnd(16)) },
        }),
  };
}

async function ask(
  store: Store,
  verb: Verb,
  numbers: readonly number[],
  asked: Asked = {},
): Promise<Answer[]> {
  await store.bind(asked.namespace ?? NAMESPACE);
  const { answers } = await store.apply(batchOf(verb, numbers, asked));
  return Array.from({ length: answers.length / ANSWER_BYTES }, (_, index) => answerAt(answers, index));
}

const results = (answers: readonly Answer[]) => answers.map(({ result }) => result);

async function numbersIn(store: Store, round: string): Promise<number[]> {
  const found: number[] = [];
  for await (const pages of store.pages('shop', round))
    for (const page of pages) found.push(page.fingerprint.readUInt32BE(0));
  return found;
}

/** What must hold of every store. */
export function describeStore(name: string, opener: Opener): void {
  const { isTimeless = false, decides = () => true, hasOwnClock = false, runs = 30 } = opener;
  /** What a page seen at that time is answered. */
  const seenAt = (time: number, state: 'visited' | 'gone' = 'visited') =>
    isTimeless ? { result: 'seen', state } : { result: 'seen', first_at: time, state };
  const page = (time: number, state: number) => ({ at: isTimeless ? 0 : time, state });

  describe(`store ${name}`, () => {
    const using = (title: string, run: (store: Store) => Promise<void>) =>
      test(title, async () => {
        const store = await opener.open();
        try {
          await run(store);
        } finally {
          await store.close();
        }
      });

    using('the first mark is fresh, later ones are seen since then', async (store) => {
      expect(await ask(store, 'mark', [1, 2])).toEqual([{ result: 'fresh' }, { result: 'fresh' }]);
      expect(await ask(store, 'mark', [2, 3], { now: NOW + 5 })).toEqual([seenAt(NOW), { result: 'fresh' }]);
      expect(results(await ask(store, 'is_seen', [1, 2, 3, 4]))).toEqual(['seen', 'seen', 'seen', 'fresh']);
    });

    using('a question marks nothing, and makes neither namespace nor round', async (store) => {
      expect(results(await ask(store, 'is_seen', [1, 1]))).toEqual(['fresh', 'fresh']);
      expect(await store.rounds('shop')).toEqual([]);
      expect(results(await ask(store, 'mark', [1]))).toEqual(['fresh']);
    });

    using('a second place in one batch meets the first', async (store) => {
      expect(results(await ask(store, 'mark', [1, 1, 2, 1]))).toEqual(['fresh', 'seen', 'fresh', 'seen']);
      expect(results(await ask(store, 'lease', [5, 5]))).toEqual(['fresh', 'leased']);
    });

    using('rounds and namespaces are spaces of their own', async (store) => {
      const other = { ...NAMESPACE, ns: 'other' };
      expect(results(await ask(store, 'mark', [1], { round: 'r1' }))).toEqual(['fresh']);
      expect(results(await ask(store, 'mark', [1], { round: 'r2' }))).toEqual(['fresh']);
      expect(results(await ask(store, 'mark', [1], { round: 'r1', namespace: other }))).toEqual(['fresh']);
      expect(results(await ask(store, 'mark', [1], { round: 'r1' }))).toEqual(['seen']);
    });

    using('refused items are answered so and stored nowhere', async (store) => {
      const form = reasonNumber('form');
      expect(await ask(store, 'mark', [1, 2], { refused: [form, 0] })).toEqual([
        { result: 'invalid', reason: 'form' },
        { result: 'fresh' },
      ]);
      expect(await numbersIn(store, 'all')).toEqual([2]);
    });

    using('fingerprints that differ in one bit are two', async (store) => {
      await store.bind(NAMESPACE);
      const base = randomBytes(16);
      const all = [base];
      for (let bit = 0; bit < 128; bit++) {
        if (!decides(bit)) continue;
        const other = Buffer.from(base);
        other[bit >> 3]! ^= 1 << (bit & 7);
        all.push(other);
      }
      const batch = {
        ...batchOf(
          'mark',
          all.map((_, n) => n),
        ),
        fingerprints: Buffer.concat(all),
      };
      const { answers } = await store.apply(batch);
      for (let index = 0; index < all.length; index++) expect(answerAt(answers, index).result).toBe('fresh');
      const again = await store.apply(batch);
      for (let index = 0; index < all.length; index++)
        expect(answerAt(again.answers, index).result).toBe('seen');
    });

    using('a later state replaces the earlier one, the first time stays', async (store) => {
      await ask(store, 'mark', [1]);
      await ask(store, 'mark', [1], { states: [1], now: NOW + 9 });
      expect(await ask(store, 'is_seen', [1])).toEqual([seenAt(NOW, 'gone')]);
    });

    using('a lease goes to one, is not seen, and becomes a mark by its token', async (store) => {
      const [lease] = await ask(store, 'lease', [1]);
      expect(lease).toMatchObject({ result: 'fresh', until: NOW + MINUTE, token: expect.any(Number) });
      const token = (lease as { token: number }).token;
      expect(await ask(store, 'lease', [1])).toEqual([{ result: 'leased', until: NOW + MINUTE }]);
      expect(await ask(store, 'is_seen', [1])).toEqual([{ result: 'leased', until: NOW + MINUTE }]);
      expect(await ask(store, 'commit', [1], { tokens: [token + 1] })).toEqual([
        { result: 'invalid', reason: 'fenced' },
      ]);
      expect(results(await ask(store, 'commit', [1], { tokens: [token] }))).toEqual(['fresh']);
      expect(results(await ask(store, 'commit', [1], { tokens: [token] }))).toEqual(['seen']);
      expect(results(await ask(store, 'lease', [1]))).toEqual(['seen']);
      expect(store.figures().leases).toBe(0);
    });

    using(
      'a lease that ran out goes to the next, whose token is higher and fences the first',
      async (store) => {
        const [first] = await ask(store, 'lease', [1]);
        const later = { now: NOW + MINUTE };
        const [second] = await ask(store, 'lease', [1], later);
        const [low, high] = [first, second].map((answer) => (answer as { token: number }).token);
        expect(high).toBeGreaterThan(low!);
        for (const verb of ['commit', 'release', 'extend'] as const)
          expect(await ask(store, verb, [1], { ...later, tokens: [low!] })).toEqual([
            { result: 'invalid', reason: 'fenced' },
          ]);
        expect(results(await ask(store, 'commit', [1], { ...later, tokens: [high!] }))).toEqual(['fresh']);
      },
    );

    using('a lease that ran out and that nobody took can still be committed', async (store) => {
      const [lease] = await ask(store, 'lease', [1]);
      const token = (lease as { token: number }).token;
      expect(results(await ask(store, 'commit', [1], { tokens: [token], now: NOW + 2 * MINUTE }))).toEqual([
        'fresh',
      ]);
    });

    using('a released page is not seen, and waits for its retry', async (store) => {
      const [lease] = await ask(store, 'lease', [1]);
      const tokens = [(lease as { token: number }).token];
      const retry = { result: 'retry_at', retry_at: NOW + MINUTE };
      expect(await ask(store, 'release', [1], { tokens, times: [NOW + MINUTE] })).toEqual([retry]);
      expect(await ask(store, 'lease', [1])).toEqual([retry]);
      expect(await ask(store, 'is_seen', [1])).toEqual([retry]);
      expect(await ask(store, 'commit', [1], { tokens })).toEqual([
        { result: 'invalid', reason: 'not_leased' },
      ]);
      expect(results(await ask(store, 'lease', [1], { now: NOW + MINUTE }))).toEqual(['fresh']);
      expect(await numbersIn(store, 'all')).toEqual([]);
    });

    using('a lease is extended by its token', async (store) => {
      const [lease] = await ask(store, 'lease', [1]);
      const tokens = [(lease as { token: number }).token];
      const [extended] = await ask(store, 'extend', [1], { tokens, now: NOW + 5, leaseMs: 5 * MINUTE });
      expect(extended).toEqual({ result: 'leased', until: NOW + 5 + 5 * MINUTE, token: tokens[0] });
      expect(results(await ask(store, 'lease', [1], { now: NOW + 2 * MINUTE }))).toEqual(['leased']);
    });

    using('a mark of a leased page is fresh and ends the lease', async (store) => {
      const [lease] = await ask(store, 'lease', [1]);
      expect(results(await ask(store, 'mark', [1]))).toEqual(['fresh']);
      const tokens = [(lease as { token: number }).token];
      expect(results(await ask(store, 'commit', [1], { tokens }))).toEqual(['seen']);
    });

    using('a lease given by a clock that was far ahead holds nobody up', async (store) => {
      await ask(store, 'lease', [1], { now: NOW + 400 * LONGEST_LEASE });
      expect(results(await ask(store, 'lease', [1]))).toEqual(['fresh']);
    });

    using('a replay gets the first answers and changes nothing', async (store) => {
      const asked = { key: 'k', digest: 'd', round: 'day' };
      const first = await ask(store, 'mark', [1, 1, 2], asked);
      expect(results(first)).toEqual(['fresh', 'seen', 'fresh']);
      await ask(store, 'mark', [3], { round: 'day' });
      // A day later it would be another window, and other answers.
      const replay = await store.apply(batchOf('mark', [1, 1, 2], { ...asked, now: NOW + 23 * 60 * MINUTE }));
      expect(replay.replayed).toBe(true);
      expect(first.map((_, index) => answerAt(replay.answers, index))).toEqual(first);
      expect(await numbersIn(store, 'day@2026-01-15T00Z')).toEqual([1, 2, 3]);
    });

    using('a replayed lease gives the same token', async (store) => {
      const first = await ask(store, 'lease', [1, 2], { key: 'k' });
      expect(await ask(store, 'lease', [1, 2], { key: 'k' })).toEqual(first);
    });

    using('a key used for another request is refused, and nothing of that is done', async (store) => {
      await ask(store, 'mark', [1], { key: 'k', digest: 'one' });
      await expect(ask(store, 'mark', [2], { key: 'k', digest: 'two' })).rejects.toThrow(KeyReusedError);
      expect(results(await ask(store, 'is_seen', [2]))).toEqual(['fresh']);
    });

    using('the journal is forgotten after a day, windows after their end', async (store) => {
      await ask(store, 'mark', [1], { key: 'k', round: 'hour' });
      await store.maintain(NOW + 25 * 60 * MINUTE, NOW + 25 * 60 * MINUTE);
      const { replayed } = await store.apply(batchOf('mark', [1], { key: 'k', round: 'hour' }));
      if (!hasOwnClock) expect(replayed).toBe(false);
      // Not at once: the wall clock may be wrong (see Endings).
      expect(results(await ask(store, 'is_seen', [1], { round: 'hour' }))).toEqual(['seen']);
    });

    using('many requests at once: exactly one is fresh for each page', async (store) => {
      const batches = Array.from({ length: 40 }, (_, n) =>
        Array.from({ length: 50 }, (_, i) => (n * 13 + i * 7) % 120),
      );
      const answers = await Promise.all(batches.map((numbers) => ask(store, 'mark', numbers)));
      const fresh = answers.flatMap((list, n) =>
        list.flatMap(({ result }, i) => (result === 'fresh' ? [batches[n]![i]!] : [])),
      );
      expect(fresh.toSorted((a, b) => a - b)).toEqual([...new Set(batches.flat())].toSorted((a, b) => a - b));
    });

    using('a namespace is bound once', async (store) => {
      const all = await Promise.all(
        ['1-a', '1-b', '1-c'].map((policy) => store.bind({ ...NAMESPACE, policy })),
      );
      expect(new Set(all.map(({ policy }) => policy)).size).toBe(1);
      expect(await store.namespace('shop')).toEqual(all[0]);
      expect(await store.namespaces()).toEqual([all[0]]);
    });

    using('pages come in order, with their addresses where these are kept', async (store) => {
      const namespace = { ...NAMESPACE, addresses: true };
      const addresses = ['https://a.example.com/', undefined, 'https://c.example.com/'];
      await ask(store, 'mark', [3, 1, 2], { namespace, addresses, states: [0, 1, 0] });
      const pages = async () => {
        const all = [];
        for await (const piece of store.pages('shop', 'all'))
          for (const { fingerprint, ...page } of piece) all.push([fingerprint.readUInt32BE(0), page]);
        return all;
      };
      expect(await pages()).toEqual([
        [1, page(NOW, 1)],
        [2, { ...page(NOW, 0), url: 'https://c.example.com/' }],
        [3, { ...page(NOW, 0), url: 'https://a.example.com/' }],
      ]);
      await store.keepAddresses('shop', false);
      expect((await store.namespace('shop'))?.addresses).toBe(false);
      expect((await pages()).map(([, found]) => found)).toEqual([page(NOW, 1), page(NOW, 0), page(NOW, 0)]);
    });

    using('an import keeps the earlier sighting', async (store) => {
      await ask(store, 'mark', [1, 2]);
      expect(results(await ask(store, 'import', [1, 2, 3], { times: [NOW - 5, NOW + 5, NOW - 7] }))).toEqual([
        'seen',
        'seen',
        'fresh',
      ]);
      expect(await ask(store, 'is_seen', [1, 2, 3])).toEqual([seenAt(NOW - 5), seenAt(NOW), seenAt(NOW - 7)]);
    });

    using('a page that leads to a seen one is seen, also over several, and a loop ends', async (store) => {
      await store.bind(NAMESPACE);
      const to = (numbers: number[]) => Buffer.concat(numbers.map(fingerprint));
      const refused = new Uint8Array(4);
      const answers = await store.addRedirects(NAMESPACE, to([1, 2, 8, 9]), to([2, 3, 9, 8]), refused);
      expect([0, 1, 2, 3].map((index) => answerAt(answers, index).result)).toEqual(Array(4).fill('fresh'));
      expect(results(await ask(store, 'is_seen', [1, 8]))).toEqual(['fresh', 'fresh']);
      await ask(store, 'mark', [3], { now: NOW - 1 });
      expect((await ask(store, 'is_seen', [1]))[0]).toEqual(seenAt(NOW - 1));
      expect(results(await ask(store, 'lease', [2, 4]))).toEqual(['seen', 'fresh']);
      // It was shown itself after all: that is a fact of its own.
      expect(results(await ask(store, 'mark', [1]))).toEqual(['fresh']);
      const again = await store.addRedirects(NAMESPACE, to([1, 5]), to([2, 6]), new Uint8Array(2));
      expect([0, 1].map((index) => answerAt(again, index).result)).toEqual(['seen', 'fresh']);
    });

    using('settings', async (store) => {
      expect(await store.setting('x')).toBeUndefined();
      await store.setSetting('x', 'a');
      await store.setSetting('x', 'b');
      expect(await store.setting('x')).toBe('b');
    });

    using('does what a plain map would do', async (store) => {
      await fc.assert(
        fc.asyncProperty(
          fc.uuid(),
          fc.array(
            fc.tuple(
              fc.constantFrom('mark' as const, 'is_seen' as const),
              fc.array(fc.nat(30), { maxLength: 20 }),
            ),
            { maxLength: 10 },
          ),
          async (round, calls) => {
            const model = new Set<number>();
            for (const [verb, numbers] of calls) {
              const expected = numbers.map((number) => {
                const isSeen = model.has(number);
                if (verb === 'mark') model.add(number);
                return isSeen ? 'seen' : 'fresh';
              });
              expect(results(await ask(store, verb, numbers, { round }))).toEqual(expected);
            }
            expect(new Set(await numbersIn(store, round))).toEqual(model);
          },
        ),
        { numRuns: runs },
      );
    });

    const { reopen } = opener;
    if (reopen === undefined) return;
    test('everything is there again after a restart', async () => {
      let store = await opener.open();
      const namespace = { ...NAMESPACE, addresses: true };
      await ask(store, 'mark', [1, 2], { namespace, addresses: ['https://a.example.com/', undefined] });
      const first = await ask(store, 'mark', [2, 3], { namespace, key: 'k' });
      const [lease] = await ask(store, 'lease', [4], { namespace });
      await store.addRedirects(namespace, fingerprint(9), fingerprint(1), new Uint8Array(1));
      await store.setSetting('x', 'y');
      store = await reopen(store);
      expect(await store.namespaces()).toEqual([namespace]);
      expect(await store.rounds('shop')).toEqual([{ key: 'all', ends: null, count: 3 }]);
      expect(await ask(store, 'mark', [2, 3], { namespace, key: 'k' })).toEqual(first);
      expect(results(await ask(store, 'is_seen', [1, 2, 3, 4, 5, 9]))).toEqual([
        'seen',
        'seen',
        'seen',
        'leased',
        'fresh',
        'seen',
      ]);
      const { token } = lease as { token: number };
      const [next] = await ask(store, 'lease', [5], { namespace });
      expect((next as { token: number }).token).toBeGreaterThan(token);
      expect(results(await ask(store, 'commit', [4], { namespace, tokens: [token] }))).toEqual(['fresh']);
      expect(await store.setting('x')).toBe('y');
      await store.close();
    });
  });
}
