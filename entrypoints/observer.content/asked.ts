import { browser } from 'wxt/browser';
import type { InPage } from '#lib/observed.ts';
import { jump } from './jump.ts';
import type { Life } from './life.ts';
import { pick, say, type Picked } from './picker.ts';
import type { Teller } from './tell.ts';

/** Does what the worker asks of this frame, and answers whether it was done. `read`: tells the text of the page again. */
export function followAsked(teller: Teller, life: Life, isRecorded: () => boolean, read: () => void): void {
  let picking: { end: () => void } | undefined;

  const picked = async (part: Picked | null): Promise<void> => {
    picking = undefined;
    const region = part?.region ?? null;
    const label = part?.label ?? '';
    const answer = await teller.tell('picked', { url: location.href, region, label });
    if (!part) return;
    const isWatched = answer?.watched === true;
    say(browser.i18n.getMessage(isWatched ? 'pickerDone' : 'pickerFailed', label));
  };

  const work: { [T in InPage['type']]: (message: Extract<InPage, { type: T }>) => boolean } = {
    pick() {
      if (!isRecorded()) return false;
      picking?.end();
      picking = pick((part) => void picked(part), life.signal);
      return true;
    },
    unpick() {
      picking?.end();
      picking = undefined;
      return true;
    },
    read() {
      read();
      return true;
    },
    jump: ({ place, text }) => jump(place, text),
  };

  const listener = (
    message: unknown,
    sender: { id?: string },
    respond: (done: boolean) => void,
  ): undefined => {
    const { type } = message as { type: InPage['type'] };
    if (!life.alive() || sender.id !== browser.runtime.id || !Object.hasOwn(work, type)) return;
    respond((work[type] as (message: unknown) => boolean)(message));
  };
  browser.runtime.onMessage.addListener(listener);
  life.signal.addEventListener('abort', () => {
    if (browser.runtime?.id) browser.runtime.onMessage.removeListener(listener);
  });
}
