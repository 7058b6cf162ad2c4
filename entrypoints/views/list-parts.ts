import type { Page, Round } from '#lib/rounds/types.ts';
import type { PageFilter } from '#lib/store/read.ts';

/** Which pages of a round a list shows. */
export const SHOWS = ['all', 'left', 'visited', 'new', 'changed', 'retrying', 'gone'] as const;
export type Show = (typeof SHOWS)[number];

/** A stretch of a list: what the store is asked for, and what of that is kept. */
export interface ListPart {
  filter: Omit<PageFilter, 'limit' | 'after'>;
  keep?: (page: Page) => boolean;
}

/**
 * A list as stretches that follow each other, so that what needs the person comes first: changed, to retry, left, gone,
 * then what is done, then links known beside the base round. Every page stands in exactly one of them. `base` is another
 * space to compare with than the round's own base.
 */
export function listParts(round: Round, show: Show, base?: string): ListPart[] {
  const compare = (which: NonNullable<PageFilter['compare']>): ListPart['filter'] =>
    base === undefined ? { compare: which } : { compare: which, base };
  const hasBase = (base ?? round.baseSpace) !== undefined;
  const { changed, retrying, gone } = round.counters;
  const isOwn = base === undefined || base === round.baseSpace;
  const changedPages: ListPart[] = changed > 0 ? [{ filter: { compare: 'changed' }, keep: isVisited }] : [];
  const parts: Record<Show, ListPart[]> = {
    left: [{ filter: compare('left') }],
    new: [{ filter: compare('new') }],
    changed: isOwn ? changedPages : [{ filter: compare('changed') }],
    retrying: [{ filter: { state: 'retrying' } }],
    gone: [{ filter: { state: 'gone' } }],
    visited: [{ filter: { state: 'visited' } }],
    all: [
      ...(isOwn ? changedPages : []),
      ...(retrying > 0 ? [{ filter: { state: 'retrying' as const } }] : []),
      { filter: compare('left') },
      ...(gone > 0 ? [{ filter: { state: 'gone' as const } }] : []),
      { filter: { state: 'visited' }, ...(isOwn && { keep: (page: Page) => !isChanged(page) }) },
      ...(!hasBase
        ? []
        : isOwn
          ? [{ filter: { state: 'known' as const }, keep: isBesideBase }]
          : [{ filter: compare('beside') }]),
    ],
  };
  return parts[show];
}

function isVisited(page: Page): boolean {
  return page.state === 'visited';
}

function isChanged(page: Page): boolean {
  return page.changed === true;
}

function isBesideBase(page: Page): boolean {
  return !page.inBase;
}
