import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Round, Schedule } from './types.ts';
import { dueWindow, windowAt, type Offset } from './windows.ts';

const HOUR = 3_600_000;
const utc = (text: string) => Date.parse(`${text}Z`);

/** A time zone by its changes: minutes ahead of UTC from each moment on. */
const zone =
  (...changes: [string, number][]): Offset =>
  (at) =>
    changes.findLast(([from]) => at >= utc(from))?.[1] ?? changes[0]![1];

const berlin = zone(['2020-01-01T00:00', 60], ['2025-03-30T01:00', 120], ['2025-10-26T01:00', 60]);
const newYork = zone(['2020-01-01T00:00', -300], ['2025-03-09T07:00', -240], ['2025-11-02T06:00', -300]);
const kathmandu = zone(['2020-01-01T00:00', 345]);
const lordHowe = zone(['2020-01-01T00:00', 660], ['2025-04-05T15:00', 630], ['2025-10-04T15:30', 660]);
const ZONES = { berlin, newYork, kathmandu, lordHowe };

describe('windowAt', () => {
  it.each<[string, Schedule, string, Offset, string, string]>([
    ['a day', { every: 'day', hour: 6 }, '2025-06-10T12:00', berlin, '2025-06-10T04:00', '2025-06-11T04:00'],
    [
      'before its hour it is yesterday',
      { every: 'day', hour: 6 },
      '2025-06-10T03:59',
      berlin,
      '2025-06-09T04:00',
      '2025-06-10T04:00',
    ],
    [
      'the edge belongs to the new one',
      { every: 'day', hour: 6 },
      '2025-06-10T04:00',
      berlin,
      '2025-06-10T04:00',
      '2025-06-11T04:00',
    ],
    [
      '23 hours in spring',
      { every: 'day', hour: 0 },
      '2025-03-30T10:00',
      berlin,
      '2025-03-29T23:00',
      '2025-03-30T22:00',
    ],
    [
      '25 hours in autumn',
      { every: 'day', hour: 0 },
      '2025-10-26T10:00',
      berlin,
      '2025-10-25T22:00',
      '2025-10-26T23:00',
    ],
    [
      'an hour that is left out',
      { every: 'day', hour: 2 },
      '2025-03-30T01:00',
      berlin,
      '2025-03-30T01:00',
      '2025-03-31T00:00',
    ],
    [
      'an hour that comes twice',
      { every: 'day', hour: 1 },
      '2025-11-02T06:30',
      newYork,
      '2025-11-02T05:00',
      '2025-11-03T06:00',
    ],
    [
      'an hour',
      { every: 'hours', hours: 1 },
      '2025-06-10T12:20',
      kathmandu,
      '2025-06-10T12:15',
      '2025-06-10T13:15',
    ],
    [
      'the hour that comes twice is two',
      { every: 'hours', hours: 1 },
      '2025-11-02T06:30',
      newYork,
      '2025-11-02T06:00',
      '2025-11-02T07:00',
    ],
    [
      'six hours',
      { every: 'hours', hours: 6 },
      '2025-06-10T09:59',
      berlin,
      '2025-06-10T04:00',
      '2025-06-10T10:00',
    ],
    [
      'the rest of a day',
      { every: 'hours', hours: 7 },
      '2025-06-10T21:00',
      berlin,
      '2025-06-10T19:00',
      '2025-06-10T22:00',
    ],
    [
      'half an hour is taken back',
      { every: 'hours', hours: 1 },
      '2025-04-05T15:10',
      lordHowe,
      '2025-04-05T15:00',
      '2025-04-05T15:30',
    ],
  ])('%s', (_, schedule, at, offset, start, end) => {
    expect(windowAt(schedule, utc(at), offset)).toEqual({ start: utc(start), end: utc(end) });
  });

  it('covers all time, without gap or overlap, in every zone', () => {
    const schedules = fc.oneof(
      fc.record({ every: fc.constant('day' as const), hour: fc.nat(23) }),
      fc.record({ every: fc.constant('hours' as const), hours: fc.integer({ min: 1, max: 24 }) }),
    );
    const moments = fc.integer({ min: utc('2025-01-01T00:00'), max: utc('2026-01-01T00:00') });
    fc.assert(
      fc.property(schedules, moments, fc.constantFrom(...Object.values(ZONES)), (schedule, at, offset) => {
        const { start, end } = windowAt(schedule, at, offset);
        expect(start <= at && at < end).toBe(true);
        expect(end - start).toBeLessThanOrEqual(25 * HOUR);
        expect(windowAt(schedule, start, offset)).toEqual({ start, end });
        expect(windowAt(schedule, end - 1, offset)).toEqual({ start, end });
        expect(windowAt(schedule, end, offset).start).toBe(end);
      }),
      { numRuns: 300 },
    );
  });
});

describe('dueWindow', () => {
  const daily: Schedule = { every: 'day', hour: 6 };
  const round = (startedAt: string, more: Partial<Round> = {}): Round => ({
    id: 'r',
    scope: 's',
    space: 'r',
    number: 1,
    state: 'open',
    startedAt: utc(startedAt),
    baseSize: 0,
    policy: {},
    policyVersion: '',
    counters: {} as Round['counters'],
    ...more,
  });
  const due = (last: Round | undefined, now: string, offset = berlin) =>
    dueWindow(daily, last, utc(now), offset);
  const window = { start: utc('2025-06-10T04:00'), end: utc('2025-06-11T04:00') };

  it('opens the first round at once', () => {
    expect(due(undefined, '2025-06-10T12:00')).toEqual(window);
  });
  it('waits for the end of the window, also when the person ended the round before', () => {
    expect(due(round('2025-06-10T04:00', { window }), '2025-06-11T03:59')).toBeUndefined();
    const ended = round('2025-06-10T04:00', { window, state: 'ended', endedAt: utc('2025-06-10T09:00') });
    expect(due(ended, '2025-06-10T12:00')).toBeUndefined();
    expect(due(round('2025-06-10T12:00'), '2025-06-11T03:59')).toBeUndefined();
  });
  it('opens the window of now after sleep, and none for what passed', () => {
    expect(due(round('2025-06-10T04:00', { window }), '2025-06-13T12:00')?.start).toBe(
      utc('2025-06-13T04:00'),
    );
  });
  it('opens nothing when the clock was set back', () => {
    expect(due(round('2025-06-10T04:00', { window }), '2025-06-08T12:00')).toBeUndefined();
  });
  it('never overlaps the round before after a journey to another zone', () => {
    expect(due(round('2025-06-10T04:00', { window }), '2025-06-11T04:30', newYork)?.start).toBe(window.end);
  });
});
