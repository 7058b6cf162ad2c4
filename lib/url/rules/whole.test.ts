import { expect, test } from 'vitest';
import { DEFAULT_POLICY } from '../normalize.ts';
import { decodeWhole } from './whole.ts';

const decode = (text: string, pasted = true) =>
  decodeWhole(text, { policy: DEFAULT_POLICY, base: undefined, pasted });
const times = (text: string, layers: number): string =>
  layers === 0 ? text : times(encodeURIComponent(text), layers - 1);

test.each([
  ['https%3A%2F%2Fexample.com%2Fa%3Fid%3D1', 'https://example.com/a?id=1'],
  ['HTTP%3a%2f%2fexample.com', 'HTTP://example.com'],
  ['https:%2F%2Fexample.com%2Fa', 'https://example.com/a'],
  ['https:%252F%252Fexample.com%252Fa%2525', 'https://example.com/a%'],
  // Layers are those of the first escape: what was escaped before stays so.
  ['https%3A%2F%2Fexample.com%2F%252F%2525', 'https://example.com/%2F%25'],
  // Bytes above ASCII and broken escapes are left for rule 4.
  ['https%3A%2F%2Fexample.com%2F%A3%CE%E5%E4%B8%AD', 'https://example.com/%A3%CE%E5%E4%B8%AD'],
  ['https%3A%2F%2Fexample.com%2F100%', 'https://example.com/100%'],
  ['https%3A%2F%2Fuser%3Apw%40[%3A%3A1]%3A8080%2F', 'https://user:pw@[::1]:8080/'],
  // A raw tail was never encoded with the rest.
  ['https%3A%2F%2Fexample.com%2F%3Fid%3D1&utm_source=x', 'https://example.com/?id=1&utm_source=x'],
  ['https%3A%2F%2Fexample.com%2F%3Fid%3D1&q=a%26b', 'https://example.com/?id=1&q=a%26b'],
  ['https%3A//example.com/a%2520b?q=c%2B%2B#%2F', 'https://example.com/a%20b?q=c%2B%2B#%2F'],
  // Not a whole address.
  ['https://example.com/?u=https%3A%2F%2Fb.example', 'https://example.com/?u=https%3A%2F%2Fb.example'],
  ['ftp%3A%2F%2Fexample.com', 'ftp%3A%2F%2Fexample.com'],
  ['xhttps%3A%2F%2Fexample.com', 'xhttps%3A%2F%2Fexample.com'],
  ['https%2Fexample.com', 'https%2Fexample.com'],
])('%s', (before, after) => expect(decode(before)).toBe(after));

test('any number of layers', () => {
  const address = 'https://example.com/a b/中?q=1&r=%26';
  for (let layers = 1; layers < 8; layers++)
    expect(decode(times(address, layers))).toBe(decode(times(address, 1)));
});

test('never for what stands on a page', () =>
  expect(decode('https%3A%2F%2Fexample.com', false)).toBe('https%3A%2F%2Fexample.com'));
