import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { StoreOpenError, type Store } from '../store.ts';
import { MemoryStore } from './memory.ts';
import { SqliteStore } from './sqlite.ts';

/** One kind of store: the beginning of its URL, and how it is opened. */
const STORES: readonly { readonly starts: string; readonly open: (url: string) => Store }[] = [
  { starts: 'memory', open: () => new MemoryStore() },
  { starts: 'sqlite:', open: (url) => new SqliteStore(resolve(url.slice('sqlite:'.length))) },
];

/** `memory` or `sqlite:FILE`. @throws {StoreOpenError} */
export function openStore(url: string): Store {
  const kind = STORES.find(({ starts }) => (starts.endsWith(':') ? url.startsWith(starts) : url === starts));
  if (kind === undefined || url === 'sqlite:')
    throw new StoreOpenError(`The store must be memory or sqlite:FILE, not "${url.split(':', 1)[0]}…".`);
  return kind.open(url);
}

/** A file of the person's own, where programs keep such things. */
export function defaultStore(env: NodeJS.ProcessEnv = process.env): string {
  const base =
    process.platform === 'win32'
      ? (env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'))
      : (env['XDG_DATA_HOME'] ?? join(homedir(), '.local', 'share'));
  return `sqlite:${join(base, 'onceover', 'service.sqlite')}`;
}
