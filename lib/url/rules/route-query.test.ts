import { describe, expect, test } from 'vitest';
import type { PolicyJson } from '../policy.ts';
import { apply } from './testing.ts';

const left = (route: string, policy: PolicyJson = {}, path = '/') =>
  apply('route-query', `https://example.com${path}#${route}`, policy).slice(
    `https://example.com${path}`.length,
  );

describe('tracking inside a route', () => {
  test.each([
    ['/a?utm_source=x&id=1', '#/a?id=1'],
    ['!a?gclid=1', '#!a'],
    ['!/a?b=1&gclid=1&a=2', '#!/a?b=1&a=2'],
    ['/a?u=1?utm_source=2', '#/a?u=1?utm_source=2'],
    // Everything else is left alone: order, empty pairs, spaces.
    ['/a?b=&&a+c&utm_source=x', '#/a?b=&&a+c'],
    ['/a?', '#/a?'],
    ['/a?&&', '#/a?&&'],
    ['/a&utm_source=x', '#/a&utm_source=x'],
  ])('#%s', (route, after) => expect(left(route)).toBe(after));

  test.each(['/?utm_source=x', '!?utm_source=x', '!/?utm_source=x&gclid=1'])(
    '#%s is emptied and goes',
    (route) => expect(left(route)).toBe(''),
  );

  test("the route's own path identifies, and so does the path of the page", () => {
    expect(left('/a?from=timeline')).toBe('#/a');
    expect(left('/?from=timeline')).toBe('#/?from=timeline');
    expect(left('/?from=timeline', {}, '/app')).toBe('');
    expect(left('/?from=timeline&id=1')).toBe('#/?id=1');
  });

  test('names are compared as in a query', () => {
    expect(left("/a?x[]=1&it's=2&a+b=3", { removeParams: ['x[]', "it's", 'a b'] })).toBe('#/a');
  });

  test('in routes only', () => {
    const keep = { siteRules: [{ host: 'example.com', fragment: 'keep' as const }] };
    expect(left('top?utm_source=x', keep)).toBe('#top?utm_source=x');
  });
});
