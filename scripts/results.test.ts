import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { countPlaywright, countTests, countVitest } from './results.mjs';

const folder = mkdtempSync(join(tmpdir(), 'onceover-results-'));
afterAll(() => rmSync(folder, { recursive: true }));
function stored(report: unknown): string {
  const file = join(folder, 'report.json');
  writeFileSync(file, typeof report === 'string' ? report : JSON.stringify(report));
  return file;
}

const vitest = (passed: number, failed: number, files: object[] = []) => ({
  numPassedTests: passed,
  numFailedTests: failed,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: files,
});
const broken = { status: 'failed', assertionResults: [] };
const stats = (expected: number, unexpected: number, flaky = 0) => ({
  expected,
  unexpected,
  flaky,
  skipped: 0,
});

describe('a runner is never counted better than it ended', () => {
  test.each([
    ['all passed', countVitest, vitest(5, 0), 0, 5, 0],
    ['some failed', countVitest, vitest(5, 2), 1, 5, 2],
    ['a file that could not be loaded', countVitest, vitest(5, 0, [broken]), 1, 5, 1],
    ['an error outside every test', countVitest, vitest(5, 0), 1, 5, 1],
    ['no test at all', countVitest, vitest(0, 0), 0, 0, 1],
    ['killed', countVitest, vitest(5, 0), null, 5, 1],
    ['half a report', countVitest, '{"numPass', 1, 0, 1],
    ['browser tests passed', countPlaywright, { stats: stats(3, 0), errors: [] }, 0, 3, 0],
    ['a browser test that passed only when tried again', countPlaywright, { stats: stats(3, 0, 1) }, 0, 3, 1],
    ['an error outside every browser test', countPlaywright, { stats: stats(3, 0), errors: [{}] }, 1, 3, 1],
  ])('%s', (_, counter, report, status, passed, failed) => {
    expect(countTests(counter, stored(report), status)).toMatchObject({ passed, failed });
  });

  test('no report', () => {
    expect(countTests(countVitest, join(folder, 'none.json'), 0)).toMatchObject({ passed: 0, failed: 1 });
  });
});
