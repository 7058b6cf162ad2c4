import { browser, type Browser } from 'wxt/browser';
import type { Page } from '#lib/rounds/types.ts';
import { openRounds, pagesOf } from '#lib/store/read.ts';

const MOST = 6;

/** Text as a suggestion may carry it: Chromium reads it as XML. */
const escapeXml = (text: string) => text.replace(/[<>&'"]/g, (char) => `&#${char.charCodeAt(0)};`);

async function find(words: string): Promise<Page[]> {
  const rounds = await openRounds();
  const latest = rounds.toSorted((a, b) => b.startedAt - a.startedAt)[0];
  if (!latest || words.trim() === '') return [];
  const { rows } = await pagesOf(latest.space, { text: words.trim(), limit: MOST });
  return rows;
}

const addressOf = ({ usable, url }: Page) => usable ?? url;

function suggestionFor(page: Page): Browser.omnibox.SuggestResult {
  const title = page.title ? `${page.title} – ` : '';
  return { content: addressOf(page), description: escapeXml(`${title}${addressOf(page)}`) };
}

async function open(text: string, where: `${Browser.omnibox.OnInputEnteredDisposition}`): Promise<void> {
  // A suggestion is an address; anything else is looked for in the dashboard.
  const isAddress = /^https?:\/\//i.test(text);
  const url = isAddress
    ? text
    : browser.runtime.getURL(`/dashboard.html#/pages?q=${encodeURIComponent(text)}`);
  if (where === 'currentTab') await browser.tabs.update({ url });
  else await browser.tabs.create({ url, active: where === 'newForegroundTab' });
}

/** `oo words` in the address bar finds pages of the round; Enter without a suggestion opens the list in the dashboard. */
export function listenToOmnibox(): void {
  browser.omnibox.onInputChanged.addListener((words, suggest) => {
    void find(words)
      .catch(() => [])
      .then((pages) => suggest(pages.map(suggestionFor)));
  });
  browser.omnibox.onInputEntered.addListener((text, where) => void open(text, where));
}
