// Reads what is stored, without the extension's code: for tests whose subject is the store itself.
import type { Page } from '@playwright/test';

/** All rows of a store of the database `onceover`, in key order, none if there is no database; `page` is any page of the extension. */
export function storedRows<T>(page: Page, store: string): Promise<T[]> {
  return page.evaluate(async (store) => {
    // To open a database that is not there would make an empty one, and the extension could not make its own.
    if (!(await indexedDB.databases()).some(({ name }) => name === 'onceover')) return [];
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('onceover');
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(request.error));
    });
    try {
      return await new Promise<T[]>((resolve, reject) => {
        const request = database.transaction(store).objectStore(store).getAll();
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(request.error));
      });
    } finally {
      database.close();
    }
  }, store);
}
