import type { Alias, How, Page, Round, Tries, Visit } from '#lib/rounds/types.ts';
import type { Text, TextKey } from './i18n.ts';
import type { ShownState } from './StateMark.tsx';

/** A page in words: its state, and why it has it. */
export interface Description {
  state: ShownState;
  word: string;
  reason: string;
  /** The reason with its cause, where that is more. */
  detail?: string;
  /** Nothing more stands behind the reason. */
  plain: boolean;
}

export function describePage(page: Page, text: Text, now: number): Description {
  switch (page.state) {
    case 'known':
      return {
        state: 'known',
        word: text('left'),
        reason: describeLeft(page, text),
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
      return {
        state: 'retrying',
        word: text('retry'),
        reason: describeTries(page, text, now),
        detail: describeFailure(page, text, now),
        plain: false,
      };
    default:
      return describeVisited(page, text, now);
  }
}

/** Why nobody went there yet. */
function describeLeft(page: Page, text: Text): string {
  if (page.reason !== undefined) return describeCause(page, text);
  if (page.hint !== undefined) return text('hintEarlier', pathOf(page.hint));
  return page.inBase ? text('inLastRoundOnly') : linkedFrom(page, text);
}

/** Whether the person has yet to see what changed on a page. */
export function isChangeUnseen({ changed, changeSeenAt, digestAt = 0 }: Page): boolean {
  return changed === true && (changeSeenAt === undefined || changeSeenAt < digestAt);
}

function describeVisited(page: Page, text: Text, now: number): Description {
  if (page.changed === true) {
    return {
      state: 'changed',
      word: text('changed'),
      reason: text(isChangeUnseen(page) ? 'textDiffers' : 'textDiffersSeen'),
      plain: false,
    };
  }
  const same = page.inBase && page.changed === false;
  const word = page.isNew ? text('new') : same ? text('same') : text('visited');
  let reason = text('visitedOnce');
  if (page.tries) reason = text('failedSince', describeFailure(page, text, now));
  else if (page.addresses > 1) reason = text('addressesOnePage', page.addresses);
  else if (page.visits > 1) reason = text('visitedTimes', page.visits);
  else if (page.isNew && page.from !== undefined) reason = linkedFrom(page, text);
  else if (same) reason = text('sameText');
  return { state: 'visited', word, reason, plain: page.addresses < 2 && !page.tries };
}

function linkedFrom(page: Page, text: Text): string {
  return page.from === undefined ? text('linkSeen') : text('linkedFrom', pathOf(page.from));
}

/** How often a page was tried, and when another try is worth it. */
function describeTries(page: Page, text: Text, now: number): string {
  const { tries } = page;
  if (!tries) return describeCause(page, text);
  return tries.nextAt > now
    ? text('triesNextAt', tries.count, text.time(tries.nextAt, now))
    : text('triesNow', tries.count);
}

/** As above, with why it could not be shown. */
function describeFailure(page: Page, text: Text, now: number): string {
  const cause = describeCause(page, text);
  const tries = describeTries(page, text, now);
  return cause === '' || !page.tries ? tries : text('causeAndTries', cause, tries);
}

const REASONS: Record<Exclude<NonNullable<Page['reason']>, 'no-access'>, TextKey> = {
  sink: 'ledToSink',
  'too-many-redirects': 'tooManyRedirects',
  captcha: 'captcha',
  login: 'loginPage',
  download: 'isDownload',
  outside: 'leadsOutside',
};

/** Why a page could not be shown, without its tries; nothing where that is not known. */
export function describeCause(page: Page, text: Text): string {
  if (page.reason === 'no-access') return text('noAccess', String(page.tries?.status ?? page.status ?? ''));
  if (page.reason !== undefined) return text(REASONS[page.reason]);
  const error = page.tries?.error ?? '';
  if (/TIMED_OUT|TIMEOUT/i.test(error)) return text('timeout');
  if (/REFUSED/i.test(error)) return text('refused');
  if (/NAME_NOT_RESOLVED|UNKNOWN_HOST/i.test(error)) return text('hostNotFound');
  if (/INTERNET_DISCONNECTED|OFFLINE/i.test(error)) return text('offline');
  if (error !== '') return error.replace(/^net::/, '');
  const status = page.tries?.status ?? page.status;
  return status ? text('answered', String(status)) : '';
}

/** `/list?page=2` of an address, as a person reads it; the whole address is in the tooltip. */
export function pathOf(address: string): string {
  const [, path] = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*(.*)$/is.exec(address) ?? [];
  return path === undefined ? address : readable(path || '/');
}

/**
 * Escaped letters as letters: `/%E8%8C%B6` → `/茶`. Only what is plainly a word in a script that runs from left to right, so
 * that nothing looks like another address: delimiters, spaces, marks and right-to-left letters stay escaped.
 */
function readable(path: string): string {
  return path.replace(/(?:%[89A-F][0-9A-F])+/gi, (escaped) => {
    try {
      const text = decodeURIComponent(escaped);
      return /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]+$/u.test(
        text,
      )
        ? text
        : escaped;
    } catch {
      return escaped;
    }
  });
}

