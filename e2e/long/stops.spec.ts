// The worker is stopped again and again, half of the times inside a handler: the stored round must equal what was done.
import { STEPS, type Step } from '#lib/steps.ts';
import { SENDER_STEPS } from '#lib/store/faults.ts';
import { ask, Round } from '../capture/round.ts';
import type { Browser } from '../harness/browser.ts';
import { expect, test } from '../harness/test.ts';
import { dice, Walk } from './walk.ts';

test.use({ launch: { grant: 'start' } });

const WALK = 300;
const STOPS = 50;
/** Rounds opened by the clock need a clock that can be set: lib/store tests them. What sends to a service, e2e/service.spec.ts stops. */
const ELSEWHERE: ReadonlySet<Step> = new Set<Step>([...SENDER_STEPS, 'window:rolled']);
/** What makes the worker pass steps that walking alone does not. */
const NEEDS_ALARM: ReadonlySet<Step> = new Set(['sets:saved']);
const needsCommand = (step: Step) => step.startsWith('command:');

async function hold(browser: Browser, step: Step, skip: number): Promise<void> {
  await browser.backstage.evaluate((hold) => chrome.storage.session.set({ hold, heldAt: '' }), {
    step,
    skip,
  });
}

async function heldAt(browser: Browser): Promise<string> {
  const stored = await browser.backstage.evaluate(() => chrome.storage.session.get({ heldAt: '' }));
  return String(stored.heldAt);
}

/**
 * Stops the worker as soon as it is held, as if it died there: nothing waits for a worker that is dead. Answers whether
 * it was held before `isOver`.
 */
async function stopWhenHeld(browser: Browser, isOver: () => boolean): Promise<boolean> {
  for (;;) {
    const last = isOver();
    const isHeld = (await heldAt(browser)) !== '';
    if (isHeld || last) {
      await browser.stopWorker();
      return isHeld;
    }
    await new Promise((done) => setTimeout(done, 20));
  }
}

/** A start of the worker sets its alarms anew, so this is done while it is up. */
async function ringAlarm(browser: Browser): Promise<void> {
  await browser.backstage.evaluate(() => chrome.alarms.create('save-sets', { when: Date.now() }));
  await new Promise((done) => setTimeout(done, 1000));
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
    // Links are written only while they are new: once, and first.
    const others = STEPS.filter((step) => !ELSEWHERE.has(step) && step !== 'links:chunk');
    const steps: Step[] = ['links:chunk', ...others];
    const hit = new Set<string>();
    const missed: string[] = [];
    let stops = 0;
    let inside = 0;

    while (walk.done < WALK || stops < STOPS) {
      if (walk.done < (stops * WALK) / STOPS) {
        await walk.step();
        continue;
      }
      stops += 1;
      if (process.env.VERBOSE) console.log(stops, walk.done, inside, new Date().toISOString());
      if (stops % 2 === 0) {
        await Promise.all([
          walk.step(),
          new Promise((done) => setTimeout(done, roll(600))).then(() => browser.stopWorker()),
        ]);
        continue;
      }
      const step = steps[inside] ?? others[(inside - steps.length) % others.length]!;
      await hold(browser, step, /^(command|route|links)/.test(step) ? 0 : roll(2));
      const asked = needsCommand(step) ? ask(browser, 'resumeRound', { round: round.id }) : undefined;
      asked?.catch(() => undefined);
      let isOver = false;
      const stopped = stopWhenHeld(browser, () => isOver);
      for (let tries = 0; tries < 3 && (await heldAt(browser)) === ''; tries++) {
        await (step.startsWith('route') ? walk.route() : walk.step());
        if (NEEDS_ALARM.has(step)) await ringAlarm(browser);
      }
      await new Promise((done) => setTimeout(done, 500));
      isOver = true;
      if (await stopped) hit.add(step);
      else missed.push(step);
      inside += 1;
      await letGo(browser);
    }
    expect(stops).toBe(STOPS);
    await expectAccount(round, walk);
    expect(missed, 'steps at which no handler could be held').toEqual([]);
    expect(inside, 'stops inside a handler').toBe(STOPS / 2);
    expect(steps.filter((step) => !hit.has(step))).toEqual([]);
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
      .map(({ state, key, visits, tries }) => {
        const times = state === 'visited' ? visits : tries?.count;
        return `${state} ${key.replace(round.site, '')} ${times}`;
      })
      .toSorted();
  };
  await expect.poll(stored, { timeout: 60_000, intervals: [1000] }).toEqual(expected);
  const { counters } = await round.row();
  const sum = (counts: Map<string, number>) => [...counts.values()].reduce((total, n) => total + n, 0);
  expect(counters).toMatchObject({ visits: sum(shown), failed: sum(failed), visited: shown.size });
}
