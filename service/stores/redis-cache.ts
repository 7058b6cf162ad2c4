import { script, type RedisConnection } from './redis-connection.ts';

/** Marks leave after so long, so that a state which changed while Redis could not be told is not answered for ever. */
const KEPT = 3_600_000;
const PREFIX = 'onceover:!seen';
/** Parts on a cluster. */
const CLUSTER_GROUPS = 16;

/** An earlier mark stays unless it is known to have changed. ARGV: lifetime, NX or nothing, marks. */
const KEEP_SCRIPT = script(`
for i, key in ipairs(KEYS) do
  if ARGV[2] == 'NX' then redis.call('SET', key, ARGV[i + 2], 'PX', ARGV[1], 'NX')
  else redis.call('SET', key, ARGV[i + 2], 'PX', ARGV[1]) end
end
return 0
`);

/**
 * Marks that are known to be in another store, by the hex digits of their fingerprints. It may lose any of them at any time, and knows
 * nothing of pages that are not seen. A Redis that is down holds nothing and takes nothing.
 */
export class RedisCache {
  readonly #redis: RedisConnection;
  readonly #groups: number;

  constructor(redis: RedisConnection, isCluster: boolean) {
    this.#redis = redis;
    this.#groups = isCluster ? CLUSTER_GROUPS : 1;
  }

  get name(): string {
    return this.#redis.name;
  }

  /** @param space names the round and the state of the store behind */
  async look(space: string, names: readonly string[]): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    await Promise.all(
      this.#byGroup(space, names).map(async ([keys, members]) => {
        try {
          const marks = await this.#redis.ask<(string | null)[]>(keys[0]!, 'MGET', ...keys);
          for (const [n, mark] of marks.entries()) if (mark !== null) found.set(members[n]!, Number(mark));
        } catch {
          // The store behind answers.
        }
      }),
    );
    return found;
  }

  /** @param changed they replace what is there */
  async keep(space: string, marks: ReadonlyMap<string, number>, changed: boolean): Promise<void> {
    await Promise.all(
      this.#byGroup(space, [...marks.keys()]).map(async ([keys, members]) => {
        const values = members.map((name) => String(marks.get(name)!));
        await this.#redis
          .run(KEEP_SCRIPT, keys, [String(KEPT), changed ? '' : 'NX', ...values])
          .catch(() => {});
      }),
    );
  }

  /** Whether this is the first that asks since Redis was emptied: then it fills it. */
  async isEmpty(space: string): Promise<boolean> {
    const key = `${PREFIX}:${space}:filled`;
    const set = await this.#redis.ask<string | null>(key, 'SET', key, '1', 'NX').catch(() => null);
    return set === 'OK';
  }

  /** Rejects where Redis does not answer. */
  async check(): Promise<void> {
    await this.#redis.ask('', 'PING');
  }

  close(): void {
    this.#redis.close();
  }

  #byGroup(space: string, names: readonly string[]): [keys: string[], names: string[]][] {
    const groups = new Map<number, [string[], string[]]>();
    for (const name of names) {
      const group = this.#groups === 1 ? 0 : Number.parseInt(name.slice(0, 2), 16) % this.#groups;
      const [keys, members] = groups.get(group) ?? [[], []];
      keys.push(`${PREFIX}:{${group}}:${space}:${name}`);
      members.push(name);
      groups.set(group, [keys, members]);
    }
    return [...groups.values()];
  }
}
