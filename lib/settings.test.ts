import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MOST_TEXT_ROUNDS, readSettings } from './settings.ts';

it('reads what was chosen, and nothing else', () => {
  const chosen = {
    language: 'zh_CN',
    theme: 'dark',
    preset: 'broad',
    detectChanges: false,
    keepTextRounds: 12,
    welcomed: true,
  };
  expect(readSettings({ ...chosen, extra: 1 })).toEqual(chosen);
  expect(readSettings({ keepTextRounds: 0 }).keepTextRounds).toBe(5);
  expect(readSettings({ keepTextRounds: 2.5 }).keepTextRounds).toBe(5);
  expect(readSettings({ language: 'xx', theme: 'pink', preset: 'loose', detectChanges: 'yes' })).toEqual(
    readSettings(undefined),
  );
});

it('makes usable settings of anything', () => {
  fc.assert(
    fc.property(fc.anything(), (stored) => {
      const { keepTextRounds, detectChanges } = readSettings(stored);
      return keepTextRounds >= 1 && keepTextRounds <= MOST_TEXT_ROUNDS && typeof detectChanges === 'boolean';
    }),
  );
});
