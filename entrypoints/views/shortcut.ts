import { useEffect, useState } from 'preact/hooks';
import { browser } from 'wxt/browser';

/** A key that works everywhere in the browser. */
export interface Shortcut {
  name: string;
  /** As the person has set it, one by one; none where it has no key. */
  keys: string[];
}

/** `Alt+Shift+N`, or `⌥⇧N` on a Mac. */
const keysOf = (shortcut: string | undefined): string[] =>
  shortcut ? shortcut.split(/\+|(?<=[⌘⌥⇧⌃])/u) : [];

/** All keys of the extension; nothing until they are known. */
export function useShortcuts(): Shortcut[] {
  const [shortcuts, setShortcuts] = useState<Shortcut[]>([]);
  useEffect(() => {
    void browser.commands
      .getAll()
      .then((all) => setShortcuts(all.map(({ name = '', shortcut }) => ({ name, keys: keysOf(shortcut) }))));
  }, []);
  return shortcuts;
}

/** Keys of one command. */
export function useShortcut(name: string): string[] {
  return useShortcuts().find((shortcut) => shortcut.name === name)?.keys ?? [];
}
