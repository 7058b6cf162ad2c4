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

  get all(): string[] {
    return [...this.#origins];
  }

  add(origin: string): Promise<void> {
    this.#origins.add(origin.toLowerCase());
    return this.#save();
  }

  /** Its requests are refused from now on, also where the store cannot be written. */
  remove(origin: string): Promise<void> {
    this.#origins.delete(origin.toLowerCase());
    return this.#save();
  }

  #save(): Promise<void> {
    return this.#store.setSetting(SETTING, JSON.stringify(this.all));
  }
}
