// Reads what the runners report (JSON) into two numbers. Built-ins only.
import { readFileSync } from 'node:fs';

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Count
 */

/**
 * Counts the tests of a Vitest JSON report. A file that could not be loaded has no tests and counts as one failed.
 * @returns {Count}
 */
export function countVitest(report) {
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
  };
}

/**
 * Counts the tests of a Playwright JSON report. Errors outside tests (a file that could not be loaded) count as failed,
 * and so does a test that passed only when tried again.
 * @returns {Count}
 */
export function countPlaywright(report) {
  const { expected, unexpected, flaky, skipped } = report.stats;
  return { passed: expected, failed: unexpected + flaky + (report.errors?.length ?? 0), skipped };
}

/** The report, or undefined where there is none or only a part of it. */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * The count of one runner, never better than its exit code: no report, no test at all, or a failure outside every test
 * is one failed.
 * @param {(report: any) => Count} counter
 * @param {string} file the JSON report
 * @param {number | null} status exit code of the runner
 * @returns {Count}
 */
export function countTests(counter, file, status) {
  const report = readReport(file);
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const count = counter(report);
  const unexplained = count.failed === 0 && (status !== 0 || count.passed === 0);
  return unexplained ? { ...count, failed: 1 } : count;
}
