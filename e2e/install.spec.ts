// What installing means: no warning, no site, not in private windows.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUILD } from './harness/browser.ts';
import { expect, test } from './harness/test.ts';

const manifest = readFileSync(join(BUILD, 'manifest.json'), 'utf8');

test.use({ launch: { grant: 'none' } });

test('shows no warning at all', async ({ onceover }) => {
  const warnings = await onceover.backstage.evaluate(
    (text) =>
      new Promise((done) => {
        chrome.management.getPermissionWarningsByManifest(text, done);
      }),
    manifest,
  );
  expect(warnings).toEqual([]);
});

test('has access to no site', async ({ onceover }) => {
  const { origins } = await onceover.backstage.evaluate(() => chrome.permissions.getAll());
  expect(origins).toEqual([]);
});

test('stays out of private windows', () => {
  expect(JSON.parse(manifest)).toMatchObject({ incognito: 'not_allowed' });
});
