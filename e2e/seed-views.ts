// Everything a view can show, planted at once: a working day, watches, a second project between two rounds, pages that may
// be one, the counters of diagnostics and a service that the extension is paired with.
import type { Alias, Page, Round, Scope } from '../lib/rounds/types.ts';
import type { Meta } from '../lib/store/schema.ts';
import { PAIRING_KEY, type Pairing } from '../lib/team/pairing.ts';
import type { Browser } from './harness/browser.ts';
import { watchedDay } from './seed-watches.ts';
import { plant, workingDay } from './seed.ts';

const HOUR = 60 * 60_000;
const SHOP = 'https://shop.example.com';
const BOARDS = 'https://boards.example.com';

/**
 * Plants into a browser whose store a page of the extension has opened before. `pages`: of the catalogue of the day;
 * `service`: one that answers.
 */
export async function plantViews(
  browser: Browser,
  {
    pages = 60,
    service = { address: 'http://127.0.0.1:8321', token: 'made-up' },
  }: {
    pages?: number;
    service?: { address: string; token: string };
  } = {},
): Promise<void> {
  const now = Date.now();
  const day = workingDay(now, pages);
  const { scope, rounds, visited } = nightlyBoards(now, day.scopes[0]!, day.rounds[0]!, day.pages[0]!);
  const diagnostics: Meta = {
    id: 'diagnostics',
    events: 1_284,
    repeated: 37,
    refused: { page: 12, import: 3, paste: 1 },
    collapsed: 412,
    downloads: 2,
    filterNo: 5_120,
    filterMaybe: 2_033,
    filterWrong: 4,
    decisions: 1_247,
    decisionMs: 1_934,
    setsRebuilt: 1,
  };
  await plant(browser.backstage, {
    ...day,
    scopes: [...day.scopes, scope],
    rounds: [...day.rounds, ...rounds],
    pages: [...day.pages, ...visited],
    ...(await watchedDay(now)),
    aliases: proposals(now, day.scopes[0]!),
    meta: [diagnostics],
  });
  const pairing: Pairing = {
    address: service.address,
    token: service.token,
    pairedAt: now - 48 * HOUR,
    scopes: {
      [scope.id]: {
        on: true,
        ns: 'night-boards',
        policy: scope.policyVersion,
        round: 'day',
        addresses: false,
      },
    },
  };
  const status = { sentAt: now - HOUR, pulled: { [scope.id]: { at: now - HOUR, pages: 1_204 } } };
  await browser.backstage.evaluate((stored) => chrome.storage.local.set(stored), {
    [PAIRING_KEY]: pairing,
    serviceStatus: status,
  });
}

/** A project whose two rounds are both over: what there is to see when nothing is recorded. */
function nightlyBoards(now: number, like: Scope, ended: Round, page: Page) {
  const scope: Scope = {
    ...like,
    id: 'scope-boards',
    name: 'Night boards',
    origins: [`${BOARDS}/*`],
    createdAt: now - 50 * HOUR,
  };
  const paths = ['queue', 'latency', 'payments', 'mail', 'search', 'billing'];
  const rounds = [1, 2].map((number): Round => {
    const startedAt = now - (3 - number) * 24 * HOUR;
    const id = `round-boards-${number}`;
    const counters = { ...ended.counters, visits: 8, duplicates: 2, visited: 6, changed: 0, baseVisited: 6 };
    return {
      ...ended,
      id,
      space: id,
      scope: scope.id,
      number,
      startedAt,
      endedAt: startedAt + HOUR,
      ...(number === 2 && { base: 'round-boards-1', baseSpace: 'round-boards-1', baseSize: 6 }),
      counters,
    };
  });
  const visited = rounds.flatMap(({ space, startedAt }) =>
    paths.map((path, seq): Page => ({
      ...page,
      space,
      scope: scope.id,
      key: `${BOARDS}/${path}`,
      url: `${BOARDS}/${path}`,
      host: 'boards.example.com',
      path: `/${path}`,
      seq,
      title: `${path} board`,
      state: 'visited',
      changed: false,
      firstSeenAt: startedAt,
      firstVisitAt: startedAt,
      lastVisitAt: startedAt,
      inBase: true,
    })),
  );
  return { scope, rounds, visited };
}

/** Two pairs of pages that may be one page each. */
function proposals(now: number, scope: Scope): Alias[] {
  const pairs = [
    [`${SHOP}/catalogue/item-01`, `${SHOP}/item?id=1`, 'canonical'],
    [`${SHOP}/catalogue/item-02`, `${SHOP}/catalogue/item-03`, 'same-content'],
  ] as const;
  return pairs.map(([from, to, evidence]): Alias => {
    const at = now - HOUR;
    const seen = { to, toUrl: to, strength: 'proposed', evidence, round: 'round-2', at } as const;
    const { pathname, origin } = new URL(to);
    return {
      scope: scope.id,
      from,
      fromUrl: from,
      ...seen,
      targets: [{ ...seen, times: 0, firsts: 0, place: origin + pathname }],
      leads: [],
    };
  });
}
