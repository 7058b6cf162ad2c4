import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { TICK_CHANNEL } from '#lib/protocol.ts';

/** What was read so far. The last value stays while a new one is being read. */
export interface Live<T> {
  value: T | undefined;
  error: unknown;
  /** Reads again now. */
  again: () => void;
}

/** Ticks come in bursts while somebody browses; views read at most this often. */
const PAUSE_MS = 250;
/** How often something that could not be read is tried again. */
const RETRY_MS = 3_000;

/** Calls `onTick` after something was written, at most once per {@link PAUSE_MS}; the last tick is never lost. */
export function onTicks(onTick: () => void): () => void {
  const channel = new BroadcastChannel(TICK_CHANNEL);
  let timer: ReturnType<typeof setTimeout> | undefined;
  channel.addEventListener('message', () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      onTick();
    }, PAUSE_MS);
  });
  return () => {
    clearTimeout(timer);
    channel.close();
  };
}

/**
 * Reads once, again when `inputs` change and again whenever the worker wrote something. A late answer to an older
 * question is thrown away, and the signal tells whoever still works on it. `follows: false`: what takes long is not read again for every
 * write, only on `again`.
 */
export function useLive<T>(
  read: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
  { follows = true }: { follows?: boolean } = {},
): Live<T> {
  const [state, setState] = useState<{ value: T | undefined; error: unknown }>({
    value: undefined,
    error: undefined,
  });
  const turn = useRef<AbortController>(undefined);
  const again = useCallback(() => {
    turn.current?.abort();
    const mine = new AbortController();
    turn.current = mine;
    void (async () => {
      try {
        const value = await read(mine.signal);
        if (!mine.signal.aborted) setState({ value, error: undefined });
      } catch (error) {
        if (!mine.signal.aborted) setState((old) => ({ ...old, error }));
      }
    })();
  }, inputs);
  useEffect(() => {
    again();
    const unfollow = follows ? onTicks(again) : undefined;
    return () => {
      unfollow?.();
      turn.current?.abort();
    };
  }, [again]);
  // What could not be read may be readable soon: a database that is being upgraded says nothing when that is over.
  const failed = state.error !== undefined;
  useEffect(() => {
    if (!failed) return undefined;
    const timer = setInterval(again, RETRY_MS);
    return () => clearInterval(timer);
  }, [failed, again]);
  return { value: state.value, error: state.error, again };
}
