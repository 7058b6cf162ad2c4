import type { Key } from '#lib/url/index.ts';
import { murmur3 } from './murmur.ts';
import { md5, sha1, sha256 } from './sha.ts';

/** Each form is lower-case hex of a hash of the key's UTF-8 bytes. */
const FORMS = {
  /** 64 digits; what a Python crawler computes with hashlib. */
  sha256,
  /** 40 digits. */
  sha1,
  /** 32 digits, for old stores. */
  md5,
  /** 32 digits: the first 16 bytes of the SHA-256. */
  'sha256-16': (text: string) => sha256(text).slice(0, 32),
  /** 8 digits: MurmurHash3 x86_32, seed 0, big-endian. */
  murmur3: (text: string) => murmur3(text).toString(16).padStart(8, '0'),
} as const;

export type FingerprintForm = keyof typeof FORMS;

export const FINGERPRINT_FORMS = Object.keys(FORMS) as readonly FingerprintForm[];

/** The fingerprint of a key in a form that others use. */
export function fingerprint(key: Key, form: FingerprintForm): string {
  return FORMS[form](key);
}
