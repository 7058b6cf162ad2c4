import { useEffect, useState } from 'preact/hooks';
import type { Round } from '#lib/rounds/types.ts';
import { readTree, type SiteTree } from '#lib/store/tree.ts';
import { onTicks } from './live.ts';

/** The tree is read again at the earliest after so many times what reading it took. */
const REST = 10;

interface TreeState {
  tree: SiteTree | undefined;
  error: unknown;
  /** Keys read so far, while the first tree is being read; its counts are too small still. */
  read: number;
}

/** The tree of a round, read again when something was written; the last one stays while the next is being read. */
export function useTree(round: Round): TreeState {
  const [state, setState] = useState<TreeState>({ tree: undefined, error: undefined, read: 0 });
  useEffect(() => {
    const abort = new AbortController();
    let known: SiteTree | undefined;
    let reading = false;
    let wanted = false;
    const tell = (keys: number): void => {
      if (!known && !abort.signal.aborted) setState((old) => ({ ...old, read: keys }));
    };
    // Of the first reading only: counts that were true must not shrink.
    const showPart = (part: SiteTree): void => {
      if (!known && !abort.signal.aborted) setState((old) => ({ ...old, tree: part }));
    };
    const read = async (): Promise<void> => {
      wanted = true;
      if (reading) return;
      reading = true;
      while (wanted && !abort.signal.aborted) {
        wanted = false;
        const begun = performance.now();
        try {
          const tree = await readTree(round, abort.signal, { onProgress: tell, onPart: showPart }, known);
          if (abort.signal.aborted) return;
          if (tree !== known) setState({ tree, error: undefined, read: 0 });
          known = tree;
        } catch (error) {
          if (!abort.signal.aborted) setState((old) => ({ ...old, error }));
        }
        await new Promise((done) => setTimeout(done, REST * (performance.now() - begun)));
      }
      reading = false;
    };
    void read();
    const stop = onTicks(() => void read());
    return () => {
      abort.abort(new Error('left'));
      stop();
    };
  }, [round.id]);
  return state;
}
