import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkCorpus, type Accepted, type Corpus } from '../cli/corpus.ts';
import { DEFAULT_POLICY } from '#lib/url/index.ts';

function read(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
}

test('every sample has the key that a person accepted; `npm run onceover -- check --accept` accepts new ones', () => {
  const { keys } = read('accepted-keys.json') as { keys: Accepted };
  const { changes, faults } = checkCorpus(read('urls.json') as Corpus, keys, DEFAULT_POLICY);
  expect({ changes, faults }).toEqual({ changes: [], faults: [] });
});

test('sample ids are unique', () => {
  const { cases = [], mustDiffer = [], mustEqual = [] } = read('urls.json') as Corpus;
  const ids = [...cases, ...mustDiffer, ...mustEqual].map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});
