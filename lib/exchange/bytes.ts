const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Base64 with padding (RFC 4648). */
export function bytesToBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b, c] = bytes.subarray(at, at + 3);
    const bits = (a << 16) | ((b ?? 0) << 8) | (c ?? 0);
    text += DIGITS.charAt(bits >> 18) + DIGITS.charAt((bits >> 12) & 63);
    text += b === undefined ? '=' : DIGITS.charAt((bits >> 6) & 63);
    text += c === undefined ? '=' : DIGITS.charAt(bits & 63);
  }
  return text;
}

/** `null` where the text is not base64 with padding. */
export function bytesFromBase64(text: string): Uint8Array | null {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  for (let at = 0, to = 0; at < text.length; at += 4) {
    let bits = 0;
    for (let digit = 0; digit < 4; digit++)
      bits = (bits << 6) | Math.max(0, DIGITS.indexOf(text.charAt(at + digit)));
    for (const shift of [16, 8, 0]) if (to < bytes.length) bytes[to++] = (bits >> shift) & 255;
  }
  return bytes;
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
