import { withStore } from './open.ts';
import type { Db, StoreName } from './schema.ts';

/** Rows of one kind, and what they take as JSON, about: rows of a sample, times their number. */
export interface KindUsage {
  rows: number;
  bytes: number;
}

export type UsageKind = 'pages' | 'visits' | 'texts' | 'sets' | 'trash';

const STORES: Record<UsageKind, StoreName[]> = {
  pages: ['pages', 'variants', 'aliases'],
  visits: ['visits'],
  texts: ['texts', 'snapshots', 'live'],
  sets: ['sets'],
  trash: ['trash'],
};

const SAMPLE = 200;

/** What is stored, by kind. Costs the same whatever there is. */
export function usageByKind(): Promise<Record<UsageKind, KindUsage>> {
  return withStore(async (db) => {
    const kinds = Object.entries(STORES) as [UsageKind, StoreName[]][];
    const usages = kinds.map(async ([kind, stores]) => {
      const each = await Promise.all(stores.map((store) => usageOf(db, store)));
      // What a person calls a page is a row of the first store.
      return [kind, { rows: each[0]?.rows ?? 0, bytes: each.reduce((sum, { bytes }) => sum + bytes, 0) }];
    });
    return Object.fromEntries(await Promise.all(usages)) as Record<UsageKind, KindUsage>;
  });
}

async function usageOf(db: Db, store: StoreName): Promise<KindUsage> {
  const rows = await db.count(store);
  if (store === 'sets') {
    const sets = await db.getAll('sets');
    return { rows, bytes: sets.reduce((sum, { bytes }) => sum + bytes.byteLength, 0) };
  }
  const sample = await db.getAll(store, undefined, SAMPLE);
  if (sample.length === 0) return { rows, bytes: 0 };
  const length = sample.reduce((sum: number, row) => sum + JSON.stringify(row).length, 0);
  return { rows, bytes: Math.round((rows * length) / sample.length) };
}
