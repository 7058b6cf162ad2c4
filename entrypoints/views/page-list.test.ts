import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Page, Round } from '#lib/rounds/types.ts';
import { closeStore, openStore, useDatabase } from '#lib/store/open.ts';
import { workingDay, type Seed } from '#lib/rounds/working-day.fixture.ts';
import { SHOWS, type Show } from './list-parts.ts';
import { PageList, type PageQuery } from './page-list.ts';
import { exportRecords } from './export-rows.ts';
import { hostsOf, pageAt } from './reading.ts';

const NOW = new Date(2026, 10, 30, 12).getTime();
let databases = 0;
let seed: Seed;
let open: Round;

async function fill(pages: number): Promise<void> {
  seed = workingDay(NOW, pages);
  open = seed.rounds[1]!;
  const db = await openStore();
  const transaction = db.transaction(['scopes', 'rounds', 'pages', 'visits', 'variants'], 'readwrite');
  for (const row of seed.scopes) void transaction.objectStore('scopes').put(row);
  for (const row of seed.rounds) void transaction.objectStore('rounds').put(row);
  for (const row of seed.pages) void transaction.objectStore('pages').put(row);
  for (const row of seed.visits) void transaction.objectStore('visits').put(row);
  for (const row of seed.variants) void transaction.objectStore('variants').put(row);
  await transaction.done;
}

beforeEach(() => useDatabase(`page-list-${databases++}`));
afterEach(() => closeStore());

/** Scrolls a list to its end, a screen at a time, and answers every row. */
async function readAll(query: PageQuery): Promise<Page[]> {
  const list = new PageList(query, () => {});
  const rows: Page[] = [];
  for (let first = 0; ; first += 40) {
    list.want(first, first + 40);
    await settled(list);
    for (let index = first; index < Math.min(first + 40, list.count); index++) {
      const page = list.pageAt(index);
      if (!page) throw new Error(`Row ${index} of ${list.count} is missing.`);
      rows.push(page);
    }
    if (first + 40 >= list.count && !list.more) return rows;
  }
}

async function settled(list: PageList): Promise<void> {
  while (list.reading) await new Promise((done) => setTimeout(done, 1));
  if (list.error) throw list.error;
}

const keysOf = (pages: Page[]): string[] => pages.map(({ key }) => key).toSorted();

