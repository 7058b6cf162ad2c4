import { browser } from 'wxt/browser';
import { DATABASE_KEY } from '#lib/protocol.ts';
import { closeStore, databaseName, FIRST_DATABASE, useDatabase } from '#lib/store/open.ts';

async function storedName(): Promise<string> {
  const stored: Record<string, unknown> = await browser.storage.local.get(DATABASE_KEY);
  const name = stored[DATABASE_KEY];
  return typeof name === 'string' ? name : FIRST_DATABASE;
}

/** Uses another database from now on. Answers whether it was another. */
export async function changeDatabase(name: string): Promise<boolean> {
  const before = await databaseName();
  if (before === name) return false;
  useDatabase(name);
  await closeStore(before);
  return true;
}

/** Uses the database that was restored last, and follows when another is. To be called before anything is read. */
export function followDatabase(onChange: () => void): void {
  useDatabase(storedName());
  browser.storage.local.onChanged.addListener((changes) => {
    if (!(DATABASE_KEY in changes)) return;
    void (async () => {
      if (await changeDatabase(await storedName())) onChange();
    })();
  });
}
