// Plants two rounds of very many pages straight into the store, so that views can be measured at size without walking for weeks.
import type { Page as Tab } from '@playwright/test';

export interface Size {
  /** Pages of the base round. */
  base: number;
  /** Pages of this round that were visited: the first ones by key, which is the hardest case for what is left. */
  visited: number;
}

/** Ids of what is planted. */
export const MANY = { scope: 'scope-many', base: 'round-many-1', round: 'round-many-2' };
export const MANY_HOST = 'site-07.example.com';
/** All of its pages were visited in this round, too. */
export const DONE_HOST = 'site-02.example.com';
/** Pages of this round that the base round does not have, all at the end. */
export const FRESH = 100;
/** A word that stands in the titles of five pages, all at the end. */
export const RARE = 'needle';

/** Puts the rows into the database that a page of the extension has opened before; answers how many rows there are then. */
export async function plantMany(tab: Tab, size: Size): Promise<number> {
  return tab.evaluate(
    async ({ base, visited, fresh, ids, rare }) => {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open('onceover');
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(request.error));
      });
      const policyVersion = '1-44136fa3';
      const at = Date.now() - 3_600_000;
      const hosts = 20;
      const perHost = Math.ceil(base / hosts);
      const two = (number: number) => String(number).padStart(2, '0');
      const page = (space: string, index: number) => {
        const host = `site-${two(Math.floor(index / perHost))}.example.com`;
        const within = index % perHost;
        const path = `/section-${two(Math.floor((within * 40) / perHost))}/item-${String(within).padStart(7, '0')}`;
        const key = `https://${host}${path}`;
        const title = index < base && base - index <= 5 ? `${rare} ${index}` : `Item ${index}`;
        return { space, key, scope: ids.scope, host, path, seq: index + 1, url: key, title };
      };
      const rest = { firstSeenAt: at, addresses: 1, policyVersion };
      const seen = { state: 'visited', visits: 1, firstVisitAt: at, lastVisitAt: at };
      const write = async (count: number, rowOf: (index: number) => object) => {
        let before = Promise.resolve();
        for (let from = 0; from < count; from += 20_000) {
          const transaction = database.transaction('pages', 'readwrite', { durability: 'relaxed' });
          const pages = transaction.objectStore('pages');
          for (let index = from; index < Math.min(count, from + 20_000); index++) pages.put(rowOf(index));
          transaction.commit();
          // The browser stores one while the next is being made.
          await before;
          before = new Promise<void>((resolve, reject) => {
            transaction.addEventListener('complete', () => resolve());
            transaction.addEventListener('error', () => reject(transaction.error));
          });
        }
        await before;
      };
      await write(base, (index) => ({
        ...page(ids.base, index),
        ...rest,
        ...seen,
        isNew: true,
        inBase: false,
        newIn: ids.base,
      }));
      // The changed ones are the last of those visited.
      const isChanged = (index: number) => index >= visited - 100 && visited > 0;
      await write(visited, (index) => ({
        ...page(ids.round, index),
        ...rest,
        ...seen,
        isNew: false,
        inBase: true,
        ...(isChanged(index) && { changed: true, changedIn: ids.round }),
      }));
      // What is new lies behind everything that the base round has, as links to a new part of a site do.
      await write(fresh, (index) => ({
        ...page(ids.round, base + index),
        ...rest,
        ...seen,
        isNew: true,
        inBase: false,
        newIn: ids.round,
      }));
      const none = { duplicates: 0, failed: 0, known: 0, retrying: 0, gone: 0, baseRetrying: 0, baseGone: 0 };
      const round = { scope: ids.scope, policy: {}, policyVersion, startedAt: at };
      const transaction = database.transaction(['scopes', 'rounds', 'meta'], 'readwrite');
      transaction.objectStore('scopes').put({
        id: ids.scope,
        name: 'Very many pages',
        origins: ['https://*.example.com/*'],
        paths: [],
        mode: 'inspecting',
        policy: {},
        policyVersion,
        createdAt: at,
      });
      transaction.objectStore('rounds').put({
        ...round,
        id: ids.base,
        space: ids.base,
        number: 1,
        state: 'ended',
        endedAt: at,
        baseSize: 0,
        counters: { ...none, visits: base, visited: base, changed: 0, baseVisited: 0 },
      });
      transaction.objectStore('rounds').put({
        ...round,
        id: ids.round,
        space: ids.round,
        number: 2,
        state: 'open',
        base: ids.base,
        baseSpace: ids.base,
        baseSize: base,
        counters: {
          ...none,
          visits: visited + fresh,
          visited: visited + fresh,
          changed: Math.min(100, visited),
          baseVisited: visited,
        },
      });
      transaction
        .objectStore('meta')
        .put({ id: 'log', number: base + visited + fresh, first: base + visited + fresh + 1 });
      await new Promise<void>((resolve, reject) => {
        transaction.addEventListener('complete', () => resolve());
        transaction.addEventListener('error', () => reject(transaction.error));
      });
      database.close();
      // As after every write: the worker follows.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
      new BroadcastChannel('onceover-tick').postMessage({ log: base + visited + fresh, rounds: [ids.round] });
      return base + visited + fresh;
    },
    { ...size, fresh: FRESH, ids: MANY, rare: RARE },
  );
}
