import { DEFAULT_POLICY, normalizeUrl } from '#lib/url/index.ts';

/** A made-up site to try a round on, without a network: its pages, and what they say in the first round and in the next. */
export const SITE = 'https://practice.example.com';
export const LINKS = [
  { name: 'practiceBoard', path: '/board' },
  { name: 'practiceOrders', path: '/orders' },
  { name: 'practiceOrdersMail', path: '/orders?utm_source=mail' },
  { name: 'practiceRota', path: '/rota' },
  { name: 'practicePlan', path: '/plan-2025' },
] as const;

/** What a page says that another look at it may find changed. */
const NUMBERS: Record<string, [first: number, next: number]> = { [`${SITE}/board`]: [12, 480] };
const GONE = `${SITE}/plan-2025`;

export type PracticeState = 'visited' | 'changed' | 'gone';

export interface Practice {
  round: 1 | 2;
  /** By key, in this round. */
  pages: ReadonlyMap<string, PracticeState>;
  /** What happened last. */
  last?: Shown;
}

export interface Shown {
  url: string;
  key: string;
  /** The rules that led from the address to the key. */
  steps: { rule: string; before: string; after: string }[];
  state: PracticeState;
  /** It was visited in this round before. */
  isDuplicate: boolean;
  /** What it said in the last round and says now, where that is a number that changed. */
  numbers?: [before: number, after: number];
}

export const START: Practice = { round: 1, pages: new Map() };

export function keyOf(path: string): string {
  const result = normalizeUrl(SITE + path, DEFAULT_POLICY, SITE);
  return result.ok ? result.key : SITE + path;
}

/** A page is opened: the same rules as everywhere say which page it is. */
export function visit(practice: Practice, path: string): Practice {
  const url = SITE + path;
  const result = normalizeUrl(url, DEFAULT_POLICY, url);
  if (!result.ok) return practice;
  const { key, steps } = result;
  const numbers = practice.round === 2 ? NUMBERS[key] : undefined;
  const state: PracticeState =
    practice.round === 2 && key === GONE ? 'gone' : numbers === undefined ? 'visited' : 'changed';
  const last: Shown = {
    url,
    key,
    steps: [...steps],
    state,
    isDuplicate: practice.pages.has(key),
    ...(numbers && { numbers }),
  };
  return { ...practice, pages: new Map(practice.pages).set(key, state), last };
}

export function nextRound(): Practice {
  return { round: 2, pages: new Map() };
}

/** Different pages behind the links, and how many of them are left in this round. */
export function progress({ pages }: Practice): { visited: number; total: number } {
  const keys = new Set(LINKS.map(({ path }) => keyOf(path)));
  return { visited: [...keys].filter((key) => pages.has(key)).length, total: keys.size };
}
