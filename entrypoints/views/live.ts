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

/** Reads once and again when `inputs` change: for what is too dear to be read at every tick. The last value stays meanwhile. */
export function useRead<T>(
  read: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
): Omit<Live<T>, 'again'> {
  const [state, setState] = useState<Omit<Live<T>, 'again'>>({ value: undefined, error: undefined });
  useEffect(() => {
    const given = new AbortController();
    void (async () => {
      try {
        const value = await read(given.signal);
        if (!given.signal.aborted) setState({ value, error: undefined });
      } catch (error) {
        if (!given.signal.aborted) setState((old) => ({ ...old, error }));
      }
    })();
    return () => given.abort();
  }, inputs);
  return state;
}

/**
 * Reads once, again when `inputs` change and again whenever the worker wrote something. A late answer to an older
 * question is thrown away. `follows: false`: what takes long is not read again for every write, only on `again`.
 */
export function useLive<T>(
  read: () => Promise<T>,
  inputs: readonly unknown[],
  { follows = true }: { follows?: boolean } = {},
): Live<T> {
  const [state, setState] = useState<{ value: T | undefined; error: unknown }>({
    value: undefined,
    error: undefined,
  });
  const turn = useRef(0);
  const again = useCallback(() => {
    const mine = ++turn.current;
    void (async () => {
      try {
        const value = await read();
        if (mine === turn.current) setState({ value, error: undefined });
      } catch (error) {
        if (mine === turn.current) setState((old) => ({ ...old, error }));
      }
    })();
  }, inputs);
  useEffect(() => {
    again();
    return follows ? onTicks(again) : undefined;
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
