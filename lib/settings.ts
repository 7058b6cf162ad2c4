/** What the person chose in Options; kept in `storage.local` under {@link SETTINGS_KEY}. */
export interface Settings {
  /** `auto`: the browser's. */
  language: 'auto' | 'en' | 'zh_CN';
  /** `auto`: the system's. */
  theme: 'auto' | 'light' | 'dark';
}

export const SETTINGS_KEY = 'settings';
const DEFAULT_SETTINGS: Settings = { language: 'auto', theme: 'auto' };

/** Settings from whatever was stored: a field that is missing or not understood has its default. */
export function readSettings(stored: unknown): Settings {
  const given: Partial<Record<keyof Settings, unknown>> = typeof stored === 'object' && stored ? stored : {};
  const settings = { ...DEFAULT_SETTINGS };
  if (given.language === 'en' || given.language === 'zh_CN') settings.language = given.language;
  if (given.theme === 'light' || given.theme === 'dark') settings.theme = given.theme;
  return settings;
}
