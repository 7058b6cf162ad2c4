import { useEffect, useState } from 'preact/hooks';
import type { Round } from '#lib/rounds/types.ts';
import { TreeReader, type SiteTree } from '#lib/store/tree.ts';
import { onTicks } from './live.ts';

/** The tree is read again at the earliest after so many times what reading it took. */
const REST = 10;

/** The tree of a round, read again when something was written; the last one stays while the next is being read. */
export function useTree(round: Round): { tree: SiteTree | undefined; error: unknown } {
  const [state, setState] = useState<{ tree: SiteTree | undefined; error: unknown }>({
    tree: undefined,
    error: undefined,
  });
  useEffect(() => {
    const abort = new AbortController();
    const reader = new TreeReader();
    let known: SiteTree | undefined;
    let reading = false;
    let wanted = false;
    const read = async (): Promise<void> => {
      wanted = true;
      if (reading) return;
      reading = true;
      while (wanted && !abort.signal.aborted) {
        wanted = false;
        const begun = performance.now();
        try {
          const tree = await reader.read(round, abort.signal, known);
          if (abort.signal.aborted) return;
          if (tree !== known) setState({ tree, error: undefined });
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
