// In and out in the real browser: an export with options, an import with preview and undo, a backup that comes back. The oracles are the
// planted rows, the file as the command line reads it, and the store itself.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Download, Page } from '@playwright/test';
import type { Browser } from './harness/browser.ts';
import { expect, test } from './harness/test.ts';
import type { Seed } from '../lib/rounds/working-day.fixture.ts';
import { plant, workingDay } from './seed.ts';

const SHOP = 'https://shop.example.com';

async function planted(
  onceover: Browser,
  hash: string,
  pages = 60,
): Promise<{ dashboard: Page; seed: Seed }> {
  const dashboard = await onceover.open('dashboard.html');
  await dashboard.locator('h1').waitFor();
  const seed = workingDay(Date.now(), pages);
  await plant(onceover.backstage, seed);
  await dashboard.goto(onceover.url(`dashboard.html${hash}`));
  await dashboard.reload();
  await dashboard.locator('h1').waitFor();
  return { dashboard, seed };
}

async function downloaded(dashboard: Page, testid: string): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([
    dashboard.waitForEvent('download'),
    dashboard.getByTestId(testid).click(),
  ]);
  return { name: download.suggestedFilename(), bytes: await read(download) };
}

const read = async (download: Download): Promise<Buffer> => readFileSync(await download.path());

/** All rows but the log's, of the database in use. */
function stored(page: Page): Promise<Record<string, unknown[]>> {
  return page.evaluate(async () => {
    const { database = 'onceover' } = await chrome.storage.local.get<{ database?: string }>('database');
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(database);
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(request.error));
    });
    const rows: Record<string, unknown[]> = {};
    for (const name of ['scopes', 'rounds', 'pages', 'visits', 'variants', 'aliases']) {
      rows[name] = await new Promise((resolve, reject) => {
        const request = db.transaction(name).objectStore(name).getAll();
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(request.error));
      });
    }
    db.close();
    return rows;
  });
}

test('an export with options is what its manifest says', async ({ onceover }) => {
  const { dashboard, seed } = await planted(onceover, '#/export?show=visited');
  const open = seed.rounds.find(({ state }) => state !== 'ended')!;
  const visited = seed.pages.filter(({ space, state }) => space === open.space && state === 'visited');

  await dashboard.getByLabel('Order').selectOption('az');
  await dashboard.getByLabel('Only addresses that begin with').fill(`${SHOP}/catalogue/`);
  await dashboard.getByLabel('Compress (gzip)').check();
  const list = await downloaded(dashboard, 'export-list');
  expect(list.name).toMatch(/\.txt\.gz$/);
  const wanted = visited
    .filter(({ url }) => url.startsWith(`${SHOP}/catalogue/`))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ url }) => url);
  expect(gunzipSync(list.bytes).toString()).toBe(`${wanted.join('\n')}\n`);

  const manifest = JSON.parse(
    (await read(await saved(dashboard, `${list.name}.manifest.json`))).toString(),
  ) as Record<string, unknown>;
  expect(manifest).toMatchObject({
    file: list.name,
    count: wanted.length,
    bytes: list.bytes.length,
    sha256: createHash('sha256').update(list.bytes).digest('hex'),
    round: open.id,
    policyVersion: open.policyVersion,
  });

  // In parts, with the program that reads them.
  await dashboard.getByLabel('Compress (gzip)').uncheck();
  await dashboard.getByLabel('Addresses in one file, at most').fill('0');
  await expect(dashboard.getByTestId('export-list')).toHaveAttribute('aria-disabled', 'true');
  await dashboard.getByLabel('Addresses in one file, at most').fill('10');
  const parts: Download[] = [];
  dashboard.on('download', (download) => parts.push(download));
  await dashboard.getByTestId('export-scrapy').click();
  await expect.poll(() => parts.length).toBe(Math.ceil(wanted.length / 10));
  const lines = (await Promise.all(parts.map(read))).flatMap((bytes) => bytes.toString().trim().split('\n'));
  expect(lines.map((line) => (JSON.parse(line) as { url: string }).url).toSorted()).toEqual(
    wanted.toSorted(),
  );
  await expect(dashboard.getByRole('button', { name: /_spider\.py$/ }).first()).toBeVisible();
});

