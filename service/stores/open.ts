import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { StoreOpenError, type Store } from '../store.ts';
import { MemoryStore } from './memory.ts';

export interface StoreOptions {
  /** Makes Redis hold plain sets under this prefix, which other tools read and write. */
  readonly redisPrefix?: string;
}

type Open = (url: string, options: StoreOptions) => Promise<Store>;

/** The kinds of stores, by what their URL looks like. A client of another server is only loaded where it is asked for. */
const STORES: readonly (readonly [RegExp, Open])[] = [
  [/^memory$/, async () => new MemoryStore()],
  [
    /^sqlite:./,
    async (url) => {
      const { SqliteStore } = await import('./sqlite.ts');
      return new SqliteStore(resolve(url.slice('sqlite:'.length)));
    },
  ],
  [/^postgres(?:ql)?:\/\//, async (url) => (await import('./open-postgres.ts')).openPostgres(url)],
  [
    /^rediss?:\/\/.+\+postgres(?:ql)?:\/\//,
    async (url, options) => (await import('./open-layered.ts')).openLayered(url, options),
  ],
  [/^rediss?:\/\/./, async (url, options) => (await import('./open-redis.ts')).openRedis(url, options)],
];

/**
 * Opens `memory`, `sqlite:FILE`, `postgres://…`, `redis://…` (`rediss://…` for TLS) or `redis://…+postgres://…`.
 * @throws {StoreOpenError} that says what to do, without the password
 */
export async function openStore(url: string, options: StoreOptions = {}): Promise<Store> {
  const open = STORES.find(([pattern]) => pattern.test(url))?.[1];
  if (open === undefined)
    throw new StoreOpenError(
      `The store must be memory, sqlite:FILE, postgres://HOST/DATABASE, redis://HOST or redis://HOST+postgres://HOST/DATABASE, not "${url.split(':', 1)[0]}…".`,
    );
  if (options.redisPrefix !== undefined && !/^rediss?:/.test(url))
    throw new StoreOpenError('--redis-prefix goes with --store redis://….');
  return open(url, options);
}

/** A file of the person's own, where programs keep such things. */
export function defaultStore(env: NodeJS.ProcessEnv = process.env): string {
  const base =
    process.platform === 'win32'
      ? (env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'))
      : (env['XDG_DATA_HOME'] ?? join(homedir(), '.local', 'share'));
  return `sqlite:${join(base, 'onceover', 'service.sqlite')}`;
}
