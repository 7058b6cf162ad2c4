import { md5 as md5Bytes, sha1 as sha1Bytes } from '@noble/hashes/legacy.js';
import { sha256 as sha256Bytes } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

// WebCrypto is asynchronous, slower on short texts and has no MD5, so these are plain code that also runs inside a
// transaction. Each is the lower-case hex of the hash of the text's UTF-8 bytes.

const encoder = new TextEncoder();

export function sha256(text: string): string {
  return bytesToHex(sha256Bytes(encoder.encode(text)));
}

export function sha1(text: string): string {
  return bytesToHex(sha1Bytes(encoder.encode(text)));
}

export function md5(text: string): string {
  return bytesToHex(md5Bytes(encoder.encode(text)));
}
