import type { StatementSync } from 'node:sqlite';
import type { Filter } from '../filter.ts';
import type { Lease, Leases, Space } from '../verbs.ts';

export interface SpaceRow {
  readonly id: number;
  readonly round: string;
  /** End of the window, where it is one. */
  readonly ends: number | null;
  readonly count: number;
}

type Prepare = (sql: string) => StatementSync;

/** What a space needs of its store. */
export interface Surroundings {
  /** Bytes of a fingerprint. */
  readonly width: number;
  readonly filter: Filter;
  readonly statement: Prepare;
  readonly redirect: (fingerprint: Buffer) => Uint8Array | undefined;
}

/** One round in SQLite. Statements run in the transaction of the store. */
export class SqliteSpace implements Space {
  readonly id: number;
  readonly round: string;
  readonly ends: number | null;
  readonly table: string;
  readonly leases = new StoredLeases();
  count: number;
  #savedCount: number;
  readonly #surroundings: Surroundings;
  /** Prepared at first use, and good as long as this object: the store makes new ones when it reads the file again. */
  #select: StatementSync | undefined;
  #insert: StatementSync | undefined;

  constructor({ id, round, ends, count }: SpaceRow, surroundings: Surroundings) {
    this.id = id;
    this.round = round;
    this.ends = ends;
    this.table = `f${id}`;
    this.count = count;
    this.#savedCount = count;
    this.#surroundings = surroundings;
  }

  get(fingerprints: Buffer, at: number): number {
    const { filter, statement } = this.#surroundings;
    if (this.count === 0 || !filter.mayHave(this.id, fingerprints, at)) return 0;
    this.#select ??= statement(`SELECT mark FROM ${this.table} WHERE fp = ?`);
    const row = this.#select.get(this.#cut(fingerprints, at));
    if (row === undefined) filter.noteFalsePositive();
    return (row?.['mark'] as number | undefined) ?? 0;
  }

  put(fingerprints: Buffer, at: number, mark: number, isNew: boolean): void {
    const { filter, statement } = this.#surroundings;
    const fp = this.#cut(fingerprints, at);
    if (!isNew) {
      statement(`UPDATE ${this.table} SET mark = ? WHERE fp = ?`).run(mark, fp);
      return;
    }
    this.#insert ??= statement(`INSERT INTO ${this.table} VALUES (?, ?)`);
    this.#insert.run(fp, mark);
    filter.add(this.id, fingerprints, at);
    this.count++;
  }

  redirect(fingerprints: Buffer, at: number): Buffer | undefined {
    const target = this.#surroundings.redirect(this.#cut(fingerprints, at));
    return target === undefined ? undefined : Buffer.from(target);
  }

  keepAddress(fingerprints: Buffer, at: number, url: string): void {
    const fp = this.#cut(fingerprints, at);
    this.#surroundings.statement('INSERT OR IGNORE INTO addresses VALUES (?, ?, ?)').run(this.id, fp, url);
  }

  /** Writes what changed in memory: the count and the leases. */
  save(): void {
    const { statement } = this.#surroundings;
    if (this.count !== this.#savedCount) {
      statement('UPDATE spaces SET count = ? WHERE id = ?').run(this.count, this.id);
      this.#savedCount = this.count;
    }
    for (const [key, lease] of this.leases.takeChanges()) {
      const fp = Buffer.from(key, 'latin1');
      if (lease === undefined) statement('DELETE FROM leases WHERE space = ? AND fp = ?').run(this.id, fp);
      else
        statement('INSERT OR REPLACE INTO leases VALUES (?, ?, ?, ?, ?)').run(
          this.id,
          fp,
          lease.token,
          lease.until,
          lease.retryAt,
        );
    }
  }

  #cut(fingerprints: Buffer, at: number): Buffer {
    return fingerprints.subarray(at, at + this.#surroundings.width);
  }
}

/** Leases in memory that remember what has to be written. */
class StoredLeases implements Leases {
  readonly #leases = new Map<string, Lease>();
  #changes = new Map<string, Lease | undefined>();

  get size(): number {
    return this.#leases.size;
  }

  get(key: string): Lease | undefined {
    return this.#leases.get(key);
  }

  set(key: string, lease: Lease): void {
    this.#leases.set(key, lease);
    this.#changes.set(key, lease);
  }

  delete(key: string): void {
    if (this.#leases.delete(key)) this.#changes.set(key, undefined);
  }

  /** A lease as it is stored. */
  load(key: string, lease: Lease): void {
    this.#leases.set(key, lease);
  }

  entries(): Iterable<[string, Lease]> {
    return this.#leases;
  }

  takeChanges(): Iterable<[string, Lease | undefined]> {
    if (this.#changes.size === 0) return [];
    const changes = this.#changes;
    this.#changes = new Map();
    return changes;
  }
}
