/** How a namespace lies in Redis: which sets, and what their members are. */
export interface Layout {
  /** What is written beside the namespace, so that nobody reads it with another layout. */
  readonly name: string;
  /** Beginning of all keys of a namespace; what follows is `:round:suffix` for sets, `:!…` for the rest. */
  base(ns: string, group: number): string;
  /** Beginning of the keys that belong to no namespace. */
  readonly common: string;
  /** Parts of a namespace that may lie on different nodes of a cluster: each part of a batch is decided by itself. */
  readonly groups: number;
  group(fingerprints: Buffer, at: number): number;
  /** Names of the sets of a round, in the order of their fingerprints, and the group of each. */
  readonly suffixes: readonly string[];
  groupOf(suffix: number): number;
  suffix(fingerprints: Buffer, at: number): string;
  member(fingerprints: Buffer, at: number, width: number): string;
  /** The fingerprint of a member, undefined for one that somebody else put there; what is not stored is 0. */
  fingerprint(suffix: string, member: string, width: number): Buffer | undefined;
  /** Bits of a fingerprint that are stored; undefined: all. */
  readonly bits: number | undefined;
  /** Whether the sets are small sets of numbers, whose size Redis limits (`set-max-intset-entries`). */
  readonly isIntset: boolean;
  /** Whether other programs write to the sets too. */
  readonly isShared: boolean;
}

const PREFIX = 'onceover';

/**
 * Sets of 64-bit numbers, which Redis keeps as sorted arrays of 8 bytes a member while they are small. The first `bits` bits choose the set,
 * the bytes 2 to 9 are the member.
 * @param bits 8 to 16 @param groups a power of two, at most the number of sets
 */
export function compactLayout(bits: number, groups: number): Layout {
  const count = 2 ** bits;
  const suffixes = Array.from({ length: count }, (_, n) => n.toString(16).padStart(4, '0'));
  const shard = (fingerprints: Buffer, at: number) => fingerprints.readUInt16BE(at) >> (16 - bits);
  const groupOf = (n: number) => Math.floor((n * groups) / count);
  return {
    name: `compact-${bits}-${groups}`,
    common: PREFIX,
    base: (ns, group) => `${PREFIX}:{${ns}:${group}}`,
    groups,
    group: (fingerprints, at) => (groups === 1 ? 0 : groupOf(shard(fingerprints, at))),
    suffixes,
    groupOf,
    suffix: (fingerprints, at) => suffixes[shard(fingerprints, at)]!,
    member: (fingerprints, at) => String(fingerprints.readBigInt64BE(at + 2)),
    fingerprint(suffix, member, width) {
      const bytes = Buffer.alloc(width);
      bytes.writeUInt16BE(Number.parseInt(suffix, 16) << (16 - bits), 0);
      bytes.writeBigInt64BE(BigInt(member), 2);
      return bytes;
    },
    bits: bits + 64,
    isIntset: true,
    isShared: false,
  };
}

const HEX = Array.from({ length: 256 }, (_, n) => n.toString(16).padStart(2, '0'));

/** 256 sets `{prefix}:{ns}:{round}:{first two hex digits}` of whole fingerprints in hex: what other tools read and write. */
export function plainLayout(prefix: string): Layout {
  return {
    name: 'plain',
    common: prefix,
    // A colon within would make one name of two.
    base: (ns) => `${prefix}:${ns.replaceAll(':', '%3A')}`,
    groups: 1,
    group: () => 0,
    suffixes: HEX,
    groupOf: () => 0,
    suffix: (fingerprints, at) => HEX[fingerprints[at]!]!,
    member: (fingerprints, at, width) => fingerprints.toString('hex', at, at + width),
    fingerprint(suffix, member, width) {
      const isOurs = member.length === 2 * width && member.startsWith(suffix) && /^[0-9a-f]*$/.test(member);
      return isOurs ? Buffer.from(member, 'hex') : undefined;
    },
    bits: undefined,
    isIntset: false,
    isShared: true,
  };
}
