import { StoreOpenError } from '../store.ts';
import type { StoreOptions } from './open.ts';
import { RedisConnection } from './redis-connection.ts';
import { compactLayout, plainLayout, type Layout } from './redis-layout.ts';
import { RedisStore } from './redis.ts';

const DEFAULT_BITS = 13;
/** Groups on a cluster: parts of a namespace that its nodes share. */
const CLUSTER_GROUPS = 16;

/** `redis[s]://[USER:PASSWORD@]HOST[:PORT][/DB][?bits=8…16&groups=N]`. @throws {StoreOpenError} */
export async function openRedis(text: string, { redisPrefix }: StoreOptions): Promise<RedisStore> {
  if (redisPrefix !== undefined && !/^[\x21-\x7e]{1,200}$/.test(redisPrefix))
    throw new StoreOpenError('--redis-prefix has 1 to 200 letters, digits and signs, without spaces.');
  const { connection, facts, url } = await connectRedis(text, ['bits', 'groups']);
  try {
    const bits = readNumber(url, 'bits', 8, 16) ?? DEFAULT_BITS;
    const groups = readNumber(url, 'groups', 1, 256);
    const layout = chooseLayout(
      redisPrefix,
      bits,
      groups ?? (facts.isCluster ? CLUSTER_GROUPS : 1),
      facts.isCluster,
    );
    return await new RedisStore(connection, layout, facts.intsetLimit).load();
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Connects to what a URL names. @param known parameters that it may have @param patience see `RedisConnection.open` @throws {StoreOpenError} */
export async function connectRedis(text: string, known: readonly string[], patience?: number) {
  const url = parseUrl(text);
  for (const name of url.searchParams.keys())
    if (!known.includes(name))
      throw new StoreOpenError(
        `"${name}" is unknown in the URL of Redis; ${known.length === 0 ? 'there are no parameters' : `there are ${known.join(' and ')}`}.`,
      );
  return { ...(await RedisConnection.open(url, patience)), url };
}

function chooseLayout(prefix: string | undefined, bits: number, groups: number, isCluster: boolean): Layout {
  if (prefix === undefined) {
    if (!Number.isInteger(Math.log2(groups)) || groups > 2 ** bits)
      throw new StoreOpenError('"groups" in the store\'s URL must be 1, 2, 4, … 256.');
    return compactLayout(bits, groups);
  }
  if (isCluster && !/\{[^}]+\}/.test(prefix))
    throw new StoreOpenError(
      `On Redis Cluster the sets of a prefix must lie on one node: give it a hash tag, --redis-prefix '{${prefix}}', or leave it out.`,
    );
  return plainLayout(prefix);
}

function parseUrl(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new StoreOpenError(
      'The URL of the store cannot be read: write redis://USER:PASSWORD@HOST:PORT/DB, with %40 for @ and %2F for / in the password.',
    );
  }
  if (!/^(?:\/\d*)?$/.test(url.pathname))
    throw new StoreOpenError(
      'After the host of redis:// stands the number of a database, as in redis://localhost/0.',
    );
  return url;
}

function readNumber(url: URL, name: string, least: number, most: number): number | undefined {
  const value = url.searchParams.get(name);
  if (value === null) return undefined;
  const number = Number(value);
  if (!Number.isInteger(number) || number < least || number > most)
    throw new StoreOpenError(`"${name}" in the store's URL must be a whole number from ${least} to ${most}.`);
  return number;
}