/** What showed that an original leads elsewhere, and what follows from it. `held`: in the round looked at they are one page. */
export function describeAlias(alias: Alias, held: boolean, text: Text, now: number): string {
  const { evidence, strength, at, targets, to } = alias;
  const seen = targets.find((target) => target.to === to)?.times ?? 0;
  const when = text.time(at, now);
  const words: Record<Alias['evidence'], string> = {
    redirect: text('aliasRedirect', seen, when),
    'client-redirect': text('aliasClient', seen, when),
    accepted: text('aliasAccepted', when),
    canonical: text('aliasCanonical', when),
    'same-content': text('aliasSameContent', when),
  };
  if (alias.undone) return text('howAndWhen', text('aliasUndone'), words[evidence]);
  if (strength === 'proposed') return text('howAndWhen', text('aliasProposed'), words[evidence]);
  if (!held) return words[evidence];
  const lasts = strength === 'permanent' ? text('aliasPermanent') : text('aliasTentative');
  return text('howAndWhen', lasts, words[evidence]);
}

/** `2 tries, last 09:12, next suggested 10:30`. */
export function describeTriesFully({ count, lastAt, nextAt }: Tries, text: Text, now: number): string {
  const tried = text('triesCount', count);
  const last = text.time(lastAt, now);
  return nextAt > now
    ? text('triesLastNext', tried, last, text.time(nextAt, now))
    : text('triesLast', tried, last);
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

function howWord(how: How, text: Text): string {
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
function seenLine(how: How, at: number, text: Text, now: number): string {
  return text('howAndWhen', howWord(how, text), text.time(at, now));
}

/** `link, 09:14, from /list, 3 times`: how an address was seen first, and how often it was shown. */
export function seenFrom(
  { how, at, source, visits }: { how: How; at: number; source?: string | undefined; visits: number },
  text: Text,
  now: number,
): string {
  const line = seenLine(how, at, text, now);
  const from = source === undefined ? line : text('visitFrom', line, pathOf(source));
  return visits > 1 ? text('seenTimes', visits, from) : from;
}

/** How a visit came about, with the page it came from. */
export function describeVisit(visit: Visit, text: Text, now: number): string {
  const line = seenLine(visit.how, visit.at, text, now);
  if (visit.kind === 'failed') return text('visitFailed', line, String(visit.status ?? visit.error ?? ''));
  return visit.source === undefined ? line : text('visitFrom', line, pathOf(visit.source));
}

/** `Round 3, compared with Fri 27 Nov`; by its number where both are of the same day. */
export function comparedName(round: Round, base: Round, text: Text, now: number): string {
  const day = text.day(base.startedAt, now);
  return text.day(round.startedAt, now) === day
    ? text('roundComparedNumber', round.number, base.number)
    : text('roundCompared', round.number, day);
}

/** `Round 3, Mon 30 Nov`. */
export function roundName(round: Round, text: Text, now: number): string {
  return text('roundName', text.number(round.number), text.day(round.startedAt, now));
}
