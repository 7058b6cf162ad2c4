// Plants rows into the store, so that views can be tested and photographed without walking a site first.
import type { Page as Tab } from '@playwright/test';

export { workingDay } from '../lib/rounds/working-day.fixture.ts';

/** Puts the rows, by the names of their stores, into the store that a page of the extension has opened before. */
export async function plant(tab: Tab, rows: object): Promise<void> {
  const seed = rows as Record<string, readonly unknown[]>;
  await tab.evaluate(async (seed) => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('onceover');
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(request.error));
    });
    const names = Object.keys(seed);
    await new Promise<void>((resolve, reject) => {
      const transaction = database.transaction(names, 'readwrite');
      for (const name of names) for (const row of seed[name]!) transaction.objectStore(name).put(row);
      transaction.addEventListener('complete', () => resolve());
      transaction.addEventListener('error', () => reject(transaction.error));
    });
    database.close();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
    new BroadcastChannel('onceover-tick').postMessage({ log: 1, rounds: [] });
  }, seed);
}
