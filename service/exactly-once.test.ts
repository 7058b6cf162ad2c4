import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { check, type Observed } from './checker.ts';
import { describeExactlyOnce } from './exactly-once.suite.testing.ts';
import { checkKills } from './exactly-once.testing.ts';
import { MemoryStore } from './stores/memory.ts';
import { SqliteStore } from './stores/sqlite.ts';

const folder = mkdtempSync(join(tmpdir(), 'onceover-once-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newFile = () => join(folder, `${files++}.sqlite`);

describe('the checker finds', () => {
  const at = (
    verb: 'mark' | 'is_seen',
    asked: number,
    answered: number,
    result?: 'fresh' | 'seen',
  ): Observed => ({
    verb,
    page: 'p',
    asked,
    answered,
    result,
  });
  test.each([
    ['two that are fresh', [at('mark', 0, 1, 'fresh'), at('mark', 2, 3, 'fresh')], true],
    ['none that is fresh', [at('mark', 0, 1, 'seen')], true],
    ['a mark that is gone', [at('mark', 0, 1, 'fresh')], false],
    ['a page that nobody marked', [at('is_seen', 0, 1, 'fresh')], true],
    ['fresh after seen', [at('mark', 0, 1, 'fresh'), at('is_seen', 2, 3, 'fresh')], true],
    ['seen before any mark', [at('is_seen', 0, 1, 'seen'), at('mark', 2, 3, 'fresh')], true],
    [
      'fresh after another mark was answered',
      [at('mark', 0, 1, 'seen'), at('mark', 2, 3, 'fresh'), at('mark', 0, Infinity)],
      true,
    ],
  ])('%s', (_, history, isPresent) => {
    expect(check(history, () => isPresent)).not.toEqual([]);
  });
  test('no fault where there is none', () => {
    const history = [
      at('is_seen', 0, 1, 'fresh'),
      at('mark', 0, 5, 'seen'),
      at('mark', 1, 4, 'fresh'),
      at('mark', 2, Infinity),
      at('is_seen', 3, 9, 'fresh'),
      at('is_seen', 6, 7, 'seen'),
    ];
    expect(check(history, () => true)).toEqual([
      // Asked before anybody knew, answered later: a call that took long.
    ]);
  });
});

describeExactlyOnce('memory', async () => new MemoryStore());
describeExactlyOnce('sqlite', async () => new SqliteStore(newFile()));

test('kill -9 in mid-batch: every acknowledged mark is there, and a replay gets its answers', async () => {
  await checkKills(`sqlite:${newFile()}`, 1, 2, 12);
});
