// The worker is stopped again and again, half of the times inside a handler: the stored round must equal what was done.
import { STEPS, type Step } from '#lib/steps.ts';
import { ask, Round } from '../capture/round.ts';
import type { Browser } from '../harness/browser.ts';
import { expect, test } from '../harness/test.ts';
import { dice, Walk } from './walk.ts';

test.use({ launch: { grant: 'start' } });

const WALK = 300;
const STOPS = 50;
/** Rounds opened by the clock need a clock that can be set: lib/store tests them. */
const ELSEWHERE: ReadonlySet<Step> = new Set(['window:rolled']);
/** What makes the worker pass steps that walking alone does not. */
const NEEDS_ALARM: ReadonlySet<Step> = new Set(['sets:saved']);
const NEEDS_COMMAND: ReadonlySet<Step> = new Set(['command:received', 'command:written']);

async function hold(browser: Browser, step: Step, skip: number): Promise<void> {
  await browser.backstage.evaluate((hold) => chrome.storage.session.set({ hold, heldAt: '' }), {
    step,
    skip,
  });
}

/** The step at which the worker is held by now, waiting a little for it. */
async function heldAt(browser: Browser): Promise<string> {
  for (let tries = 0; tries < 20; tries++) {
    const { heldAt } = await browser.backstage.evaluate(() => chrome.storage.session.get('heldAt'));
    if (heldAt) return heldAt as string;
    await new Promise((done) => setTimeout(done, 50));
  }
  return '';
}

const letGo = (browser: Browser) => browser.backstage.evaluate(() => chrome.storage.session.remove('hold'));

test(
  'the worker is stopped 50 times during 300 visits and clicks',
  { tag: '@long' },
  async ({ onceover: browser, demo }) => {
    test.setTimeout(20 * 60_000);
    const round = await Round.start(browser, demo.url);
    const walk = new Walk(browser.context, demo.url, 20251130);
    const roll = dice(7);
    const steps = STEPS.filter((step) => !ELSEWHERE.has(step));
    const hit = new Map<string, number>();
    let stops = 0;
    let inside = 0;

    for (let n = 0; n < WALK; n++) {
      const isStop = n % (WALK / STOPS) === 3;
      if (!isStop) {
        await walk.step();
        continue;
      }
      stops += 1;
      if (stops % 2 === 0) {
        await Promise.all([
          walk.step(),
          new Promise((done) => setTimeout(done, roll(600))).then(() => browser.stopWorker()),
        ]);
        continue;
      }
      const step = steps[inside % steps.length]!;
      await hold(browser, step, step.startsWith('command') ? 0 : roll(2));
      if (NEEDS_ALARM.has(step)) {
        await browser.backstage.evaluate(() => chrome.alarms.create('save-sets', { when: Date.now() }));
      }
      const asked = NEEDS_COMMAND.has(step) ? ask(browser, 'resumeRound', { round: round.id }) : undefined;
      asked?.catch(() => undefined);
      await walk.step();
      const held = await heldAt(browser);
      if (held !== '') {
        hit.set(held, (hit.get(held) ?? 0) + 1);
        inside += 1;
      }
      await browser.stopWorker();
      await letGo(browser);
    }
    expect(stops).toBe(STOPS);
    expect(inside, 'stops inside a handler').toBeGreaterThanOrEqual(20);
    await expectAccount(round, walk);
  },
);

async function expectAccount(round: Round, walk: Walk): Promise<void> {
  const { shown, failed } = walk.account;
  const expected = [
    ...[...shown].map(([path, times]) => `visited ${path} ${times}`),
    ...[...failed].map(([path, times]) => `retrying ${path} ${times}`),
  ].toSorted();
  const stored = async () => {
    const rows = (await round.pageRows()).filter(({ state }) => state !== 'known');
    return rows
      .map(({ state, url, visits, tries }) => {
        const times = state === 'visited' ? visits : tries?.count;
        return `${state} ${url.replace(round.site, '')} ${times}`;
      })
      .toSorted();
  };
  await expect.poll(stored, { timeout: 60_000, intervals: [1000] }).toEqual(expected);
  const { counters } = await round.row();
  const sum = (counts: Map<string, number>) => [...counts.values()].reduce((total, n) => total + n, 0);
  expect(counters).toMatchObject({ visits: sum(shown), failed: sum(failed), visited: shown.size });
}
