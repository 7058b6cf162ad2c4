import type { How, Page, Round, Visit } from '#lib/rounds/types.ts';
import type { Text } from './i18n.ts';
import type { ShownState } from './StateMark.tsx';

/** A page in words: its state, and why it has it. */
export interface Description {
  state: ShownState;
  word: string;
  reason: string;
  /** Nothing more stands behind the reason. */
  plain: boolean;
}

export function describePage(page: Page, text: Text, now: number): Description {
  switch (page.state) {
    case 'known':
      return {
        state: 'known',
        word: text('left'),
        reason: page.inBase ? text('inLastRoundOnly') : linkedFrom(page, text),
        plain: true,
      };
    case 'gone':
      return {
        state: 'gone',
        word: text('gone'),
        reason: page.status === undefined ? linkedFrom(page, text) : text('answered', String(page.status)),
        plain: false,
      };
    case 'retrying':
      return { state: 'retrying', word: text('retry'), reason: describeTries(page, text, now), plain: false };
    default:
      return describeVisited(page, text, now);
  }
}

function describeVisited(page: Page, text: Text, now: number): Description {
  if (page.changed === true) {
    return { state: 'changed', word: text('changed'), reason: text('textDiffers'), plain: false };
  }
  const same = page.inBase && page.changed === false;
  const word = page.isNew ? text('new') : same ? text('same') : text('visited');
  let reason = text('visitedOnce');
  if (page.tries) reason = text('failedSince', describeTries(page, text, now));
  else if (page.addresses > 1) reason = text('addressesOnePage', page.addresses);
  else if (page.visits > 1) reason = text('visitedTimes', page.visits);
  else if (page.isNew && page.from !== undefined) reason = linkedFrom(page, text);
  else if (same) reason = text('sameText');
  return { state: 'visited', word, reason, plain: page.addresses < 2 && !page.tries };
}

function linkedFrom(page: Page, text: Text): string {
  return page.from === undefined ? text('linkSeen') : text('linkedFrom', pathOf(page.from));
}

/** Why a page could not be shown, how often that was tried and when another try is worth it. */
export function describeTries(page: Page, text: Text, now: number): string {
  const { tries } = page;
  const cause = describeCause(page, text);
  if (!tries) return cause;
  const next =
    tries.nextAt > now
      ? text('triesNextAt', tries.count, text.time(tries.nextAt, now))
      : text('triesNow', tries.count);
  return cause === '' ? next : text('causeAndTries', cause, next);
}

function describeCause(page: Page, text: Text): string {
  switch (page.reason) {
    case 'no-access':
      return text('noAccess', String(page.tries?.status ?? page.status ?? ''));
    case 'sink':
      return text('ledToSink');
    case 'captcha':
      return text('captcha');
    case 'login':
      return text('loginPage');
  }
  const error = page.tries?.error ?? '';
  if (/TIMED_OUT|TIMEOUT/i.test(error)) return text('timeout');
  if (/REFUSED/i.test(error)) return text('refused');
  if (/NAME_NOT_RESOLVED|UNKNOWN_HOST/i.test(error)) return text('hostNotFound');
  if (/INTERNET_DISCONNECTED|OFFLINE/i.test(error)) return text('offline');
  if (error !== '') return error.replace(/^net::/, '');
  const status = page.tries?.status ?? page.status;
  return status ? text('answered', String(status)) : '';
}

/** `/list?page=2` of an address; the host too where there is no path to tell apart. */
export function pathOf(address: string): string {
  const match = /^[a-z]+:\/\/([^/?#]*)(.*)$/is.exec(address);
  if (!match) return address;
  return match[2] === '' || match[2] === '/' ? `${match[1]}/` : (match[2] ?? address);
}

/** What a column of times shows of a page: when it was visited, or why it was not. */
export function visitTime(page: Page | undefined, text: Text, now: number): string {
  if (!page) return '–';
  if (page.state === 'visited')
    return page.lastVisitAt === undefined ? '–' : text.time(page.lastVisitAt, now);
  const status = page.tries?.status ?? page.status;
  if (status) return String(status);
  if (/TIME/i.test(page.tries?.error ?? '')) return text('timeout');
  return '–';
}

export function howWord(how: How, text: Text): string {
  const words: Record<How, string> = {
    link: text('howLink'),
    typed: text('howTyped'),
    form: text('howForm'),
    reload: text('howReload'),
    script: text('howScript'),
    back: text('howBack'),
    bookmark: text('howBookmark'),
    other: text('howOther'),
  };
  return words[how];
}

/** `link, 09:14`. */
export function seenLine(how: How, at: number, text: Text, now: number): string {
  return text('howAndWhen', howWord(how, text), text.time(at, now));
}

/** How a visit came about, with the page it came from. */
export function describeVisit(visit: Visit, text: Text, now: number): string {
  const line = seenLine(visit.how, visit.at, text, now);
  if (visit.kind === 'failed') return text('visitFailed', line, String(visit.status ?? visit.error ?? ''));
  return visit.source === undefined ? line : text('visitFrom', line, pathOf(visit.source));
}

/** `Round 3, Mon 30 Nov`. */
export function roundName(round: Round, text: Text, now: number): string {
  return text('roundName', text.number(round.number), text.day(round.startedAt, now));
}
