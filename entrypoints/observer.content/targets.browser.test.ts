import * as fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { isPlain, Targets, type Target } from './targets.ts';

const { origin } = new URL(document.baseURI);

function link(written: string): HTMLAnchorElement {
  const element = document.createElement('a');
  element.setAttribute('href', written);
  return element;
}

afterEach(() => document.querySelector('base')?.remove());

const letters = fc.constantFrom(...'aZ09_-~/.?=&+%#;:@ !*\\\t'.split(''), '..', '/./', '%2e', 'ä', '//');
const anyPath = fc.array(letters, { maxLength: 20 }).map((parts) => `/${parts.join('')}`);

test('a plain path is read as the browser reads it', () => {
  fc.assert(
    fc.property(anyPath, (written) => {
      if (isPlain(written)) expect(origin + written).toBe(link(written).href);
    }),
    { numRuns: 2000 },
  );
});

test.each(['/', '/a', '/a/b.html?x=1&y=a+b', '/a//b', '/~user/', '/a?q=/x'])('%s is plain', (written) => {
  expect(isPlain(written)).toBe(true);
  expect(origin + written).toBe(link(written).href);
});

test.each([
  '//other.example/',
  '/a/../b',
  '/.',
  '/ä',
  '/a b',
  '/a#b',
  '/%2e%2e/',
  'a',
  '',
  '?x',
  'https://a.example/',
])('%j is for the browser', (written) => {
  expect(isPlain(written)).toBe(false);
});

test('every address is news once, however it is written and however often', () => {
  const written = fc.oneof(
    anyPath,
    anyPath.map((path) => path.slice(1)),
    anyPath.map((path) => origin + path),
    anyPath.map((path) => `https://other.example${path}`),
  );
  fc.assert(
    fc.property(fc.array(written, { maxLength: 30 }), (all) => {
      const news: string[] = [];
      const targets = new Targets(
        (href) => !href.includes('Z'),
        ({ href }) => news.push(href),
      );
      targets.begin();
      const links = all.map(link);
      const expected = new Set(links.map(({ href }) => href).filter((href) => href && !href.includes('Z')));
      for (const element of [...links, ...links]) {
        const href = targets.of(element)?.href;
        expect(href).toBe(expected.has(element.href) ? element.href : undefined);
      }
      expect(news.toSorted()).toEqual([...expected].toSorted());
    }),
    { numRuns: 300 },
  );
});

test('another base leads elsewhere, and what was known stays known', () => {
  const news: Target[] = [];
  const targets = new Targets(
    () => true,
    (target) => news.push(target),
  );
  targets.begin();
  const relative = link('page');
  const plain = link('/plain');
  const first = targets.of(relative);
  targets.of(plain);
  const base = Object.assign(document.createElement('base'), { href: '/below/' });
  document.head.append(base);
  targets.begin();
  expect(targets.of(relative)?.href).toBe(`${origin}/below/page`);
  expect(targets.of(plain)?.href).toBe(`${origin}/plain`);
  expect(targets.of(link(first!.href))).toBe(first);
  expect(news).toHaveLength(3);
  base.href = 'https://other.example/';
  targets.begin();
  expect(targets.of(plain)?.href).toBe('https://other.example/plain');
});

test('what no browser can read as an address is counted once; other sites and schemes are not', () => {
  let unreadable = 0;
  const targets = new Targets(
    (href) => href.startsWith(`${origin}/`),
    () => undefined,
    () => (unreadable += 1),
  );
  targets.begin();
  for (const written of [
    'http://[bad/',
    'http://[bad/',
    'http://a.example:99999/',
    'mailto:a@example.com',
    'javascript:0',
    'https://other.example/%zz',
    '/%zz',
  ])
    targets.of(link(written));
  expect(unreadable).toBe(2);
});

test('links of SVG have their address in an object, and namespaced ones no href attribute', () => {
  const targets = new Targets(
    () => true,
    () => undefined,
  );
  targets.begin();
  const element = document.createElementNS('http://www.w3.org/2000/svg', 'a');
  element.setAttributeNS('http://www.w3.org/1999/xlink', 'xlink:href', '/svg');
  expect(targets.of(element)?.href).toBe(`${origin}/svg`);
  expect(targets.of(link('/svg'))).toBe(targets.of(element));
});
