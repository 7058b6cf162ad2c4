/** Which windows have been over for so long, by a clock that nobody sets, that they may be dropped. */
export class Endings {
  readonly #grace: number;
  readonly #monotonic: () => number;
  readonly #noticed = new WeakMap<object, number>();

  constructor(grace: number, monotonic: () => number = () => performance.now()) {
    this.#grace = grace;
    this.#monotonic = monotonic;
  }

  /** To be asked again and again; an end that is taken back (the wall clock was set back) starts anew. */
  isOver(window: object, ends: number | null, wall: number): boolean {
    if (ends === null || ends > wall) {
      this.#noticed.delete(window);
      return false;
    }
    const now = this.#monotonic();
    const since = this.#noticed.get(window) ?? now;
    this.#noticed.set(window, since);
    return now - since >= this.#grace;
  }
}
