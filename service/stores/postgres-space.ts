import { leaseKey, type Lease, type Leases, type Space } from '../verbs.ts';

/** What was read for a batch. Fingerprints are named by their hex digits, leases by `leaseKey`. */
export interface Known {
  readonly marks: ReadonlyMap<string, number>;
  readonly leases: ReadonlyMap<string, Lease>;
  readonly redirects: ReadonlyMap<string, Buffer>;
}

/** What was committed or read, for whoever keeps it: marks by the hex digits of their fingerprints, and those that replace earlier ones. */
export interface Learned {
  readonly marks: Map<string, number>;
  readonly changed: Map<string, number>;
}

/** The pages of one batch as they were read, and what the batch changes of them. */
export class BatchSpace implements Space {
  readonly leases: ChangedLeases;
  /** Marks that are new, and marks that change. */
  readonly inserts = new Map<string, number>();
  readonly updates = new Map<string, number>();
  readonly addresses = new Map<string, string>();
  readonly #known: Known;
  readonly #width: number;

  constructor(known: Known, width: number) {
    this.#known = known;
    this.#width = width;
    this.leases = new ChangedLeases(known.leases);
  }

  get(fingerprints: Buffer, at: number): number {
    const fp = this.#name(fingerprints, at);
    return this.inserts.get(fp) ?? this.updates.get(fp) ?? this.#known.marks.get(fp) ?? 0;
  }

  put(fingerprints: Buffer, at: number, mark: number): void {
    const fp = this.#name(fingerprints, at);
    const isNew = !this.#known.marks.has(fp);
    (isNew ? this.inserts : this.updates).set(fp, mark);
  }

  redirect(fingerprints: Buffer, at: number): Buffer | undefined {
    return this.#known.redirects.size === 0
      ? undefined
      : this.#known.redirects.get(this.#name(fingerprints, at));
  }

  keepAddress(fingerprints: Buffer, at: number, url: string): void {
    const fp = this.#name(fingerprints, at);
    if (!this.addresses.has(fp)) this.addresses.set(fp, url);
  }

  #name(fingerprints: Buffer, at: number): string {
    return fingerprints.toString('hex', at, at + this.#width);
  }
}

class ChangedLeases implements Leases {
  readonly changes = new Map<string, Lease | undefined>();
  readonly #known: ReadonlyMap<string, Lease>;

  constructor(known: ReadonlyMap<string, Lease>) {
    this.#known = known;
  }

  get size(): number {
    return this.#known.size + this.changes.size;
  }

  get(key: string): Lease | undefined {
    return this.changes.has(key) ? this.changes.get(key) : this.#known.get(key);
  }

  set(key: string, lease: Lease): void {
    this.changes.set(key, lease);
  }

  delete(key: string): void {
    if (this.get(key) !== undefined) this.changes.set(key, undefined);
  }
}

/** The fingerprints of a batch that are asked, each once, in the order in which every transaction takes them. */
export function namesOf({
  count,
  width,
  fingerprints,
  refused,
}: {
  count: number;
  width: number;
  fingerprints: Buffer;
  refused: Uint8Array;
}): string[] {
  const names = new Set<string>();
  for (let index = 0; index < count; index++)
    if (refused[index] === 0) names.add(fingerprints.toString('hex', index * width, (index + 1) * width));
  return [...names].sort();
}

export const leaseKeyOf = (fp: Buffer): string => leaseKey(fp, 0, fp.length);
