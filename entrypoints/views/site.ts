/** What stands in the tab the popup was opened on. */
export type Site =
  | {
      kind: 'web';
      url: string;
      host: string;
      /** The match pattern to ask permission for. */ pattern: string;
      pdf: boolean;
    }
  /** Not a page of the web: nothing is recorded there, and why. */
  | { kind: 'browser' | 'extension' | 'file' | 'no-address' | 'store' };

/** Where Chromium and Firefox let no extension look. */
const STORES = ['chromewebstore.google.com', 'addons.mozilla.org'];

/** A tab's address as the popup sees it; an address that is kept from extensions is one of the browser's own pages. */
export function siteOf(address: string | undefined): Site {
  if (address === undefined || address === '') return { kind: 'browser' };
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return { kind: 'browser' };
  }
  switch (url.protocol) {
    case 'http:':
    case 'https:':
      break;
    case 'file:':
      return { kind: 'file' };
    case 'blob:':
    case 'data:':
    case 'javascript:':
      return { kind: 'no-address' };
    case 'chrome-extension:':
    case 'moz-extension:':
      return { kind: 'extension' };
    default:
      return { kind: 'browser' };
  }
  if (STORES.includes(url.hostname)) return { kind: 'store' };
  return {
    kind: 'web',
    url: address,
    host: url.hostname,
    // A pattern names no port: it covers them all.
    pattern: `${url.protocol}//${url.hostname}/*`,
    pdf: /\.pdf$/i.test(url.pathname),
  };
}
