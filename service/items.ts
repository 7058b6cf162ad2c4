import { safeAddress } from '#lib/exchange/index.ts';
import { keyOf, type Policy } from '#lib/url/index.ts';
import { reasonNumber, type Reason } from './answers.ts';
import { widthOf, writeFingerprint, writeHex, type Form } from './forms.ts';
import { FINGERPRINT_STATES, LATEST } from './states.ts';

/** What makes keys of addresses: the policy of the service. */
export interface KeyMaker {
  readonly policy: Policy;
  readonly version: string;
}

/**
 * Items of a request as the store takes them, gathered one by one: fingerprints side by side, and the reason for what is no item.
 * Fields that no item has take no room.
 */
export class Items {
  readonly width: number;
  count = 0;
  fingerprints: Buffer;
  refused: Uint8Array;
  tokens: Float64Array | undefined;
  states: Uint8Array | undefined;
  times: Float64Array | undefined;
  addresses: (string | undefined)[] | undefined;
  readonly #keys: KeyMaker;
  readonly #form: Form;
  /** The namespace of the request is not that of the service's policy. */
  readonly #isOtherPolicy: boolean;
  readonly #capacity: number;

  constructor(capacity: number, form: Form, policy: string, keys: KeyMaker) {
    this.width = widthOf(form);
    this.fingerprints = Buffer.alloc(capacity * this.width);
    this.refused = new Uint8Array(capacity);
    this.#capacity = capacity;
    this.#form = form;
    this.#keys = keys;
    this.#isOtherPolicy = policy !== keys.version;
  }

  /** Takes in `{ url | url_fp, token?, state?, retry_at?, first_at? }`; both addresses: `url_fp` decides and `url` is kept. */
  add(item: unknown): void {
    const index = this.count++;
    const reason = this.#read(item, index);
    if (reason !== undefined) this.refused[index] = reasonNumber(reason);
  }

  refuse(reason: Reason): void {
    this.refused[this.count++] = reasonNumber(reason);
  }

  refuseAt(index: number, reason: Reason): void {
    this.refused[index] = reasonNumber(reason);
  }

  /** Whether both hold the same fingerprint there. */
  isSame(other: Items, index: number): boolean {
    const [from, to] = [index * this.width, (index + 1) * this.width];
    return this.fingerprints.compare(other.fingerprints, from, to, from, to) === 0;
  }

  refuseAll(reason: Reason): void {
    for (let index = 0; index < this.count; index++) this.refused[index] ||= reasonNumber(reason);
  }

  get hasAny(): boolean {
    return this.refused.includes(0);
  }

  #read(item: unknown, index: number): Reason | undefined {
    if (typeof item !== 'object' || item === null) return 'item';
    const { url, url_fp: hex, token, state, retry_at: retryAt, first_at: firstAt } = item as Raw;
    if (url !== undefined && typeof url !== 'string') return 'item';
    const at = index * this.width;
    if (hex !== undefined) {
      if (typeof hex !== 'string') return 'item';
      if (!writeHex(this.fingerprints, at, hex, this.width)) return 'form';
    } else {
      if (url === undefined) return 'item';
      if (this.#isOtherPolicy) return 'form';
      const keyed = keyOf(url, this.#keys.policy);
      if (!keyed.ok) return keyed.reason;
      writeFingerprint(this.fingerprints, at, keyed.key, this.#form);
    }
    if (url !== undefined) {
      // Without name and password: no address that leaves carries them.
      const safe = safeAddress(url);
      if (safe.ok) (this.addresses ??= [])[index] = safe.url;
    }
    if (token !== undefined) {
      if (!isWhole(token)) return 'item';
      (this.tokens ??= new Float64Array(this.#capacity))[index] = token;
    }
    if (state !== undefined) {
      const number = (FINGERPRINT_STATES as readonly unknown[]).indexOf(state);
      if (number < 0) return 'item';
      (this.states ??= new Uint8Array(this.#capacity))[index] = number;
    }
    const time = retryAt ?? firstAt;
    if (time !== undefined) {
      if (!isWhole(time) || time > LATEST) return 'item';
      (this.times ??= new Float64Array(this.#capacity))[index] = time;
    }
    return undefined;
  }

  /** Takes in fingerprints side by side, each followed by its token (8 bytes, big-endian) where `withTokens`. */
  addBinary(bytes: Buffer, withTokens: boolean): void {
    if (!withTokens) {
      this.fingerprints = bytes;
      this.count = bytes.length / this.width;
      return;
    }
    this.tokens = new Float64Array(this.#capacity);
    for (let from = 0; from < bytes.length; from += this.width + TOKEN_BYTES) {
      const index = this.count++;
      bytes.copy(this.fingerprints, index * this.width, from, from + this.width);
      const token = bytes.readBigUInt64BE(from + this.width);
      if (token === 0n || token > Number.MAX_SAFE_INTEGER) this.refused[index] = reasonNumber('item');
      else this.tokens[index] = Number(token);
    }
  }
}

export const TOKEN_BYTES = 8;

type Raw = Record<'url' | 'url_fp' | 'token' | 'state' | 'retry_at' | 'first_at', unknown>;

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;
