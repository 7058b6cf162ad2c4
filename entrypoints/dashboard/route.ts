import { SHOWS, type Show } from '../views/list-parts.ts';
import { WATCH_FILTERS, type WatchFilter } from '../views/watches.ts';

/** The pages of the dashboard, in the order of its rail; Report is reached from Rounds and Compare, Privacy from Options and Help. */
export const VIEWS = [
  'rounds',
  'pages',
  'tree',
  'compare',
  'report',
  'watches',
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
  /** Watches: the one that is read; with `page` instead, what changed on that page of the round. */
  watch?: string;
  /** Only watches in this state. */
  only?: WatchFilter;
  /** The versions that are compared, where they are not the usual ones. */
  from?: VersionRef;
  to?: VersionRef;
  /** Rules: the two addresses that are tested, and `round` where the rules of the round looked at decide. */
  a?: string;
  b?: string;
  by?: string;
}

/** A version of a page: its number in its space. */
export interface VersionRef {
  space: string;
  seq: number;
}

const FIELDS = ['round', 'base', 'host', 'prefix', 'q', 'page', 'watch', 'a', 'b', 'by'] as const;
const VERSIONS = ['from', 'to'] as const;

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
  const only = WATCH_FILTERS.find((one) => one === params.get('only'));
  if (only) route.only = only;
  for (const field of VERSIONS) {
    const version = parseVersion(params.get(field) ?? '');
    if (version) route[field] = version;
  }
  return route;
}

/** The name of a version in an address, `SPACE.SEQ`. */
export const formatVersion = ({ space, seq }: VersionRef): string => `${space}.${seq}`;

function parseVersion(name: string): VersionRef | undefined {
  const [, space, seq] = /^(.+)\.(\d{1,15})$/s.exec(name) ?? [];
  return space === undefined ? undefined : { space, seq: Number(seq) };
}

/** The address of a route, `#/pages?round=…&show=left`. */
export function formatRoute(route: Route): string {
  const params = new URLSearchParams();
  for (const field of FIELDS) if (route[field]) params.set(field, route[field]);
  if (route.show && route.show !== 'all') params.set('show', route.show);
  if (route.only) params.set('only', route.only);
  for (const field of VERSIONS) if (route[field]) params.set(field, formatVersion(route[field]));
  const query = params.toString();
  return `#/${route.view}${query && `?${query}`}`;
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + mark.length)];
}
