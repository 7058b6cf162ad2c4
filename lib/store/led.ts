import { holds } from '#lib/rounds/aliases.ts';
import type { Alias, Round, Scope } from '#lib/rounds/types.ts';
import type { Db } from './schema.ts';

/** Which keys are originals of an alias that holds in a round: pages of their target, not of their own. */
export class Led {
  readonly #db: Db;
  readonly #round: Round | undefined;
  readonly #tokens: Scope['tokens'];
  #keys = new Set<string>();

  constructor(db: Db, round: Round | undefined, scope: Scope | undefined) {
    this.#db = db;
    this.#round = round;
    this.#tokens = scope?.tokens;
  }

  /** Reads what is known of these keys, in their order, in place of those before. */
  async read(keys: string[]): Promise<void> {
    this.#keys = new Set();
    const round = this.#round;
    const [first, last] = [keys[0], keys.at(-1)];
    if (round === undefined || first === undefined || last === undefined) return;
    const between = IDBKeyRange.bound([round.scope, first], [round.scope, last]);
    let aliases: (Alias | undefined)[] = await this.#db.getAll('aliases', between, keys.length + 1);
    if (aliases.length > keys.length) {
      const { store } = this.#db.transaction('aliases');
      aliases = await Promise.all(keys.map((key) => store.get([round.scope, key])));
    }
    for (const alias of aliases) if (alias && holds(alias, round, this.#tokens)) this.#keys.add(alias.from);
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }
}
