import type { CommandMessages } from '#lib/protocol.ts';
import { openStore, StoreError, type StoreFault } from '#lib/store/open.ts';
import { unsaved } from './unsaved.ts';

type Health = CommandMessages['health']['result'];

const WORDS: Record<StoreFault, Health['database']> = {
  'newer-database': 'newer',
  blocked: 'blocked',
  'not-saved': 'full',
  broken: 'broken',
};

/** Whether what is seen can be saved, and how many events wait for that. */
export async function health(): Promise<Health> {
  const pending = (await unsaved()).length;
  try {
    await openStore();
    // The database opens, and still something could not be written to it.
    return { database: pending === 0 ? 'ok' : 'full', pending, detail: '' };
  } catch (error) {
    const database = error instanceof StoreError ? WORDS[error.fault] : 'broken';
    return { database, pending, detail: error instanceof Error ? error.message : String(error) };
  }
}
