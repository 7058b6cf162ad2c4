import { browser } from 'wxt/browser';
import type { CommandMessages } from '#lib/protocol.ts';
import type { InPage } from '#lib/observed.ts';

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

/** Lets the person pick a part of a page; what is picked comes back as the observer's message `picked`. */
export function pickRegion(tab: number): Promise<boolean> {
  return ask(tab, { type: 'pick' });
}

/** Shows a block on its page. */
export function jumpToBlock({
  tab,
  place,
  text,
}: CommandMessages['jumpToBlock']['fields']): Promise<boolean> {
  return ask(tab, { type: 'jump', place, text });
}
