import { describe, expect, it } from 'vitest';
import { siteOf } from './site.ts';

describe('siteOf', () => {
  it('asks for the one site, whatever its port and path', () => {
    expect(siteOf('http://127.0.0.1:8123/a?b#c')).toEqual({
      kind: 'web',
      url: 'http://127.0.0.1:8123/a?b#c',
      host: '127.0.0.1',
      pattern: 'http://127.0.0.1/*',
      pdf: false,
    });
    expect(siteOf('https://[::1]:8/x')).toMatchObject({ kind: 'web', pattern: 'https://[::1]/*' });
    expect(siteOf('https://user:pw@Shop.Example.com/')).toMatchObject({
      pattern: 'https://shop.example.com/*',
    });
    expect(siteOf('https://bücher.example/')).toMatchObject({ host: 'xn--bcher-kva.example' });
  });

  it.each([
    [undefined, 'browser'],
    ['', 'browser'],
    ['chrome://settings/', 'browser'],
    ['about:blank', 'browser'],
    ['view-source:https://example.com/', 'browser'],
    ['not an address', 'browser'],
    ['chrome-extension://abc/dashboard.html', 'extension'],
    ['file:///tmp/a.html', 'file'],
    ['data:text/html,hi', 'no-address'],
    ['blob:https://example.com/123', 'no-address'],
    ['https://chromewebstore.google.com/detail/x', 'store'],
  ])('%s is %s', (address, kind) => {
    expect(siteOf(address)).toEqual({ kind });
  });

  it('tells a PDF by its address', () => {
    expect(siteOf('https://example.com/a/Report.PDF?x=1')).toMatchObject({ kind: 'web', pdf: true });
  });
});
