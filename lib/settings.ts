import type { Preset } from '#lib/url/index.ts';

/** What the person chose in Options; kept in `storage.local` under {@link SETTINGS_KEY}. */
export interface Settings {
  /** `auto`: the browser's. */
  language: 'auto' | 'en' | 'zh_CN';
  /** `auto`: the system's. */
  theme: 'auto' | 'light' | 'dark';
  /** Which addresses are one page, in projects that begin from now on; each has its own choice on its Rules page. */
  preset: Preset;
  /** Whether the text of pages is read, to tell what changed. */
  detectChanges: boolean;
  /** Of how many rounds of a project the texts are kept, the latest first: 1 to {@link MOST_TEXT_ROUNDS}. */
  keepTextRounds: number;
  /** Whether the three screens of the first run are over, read or skipped. */
  welcomed: boolean;
}

export const SETTINGS_KEY = 'settings';
export const MOST_TEXT_ROUNDS = 100;

const DEFAULT_SETTINGS: Settings = {
  language: 'auto',
  theme: 'auto',
  preset: 'standard',
  detectChanges: true,
  keepTextRounds: 5,
  welcomed: false,
};

/** Settings from whatever was stored: a field that is missing or not understood has its default. */
export function readSettings(stored: unknown): Settings {
  const given: Partial<Record<keyof Settings, unknown>> = typeof stored === 'object' && stored ? stored : {};
  const { language, theme, preset, detectChanges, keepTextRounds, welcomed } = given;
  const settings = { ...DEFAULT_SETTINGS };
  if (language === 'en' || language === 'zh_CN') settings.language = language;
  if (theme === 'light' || theme === 'dark') settings.theme = theme;
  if (preset === 'strict' || preset === 'broad') settings.preset = preset;
  if (typeof detectChanges === 'boolean') settings.detectChanges = detectChanges;
  if (typeof welcomed === 'boolean') settings.welcomed = welcomed;
  if (isWhole(keepTextRounds) && keepTextRounds >= 1 && keepTextRounds <= MOST_TEXT_ROUNDS)
    settings.keepTextRounds = keepTextRounds;
  return settings;
}

const isWhole = (value: unknown): value is number => Number.isInteger(value);
