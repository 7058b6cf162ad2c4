import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holds } from './aliases.ts';
import { leftOf } from './coverage.ts';
import type { CaptureEvent, Shown } from './events.ts';
import { MemoryStore } from './memory.fixture.ts';
import type { Hop, Signal } from './types.ts';

const RUNS = 25;
/** Of two busy cores. */
const PATIENCE = 30_000;
const SITE = 'https://a.example.com';
/** Two spellings of each page, so that keys and addresses differ. */
const PAGES = ['/p', '/q?id=1', '/r', '/q?id=2', '/s/'];
const ORIGINALS = ['/go/1', '/go/2', '/p', 'https://s.example.com/x'];

interface Step {
  page: number;
  spelling: boolean;
  moment: 'route' | 'restore';
}
interface Navigation {
  page: number;
  spelling: boolean;
  status: number;
  via: { original: number; status: number } | { stub: number; status: number } | undefined;
  steps: Step[];
}

const navigation: fc.Arbitrary<Navigation> = fc.record({
  page: fc.nat(PAGES.length - 1),
  spelling: fc.boolean(),
  status: fc.constantFrom(200, 200, 200, 503, 404, 403),
  via: fc.option(
    fc.oneof(
      fc.record({ original: fc.nat(ORIGINALS.length - 1), status: fc.constantFrom(301, 302) }),
      fc.record({ stub: fc.nat(PAGES.length - 1), status: fc.constantFrom(200, 200, 403) }),
    ),
    { nil: undefined },
  ),
  steps: fc.array(
    fc.record({
      page: fc.nat(PAGES.length - 1),
      spelling: fc.boolean(),
      moment: fc.constantFrom('route' as const, 'route' as const, 'restore' as const),
    }),
    { maxLength: 3 },
  ),
});

const addressOf = ({ page, spelling }: { page: number; spelling: boolean }) => {
  const path = PAGES[page]!;
  return SITE + path + (spelling ? `${path.includes('?') ? '&' : '?'}utm_source=mail` : '');
};
const originalOf = (index: number) => (ORIGINALS[index]!.startsWith('/') ? SITE : '') + ORIGINALS[index]!;

/** Both tellings of everything in a script, in the order in which it happened. */
function tellings(script: Navigation[]): CaptureEvent[] {
  const events: CaptureEvent[] = [];
  let at = 1_000_000;
  const tell = (
    document: string,
    url: string,
    moment: Signal['moment'],
    { status, chain }: { status?: number; chain?: Hop[] } = {},
  ): void => {
    const id = `${events.length}`;
    const told = { type: 'shown', document, url, moment } as const;
    const back = moment === 'restore' ? 'back' : moment;
    const browser: Shown = { ...told, id: `b${id}`, by: 'browser', moment: back, at, how: 'link' };
    events.push(chain ? { ...browser, chain } : browser);
    const observer: Shown = { ...told, id: `o${id}`, by: 'observer', at: at + 40, title: `Title ${url}` };
    events.push(status === undefined ? observer : { ...observer, status });
  };
  for (const [index, { via, steps, ...shown }] of script.entries()) {
    at += 60_000;
    const document = `d${index}`;
    let url = addressOf(shown);
    const chain: Hop[] = [];
    if (via && 'original' in via)
      chain.push({ url: originalOf(via.original), kind: 'server', status: via.status });
    if (via && 'stub' in via) {
      const stub = addressOf({ page: via.stub, spelling: false });
      tell(`s${index}`, stub, 'start', { status: via.status });
      chain.push({ url: stub, kind: 'client', document: `s${index}`, at });
      at += 500;
    }
    tell(document, url, 'start', { status: shown.status, chain });
    for (const { moment, ...step } of steps) {
      at += 10_000;
      // A document comes back as it was left.
      if (moment === 'route') url = addressOf(step);
      tell(document, url, moment);
    }
  }
  return events;
}

function play(events: CaptureEvent[]): MemoryStore {
  const store = new MemoryStore();
  for (const event of events) store.record(event);
  return store;
}

/** All that must not depend on the order. Numbers in sequence do, by their nature, and with them what is only their consequence. */
function outcome(store: MemoryStore): unknown {
  const pages = store
    .rows('pages')
    // Of an original that only its redirects are known of, the first time is that of the first telling.
    .map(({ seq: _1, from: _2, ...page }) => (page.reason === 'sink' ? { ...page, firstSeenAt: 0 } : page))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  const visits = store
    .rows('visits')
    .map(({ key, kind, at, url, status, told, how, chain, shown }) => ({
      key,
      kind,
      at,
      url,
      status,
      told,
      how,
      chain,
      shown,
    }))
    .sort((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1));
  const variants = store
    .rows('variants')
    .map(({ key, url, visits }) => ({ key, url, visits }))
    .sort((a, b) => (a.key + a.url < b.key + b.url ? -1 : 1));
  const aliases = store
    .rows('aliases')
    .filter((alias) => holds(alias, store.round, store.scope.tokens))
    .map(({ from, to, strength }) => `${from} ${to} ${strength}`)
    .sort();
  return {
    pages,
    visits,
    variants,
    aliases,
    counters: store.round.counters,
    sinks: (store.round.sinks ?? []).toSorted(),
  };
}

