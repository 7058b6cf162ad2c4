import type { Failed, Shown, Unshown } from '#lib/rounds/events.ts';
import type { Hop, How } from '#lib/rounds/types.ts';
import { webAddress } from './address.ts';
import type { Click, TabState } from './tabs.ts';

/**
 * What the browser says of the outermost, active frame of a tab (chrome.webNavigation), with raw addresses. Times are
 * ms since the epoch.
 */
export type Signal = Asked | Redirected | Committed | RouteChanged | Failure;
interface Asked {
  type: 'asked';
  url: string;
  at: number;
}
/** A step that only chrome.webRequest tells, where the person agreed to that. */
interface Redirected {
  type: 'redirected';
  url: string;
  to: string;
  status: number;
  at: number;
}
interface Committed {
  type: 'committed';
  url: string;
  at: number;
  document: string;
  transition: string;
  qualifiers: readonly string[];
}
interface RouteChanged {
  type: 'route';
  url: string;
  at: number;
  document: string;
  qualifiers: readonly string[];
}
interface Failure {
  type: 'error';
  url: string;
  at: number;
  error: string;
}

/** What is certain after a signal, for the recorder. */
export type Fact = Shown | Failed | Unshown;

/** A route counts once its address stood this long, in ms. */
export const ROUTE_QUIET = 800;
/** A document that led on by itself within this time may be a stub: the addresses before it belong to the chain. */
const STUB = 5000;
const LONGEST_CHAIN = 20;
/** A click that names the address waits this long for its navigation … */
const CLICK_WAITS = 30_000;
/** … and one whose address the page changed on the way, this long. */
const CLICK_GUESS = 2000;
const CLICKS_KEPT = 20;
/** A page sends its clicks again when it is left; who knows that they were used must not forget it sooner. */
const USED_KEPT = 50;

const TRANSITIONS: Record<string, How> = {
  link: 'link',
  typed: 'typed',
  generated: 'typed',
  keyword: 'typed',
  keyword_generated: 'typed',
  auto_bookmark: 'bookmark',
  form_submit: 'form',
  reload: 'reload',
};

/** Keeps a click for the navigation that it will cause; one that is kept already, or caused one, is passed over. */
export function noteClick(state: TabState, click: Click): TabState {
  if (isNoted(state, click.event)) return state;
  const fresh = state.clicks.filter(({ at }) => at > click.at - CLICK_WAITS);
  return { ...state, clicks: [...fresh, click].slice(-CLICKS_KEPT) };
}

const isNoted = ({ clicks, used = [] }: TabState, event: string) =>
  used.includes(event) || clicks.some((click) => click.event === event);

/** Takes out the click that caused a navigation, once for each. */
export function useClick(state: TabState, click: Click | undefined): TabState {
  if (!click) return state;
  const clicks = state.clicks.filter((each) => each.event !== click.event);
  return { ...state, clicks, used: [...(state.used ?? []), click.event].slice(-USED_KEPT) };
}

