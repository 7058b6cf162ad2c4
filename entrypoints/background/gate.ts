import { browser } from 'wxt/browser';

/**
 * Whether anything at all may be recorded there: never in private windows. The manifest says `incognito: not_allowed`
 * already; this is the one place that would have to change if it did not.
 */
export function mayRecord(tab?: { incognito: boolean }): boolean {
  return !browser.extension.inIncognitoContext && !tab?.incognito;
}
