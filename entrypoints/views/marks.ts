import { useEffect, useState } from 'preact/hooks';
import { browser } from 'wxt/browser';
import { MARKS_KEY } from '#lib/observed.ts';

/** Turns the marks beside links of pages on or off; the observers follow. */
export async function showMarks(on: boolean): Promise<void> {
  await browser.storage.local.set({ [MARKS_KEY]: on });
}

/** Whether marks are shown: they are, until somebody turns them off. */
export function useMarks(): boolean {
  const [on, setOn] = useState(true);
  useEffect(() => {
    const read = async (): Promise<void> => {
      const stored = await browser.storage.local.get(MARKS_KEY);
      setOn(stored[MARKS_KEY] !== false);
    };
    const follow = (changes: Record<string, unknown>): void => {
      if (MARKS_KEY in changes) void read();
    };
    void read();
    browser.storage.local.onChanged.addListener(follow);
    return () => browser.storage.local.onChanged.removeListener(follow);
  }, []);
  return on;
}
