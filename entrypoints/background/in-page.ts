import { browser } from 'wxt/browser';
import type { Watch } from '#lib/content/watch.ts';
import { addressOf } from '#lib/rounds/address.ts';
import { compilePolicy } from '#lib/url/index.ts';
import type { InPage } from '#lib/observed.ts';
import type { CommandMessages, Messages, Request } from '#lib/protocol.ts';
import { recorder } from './recorder.ts';
import { roundsWith } from './recordings.ts';
import { inOrder } from './serial.ts';
import { tickRounds } from './tick.ts';

/** Asks every frame of a tab; whether one of them said yes. A tab without an observer says no. */
async function ask(tab: number, message: InPage): Promise<boolean> {
  const frames = await browser.scripting
    .executeScript({ target: { tabId: tab, allFrames: true }, func: () => true })
    .catch(() => []);
  const answers = await Promise.allSettled(
    frames.map(({ frameId }): Promise<unknown> => browser.tabs.sendMessage(tab, message, { frameId })),
  );
  return answers.some((answer) => answer.status === 'fulfilled' && answer.value === true);
}

/** A picking that nobody ended is over after this time, in ms. */
const LASTS = 10 * 60_000;

/** Lets the person pick a part of a page; what is picked comes back as the observer's message `picked`. */
export async function pickRegion(tab: number): Promise<boolean> {
  const picking = await ask(tab, { type: 'pick' });
  // A page must not watch anything by itself.
  if (picking) await browser.storage.session.set({ picking: { tab, at: Date.now() } });
  return picking;
}

/** What the person picked in one frame ends picking in all, and is watched from now on. */
export async function receivePicked(
  { url: _url, region, label }: Request<'picked'>,
  { tab, page }: { tab: number; page: string },
): Promise<Messages['picked']['result']> {
  const { picking }: { picking?: { tab: number; at: number } } = await browser.storage.session.get('picking');
  if (picking?.tab !== tab || Date.now() - picking.at > LASTS) return { watched: false };
  await browser.storage.session.remove('picking');
  await ask(tab, { type: 'unpick' });
  const [found] = await roundsWith(page);
  if (!region || !found) return { watched: false };
  return inOrder(async () => {
    const fields = { scope: found.scope.id, url: page, region, ...(label !== '' && { label }) };
    await recorder.commands.addWatch(fields);
    await tickRounds([found.round.id]);
    // The page is read once more, so that there is something to compare with.
    await ask(tab, { type: 'read' });
    return { watched: true };
  });
}

/** The page of a new watch is read once more in the tabs that show it, so that there is something to compare with. */
export async function readWatched({ scope, key }: Watch): Promise<void> {
  for (const { id, url } of await browser.tabs.query({})) {
    if (id === undefined || url === undefined) continue;
    const isWatched = (await roundsWith(url)).some(
      (found) => found.scope.id === scope && addressOf(url, compilePolicy(found.round.policy))?.key === key,
    );
    if (isWatched) await ask(id, { type: 'read' });
  }
}

/** What is shown of the rounds is read once more: other rules may hold for it. */
export async function readShown(): Promise<void> {
  for (const { id, url } of await browser.tabs.query({})) {
    if (id === undefined || url === undefined) continue;
    if ((await roundsWith(url)).length > 0) await ask(id, { type: 'read' });
  }
}

/** Shows a block on its page. */
export function jumpToBlock({
  tab,
  place,
  text,
}: CommandMessages['jumpToBlock']['fields']): Promise<boolean> {
  return ask(tab, { type: 'jump', place, text });
}
