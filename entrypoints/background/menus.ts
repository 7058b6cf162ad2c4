import { browser, type Browser } from 'wxt/browser';
import { covers } from '#lib/rounds/coverage.ts';
import type { Round, Scope } from '#lib/rounds/types.ts';
import { readSettings, SETTINGS_KEY } from '#lib/settings.ts';
import { compilePolicy, normalizeUrl, storeKey } from '#lib/url/index.ts';
import { webAddress } from './address.ts';
import { copyLeft } from './copy.ts';
import { pickRegion } from './in-page.ts';
import { recordEvent } from './record.ts';
import { recorder } from './recorder.ts';
import { roundsWith } from './recordings.ts';
import { afterRoundsChanged } from './rounds.ts';
import { inOrder } from './serial.ts';
import { tickRounds } from './tick.ts';
import { say } from './words.ts';

type Item =
  | 'menuAddLink'
  | 'menuVisited'
  | 'menuNotVisited'
  | 'menuWhySame'
  | 'menuCopyLeft'
  | 'menuWatchRegion'
  | 'menuExcludeSite';
type Contexts = NonNullable<Browser.contextMenus.CreateProperties['contexts']>;

/** Each item by the name of its text, and where it shows. */
const ITEMS: [Item, Contexts][] = [
  ['menuAddLink', ['link']],
  ['menuVisited', ['link', 'page']],
  ['menuNotVisited', ['link', 'page']],
  ['menuWhySame', ['link', 'page']],
  ['menuCopyLeft', ['page']],
  ['menuWatchRegion', ['page']],
  ['menuExcludeSite', ['page']],
];

const READS: ReadonlySet<Item> = new Set(['menuWhySame', 'menuCopyLeft', 'menuWatchRegion']);

/** Makes the menu; it stays until the extension is updated. */
export async function createMenus(): Promise<void> {
  const items = await Promise.all(
    ITEMS.map(async ([id, contexts]) => ({ id, contexts, title: await say(id) })),
  );
  await browser.contextMenus.removeAll();
  for (const item of items) {
    browser.contextMenus.create({
      ...item,
      documentUrlPatterns: ['http://*/*', 'https://*/*'],
    });
  }
}

/** The menu follows the language that is chosen in Options. */
async function nameMenus(): Promise<void> {
  for (const [id] of ITEMS) await browser.contextMenus.update(id, { title: await say(id) });
}

/** Rounds that have the address, with its key in each. */
async function keysOf(url: string): Promise<{ round: Round; scope: Scope; key: string }[]> {
  return (await roundsWith(url)).flatMap(({ round, scope }) => {
    const result = normalizeUrl(url, compilePolicy(round.policy), url);
    return result.ok ? [{ round, scope, key: storeKey(result.key) }] : [];
  });
}

async function addLink(link: string, page: string): Promise<void> {
  const id = `menu:${crypto.randomUUID()}`;
  await recordEvent({ type: 'links', id, url: page, at: Date.now(), links: [link] });
}

async function mark(url: string, page: string, state: 'visited' | 'known'): Promise<void> {
  // A page without a row yet gets one as a link first.
  await addLink(url, page);
  for (const { round, key } of await keysOf(url)) {
    await recorder.commands.markPage({ space: round.space, key, state });
  }
}

async function excludeSite(url: string): Promise<void> {
  for (const { scope } of await roundsWith(url)) {
    const origins = scope.origins.filter((origin) => !covers({ origins: [origin], paths: [] }, url));
    await recorder.commands.updateScope({ scope: scope.id, origins });
  }
  await afterRoundsChanged({ inject: false });
}

const openDashboard = (route: string) =>
  browser.tabs.create({ url: browser.runtime.getURL(`/dashboard.html#/${route}`) });

async function why(url: string): Promise<void> {
  const [found] = await keysOf(url);
  const query = found
    ? new URLSearchParams({ round: found.round.id, page: found.key })
    : new URLSearchParams({ q: url });
  await openDashboard(`pages?${query}`);
}

async function choose(
  item: Item,
  { linkUrl, pageUrl }: Browser.contextMenus.OnClickData,
  tab: number | undefined,
): Promise<void> {
  const page = webAddress(pageUrl ?? '');
  const target = webAddress(linkUrl ?? pageUrl ?? '');
  if (page === undefined || target === undefined) return;
  switch (item) {
    case 'menuAddLink':
      return addLink(target, page);
    case 'menuVisited':
      return mark(target, page, 'visited');
    case 'menuNotVisited':
      return mark(target, page, 'known');
    case 'menuWhySame':
      return why(target);
    case 'menuCopyLeft':
      return copyLeft({ id: tab, url: page });
    case 'menuWatchRegion':
      if (tab !== undefined) await pickRegion(tab);
      return;
    case 'menuExcludeSite':
      return excludeSite(page);
  }
}

export function listenToMenus(): void {
  browser.storage.local.onChanged.addListener(({ [SETTINGS_KEY]: change }) => {
    if (!change) return;
    const [before, after] = [change.oldValue, change.newValue].map((stored) => readSettings(stored).language);
    if (before !== after) void nameMenus();
  });
  browser.contextMenus.onClicked.addListener((info, tab) => {
    const item = info.menuItemId as Item;
    const work = (): Promise<void> => choose(item, info, tab?.id);
    // No event waits for what only reads.
    if (READS.has(item)) void work();
    else void inOrder(() => work().then(() => tickRounds([])));
  });
}
