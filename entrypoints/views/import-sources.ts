import { browser } from 'wxt/browser';
import { covers } from '#lib/rounds/coverage.ts';
import type { Scope } from '#lib/rounds/types.ts';
import type { ImportSource } from './import-links.ts';

/** Pasted text; where the clipboard had a document, its links. */
export function pasted(text: string, html: string | undefined, name: string): ImportSource {
  if (html !== undefined && /<a\s/i.test(html))
    return { name, blob: new Blob([html]), by: 'paste', format: 'html' };
  const isMarkup = /<a\s[^>]*href/i.test(text);
  return { name, blob: new Blob([text]), by: 'paste', format: isMarkup ? 'html' : 'text' };
}

/** More pages than a browser keeps; without a number it answers 100. */
const ALL = 10_000_000;

/**
 * Pages that were visited in the browser between two times. Asks for the permission, so it must be called in the click itself; answers nothing
 * where the person said no.
 */
export async function fromHistory(from: number, to: number, name: string): Promise<ImportSource | undefined> {
  if (!(await browser.permissions.request({ permissions: ['history'] }))) return undefined;
  const items = await browser.history.search({ text: '', startTime: from, endTime: to, maxResults: ALL });
  const lines = items
    .filter(({ url }) => url !== undefined)
    .map(({ url, title, lastVisitTime }) => `${JSON.stringify({ url, title, at: lastVisitTime })}\n`);
  return { name, blob: new Blob(lines), by: 'import', format: 'jsonl' };
}

export interface OpenTab {
  id: number;
  title: string;
  url: string;
}

/** Open tabs that show a page of the scope, the one looked at last first. */
export async function tabsOf(scope: Scope): Promise<OpenTab[]> {
  const tabs = await browser.tabs.query({});
  return tabs
    .toSorted((a, b) => (b.lastAccessed ?? 0) - (a.lastAccessed ?? 0))
    .flatMap(({ id, title = '', url = '' }) =>
      id !== undefined && covers(scope, url) ? [{ id, title, url }] : [],
    );
}

/** The links of the page in a tab, shadow roots included, as the page would follow them. */
export async function linksOf({ id, url, title }: OpenTab): Promise<ImportSource> {
  const [answer] = await browser.scripting.executeScript({ target: { tabId: id }, func: readLinks });
  const links = answer?.result ?? [];
  return {
    name: title || url,
    blob: new Blob(links.map((link) => `${JSON.stringify(link)}\n`)),
    by: 'import',
    format: 'jsonl',
    base: url,
  };
}

/** Runs in the page; knows nothing outside itself. */
function readLinks(): { url: string; title: string }[] {
  const found: { url: string; title: string }[] = [];
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots) {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) roots.push(element.shadowRoot);
      if (!(element instanceof HTMLAnchorElement || element instanceof HTMLAreaElement)) continue;
      if (/^https?:/.test(element.protocol)) found.push({ url: element.href, title: '' });
    }
  }
  return found;
}
