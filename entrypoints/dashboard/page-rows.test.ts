import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createText, type Catalogue } from '#components/i18n.ts';
import type { Page, Round } from '#lib/rounds/types.ts';
import { workingDay } from '#lib/rounds/working-day.fixture.ts';
import { filterTabs, tableRow, timeHeads } from './page-rows.ts';

const NOW = new Date(2026, 10, 30, 12).getTime();
const MINUTE = 60_000;
const catalogue = new URL('../../public/_locales/en/messages.json', import.meta.url);
const text = createText('en', JSON.parse(readFileSync(catalogue, 'utf8')) as Catalogue);
const day = workingDay(NOW, 0);
const [base, round] = day.rounds as [Round, Round];
const visited = day.pages.find(({ space, state }) => space === round.space && state === 'visited')!;

const row = (more: Partial<Page>, show: Parameters<typeof timeHeads>[0] = 'all') =>
  tableRow({ ...visited, ...more }, round, { show, before: undefined, team: undefined }, text, NOW);

describe('the list of what is to be tried again', () => {
  const tries = { count: 2, lastAt: NOW - 5 * MINUTE, nextAt: NOW + 30 * MINUTE };
  it.each<[string, Partial<Page>, string, string[]]>([
    ['a status', { tries: { ...tries, status: 503 } }, 'Answered 503: 2 tries', ['11:55', '12:30']],
    [
      'an error',
      { tries: { ...tries, error: 'net::ERR_TIMED_OUT' } },
      'Timeout: 2 tries',
      ['11:55', '12:30'],
    ],
    ['a sink', { reason: 'sink', tries }, 'Led to a login or error page: 2 tries', ['11:55', '12:30']],
    ['a captcha', { reason: 'captcha', tries: { ...tries, count: 1 } }, 'Captcha: 1 try', ['11:55', '12:30']],
    [
      'no access',
      { reason: 'no-access', tries: { ...tries, status: 403 } },
      'No access (403): 2 tries',
      ['11:55', '12:30'],
    ],
    [
      'a try that is due',
      { tries: { ...tries, nextAt: NOW - 1, status: 502 } },
      'Answered 502: 2 tries',
      ['11:55', 'now'],
    ],
    ['nothing known', { tries }, '2 tries', ['11:55', '12:30']],
  ])('tells of %s the cause, the tries, the last and the next', (_, more, why, times) => {
    const made = row({ state: 'retrying', changed: false, ...more }, 'retrying');
    expect({ why: made.why, times: made.times }).toEqual({ why, times });
    expect(timeHeads('retrying', base, text, NOW)).toEqual(['Last try', 'Next try']);
  });

  it('tells everything in one sentence where other pages stand beside it', () => {
    const { why } = row({ state: 'retrying', changed: false, tries: { ...tries, status: 503 } });
    expect(why).toBe('Answered 503: 2 tries, next at 12:30');
  });
});

it.each<[Partial<Page>, string]>([
  [{ verdict: 'problem', note: 'no price' }, 'Problem · no price: Text differs'],
  [{ verdict: 'skip' }, 'Skip: Text differs'],
  [{ note: 'ask Ann' }, 'ask Ann: Text differs'],
  [{}, 'Text differs'],
])('a row begins with the word of the person: %j', (more, why) => {
  expect(row({ changed: true, ...more }).why).toBe(why);
});

it.each<[string, Partial<Page>, string]>([
  ['a file', { reason: 'download' }, 'Gives a file, not a page'],
  ['another site', { reason: 'outside' }, 'Leads out of the project'],
  ['a hint', { hint: 'https://shop.example.com/issues/7' }, 'In an earlier round it led to /issues/7'],
  ['the base round', { inBase: true }, 'In the last round only'],
])('what is left says why: %s', (_, more, why) => {
  expect(row({ state: 'known', visits: 0, inBase: false, ...more }).why).toBe(why);
});

it('counts beside a tab are of the own base only', () => {
  const counts = (with_: Round | undefined) =>
    Object.fromEntries(filterTabs(round, text, with_).map(({ id, count }) => [id, count]));
  expect(counts(base)).toEqual(counts(undefined));
  expect(counts(base).changed).toBe(round.counters.changed);
  const other = { ...base, id: 'another' };
  expect(counts(other)).toMatchObject({
    all: undefined,
    left: undefined,
    new: undefined,
    changed: undefined,
  });
  expect(counts(other).gone).toBe(round.counters.gone);
});
