import { describe, expect, test } from 'vitest';
import corpus from '../../corpus/urls.json' with { type: 'json' };
import { compilePolicy, DEFAULT_POLICY, normalizeUrl } from './index.ts';

function keyOf(url: string): string {
  const result = normalizeUrl(url, DEFAULT_POLICY);
  return result.ok ? result.key : `${result.reason} ${url}`;
}

describe('corpus/urls.json', () => {
  test.each(corpus.cases)('$id', (sample) => {
    const result = normalizeUrl(sample.input, compilePolicy(sample.options ?? {}), sample.base);
    if (sample.expected !== null) expect(result).toMatchObject({ ok: true, key: sample.expected });
    else if (sample.reject === 'scheme')
      expect(result).toMatchObject({ ok: false, reason: 'unsupported-scheme' });
    else expect(result).toMatchObject({ ok: false, reason: expect.stringMatching(/^(invalid|empty)$/) });
  });

  test.each(corpus.mustDiffer)('$id: $why', ({ a, b }) => expect(keyOf(a)).not.toBe(keyOf(b)));

  test.each(corpus.mustEqual)('$id: $why', ({ urls }) => expect(new Set(urls.map(keyOf)).size).toBe(1));
});