async function saved(dashboard: Page, name: string): Promise<Download> {
  const [download] = await Promise.all([
    dashboard.waitForEvent('download'),
    dashboard.getByRole('button', { name: `Save ${name}` }).click(),
  ]);
  return download;
}

test('an import is looked at, written, taken back and brought back', async ({ onceover }) => {
  const { dashboard } = await planted(onceover, '#/import');
  const before = await stored(onceover.backstage);
  const known = Number(
    (await dashboard.getByRole('link', { name: /^Compare/ }).innerText()).replace(/\D/g, ''),
  );
  await dashboard.getByTestId('import-file').setInputFiles({
    name: 'crawl.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      [
        'id;page address;status',
        `1;${SHOP}/imported/1;200`,
        `2;${SHOP}/imported/1?utm_source=mail;200`,
        `3;${SHOP}/imported/2;200`,
        '4;https://elsewhere.example.com/;200',
        '5;javascript:alert(1);200',
      ].join('\r\n'),
    ),
  });
  const preview = dashboard.getByTestId('import-preview');
  for (const [count, value] of Object.entries({ new: '2', repeats: '1', outside: '1', bad: '1' }))
    await expect(preview.getByTestId(`import-${count}`)).toHaveText(value);
  await expect(preview.getByTestId('import-bad-line')).toContainText('Line 6, column 3');
  expect(await stored(onceover.backstage)).toEqual(before);

  await dashboard.getByTestId('import-run').click();
  await expect(dashboard.getByText('2 pages imported')).toBeVisible();
  const imported = ((await stored(onceover.backstage))['pages'] as { key: string; state: string }[])
    .filter(({ key }) => key.includes('/imported/'))
    .map(({ key, state }) => `${key} ${state}`);
  expect(imported).toEqual([`${SHOP}/imported/1 known`, `${SHOP}/imported/2 known`]);
  expect(known).toBeGreaterThan(0);

  await dashboard.getByRole('button', { name: /^Undo/ }).click();
  await expect(dashboard.getByText('Undone', { exact: true })).toBeVisible();
  expect(await stored(onceover.backstage)).toEqual(before);
  await dashboard.goto(onceover.url('dashboard.html#/data'));
  await dashboard.getByRole('button', { name: 'Bring back crawl.csv' }).click();
  await expect
    .poll(async () => (await stored(onceover.backstage))['pages']?.length)
    .toBe((before['pages']?.length ?? 0) + 2);

  // Pasted; then what a crawler missed.
  await dashboard.goto(onceover.url('dashboard.html#/import'));
  await dashboard.getByTestId('import-paste').fill(`see ${SHOP}/imported/3, ${SHOP}/imported/1.`);
  await dashboard.getByTestId('import-look').click();
  await expect(preview.getByTestId('import-new')).toHaveText('1');
  await expect(preview.getByTestId('import-known')).toHaveText('1');
  await dashboard.getByTestId('import-compare').click();
  await expect(dashboard.getByTestId('compared-new')).toContainText('1');
  await expect(dashboard.getByTestId('compared-both')).toContainText('1');
});

