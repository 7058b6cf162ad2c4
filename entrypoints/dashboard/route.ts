import { SHOWS, type Show } from '../views/list-parts.ts';

/** The pages of the dashboard, in the order of its rail; Report is reached from Rounds and Compare, Privacy from Options and Help. */
export const VIEWS = [
  'rounds',
  'pages',
  'tree',
  'compare',
  'report',
  'rules',
  'import',
  'export',
  'data',
  'options',
  'help',
  'privacy',
] as const;
export type View = (typeof VIEWS)[number];

/** Where the dashboard is: everything one can see has an address, and the back button leads through them. */
export interface Route {
  view: View;
  /** Id of the round looked at; without it the one that is open, else the latest. */
  round?: string;
  /** Compare: the other round. */
  base?: string;
  show?: Show;
  /** Only pages of this host. */
  host?: string;
  /** Only pages of `host` whose path, query and route begin so. */
  prefix?: string;
  /** Free text in address or title. */
  q?: string;
  /** Key of the page whose why card is open. */
  page?: string;
  /** Rules: the two addresses that are tested, and `round` where the rules of the round looked at decide. */
  a?: string;
  b?: string;
  by?: string;
}

const FIELDS = ['round', 'base', 'host', 'prefix', 'q', 'page', 'a', 'b', 'by'] as const;

/** Reads the part of the address behind `#`. What is not understood is left out; no view means Rounds. */
export function parseRoute(hash: string): Route {
  const [path, query] = splitOnce(hash.replace(/^#\/?/, ''), '?');
  const route: Route = { view: VIEWS.find((view) => view === path) ?? 'rounds' };
  const params = new URLSearchParams(query);
  for (const field of FIELDS) {
    const value = params.get(field);
    if (value) route[field] = value;
  }
  const show = SHOWS.find((one) => one === params.get('show'));
  if (show) route.show = show;
  return route;
}

/** The address of a route, `#/pages?round=…&show=left`. */
export function formatRoute(route: Route): string {
  const params = new URLSearchParams();
  for (const field of FIELDS) if (route[field]) params.set(field, route[field]);
  if (route.show && route.show !== 'all') params.set('show', route.show);
  const query = params.toString();
  return `#/${route.view}${query && `?${query}`}`;
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + mark.length)];
}