describe('a list of pages', () => {
  it('has every page of both rounds once, what needs the person first', async () => {
    await fill(1_200);
    const rows = await readAll({ round: open, show: 'all' });
    expect(keysOf(rows)).toEqual([...new Set(seed.pages.map(({ key }) => key))].toSorted());
    const rank = ({ state, changed, inBase }: Page): number =>
      changed
        ? 0
        : state === 'retrying'
          ? 1
          : state === 'known' && inBase
            ? 2
            : state === 'gone'
              ? 3
              : state === 'visited'
                ? 4
                : 5;
    const ranks = rows.map(rank);
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
  });

  const here = (page: Page): boolean => page.space === 'round-2';
  const wanted: Record<Exclude<Show, 'all' | 'left'>, (page: Page) => boolean> = {
    visited: (page) => here(page) && page.state === 'visited',
    new: (page) => here(page) && page.state !== 'known' && !page.inBase,
    changed: (page) => here(page) && page.changed === true,
    retrying: (page) => here(page) && page.state === 'retrying',
    gone: (page) => here(page) && page.state === 'gone',
  };

  it.each(SHOWS.filter((show) => show !== 'all' && show !== 'left'))(
    'shows %s, no more and no less',
    async (show) => {
      await fill(500);
      expect(keysOf(await readAll({ round: open, show }))).toEqual(keysOf(seed.pages.filter(wanted[show])));
    },
  );

  it('shows what is left: of the base round and not yet here', async () => {
    await fill(500);
    const gone = new Set(seed.pages.filter(here).map(({ key }) => key));
    const left = seed.pages.filter((page) => page.space === 'round-1' && !gone.has(page.key));
    expect(left.length).toBeGreaterThan(90);
    expect(keysOf(await readAll({ round: open, show: 'left' }))).toEqual(keysOf(left));
  });

  it('finds by host and by words in address or title', async () => {
    await fill(300);
    const wiki = await readAll({ round: open, show: 'all', host: 'wiki.example.com' });
    expect(new Set(wiki.map(({ host }) => host))).toEqual(new Set(['wiki.example.com']));
    const runbook = await readAll({ round: open, show: 'all', q: 'backup RUNBOOK' });
    expect(runbook.map(({ path }) => path)).toEqual(['/ops/backup']);
    expect(await readAll({ round: open, show: 'all', q: 'nowhere' })).toEqual([]);
  });

  it('reads what was let go again, and keeps a bounded number of rows', async () => {
    await fill(1_500);
    const kept = 3;
    const list = new PageList({ round: open, show: 'visited' }, () => {}, kept);
    const seen: string[] = [];
    for (let first = 0; first < 1_200; first += 100) {
      list.want(first, first + 100);
      await settled(list);
      seen.push(list.pageAt(first)!.key);
    }
    const there = Array.from({ length: list.count }, (_, index) => list.pageAt(index)).filter(Boolean);
    expect(list.count).toBe(open.counters.visited);
    expect(there.length).toBeLessThanOrEqual(kept * 200);
    list.want(0, 40);
    await settled(list);
    expect(list.pageAt(0)?.key).toBe(seen[0]);
    expect(list.pageAt(39)).toBeDefined();
  });

  it('follows what is written, where the person looks', async () => {
    await fill(700);
    const list = new PageList({ round: open, show: 'left' }, () => {});
    list.want(0, 40);
    await settled(list);
    const first = list.pageAt(0)!;
    const db = await openStore();
    await db.put('pages', { ...first, space: open.space, state: 'visited', visits: 1 });
    list.refresh();
    await settled(list);
    expect(list.pageAt(0)?.key).not.toBe(first.key);
    expect(keysOf(await readAll({ round: open, show: 'left' }))).not.toContain(first.key);
  });

  it('shows the first page of an empty round when it comes', async () => {
    await fill(0);
    const empty: Round = { ...open, id: 'round-9', space: 'round-9' };
    delete empty.base;
    delete empty.baseSpace;
    const list = new PageList({ round: empty, show: 'all' }, () => {});
    list.want(0, 40);
    await settled(list);
    expect(list.count).toBe(0);
    const db = await openStore();
    await db.put('pages', { ...seed.pages.find(here)!, space: 'round-9', state: 'known' });
    list.refresh();
    await settled(list);
    expect(list.count).toBe(1);
  });
});

describe('reading for views', () => {
  it('names every host of both rounds once', async () => {
    await fill(300);
    expect(await hostsOf(open)).toEqual(['shop.example.com', 'status.example.com', 'wiki.example.com']);
  });

  it('finds a page by any of its addresses', async () => {
    await fill(0);
    const scope = seed.scopes[0]!;
    const page = await pageAt(open, scope, 'http://shop.example.com:80/item?id=7&b=1');
    expect(page).toBeUndefined();
    const other = await pageAt(open, scope, 'https://SHOP.example.com/item?id=7&utm_medium=x&b=1#top');
    expect(other?.title).toBe('Item 7');
    expect(await pageAt(open, scope, 'chrome://settings')).toBeUndefined();
  });

  it('exports every page once with its other addresses', async () => {
    await fill(300);
    const records = [];
    for await (const record of exportRecords(open, { show: 'visited', others: true })) records.push(record);
    expect(records).toHaveLength(open.counters.visited);
    const item = records.find(({ url }) => url.includes('id=7'));
    expect(item).toMatchObject({
      addresses: 3,
      state: 'visited',
      key: 'https://shop.example.com/item?b=1&id=7',
    });
    expect(item?.otherAddresses).toEqual([
      'https://shop.example.com/item?id=7&b=1',
      'https://shop.example.com/item?b=1&id=7&spm=a2h0k',
    ]);
  });
});
