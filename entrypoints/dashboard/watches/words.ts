import type { Text, TextKey } from '#components/i18n.ts';
import type { ShownState } from '#components/StateMark.tsx';
import type { Doubt } from '#lib/content/baseline.ts';
import type { IgnoredPlace } from '#lib/content/rules.ts';
import type { Watch } from '#lib/content/watch.ts';
import { listedAs } from '../../views/watches.ts';

/** Each state of a watch in the shapes that stand for states everywhere. */
export const WATCH_MARKS: Record<Watch['state'], ShownState> = {
  waiting: 'known',
  same: 'visited',
  changed: 'changed',
  'not-found': 'gone',
  busy: 'retrying',
};

/** What a watch is now, and since when. */
export function watchWords(watch: Watch, text: Text, now: number): string {
  const { state, lookedAt, changedAt, createdAt } = watch;
  const looked = lookedAt === undefined ? '' : text.time(lookedAt, now);
  const changed = text.time(changedAt ?? createdAt, now);
  if (state === 'waiting') return text('watchWaiting');
  if (state === 'not-found') return text(watch.unseen ? 'watchChangedThenGone' : 'watchNotFound', looked);
  if (state === 'busy') return text('watchBusy', looked);
  if (listedAs(watch) !== 'changed') return text('watchSame', changed);
  return state === 'changed' ? text('watchChanged', changed) : text('watchChangedBack', changed);
}

const DOUBTS: Record<Doubt, TextKey> = {
  loading: 'doubtLoading',
  empty: 'doubtEmpty',
  error: 'doubtError',
  vanished: 'doubtVanished',
  busy: 'doubtBusy',
};

/** Why a version is not compared with by itself. */
export const doubtWords = (doubt: Doubt, text: Text): string => text(DOUBTS[doubt]);

/** An ignored place in words: `Services, billing, Load, “Last … ago”`. */
export function ignoredWords(ignored: string | IgnoredPlace, text: Text): string {
  if (typeof ignored === 'string') return ignored;
  const { id, row, column, heading, begins = '', ends = '', numbersOnly } = ignored;
  const words = begins === '' && ends === '' ? [] : [`“${begins}…${ends}”`];
  const names = [heading, row, column, row === undefined && id !== undefined ? `#${id}` : undefined];
  const all = [...names.filter((name) => name !== undefined), ...words].join(text('listComma'));
  return numbersOnly === true ? text('numbersOnlyIn', all) : all;
}