/** Whether a click leads there: the same address, or the form whose fields became its query. */
export function leadsTo(click: Click, url: string): boolean {
  if (click.href === url) return true;
  return click.how === 'form' && click.href.split(/[?#]/)[0] === url.split(/[?#]/)[0];
}

/** The click that caused a navigation to one of these addresses, newest first. */
export function findClick(clicks: Click[], addresses: (string | undefined)[], at: number): Click | undefined {
  const recent = clicks.filter((click) => click.at <= at + 100 && click.at > at - CLICK_WAITS).toReversed();
  const exact = recent.find((click) => addresses.some((url) => url !== undefined && leadsTo(click, url)));
  return exact ?? recent.find((click) => !click.newTab && click.at > at - CLICK_GUESS);
}

function howOf(transition: string, qualifiers: readonly string[]): How {
  if (qualifiers.includes('forward_back')) return 'back';
  if (qualifiers.includes('client_redirect')) return 'script';
  if (qualifiers.includes('from_address_bar') && transition !== 'reload') return 'typed';
  return TRANSITIONS[transition] ?? 'other';
}

/** Why a page was opened, as far as a click, the page before or the opener tell. */
function causeOf(state: TabState, how: How, click: Click | undefined) {
  if (click) return { how: click.how, source: click.url, ...(click.text && { linkText: click.text }) };
  const led = how === 'link' || how === 'form' || how === 'script';
  const source = led ? (state.document?.url ?? state.opener?.url) : undefined;
  return { how, ...(source !== undefined && { source }) };
}

/** Takes the pending route out once it was quiet long enough; what replaces it sooner undoes it. */
export function settleRoute(state: TabState, now: number): { state: TabState; facts: Fact[] } {
  const { route, ...rest } = state;
  if (!route || now - route.at < ROUTE_QUIET) return { state, facts: [] };
  const click = route.how === 'back' ? undefined : findClick(state.clicks, [route.url], route.at);
  const { how, source, ...about } = route;
  const led = how === 'script' && source !== undefined ? { how, source } : { how };
  const cause = click ? causeOf(state, how, click) : led;
  const fact: Fact = { type: 'shown', by: 'browser', moment: 'route', ...about, ...cause };
  const document = state.document && { ...state.document, url: route.url };
  return {
    state: useClick({ ...rest, ...(document && { document }) }, click),
    facts: [fact],
  };
}

/** The addresses before the one shown: stubs that led on by themselves, then what the server was first asked for. */
function chainOf(state: TabState, { at, qualifiers }: Committed, url: string): Hop[] {
  const chain: Hop[] = [];
  const stub = state.document;
  if (stub?.url !== undefined && qualifiers.includes('client_redirect')) {
    const input = state.clicks.some((click) => click.document === stub.id);
    if (at - stub.at <= STUB) chain.push(...stub.chain);
    chain.push({ url: stub.url, kind: 'client', document: stub.id, at: stub.at, input });
  }
  if (state.asked && qualifiers.includes('server_redirect')) chain.push(...serverHops(state.asked, url));
  return chain.slice(-LONGEST_CHAIN);
}

/** Every step of the server where they are known and lead to that address; otherwise what was first asked for. */
function serverHops({ url: first, redirects = [] }: NonNullable<TabState['asked']>, url: string): Hop[] {
  const isWhole =
    redirects[0]?.url === first &&
    redirects.every(({ to }, index) => to === (redirects[index + 1]?.url ?? url));
  if (isWhole) return redirects.map((hop) => ({ url: hop.url, kind: 'server', status: hop.status }));
  return first === url ? [] : [{ url: first, kind: 'server' }];
}

function redirect(state: TabState, signal: Redirected): { state: TabState; facts: Fact[] } {
  const url = webAddress(signal.url);
  const to = webAddress(signal.to);
  if (!state.asked || url === undefined || to === undefined) return { state, facts: [] };
  const redirects = [...(state.asked.redirects ?? []), { url, to, status: signal.status }];
  return { state: { ...state, asked: { ...state.asked, redirects } }, facts: [] };
}

function commit(state: TabState, signal: Committed): { state: TabState; facts: Fact[] } {
  const { asked, route: _, ...rest } = state;
  const { document: id, at, qualifiers } = signal;
  const url = webAddress(signal.url);
  if (url === undefined) return { state: { ...rest, document: { id, at, chain: [] } }, facts: [] };
  const how = howOf(signal.transition, qualifiers);
  const chain = chainOf(state, signal, url);
  const clicked = how === 'link' || how === 'form' || how === 'other';
  const click = clicked ? findClick(state.clicks, [asked?.url, url], at) : undefined;
  const fact: Fact = {
    type: 'shown',
    id: `${id}@${at}`,
    by: 'browser',
    // The browser does not say whether it showed the document again or loaded another.
    moment: how === 'back' ? 'back' : 'start',
    document: id,
    url,
    at,
    ...(chain.length > 0 && { chain }),
    ...causeOf(state, how, click),
  };
  return {
    state: useClick({ ...rest, document: { id, url, at, chain } }, click),
    facts: [fact],
  };
}

function fail(state: TabState, signal: Failure): { state: TabState; facts: Fact[] } {
  const { asked, ...rest } = state;
  const { error, at } = signal;
  // A network error belongs to the address first asked for.
  const url = asked?.url ?? webAddress(signal.url);
  if (url === undefined) return { state: rest, facts: [] };
  const click = findClick(state.clicks, [url], at);
  const about = { id: `${url}@${at}`, url, at, ...causeOf(state, 'other', click) };
  const fact: Fact =
    error === 'net::ERR_ABORTED' ? { type: 'unshown', ...about } : { type: 'failed', error, ...about };
  return { state: useClick(rest, click), facts: [fact] };
}

function ask(state: TabState, signal: Asked): { state: TabState; facts: Fact[] } {
  const { asked: _, ...rest } = state;
  const url = webAddress(signal.url);
  return { state: url === undefined ? rest : { ...rest, asked: { url, at: signal.at } }, facts: [] };
}

function changeRoute(state: TabState, signal: RouteChanged): { state: TabState; facts: Fact[] } {
  const { document, at } = signal;
  const url = webAddress(signal.url);
  if (url === undefined) return { state, facts: [] };
  // The same address said again (scroll positions kept by `replaceState`) does not make it less quiet.
  if (state.route?.document === document && state.route.url === url) return { state, facts: [] };
  if (state.document?.id === document && state.document.url === url) {
    const { route: _, ...rest } = state;
    return { state: rest, facts: [] };
  }
  const how: How = signal.qualifiers.includes('forward_back') ? 'back' : 'script';
  const source = state.route?.source ?? state.document?.url;
  const route = { id: `${document}#${at}`, document, url, how, at, ...(source !== undefined && { source }) };
  return { state: { ...state, route }, facts: [] };
}

/**
 * Follows one tab: what a signal makes of its state, and the facts that are certain now. Pure; the state is all that is
 * remembered.
 */
export function follow(before: TabState, signal: Signal): { state: TabState; facts: Fact[] } {
  const settled = settleRoute(before, signal.at);
  const next = apply(settled.state, signal);
  return { state: next.state, facts: [...settled.facts, ...next.facts] };
}

function apply(state: TabState, signal: Signal): { state: TabState; facts: Fact[] } {
  switch (signal.type) {
    case 'asked':
      return ask(state, signal);
    case 'redirected':
      return redirect(state, signal);
    case 'committed':
      return commit(state, signal);
    case 'route':
      return changeRoute(state, signal);
    default:
      return fail(state, signal);
  }
}