test.describe('from this browser', () => {
  test.use({ launch: { grant: 'click', apis: ['webNavigation', 'history'] } });

  test('links of an open page, history asked for by the click; what is left grows', async ({
    onceover,
    demo,
  }) => {
    const tab = await onceover.context.newPage();
    for (const path of ['/shop', '/news']) await tab.goto(demo.url + path);
    const dashboard = await onceover.open('dashboard.html#/import');
    await expect(dashboard.getByText('No round is open')).toBeVisible();
    // The click of a person starts a round elsewhere; here only its message is sent.
    await dashboard.evaluate(async (origin) => {
      await chrome.permissions.request({ origins: [origin], permissions: ['webNavigation'] });
      const start = { scope: { name: 'Demo', origins: [origin] }, base: 'none' };
      await chrome.runtime.sendMessage({ v: 1, id: crypto.randomUUID(), type: 'startRound', ...start });
    }, 'http://127.0.0.1/*');
    await dashboard.reload();
    const preview = dashboard.getByTestId('import-preview');
    const count = async (id: string): Promise<number> =>
      Number(await preview.getByTestId(`import-${id}`).innerText());
    await dashboard.getByTestId('import-tab').click();
    await expect(preview.getByRole('heading')).toContainText('News');
    expect((await count('new')) + (await count('known')) + (await count('visited'))).toBeGreaterThan(3);
    await dashboard.getByTestId('import-history').click();
    await expect(preview.getByRole('heading')).toContainText('History');
    expect((await count('new')) + (await count('known')) + (await count('visited'))).toBeGreaterThanOrEqual(
      2,
    );

    const left = async (): Promise<number> => {
      const pages = (await stored(onceover.backstage))['pages'] as { state: string }[];
      return pages.filter(({ state }) => state === 'known').length;
    };
    await dashboard.getByTestId('import-paste').fill(`${demo.url}/unheard/1\n${demo.url}/unheard/2`);
    await dashboard.getByTestId('import-look').click();
    await expect(preview.getByTestId('import-new')).toHaveText('2');
    const before = await left();
    await dashboard.getByTestId('import-run').click();
    await expect(dashboard.getByText('2 pages imported')).toBeVisible();
    await expect.poll(left).toBe(before + 2);
  });
});

test('a backup comes back as the same rows, and the command line reads the same list', async ({
  onceover,
}, info) => {
  const { dashboard, seed } = await planted(onceover, '#/export?show=visited');
  const list = await downloaded(dashboard, 'export-list');
  await dashboard.goto(onceover.url('dashboard.html#/data'));
  const backup = await downloaded(dashboard, 'backup-save');
  expect(backup.name).toMatch(/^onceover-\d{4}-\d\d-\d\d\.onceover$/);
  const file = info.outputPath('all.onceover');
  await expect(dashboard.getByText(/Backup saved and read back/)).toBeVisible();
  writeFileSync(file, backup.bytes);
  const convert = (pages: string) =>
    execFileSync(
      process.execPath,
      ['cli/main.ts', 'convert', file, '--to', 'list', '--pages', pages, '--scope', seed.scopes[0]!.name],
      { encoding: 'utf8' },
    );
  expect(convert('visited')).toBe(list.bytes.toString());

  const before = await stored(onceover.backstage);
  const open = seed.rounds.find(({ state }) => state !== 'ended')!;
  await dashboard.evaluate(async (round) => {
    await chrome.runtime.sendMessage({ v: 1, id: crypto.randomUUID(), type: 'deleteRound', round });
  }, open.id);
  expect((await stored(onceover.backstage))['rounds']).toHaveLength(seed.rounds.length - 1);

  // A damaged copy changes nothing, and says why.
  const damaged = await stored(onceover.backstage);
  const text = backup.bytes.toString();
  for (const [bad, message] of [
    [text.slice(0, text.length / 2), /^Line \d+: the line is damaged or cut off\. Use another copy\.$/],
    [
      text.replace(/"version":\d+/, '"version":99'),
      /made by a newer Onceover \(format 99, this one reads up to \d+\)\. Update/,
    ],
    [
      text.replace('"addresses":1,', '"addresses":2,'),
      'The backup is damaged: its checksum does not agree. Use another copy.',
    ],
  ] as const) {
    await choose(dashboard, Buffer.from(bad));
    await expect(dashboard.getByTestId('backup-wrong')).toHaveText(message);
    await expect(dashboard.getByTestId('backup-checked')).toBeHidden();
  }
  expect(await stored(onceover.backstage)).toEqual(damaged);

  await choose(dashboard, backup.bytes);
  await dashboard.getByTestId('backup-replace').click();
  await expect(dashboard.getByText(/^Restored: /)).toBeVisible();
  expect(await stored(onceover.backstage)).toEqual(before);
  // The worker writes there too, also after it was stopped.
  await onceover.stopWorker();
  const page = seed.pages.find(({ space, state }) => space === open.space && state === 'visited')!;
  await dashboard.evaluate(async ({ space, key }) => {
    const fields = { space, key, verdict: 'problem', note: 'after the restore' };
    await chrome.runtime.sendMessage({ v: 1, id: crypto.randomUUID(), type: 'setVerdict', ...fields });
  }, page);
  const noted = ((await stored(onceover.backstage))['pages'] as { note?: string }[]).filter(
    ({ note }) => note === 'after the restore',
  );
  expect(noted).toHaveLength(1);
  // Undo: the round is deleted again.
  await dashboard.getByRole('button', { name: /^Undo/ }).click();
  await expect(dashboard.getByText('Undone', { exact: true })).toBeVisible();
  expect(await stored(onceover.backstage)).toEqual(damaged);

  await choose(dashboard, backup.bytes);
  await dashboard.getByTestId('backup-merge').click();
  await expect(dashboard.getByText(/^Restored: /)).toBeVisible();
  const merged = await stored(onceover.backstage);
  expect(merged['rounds']).toHaveLength(seed.rounds.length);
  expect(merged['pages']).toHaveLength(before['pages']!.length);
});

