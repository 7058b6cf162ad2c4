import { expect, test } from 'vitest';
import { webAddress } from './address.ts';

test.each([
  ['https://a.example/x?y#z', 'https://a.example/x?y#z'],
  ['https://anna:secret@a.example/x', 'https://a.example/x'],
  ['https://anna@a.example/x', 'https://a.example/x'],
  ['http://a.example:80/x', 'http://a.example/x'],
  ['https://a.example/x#:~:text=secret', 'https://a.example/x'],
  ['https://a.example/x#:%7E:text=secret', 'https://a.example/x'],
  ['https://a.example/x#part:~:text=secret', 'https://a.example/x#part'],
  ['https://a.example/#/route:~:text=secret', 'https://a.example/#/route'],
  ['https://a.example/x?q=:~:text', 'https://a.example/x?q=:~:text'],
  ['HTTPS://a.example/', 'https://a.example/'],
])('%s is kept as %s', (raw, kept) => {
  expect(webAddress(raw)).toBe(kept);
});

test.each([
  '',
  'about:blank',
  'chrome://version/',
  'data:text/html,x',
  'blob:https://a.example/1',
  'file:///etc/hosts',
  'javascript:alert(1)',
  'https://[bad/',
  'httpsx://a.example/',
])('%s is no page of the web', (raw) => {
  expect(webAddress(raw)).toBeUndefined();
});
