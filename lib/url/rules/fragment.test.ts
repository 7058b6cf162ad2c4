import { describe, expect, test } from 'vitest';
import { apply } from './testing.ts';

const keep = { siteRules: [{ host: 'example.com', path: '/docs/*', fragment: 'keep' as const }] };
const drop = { siteRules: [{ host: 'example.com', fragment: 'drop' as const }] };
const left = (fragment: string, policy = {}, path = '/docs/a') =>
  apply('fragment', `https://example.com${path}#${fragment}`, policy).slice(
    `https://example.com${path}`.length,
  );

describe('by default', () => {
  test.each([
    '',
    'top',
    '#/a',
    '!',
    '/',
    '!/',
    ':~:text=a',
    'a:~:text=/b',
    '/:~:text=a',
    '!/:~:',
    '%2Fa',
    '%21a',
  ])('#%s goes', (fragment) => expect(left(fragment)).toBe(''));
  test.each(['/a', '!a', '!/a', '//', '/?', '!!', '/a?utm_source=x'])('#%s stays', (fragment) =>
    expect(left(fragment)).toBe(`#${fragment}`),
  );
  test('a route without its text directive', () => expect(left('/a:~:text=b:~:c')).toBe('#/a'));
});

describe('a site rule decides otherwise', () => {
  test('keep', () => {
    expect(left('top', keep)).toBe('#top');
    expect(left('/', keep)).toBe('#/');
    expect(left('', keep)).toBe('');
    expect(left('top:~:text=a', keep)).toBe('#top');
    expect(left('top', keep, '/other')).toBe('');
  });
  test('drop', () => expect(left('/a', drop)).toBe(''));
  test('the more specific one', () => {
    const both = { siteRules: [...drop.siteRules, ...keep.siteRules] };
    expect(left('/a', both)).toBe('#/a');
    expect(left('/a', both, '/app')).toBe('');
  });
});
