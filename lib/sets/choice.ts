/** How the keys of a space are kept. */
export type Form = 'trie' | 'fingerprints';

/** What a space asks of its set; nothing: whatever is best. */
export interface Needs {
  /** A scope's wish: the trie, whatever it costs. */
  readonly forceTrie?: boolean;
  /** Keys must be listed, counted by prefix or compared piece by piece without reading the store. */
  readonly listing?: boolean;
  /** Nobody confirms a "present", so it must not be wrong. */
  readonly exact?: boolean;
}

/** What is known of the keys of a space. */
export interface KeyFigures {
  readonly keys: number;
  /** Label bytes that the keys brought beside shared prefixes; divided by `keys` it is v. */
  readonly labelBytes: number;
  /** Bytes of the keys written out. */
  readonly keyBytes: number;
}

/** Why a form was chosen: words for Data > Diagnostics and `--report`. */
export type Reason = 'forced' | 'listing' | 'exact' | 'few' | 'shared' | 'unshared';

export interface Choice {
  readonly form: Form;
  readonly reason: Reason;
  /** New bytes a key brings. */
  readonly novelBytes: number;
  /** Length of a key. */
  readonly keyLength: number;
  /** Estimated bytes a key in each form, and in a plain Set. */
  readonly bytes: Readonly<Record<Form | 'frozen' | 'set', number>>;
}

/** Below this many keys no form is worth a change. */
const FEW = 8192;
/** What listing, prefix counts and exactness are worth: up to so many times the memory of fingerprints (v up to 23.4). */
const WORTH = 4;

/**
 * Bytes a key in each form, for keys of `keyLength` bytes of which `novelBytes` are new (measured, see docs/performance.md). Front coding
 * crosses the fingerprints near v = 5; the live trie never does.
 */
export function estimateBytes(novelBytes: number, keyLength: number): Choice['bytes'] {
  return {
    trie: novelBytes + 15,
    fingerprints: 9.6,
    frozen: novelBytes + 2.8 + (keyLength - novelBytes) / 16,
    set: keyLength + 54,
  };
}

/**
 * The trie, which lists, counts by prefix and is exact, unless prefixes are so little shared that it takes more than four times
 * the memory of fingerprints, and nothing that it alone can do is needed.
 */
export function choose({ keys, labelBytes, keyBytes }: KeyFigures, needs: Needs = {}): Choice {
  const novelBytes = keys === 0 ? 0 : labelBytes / keys;
  const keyLength = keys === 0 ? 0 : keyBytes / keys;
  const bytes = estimateBytes(novelBytes, keyLength);
  const reason = reasonFor(keys, bytes, needs);
  return { form: reason === 'unshared' ? 'fingerprints' : 'trie', reason, novelBytes, keyLength, bytes };
}

function reasonFor(keys: number, bytes: Choice['bytes'], needs: Needs): Reason {
  if (needs.forceTrie === true) return 'forced';
  if (needs.listing === true) return 'listing';
  if (needs.exact === true) return 'exact';
  if (keys < FEW) return 'few';
  return bytes.trie <= WORTH * bytes.fingerprints ? 'shared' : 'unshared';
}
