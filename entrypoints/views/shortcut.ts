import { useEffect, useState } from 'preact/hooks';
import { browser } from 'wxt/browser';

/** Keys of a command as the person has set them, one by one; none where it has no keys. */
export function useShortcut(name: string): string[] {
  const [keys, setKeys] = useState<string[]>([]);
  useEffect(() => {
    void (async () => {
      const shortcut = (await browser.commands.getAll()).find((command) => command.name === name)?.shortcut;
      // `Alt+Shift+N`, or `⌥⇧N` on a Mac.
      setKeys(shortcut ? shortcut.split(/\+|(?<=[⌘⌥⇧⌃])/u) : []);
    })();
  }, [name]);
  return keys;
}
