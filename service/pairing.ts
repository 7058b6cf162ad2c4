import type { Store } from './store.ts';

const SETTING = 'extensions';

/** The extensions that may send requests, by their `Origin`. */
export class Pairing {
  readonly #store: Store;
  readonly #origins: Set<string>;

  private constructor(store: Store, origins: Set<string>) {
    this.#store = store;
    this.#origins = origins;
  }

  static async load(store: Store): Promise<Pairing> {
    const saved = JSON.parse((await store.setting(SETTING)) ?? '[]') as string[];
    return new Pairing(store, new Set(saved));
  }

  has(origin: string): boolean {
    return this.#origins.has(origin.toLowerCase());
  }

  async add(origin: string): Promise<void> {
    this.#origins.add(origin.toLowerCase());
    await this.#store.setSetting(SETTING, JSON.stringify([...this.#origins]));
  }
}
