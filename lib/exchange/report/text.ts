import type { Page } from '#lib/rounds/types.ts';
import type { ReportFacts, Section } from './facts.ts';

/** Messages of the catalogues that a report says. */
type ReportWord =
  | 'reportTitle'
  | 'reportMade'
  | 'reportStillOpen'
  | 'reportFromTo'
  | 'comparedWith'
  | 'visited'
  | 'retry'
  | 'gone'
  | 'left'
  | 'changedCount'
  | 'coverageVisited'
  | 'besideNew'
  | 'reportProgress'
  | 'reportProgressSays'
  | 'reportStates'
  | 'reportStatesSay'
  | 'reportRounds'
  | 'reportRoundsSay'
  | 'reportAsTable'
  | 'time'
  | 'share'
  | 'round'
  | 'pages'
  | 'state'
  | 'page'
  | 'why'
  | 'verdict'
  | 'note'
  | 'ok'
  | 'problem'
  | 'skip'
  | 'roundNumber'
  | 'nOfN'
  | 'reportProblems'
  | 'reportChanged'
  | 'reportRetrying'
  | 'reportLeft'
  | 'reportGone'
  | 'reportNotes'
  | 'nothingLeft'
  | 'reportMore'
  | 'opAdded'
  | 'opRemoved'
  | 'opEdited'
  | 'opMoved'
  | 'moreAddresses'
  | 'reportKept';

/** A language as a report needs it: words of the catalogues, and numbers and times as it writes them. */
export interface ReportText {
  (key: ReportWord, ...values: (string | number)[]): string;
  /** For the `lang` attribute. */
  tag: string;
  number(value: number): string;
  percent(share: number): string;
  day(at: number, now: number): string;
  time(at: number, now: number): string;
}

/** Words of a report: a language, and why a page has its state in it. */
export interface ReportWords {
  text: ReportText;
  describe: (page: Page) => string;
}

/** When it was, with what it is compared, and when the report was made. */
export function aboutLines({ round, base, madeAt }: ReportFacts, text: ReportText): string[] {
  const from = text.time(round.startedAt, madeAt);
  return [
    round.endedAt === undefined
      ? text('reportStillOpen', from)
      : text('reportFromTo', from, text.time(round.endedAt, madeAt)),
    ...(base ? [text('comparedWith', base.number)] : []),
    text('reportMade', `${text.day(madeAt, madeAt)} ${text.time(madeAt, madeAt)}`),
  ];
}

/** The heading of a list, with its number. */
export function sectionTitle(section: Section, total: number, text: ReportText): string {
  const titles: Record<Section, string> = {
    problems: text('reportProblems', total),
    changed: text('reportChanged', total),
    retrying: text('reportRetrying', total),
    left: text('reportLeft', total),
    gone: text('reportGone', total),
    notes: text('reportNotes', total),
  };
  return titles[section];
}
