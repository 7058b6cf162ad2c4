import { expect, test } from 'vitest';
import { dropPathSessions } from './path-session.ts';

test.each([
  ['https://example.com/a;jsessionid=1?b', 'https://example.com/a?b'],
  ['https://example.com/a;JSessionID=1;v=2/b', 'https://example.com/a;v=2/b'],
  ['https://example.com/a;jsessionid=/b;jsessionid=2', 'https://example.com/a/b'],
  ['https://example.com/a;%6A%53essionid=1/b', 'https://example.com/a/b'],
  ['https://example.com\\a;jsessionid=1\\b', 'https://example.com\\a\\b'],
  ['https:example.com/a;jsessionid=1', 'https:example.com/a'],
  ['https://example.com/a/..;jsessionid=1/b', 'https://example.com/a/../b'],
  // A space that comes to stand at the end is still data.
  ['https://example.com/a ;jsessionid=1', 'https://example.com/a%20'],
  ['https://example.com/a\0;jsessionid=1', 'https://example.com/a%00'],
])('%j', (before, after) => expect(dropPathSessions(before)).toBe(after));

test.each([
  'https://example.com/a;jsessionid',
  'https://example.com/a%3Bjsessionid=1',
  'https://example.com/a;jsessionid%3D1',
  'https://example.com/a;xjsessionid=1',
  'https://example.com/a?b;jsessionid=1',
  'https://example.com/a#b;jsessionid=1',
  'https://user;jsessionid=1@example.com/',
  'https://exam;jsessionid=1ple.com/',
])('%s is left alone', (text) => expect(dropPathSessions(text)).toBe(text));
