import { hash } from 'node:crypto';
import type { Key } from '#lib/url/index.ts';

/** The forms of fingerprints that a namespace may hold: bytes, and the hash of which they are the beginning. */
const FORMS = {
  'sha256-16': { width: 16, algorithm: 'sha256' },
  sha1: { width: 20, algorithm: 'sha1' },
  md5: { width: 16, algorithm: 'md5' },
} as const;

export type Form = keyof typeof FORMS;
export const FORM_NAMES = Object.keys(FORMS) as readonly Form[];
export const DEFAULT_FORM: Form = 'sha256-16';

export const isForm = (value: unknown): value is Form =>
  typeof value === 'string' && Object.hasOwn(FORMS, value);

/** Bytes of one fingerprint. */
export const widthOf = (form: Form): number => FORMS[form].width;

/** Writes the fingerprint of a key: what `fingerprint` of lib gives as hex, by Node's hashes, which are faster. */
export function writeFingerprint(into: Buffer, at: number, key: Key, form: Form): void {
  const { algorithm, width } = FORMS[form];
  into.write(hash(algorithm, key, 'hex'), at, width, 'hex');
}

/** Writes a fingerprint given as hex; false where it has another length or is no hex. */
export function writeHex(into: Buffer, at: number, hex: string, width: number): boolean {
  return hex.length === 2 * width && into.write(hex, at, width, 'hex') === width;
}
