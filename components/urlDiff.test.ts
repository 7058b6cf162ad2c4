import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearby, urlDiff, type Piece } from './urlDiff.ts';

const spell = (pieces: Piece[], kind: 'cut' | 'put'): string =>
  pieces
    .filter((piece) => piece.kind === 'same' || piece.kind === kind)
    .map(({ text }) => text)
    .join('');

describe('urlDiff', () => {
  it('spells both addresses, whatever they are', () => {
    const address = fc.oneof(
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^[a-c&=]{0,40}$/),
    );
    fc.assert(
      fc.property(address, address, (before, after) => {
        const pieces = urlDiff(before, after);
        expect(spell(pieces, 'cut')).toBe(before);
        expect(spell(pieces, 'put')).toBe(after);
      }),
    );
  });

  it('shows what went and what came, and nothing else', () => {
    expect(urlDiff('https://Shop.example.com:443/item', 'https://shop.example.com/item')).toEqual([
      { kind: 'same', text: 'https://' },
      { kind: 'cut', text: 'Shop' },
      { kind: 'put', text: 'shop' },
      { kind: 'same', text: '.example.com' },
      { kind: 'cut', text: ':443' },
      { kind: 'same', text: '/item' },
    ]);
  });

  it('stays quick where nearly everything differs', () => {
    const long = (letter: string): string => `https://example.com/?${`${letter}=1&`.repeat(20_000)}`;
    const start = performance.now();
    expect(spell(urlDiff(long('a'), long('b')), 'put')).toBe(long('b'));
    expect(performance.now() - start).toBeLessThan(500);
  });
});

describe('nearby', () => {
  it('keeps changes whole and shortens what is far from them', () => {
    const pieces = urlDiff(
      `https://example.com/${'a/'.repeat(50)}?utm_source=x`,
      `https://example.com/${'a/'.repeat(50)}`,
    );
    const short = nearby(pieces, 10);
    expect(short).toEqual([
      { kind: 'same', text: '…/a/a/a/a/a/'.slice(0, 1) + 'a/'.repeat(50).slice(-10) },
      { kind: 'cut', text: '?utm_source=x' },
    ]);
  });
});
