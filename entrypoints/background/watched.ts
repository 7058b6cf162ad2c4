import { browser } from 'wxt/browser';
import { isQuiet, type Watch } from '#lib/content/watch.ts';
import { say } from './words.ts';

/** Id of a notification: which watch it is of. */
const NOTE = 'watch:';

const minuteOf = (date: Date): number => date.getHours() * 60 + date.getMinutes();

/** Tells what watches found, where the person wants that and does not look at the page just now. */
export async function tellNews(news: readonly Watch[], tab: number): Promise<void> {
  const wanted = news.filter(
    ({ notify, quietHours }) => notify && !isQuiet(quietHours, minuteOf(new Date())),
  );
  if (wanted.length === 0 || !(await browser.permissions.contains({ permissions: ['notifications'] })))
    return;
  listenToNotifications();
  if (await isLookedAt(tab)) return;
  for (const { id, label, url } of wanted) {
    const note = {
      type: 'basic',
      iconUrl: browser.runtime.getURL('/icon/128.png'),
      title: await say('watchNews', label.slice(0, 100)),
      message: url.slice(0, 300),
    } as const;
    // Where the system takes none, badge and list still say it; what was read is written already.
    await browser.notifications.create(NOTE + id, note).catch(() => undefined);
  }
}

async function isLookedAt(id: number): Promise<boolean> {
  const tab = await browser.tabs.get(id).catch(() => undefined);
  const window = tab && (await browser.windows.get(tab.windowId).catch(() => undefined));
  return tab?.active === true && window?.focused === true;
}

let isListening = false;

/** A click on a notification opens the watch. The permission is optional: without it there is nothing to listen to. */
export function listenToNotifications(): void {
  if (isListening || !browser.notifications) return;
  isListening = true;
  browser.notifications.onClicked.addListener((id) => {
    if (!id.startsWith(NOTE)) return;
    const route = `watches?${new URLSearchParams({ watch: id.slice(NOTE.length) })}`;
    void browser.tabs.create({ url: browser.runtime.getURL(`/dashboard.html#/${route}`) });
    void browser.notifications.clear(id);
  });
}
