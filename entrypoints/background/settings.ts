import { browser } from 'wxt/browser';
import { readSettings, SETTINGS_KEY, type Settings } from '#lib/settings.ts';
import { publishObserved } from './recordings.ts';

export async function loadSettings(): Promise<Settings> {
  const stored: Record<string, unknown> = await browser.storage.local.get(SETTINGS_KEY);
  return readSettings(stored[SETTINGS_KEY]);
}

/** What observers are to read follows the choice in Options. */
export function listenToSettings(): void {
  browser.storage.local.onChanged.addListener((changes) => {
    if (SETTINGS_KEY in changes) void publishObserved();
  });
}