const scripts = fc.array(navigation, { minLength: 1, maxLength: 5 });
/** A script, and its tellings in any order, some of them twice. */
const shuffled = scripts.chain((script) => {
  const events = tellings(script);
  return fc.record({
    script: fc.constant(script),
    events: fc.array(fc.nat(events.length - 1), { maxLength: 5 }).chain((again) =>
      fc.shuffledSubarray([...events, ...again.map((index) => events[index]!)], {
        minLength: events.length + again.length,
      }),
    ),
  });
});

describe('decide', () => {
  it(
    'gives the same pages, visits and counters whatever the order, delay and repetition of the tellings',
    () => {
      fc.assert(
        fc.property(shuffled, ({ script, events }) => {
          expect(outcome(play(events))).toEqual(outcome(play(tellings(script))));
        }),
        { numRuns: RUNS },
      );
    },
    PATIENCE,
  );

  it(
    'counts what the rows say, visits nothing twice for the first time, and shows each moment once',
    () => {
      fc.assert(
        fc.property(shuffled, ({ script, events }) => {
          const store = play(events);
          expect(store.round.counters).toEqual(store.recount());
          const visits = store.rows('visits');
          const firsts = visits.filter(({ kind }) => kind === 'first').map(({ key }) => key);
          expect(new Set(firsts).size).toBe(firsts.length);
          // Routes to the page that is shown already are no showing of their own; all else is exactly one.
          const showings = script.reduce((sum, { via, page, steps }) => {
            let current = page;
            const moved = steps.filter((step) => {
              const isNew = step.moment === 'restore' || step.page !== current;
              if (step.moment === 'route') current = step.page;
              return isNew;
            });
            return sum + 1 + moved.length + (via && 'stub' in via ? 1 : 0);
          }, 0);
          expect(visits).toHaveLength(showings);
        }),
        { numRuns: RUNS },
      );
    },
    PATIENCE,
  );

  it(
    'needs only one of the two tellers',
    () => {
      const calm = scripts.map((script) => script.map((each) => ({ ...each, status: 200, via: undefined })));
      fc.assert(
        fc.property(calm, fc.array(fc.constantFrom('browser', 'observer', 'both')), (script, who) => {
          const all = tellings(script);
          const told: CaptureEvent[] = [];
          for (let index = 0; index < all.length; index += 2) {
            const by = who[index / 2] ?? 'both';
            if (by !== 'observer') told.push(all[index]!);
            if (by !== 'browser') told.push(all[index + 1]!);
          }
          const count = (store: MemoryStore) =>
            store
              .rows('pages')
              .map(({ key, visits, state }) => `${key} ${state} ${visits}`)
              .sort();
          expect(count(play(told))).toEqual(count(play(all)));
          expect(play(told).round.counters).toEqual(play(all).round.counters);
        }),
        { numRuns: RUNS },
      );
    },
    PATIENCE,
  );

  it(
    'counts of the base round what is left in it',
    () => {
      fc.assert(
        fc.property(scripts, shuffled, (first, { events }) => {
          const store = play(tellings(first));
          const base = store.endRound(50_000_000);
          const round = store.startRound(60_000_000, base);
          for (const event of events)
            store.record({
              ...event,
              id: `2${event.id}`,
              at: event.at + 60_000_000,
              ...later(event),
            } as CaptureEvent);
          const here = new Map(
            store
              .rows('pages')
              .filter(({ space }) => space === round.space)
              .map((page) => [page.key, page]),
          );
          const there = store.rows('pages').filter(({ space }) => space === base.space);
          const keys = new Set([
            ...there.map(({ key }) => key),
            ...[...here.values()].filter(({ inBase }) => inBase).map(({ key }) => key),
          ]);
          const held = new Set(
            store
              .rows('aliases')
              .filter((alias) => holds(alias, store.round, store.scope.tokens))
              .map(({ from }) => from),
          );
          const left = [...keys].filter((key) =>
            here.has(key) ? here.get(key)!.state === 'known' : !held.has(key),
          );
          expect(leftOf(store.round)).toBe(left.length);
          expect(store.round.counters).toEqual(store.recount());
        }),
        { numRuns: RUNS },
      );
    },
    PATIENCE,
  );
});

/** The same event in another round: other documents, later. */
function later(event: CaptureEvent): Partial<Shown> {
  if (event.type !== 'shown') return {};
  const chain = event.chain?.map((hop): Hop => {
    const { document, at } = hop;
    return {
      ...hop,
      ...(document !== undefined && { document: `2${document}` }),
      ...(at !== undefined && { at: at + 60_000_000 }),
    };
  });
  return { document: `2${event.document}`, ...(chain && { chain }) };
}
