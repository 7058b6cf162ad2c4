import { Browser } from './harness/browser.ts';
import { Popup } from './harness/popup.ts';
import { startDemo } from '../demo/server.mjs';
const out = '/tmp/walk';
import { mkdirSync } from 'node:fs';
mkdirSync(out, { recursive: true });
const demo: any = await startDemo();
const b = await Browser.launch({ grant: 'sites' });
const shot = async (p: any, n: string) => { await p.emulateMedia({ reducedMotion: 'reduce' }); await p.waitForTimeout(600); await p.screenshot({ path: `${out}/${n}.png` }); };
try {
  const d = await b.open('dashboard.html');
  await d.locator('h1').waitFor();
  for (const v of ['rounds','pages','tree','compare','report','watches','rules','import','export']) { await d.evaluate((h) => (location.hash = h), `#/${v}`); await shot(d, `0-${v}`); }
  const tab = await b.context.newPage();
  await tab.goto(`${demo.url}/shop`);
  const p = await Popup.open(b, tab);
  await p.click('[data-testid="start-round"]'); await p.waitFor('[data-testid="visited-count"]'); await p.close();
  for (const path of ['/shop/item/101?utm_source=a', '/shop/item/101', '/news', '/dashboard', '/nowhere', '/roads']) { await tab.goto(demo.url + path); await tab.waitForTimeout(300); }
  await d.bringToFront();
  for (const v of ['pages','compare','rounds']) { await d.evaluate((h) => (location.hash = h), `#/${v}`); await shot(d, `1-${v}`); }
  await d.getByRole('button', { name: 'Close the round' }).click(); await shot(d, '2-ask');
  await d.getByTestId('end-round').click(); await shot(d, '3-ended');
  await d.evaluate(() => (location.hash = '#/pages')); await d.getByTestId('page-row').first().click(); await shot(d, '4-closed-why');
  await d.keyboard.press('1'); await shot(d, '5-closed-verdict');
  await d.evaluate(() => (location.hash = '#/compare')); await shot(d, '6-compare-one');
  await d.evaluate(() => (location.hash = '#/rounds')); await shot(d, '7-rounds');
  await d.getByTestId('start-round').first().click(); await shot(d, '8-round2');
  for (const path of ['/shop', '/news', '/dashboard']) { await tab.goto(demo.url + path); await tab.waitForTimeout(500); }
  await d.evaluate(() => (location.hash = '#/compare')); await shot(d, '9-compare');
  await d.evaluate(() => (location.hash = '#/watches')); await shot(d, '10-watch-empty');
  await d.getByTestId('watchable').first().getByRole('button').first().click(); await d.waitForTimeout(1500); await shot(d, '11-watch-added');
  await d.evaluate(() => (location.hash = '#/export')); await shot(d, '12-export');
  const [dl] = await Promise.all([d.waitForEvent('download'), d.getByTestId('export-list').click()]); await shot(d, '13-exported');
  await d.evaluate(() => (location.hash = '#/report')); await shot(d, '14-report');
} catch (e) { console.error(e); } finally { await b.dispose(); await demo.close?.(); process.exit(0); }
