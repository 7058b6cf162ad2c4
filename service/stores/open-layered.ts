import type { StoreOptions } from './open.ts';
import { LayeredStore } from './layered.ts';
import { openPostgres } from './open-postgres.ts';
import { connectRedis } from './open-redis.ts';
import { RedisCache } from './redis-cache.ts';
import { StoreOpenError } from '../store.ts';

/** Redis is given up sooner than where it decides: PostgreSQL answers as well. */
const PATIENCE = 500;

/** `redis://…+postgres://…`. @throws {StoreOpenError} */
export async function openLayered(text: string, { redisPrefix }: StoreOptions): Promise<LayeredStore> {
  if (redisPrefix !== undefined)
    throw new StoreOpenError(
      '--redis-prefix is for Redis alone; with PostgreSQL behind it Redis holds no sets.',
    );
  const at = text.search(/\+postgres(?:ql)?:\/\//);
  const truth = await openPostgres(text.slice(at + 1));
  try {
    const { connection, facts } = await connectRedis(text.slice(0, at), [], PATIENCE);
    return new LayeredStore(new RedisCache(connection, facts.isCluster), truth);
  } catch (error) {
    await truth.close();
    throw error;
  }
}
