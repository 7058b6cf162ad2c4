import { allPages, coverageOf, newPages } from '#components/coverage.ts';
import { describeCause, describePage, pathOf, visitTime, type Description } from '#components/describe.ts';
import type { Text } from '#components/i18n.ts';
import type { TableRow } from '#components/PageTable.tsx';
import type { Page, Round } from '#lib/rounds/types.ts';
import type { Show } from '../views/list-parts.ts';
import type { TeamFact } from '../views/team.ts';
import { formatRoute } from './route.ts';

/** Counts that the counters tell; against another round than the base one they do not tell what is left, new and changed. */
export function filterTabs(
  round: Round,
  text: Text,
  base?: Round,
): { id: Show; label: string; count?: number | undefined }[] {
  const { visited, retrying, gone, changed } = round.counters;
  const own = base === undefined || base.id === round.base;
  const compared = base !== undefined || round.base !== undefined;
  return [
    { id: 'all', label: text('all'), count: own ? allPages(round) : undefined },
    { id: 'left', label: text('left'), count: own ? coverageOf(round).left : undefined },
    { id: 'visited', label: text('visited'), count: visited },
    ...(compared
      ? [{ id: 'new' as const, label: text('new'), count: own ? newPages(round) : undefined }]
      : []),
    { id: 'changed', label: text('changed'), count: own ? changed : undefined },
    { id: 'retrying', label: text('retry'), count: retrying },
    { id: 'gone', label: text('gone'), count: gone },
  ];
}

/** Headings of the columns of times: of what failed, when it was tried and when another try is suggested. */
export function timeHeads(show: Show, base: Round | undefined, text: Text, now: number): string[] {
  if (show === 'retrying') return [text('lastTry'), text('nextTry')];
  return base ? [text.date(base.startedAt, now), text('thisRound')] : [text('visited')];
}

interface Beside {
  show: Show;
  before: { round: Round; page: Page | undefined } | undefined;
  team: TeamFact | undefined;
}

/** A page as a row. Times are told as of the day of their round: only what is of another day needs its date. */
export function tableRow(
  page: Page,
  round: Round,
  { show, before, team }: Beside,
  text: Text,
  now: number,
): TableRow {
  const described = describePage(page, text, now);
  // Of a page that nobody went to here, this is what matters.
  const said = team && page.state === 'known' ? text('teamSawFirst', text.time(team.at, now)) : undefined;
  const asides = [
    ...(page.addresses > 1 ? [text('addressesCount', page.addresses)] : []),
    ...(team && said === undefined ? [text('teamSawAt', text.time(team.at, now))] : []),
  ];
  return {
    id: page.key,
    state: described.state,
    word: described.word,
    site: page.host,
    path: pathOf(page.url),
    address: page.url,
    aside: asides.length > 0 ? asides.join(' · ') : undefined,
    times:
      show === 'retrying'
        ? tryTimes(page, text, now)
        : [
            ...(before ? [visitTime(before.page, text, before.round.startedAt)] : []),
            visitTime(page, text, round.startedAt),
          ],
    why: withWords(page, said ?? reasonOf(page, show, described, text), text),
    plain: described.plain,
    ...(page.changed === true && {
      whyHref: formatRoute({ view: 'watches', round: round.id, page: page.key }),
    }),
  };
}

function tryTimes({ tries }: Page, text: Text, now: number): string[] {
  if (!tries) return ['–', text('tryNow')];
  const next = tries.nextAt > now ? text.time(tries.nextAt, now) : text('tryNow');
  return [text.time(tries.lastAt, now), next];
}

/** Where the tries have columns of their own, their cause and number are enough. */
function reasonOf(page: Page, show: Show, { reason, detail }: Description, text: Text): string {
  if (show !== 'retrying' || !page.tries) return detail ?? reason;
  const tried = text('triesCount', page.tries.count);
  const cause = describeCause(page, text);
  return cause === '' ? tried : text('causeAndTries', cause, tried);
}

/** The reason, with the verdict and note of the person in front. */
function withWords({ verdict, note }: Page, reason: string, text: Text): string {
  const words = [...(verdict ? [text(verdict)] : []), ...(note ? [note] : [])];
  return words.length > 0 ? text('verdictSaid', words.join(' · '), reason) : reason;
}
