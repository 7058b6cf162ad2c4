import type { Round, Scope } from './types.ts';

/** Whether a page of the web belongs to a scope: a site the person agreed to, and a path that matches. */
export function covers(scope: Pick<Scope, 'origins' | 'paths'>, address: string): boolean {
  const url = URL.parse(address);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return false;
  if (!scope.origins.some((pattern) => matchesOrigin(pattern, url))) return false;
  return scope.paths.length === 0 || scope.paths.some((pattern) => matchesWildcard(pattern, url.pathname));
}

/**
 * A match pattern as the browser reads it: `https://shop.example.com/*`, `*://*.example.com/*`. A pattern without a port
 * matches every port.
 */
function matchesOrigin(pattern: string, url: URL): boolean {
  const [, scheme, host, path] = /^(\*|https?):\/\/([^/]+)(\/.*)$/.exec(pattern) ?? [];
  if (scheme === undefined || host === undefined || path === undefined) return false;
  if (scheme !== '*' && `${scheme}:` !== url.protocol) return false;
  return matchesHost(host, url) && matchesWildcard(path, url.pathname + url.search);
}

function matchesHost(pattern: string, url: URL): boolean {
  if (pattern === '*') return true;
  if (pattern === url.host || pattern === url.hostname) return true;
  if (!pattern.startsWith('*.')) return false;
  const domain = pattern.slice(2);
  return url.hostname === domain || url.hostname.endsWith(`.${domain}`);
}

/** `*` = any characters, the rest literally, over the whole text. Linear in the text, whatever the pattern. */
export function matchesWildcard(pattern: string, text: string): boolean {
  const [head = '', ...rest] = pattern.split('*');
  if (!text.startsWith(head)) return false;
  const tail = rest.pop();
  if (tail === undefined) return text === head;
  let at = head.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - tail.length >= at && text.endsWith(tail);
}

/** Tellings of a moment before a round ended are still taken this long after its end; then it is frozen. */
export const LATE = 10 * 60_000;

/**
 * The round of a scope that an event belongs to: the one that was open when it happened, which is not always the one that is
 * open when it is told. `now` is the recorder's clock.
 */
export function roundAt(rounds: Round[], at: number, now: number): Round | undefined {
  const running = rounds.find((round) => round.state !== 'ended');
  // The clock was set back: then times say nothing about which round it was.
  if (running && now < running.startedAt) return isPaused(running, now) ? undefined : running;
  const round = rounds.find(
    ({ startedAt, endedAt = Infinity }) => startedAt <= at && at < endedAt && now < endedAt + LATE,
  );
  return round && !isPaused(round, at) ? round : undefined;
}

/** Whether recording was paused at that time. */
function isPaused(round: Round, at: number): boolean {
  return (round.pauses ?? []).some(({ from, to = Infinity }) => from <= at && at < to);
}

/** Whether the site of an address is paused, while the rest of the round is not. */
export function isPausedAt({ pausedSites }: Pick<Round, 'pausedSites'>, address: string): boolean {
  return pausedSites !== undefined && pausedSites.includes(URL.parse(address)?.hostname ?? '');
}

/** Pages of the base round (without one: known links) that are not yet visited, retrying or gone. */
export function leftOf({ base, baseSize, counters }: Round): number {
  if (base === undefined) return counters.known;
  return baseSize - counters.baseVisited - counters.baseRetrying - counters.baseGone;
}
