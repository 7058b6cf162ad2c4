import type { Page } from '#lib/rounds/types.ts';
import type { ImportedLink } from './import.ts';

/** Where an address is: only in the file, only in the round, or in both. */
export interface Compared {
  where: 'file' | 'round' | 'both';
  key: string;
  url: string;
}

/**
 * Compares the links of a file, such as the result of a crawler, with the pages of a round: what the crawler missed, what is new,
 * what both have. Pages come first and in their order, then what only the file has; repeats in the file are one.
 * Memory grows with the file's links, not with the round.
 */
export async function* compareWithRound(
  links: AsyncIterable<ImportedLink>,
  pages: AsyncIterable<Pick<Page, 'key' | 'fullKey' | 'url'>>,
): AsyncGenerator<Compared> {
  const fileOnly = new Map<string, string>();
  for await (const { key, url } of links) if (!fileOnly.has(key)) fileOnly.set(key, url);
  for await (const { key: stored, fullKey, url } of pages) {
    const key = fullKey ?? stored;
    yield { where: fileOnly.delete(key) ? 'both' : 'round', key, url };
  }
  for (const [key, url] of fileOnly) yield { where: 'file', key, url };
}
