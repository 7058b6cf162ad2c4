import { useEffect, useState } from 'preact/hooks';
import type { Text, TextKey } from '#components/i18n.ts';
import type { CommandMessages } from '#lib/protocol.ts';
import { StoreError } from '#lib/store/open.ts';
import { onTicks } from './live.ts';
import { ask, WorkerError } from './worker.ts';

type Health = CommandMessages['health']['result'];

/** Something that keeps Onceover from working, as a person must hear of it. */
export interface Trouble {
  kind: Exclude<Health['database'], 'ok'> | 'unreachable' | 'refused';
  /** In the browser's or the worker's own words. */
  detail: string;
}

const WORDS: Record<Trouble['kind'], [title: TextKey, hint: TextKey]> = {
  newer: ['troubleNewer', 'troubleNewerHint'],
  blocked: ['troubleBlocked', 'troubleBlockedHint'],
  full: ['troubleFull', 'troubleFullHint'],
  broken: ['troubleBroken', 'troubleBrokenHint'],
  unreachable: ['troubleUnreachable', 'troubleUnreachableHint'],
  refused: ['troubleRefused', 'troubleRefusedHint'],
};

/** What went wrong and what to do about it. */
export function troubleWords({ kind }: Trouble, text: Text): { title: string; hint: string } {
  const [title, hint] = WORDS[kind];
  return { title: text(title), hint: text(hint) };
}

/** An error of the store or the worker as trouble. */
export function troubleOf(error: unknown): Trouble {
  const detail = error instanceof Error ? error.message : String(error);
  const code =
    error instanceof StoreError ? error.fault : error instanceof WorkerError ? error.code : undefined;
  switch (code) {
    case 'newer-database':
      return { kind: 'newer', detail: '' };
    case 'blocked':
      return { kind: 'blocked', detail: '' };
    case 'not-saved':
      return { kind: 'full', detail: '' };
    case 'broken':
      return { kind: 'broken', detail };
    case 'unreachable':
      return { kind: 'unreachable', detail };
    default:
      return { kind: 'refused', detail };
  }
}

/** How often the worker is asked again while something is wrong; all is well without asking. */
const AGAIN_MS = 3_000;

/** What is wrong with the worker's database, asked at the start, after every write, and again and again until it is mended. */
export function useHealth(): { trouble: Trouble | undefined } {
  const [trouble, setTrouble] = useState<Trouble>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let over = false;
    const check = async (): Promise<void> => {
      clearTimeout(timer);
      let found: Trouble | undefined;
      try {
        const { database, detail } = await ask('health', {});
        if (database !== 'ok') found = { kind: database, detail };
      } catch (error) {
        found = troubleOf(error);
      }
      if (over) return;
      setTrouble(found);
      if (found) timer = setTimeout(() => void check(), AGAIN_MS);
    };
    void check();
    const stop = onTicks(() => void check());
    return () => {
      over = true;
      clearTimeout(timer);
      stop();
    };
  }, []);
  return { trouble };
}
