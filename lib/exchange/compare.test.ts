import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compilePolicy, DEFAULT_POLICY, normalizeUrl, storeKey } from '#lib/url/index.ts';
import { compareWithRound, importLinks } from './index.ts';
import type { ImportedLink } from './index.ts';

async function* goodLinks(text: string): AsyncGenerator<ImportedLink> {
  const policy = compilePolicy({ htmlEntities: true });
  for await (const link of importLinks([Buffer.from(text)], { policy })) if (link.ok) yield link;
}

async function* pagesOf(urls: string[]) {
  for (const url of urls) {
    const result = normalizeUrl(url, DEFAULT_POLICY);
    if (!result.ok) continue;
    const key = storeKey(result.key);
    yield key === result.key ? { key, url } : { key, fullKey: result.key, url };
  }
}

test('every page and every link is in exactly one place, long keys too', async () => {
  const numbers = fc.uniqueArray(fc.nat(12), { maxLength: 12 });
  const urlOf = (number: number) => `https://a.example.com/${number === 12 ? 'x'.repeat(3000) : number}`;
  await fc.assert(
    fc.asyncProperty(numbers, numbers, async (file, round) => {
      const text = file.map((number) => `${urlOf(number)}?utm_source=crawler\n${urlOf(number)}\n`).join('');
      const found: Record<string, string> = {};
      for await (const { where, url } of compareWithRound(goodLinks(text), pagesOf(round.map(urlOf)))) {
        const plain = url.replace('?utm_source=crawler', '');
        expect(found[plain]).toBeUndefined();
        found[plain] = where;
      }
      const expected = [...new Set([...file, ...round])].map((number) => [
        urlOf(number),
        file.includes(number) ? (round.includes(number) ? 'both' : 'file') : 'round',
      ]);
      expect(found).toEqual(Object.fromEntries(expected));
    }),
  );
});
