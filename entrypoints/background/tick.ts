import { browser } from 'wxt/browser';
import { TICK_CHANNEL, type Tick } from '#lib/protocol.ts';
import { noteLeft } from '#lib/store/lists.ts';
import { StoreError, withStore } from '#lib/store/open.ts';
import { openRounds } from '#lib/store/read.ts';
import { updateBadge } from './badge.ts';
import { forgetRecordings, publishObserved } from './recordings.ts';
import { step } from './steps.ts';

let opened: BroadcastChannel | undefined;
function channel(): BroadcastChannel {
  opened ??= new BroadcastChannel(TICK_CHANNEL);
  return opened;
}

/** Marks follow within a second; more often than this the pages are not asked to look again, in ms. */
const GATHER = 250;
let timer: ReturnType<typeof setTimeout> | undefined;
let hasMarks = false;

/**
 * Says that something was written: views read again, the badge follows, and the marks on the pages in front unless
 * `marks` says that no page has another state now.
 */
export async function tick(written: Tick, { marks = true } = {}): Promise<void> {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel, not a window
  channel().postMessage(written);
  await step('tick:sent');
  hasMarks ||= marks;
  timer ??= setTimeout(() => {
    timer = undefined;
    void updateBadge();
    void noteWhereLeftBegins();
    if (hasMarks) void refreshMarks();
    hasMarks = false;
  }, GATHER);
}

/** As {@link tick}, after something that does not say how far the log is. */
export async function tickRounds(rounds: string[]): Promise<void> {
  const row = await withStore((db) => db.get('meta', 'log'));
  await tick({ log: row?.id === 'log' ? row.number : 0, rounds });
}

let noting = false;

/** Views ask for what is left more often than it changes; in a long round its beginning is far from the first page. */
async function noteWhereLeftBegins(): Promise<void> {
  if (noting) return;
  noting = true;
  try {
    for (const round of await openRounds()) await withStore((db) => noteLeft(db, round));
  } catch (error) {
    // It is only remembered; what is wrong with the database is said by who needs it.
    if (!(error instanceof StoreError)) throw error;
  } finally {
    noting = false;
  }
}

async function refreshMarks(): Promise<void> {
  const tabs = await browser.tabs.query({ active: true });
  // Tabs without an observer refuse the message.
  await Promise.allSettled(tabs.map(({ id }) => browser.tabs.sendMessage(id ?? -1, { type: 'look' })));
}

/** The dashboard writes too (imports, restores): what the worker remembers of rounds is then read again. */
export function listenToTicks(): void {
  channel().addEventListener('message', () => {
    forgetRecordings();
    void publishObserved();
    void updateBadge();
    void noteWhereLeftBegins();
  });
}