async function choose(dashboard: Page, buffer: Buffer): Promise<void> {
  await dashboard
    .getByTestId('backup-file')
    .setInputFiles({ name: 'all.onceover', mimeType: 'application/jsonl', buffer });
}

test('the browser keeps a backup a day by itself, the last seven', async ({ onceover }) => {
  const { dashboard } = await planted(onceover, '#/data');
  const kept = dashboard.getByTestId('kept-backups').getByRole('listitem');
  await expect(kept).toHaveCount(0);
  const ring = (): Promise<void> =>
    onceover.backstage.evaluate(() => chrome.alarms.create('daily-backup', { when: Date.now() }));
  await ring();
  await expect(async () => {
    await dashboard.reload();
    await expect(kept).toHaveCount(1, { timeout: 500 });
  }).toPass();
  // Once a day only.
  await ring();
  // Older ones beyond seven go.
  await onceover.backstage.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle('backups');
    const day = 24 * 60 * 60_000;
    for await (const [name, handle] of folder.entries()) {
      const now = Number(/\d+/.exec(name)?.[0]);
      const bytes = await (await (handle as FileSystemFileHandle).getFile()).arrayBuffer();
      for (let age = 2; age < 10; age++) {
        const copy = await folder.getFileHandle(`onceover-${now - age * day}.onceover.gz`, { create: true });
        const writer = await copy.createWritable();
        await writer.write(bytes);
        await writer.close();
      }
      await folder.removeEntry(name);
      break;
    }
    await chrome.storage.local.remove('backedUp');
  });
  await ring();
  await expect(async () => {
    await dashboard.reload();
    await expect(kept).toHaveCount(7, { timeout: 500 });
  }).toPass();
  await kept
    .first()
    .getByRole('button', { name: /^Restore the backup/ })
    .click();
  await expect(dashboard.getByTestId('backup-checked')).toBeVisible();
  const before = await stored(onceover.backstage);
  await dashboard.getByTestId('backup-replace').click();
  await expect(dashboard.getByText(/^Restored: /)).toBeVisible();
  expect(await stored(onceover.backstage)).toEqual(before);
});
