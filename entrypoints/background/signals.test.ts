import { expect, test } from 'vitest';
import { follow, settleRoute, type Fact } from './follow.ts';
import recorded from './recorded-events.json' with { type: 'json' };
import { signalOf, type Details, type SignalEvent } from './signals.ts';
import type { TabState } from './tabs.ts';

type Event = Details & { event: string };

/** What Chromium 156 really sent, replayed; all tabs in the order of events, each fact as one line. */
function replay(events: Event[]): string[] {
  const states = new Map<number, TabState>();
  const lines: string[] = [];
  const note = (facts: Fact[]) => {
    for (const fact of facts) {
      const chain = fact.type === 'shown' ? (fact.chain ?? []).map(({ url, kind }) => `${kind} ${url}`) : [];
      const what = fact.type === 'shown' ? fact.moment : fact.type;
      const words = [what, fact.url, fact.how, ...(chain.length > 0 ? [`after ${chain.join(', ')}`] : [])];
      lines.push(words.join(' ').replaceAll('http://site.example', ''));
    }
  };
  for (const { event, ...details } of events) {
    if (event === 'onCreatedNavigationTarget') continue;
    const signal = signalOf(event as SignalEvent, details);
    if (!signal) continue;
    const { state, facts } = follow(states.get(details.tabId) ?? { clicks: [] }, signal);
    states.set(details.tabId, state);
    note(facts);
  }
  for (const state of states.values()) note(settleRoute(state, Infinity).facts);
  return lines;
}

test.each<[keyof typeof recorded, string[]]>([
  ['click', ['start /a link']],
  ['redirect', ['start /final typed after server /r1']],
  ['meta', ['start /meta typed', 'start /metafinal script after client /meta']],
  ['scriptr', ['start /scriptr typed', 'start /srfinal script after client /scriptr']],
  ['replacelate', ['start /replacelate typed', 'start /replatefinal script after client /replacelate']],
  ['close', ['failed /close other']],
  ['204', ['unshown /204 other']],
  ['att', ['unshown /att other']],
  ['pdf', ['start /doc.pdf typed']],
  ['blank', ['start / typed', 'start /blank link']],
  ['userinfo', ['start /ui typed']],
  ['text', ['start / typed', 'start /txt link']],
  // pushState, replaceState of the same address, a fragment, pushState of the same address, and back within 350 ms.
  ['push', ['start / typed', 'route /p1#x script']],
  ['form', ['start / typed', 'start /find?q=x+y%26z form']],
  ['bfcache', ['start /y typed', 'start /z typed', 'back /y back']],
  ['window.open', ['start /wo typed']],
  ['frame', ['start /frame typed']],
  // The person did not wait for it.
  ['slow', ['start / typed', 'unshown /slow other', 'start /quick typed']],
  ['reload', ['start / typed', 'start / reload']],
  // /never was prerendered and prefetched pages fetched, but only what was gone to is a visit.
  ['prerender', ['start /pre link', 'start /pf link']],
])('%s', (name, expected) => {
  expect(replay(recorded[name] as Event[])).toEqual(expected);
});

test('every recorded case has an expectation', () => {
  expect(Object.keys(recorded)).toHaveLength(20);
});
