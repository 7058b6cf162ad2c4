import { describe, expect, it } from 'vitest';
import stories from '../../corpus/aliases.json' with { type: 'json' };
import { holds, isSink, tokenBetween } from './aliases.ts';
import type { CaptureEvent } from './events.ts';
import { MemoryStore } from './memory.fixture.ts';
import type { Hop, Reason } from './types.ts';

const WORDS: Partial<Record<Reason, string>> = {
  sink: 'redirected to a sink',
  'no-access': 'no access',
  'too-many-redirects': 'too many redirects',
};

/** Plays a story as the browser and the observer tell it, one navigation each ten minutes. */
export function play(
  story: string[][],
  order: (events: CaptureEvent[]) => CaptureEvent[] = (events) => events,
): MemoryStore {
  const store = new MemoryStore();
  let at = 1_000_000;
  let count = 0;
  for (let index = 0; index < story.length; index++) {
    at += 600_000;
    if (story[index]![0] === 'next round') {
      store.startRound(at, store.endRound(at));
      continue;
    }
    const hops = [story[index]!];
    while (story[index + 1] && isRedirect(story[index]!) && story[index + 1]![0] === story[index]![2]) {
      hops.push(story[(index += 1)]!);
    }
    for (const event of order(tellings(hops, (count += 1), at))) store.record(event);
  }
  return store;
}

const isRedirect = ([, kind = '']: string[]) => /^30\d/.test(kind);

function tellings(hops: string[][], count: number, at: number): CaptureEvent[] {
  const [from = '', kind = '', to = ''] = hops.at(-1)!;
  const first = hops[0]![0]!;
  if (hops.length > 1 && to === first) {
    return [{ type: 'failed', id: `e${count}`, url: first, at, error: 'net::ERR_TOO_MANY_REDIRECTS' }];
  }
  const shown = (
    document: string,
    url: string,
    when: number,
    status: number,
    chain: Hop[],
  ): CaptureEvent[] => [
    {
      type: 'shown',
      id: `${document}b`,
      by: 'browser',
      document,
      moment: 'start',
      url,
      at: when,
      how: 'link',
      chain,
    },
    {
      type: 'shown',
      id: `${document}o`,
      by: 'observer',
      document,
      moment: 'start',
      url,
      at: when + 20,
      status,
    },
  ];
  if (isRedirect(hops.at(-1)!)) {
    const chain = hops.map(([url = '', status = '']): Hop => ({
      url,
      kind: 'server',
      status: Number.parseInt(status, 10),
    }));
    return shown(`d${count}`, to, at, 200, chain);
  }
  const canonical = /canonical (\S+)/.exec(kind)?.[1];
  if (canonical !== undefined) {
    const read = {
      type: 'content',
      id: `c${count}`,
      url: from,
      at: at + 1500,
      digest: 'a',
      maskedDigest: `a${count}`,
      blocks: 9,
    } as const;
    return [...shown(`d${count}`, from, at, 200, []), { ...read, canonical }];
  }
  if (kind === '200') return shown(`d${count}`, from, at, 200, []);
  // A document that leads on by itself: meta refresh, or a script on an error page.
  const status = Number.parseInt(kind, 10) || 200;
  const stub: Hop = { url: from, kind: 'client', document: `s${count}`, at };
  return [...shown(`s${count}`, from, at, status, []), ...shown(`d${count}`, to, at + 400, 200, [stub])];
}

describe('stories of redirects', () => {
  for (const { id, story, pages, aliases, ...more } of stories) {
    const orders: Record<string, (events: CaptureEvent[]) => CaptureEvent[]> = {
      'as it happens': (events) => events,
      'the observer first': (events) =>
        events.toSorted((a, b) => Number(a.id.endsWith('b')) - Number(b.id.endsWith('b'))),
      backwards: (events) => (events.at(-1)?.type === 'content' ? events : events.toReversed()),
      'told twice': (events) => [...events, ...events],
    };
    for (const [name, order] of Object.entries(orders)) {
      it(`${id}, ${name}`, () => {
        const store = play(story, order);
        const rows = store.rows('pages').filter(({ space }) => space === store.round.space);
        const wanted = pages as {
          key: string;
          state: string;
          reason?: string;
          visits?: number;
          sink?: boolean;
          usable?: string;
        }[];
        expect(rows.map(({ key }) => key).sort()).toEqual(wanted.map(({ key }) => key).sort());
        for (const page of wanted) {
          const row = rows.find(({ key }) => key === page.key)!;
          expect(row.state).toBe(page.state);
          expect(row.reason && WORDS[row.reason]).toBe(page.reason);
          expect(row.sink).toBe(page.sink);
          if (page.visits !== undefined) expect(row.visits).toBe(page.visits);
          if (page.usable !== undefined) expect(row.usable).toBe(page.usable);
        }
        const held = store.rows('aliases').filter((alias) => holds(alias, store.round, store.scope.tokens));
        const said = held.map(({ from, to, strength }) => [from, to, strength]);
        expect(new Set(said.map(String))).toEqual(new Set(aliases.map(String)));
        if ('proposals' in more) {
          const proposed = store.rows('aliases').filter(({ strength }) => strength === 'proposed');
          expect(proposed.map(({ from, to, evidence }) => [from, to, evidence])).toEqual(more.proposals);
        }
        expect(store.round.counters).toEqual(store.recount());
      });
    }
  }
});

describe('sinks and tokens', () => {
  it.each([
    [['r\np\n=/a'], false],
    [['r\np\n=/a', 'r\np\n=/b'], true],
    [['r\np\n+x1', 'r\np\n+x2', 'r\np\n+x3', 'r\np\n+x4', 'r\np\n=/a'], false],
    [['r\np\n+x1', 'r\np\n+x2', 'r\np\n+x3', 'r\np\n+x4', 'r\np\n+x5'], true],
  ])('%j is a sink: %s', (leads, expected) => {
    expect(isSink(leads)).toBe(expected);
  });

  const cdn = 'https://cdn.example.com/f/7';
  it.each([
    [`${cdn}?sig=9f2c5e7a11d0`, `${cdn}?sig=03be77d1c4aa`, 'sig'],
    [`${cdn}?a=1&sig=9f2c5e7a11d0`, `${cdn}?a=1&sig=03be77d1c4aa`, 'sig'],
    [`${cdn}?a=1&sig=9f2c5e7a11d0`, `${cdn}?a=2&sig=03be77d1c4aa`, undefined],
    [`${cdn}?page=1000000001`, `${cdn}?page=1000000002`, undefined],
    [`${cdn}?word=abcdefghijk`, `${cdn}?word=kjihgfedcba`, undefined],
    [`${cdn}?id=short1`, `${cdn}?id=short2`, undefined],
    [`${cdn}?sig=9f2c5e7a11d0`, `https://cdn.example.com/f/8?sig=03be77d1c4aa`, undefined],
    [`${cdn}?sig=9f2c5e7a11d0`, `${cdn}?key=03be77d1c4aa`, undefined],
    [`${cdn}?sig=9f2c5e7a11d0`, cdn, undefined],
  ])('%s and %s differ by token %s', (one, other, name) => {
    expect(tokenBetween(one, other, [])?.name).toBe(name);
    expect(tokenBetween(other, one, [])?.name).toBe(name);
  });
});
