import { pack } from '#lib/content/delta.ts';
import { snapshotOf } from '#lib/content/snapshot.testing.ts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readRequest } from './validate.ts';

const document = {
  v: 1,
  id: 'a:0',
  type: 'document',
  event: 'a:0',
  url: 'https://shop.example.com/',
  title: 'Shop',
  at: 1,
  status: 200,
  restored: false,
  navigation: 'navigate',
  referrer: '',
};
const scope = { name: 'Shop', origins: ['https://shop.example.com/*'] };

test.each<[string, object]>([
  ['document', document],
  [
    'click',
    {
      type: 'click',
      event: 'a:1',
      url: 'https://a.example/',
      href: 'https://a.example/b',
      text: '',
      how: 'link',
      newTab: false,
      at: 2,
    },
  ],
  [
    'links',
    {
      type: 'links',
      event: 'a:2',
      url: 'about:srcdoc',
      links: ['https://a.example/'],
      collapsed: 0,
      refused: 0,
    },
  ],
  [
    'content',
    {
      type: 'content',
      event: 'a:3',
      url: 'https://a.example/',
      frame: '0.2',
      text: pack(snapshotOf([{ text: 'UP', row: 'mail' }])),
      isFirst: true,
      busy: false,
    },
  ],
  ['startRound', { type: 'startRound', scope, base: 'none' }],
  ['startRound', { type: 'startRound', scope: { id: 'x' }, base: 'last' }],
  ['pauseRound', { type: 'pauseRound', round: 'r', until: null }],
  ['updateScope', { type: 'updateScope', scope: 's', schedule: { every: 'day', hour: 9 } }],
  ['updateScope', { type: 'updateScope', scope: 's', schedule: null }],
  ['pauseSite', { type: 'pauseSite', round: 'r', host: 'shop.example.com', paused: true }],
  ['markPage', { type: 'markPage', space: 's', key: 'k', state: null }],
  ['markPage', { type: 'markPage', space: 's', key: 'k', state: 'retrying', reason: 'login', at: 5 }],
  ['setAlias', { type: 'setAlias', scope: 's', from: 'k', accept: null }],
  ['nextUnvisited', { type: 'nextUnvisited', round: 'r', open: true, retry: true, host: 'a', prefix: '/b' }],
  ['health', { type: 'health' }],
])('%s is understood', (_, message) => {
  const full = { v: 1, id: 'm', ...message };
  expect(readRequest(full)).toEqual({ request: full });
});

describe('what is wrong is refused in words', () => {
  test.each<[string, unknown, string]>([
    ['no message', undefined, 'not a message'],
    ['a list', [], 'not a message'],
    ['another version', { ...document, v: 2 }, 'protocol version'],
    ['no id', { ...document, id: undefined }, '"id"'],
    ['an id with markup', { ...document, id: '<b>' }, '"id"'],
    ['an unknown type', { v: 1, id: 'm', type: 'format' }, 'unknown type'],
    ['a type of Object', { v: 1, id: 'm', type: 'constructor' }, 'unknown type'],
    ['an unknown field', { ...document, extra: 1 }, 'unknown field "extra"'],
    ['a missing field', { ...document, url: undefined }, '"url"'],
    ['another scheme', { ...document, url: 'javascript:alert(1)' }, '"url"'],
    ['a time that is none', { ...document, at: NaN }, '"at"'],
    ['a title without end', { ...document, title: 'x'.repeat(1001) }, '"title"'],
    [
      'too many links',
      {
        v: 1,
        id: 'm',
        type: 'links',
        event: 'e',
        url: '',
        links: Array.from({ length: 2001 }, () => 'https://a.example/'),
        collapsed: 0,
        refused: 0,
      },
      '"links"',
    ],
    [
      'a link that is none',
      {
        v: 1,
        id: 'm',
        type: 'links',
        event: 'e',
        url: '',
        links: ['mailto:a@example.com'],
        collapsed: 0,
        refused: 0,
      },
      '"links"',
    ],
    [
      'an origin that is no site',
      { v: 1, id: 'm', type: 'startRound', scope: { name: '', origins: ['<all_urls>'] }, base: 'none' },
      '"scope"',
    ],
    [
      'an unknown field deep inside',
      { v: 1, id: 'm', type: 'startRound', scope: { ...scope, evil: 1 }, base: 'none' },
      '"scope"',
    ],
    [
      'an hour that is none',
      { v: 1, id: 'm', type: 'updateScope', scope: 's', schedule: { every: 'day', hour: 24 } },
      '"schedule"',
    ],
  ])('%s', (_, message, words) => {
    const answer = readRequest(message);
    expect(answer).toHaveProperty('wrong');
    expect('wrong' in answer && answer.wrong).toContain(words);
  });
});

test('whatever comes, an answer and no exception', () => {
  const anything = fc.oneof(
    fc.anything(),
    fc.record({
      v: fc.constant(1),
      id: fc.constant('m'),
      type: fc.constantFrom('document', 'links', 'startRound', 'undo'),
      scope: fc.anything(),
      links: fc.anything(),
      undo: fc.anything(),
    }),
  );
  fc.assert(
    fc.property(anything, (message) => {
      const answer = readRequest(message);
      expect('request' in answer || 'wrong' in answer).toBe(true);
    }),
    { numRuns: 300 },
  );
});
