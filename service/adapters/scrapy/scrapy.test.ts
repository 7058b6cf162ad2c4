import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';

const python = ['/usr/bin/python3', '/usr/local/bin/python3'].find(existsSync);
if (python === undefined && process.env['CI'] !== 'true')
  console.error('There is no python3, so the HTTP part of the Scrapy adapter is not tested.');

// With Scrapy itself: npm run test:tools.
test.skipIf(python === undefined && process.env['CI'] !== 'true')('the tests in Python', () => {
  const words = ['-m', 'unittest', 'discover', '-s', import.meta.dirname, '-p', 'test_*.py'];
  const { status, stderr } = spawnSync(python!, words, { encoding: 'utf8', timeout: 50_000 });
  expect(stderr).toMatch(/Ran \d\d tests/);
  expect(status, stderr).toBe(0);
});
