import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { hostname, networkInterfaces } from 'node:os';
import { HttpError } from './http.ts';

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares in constant time, whatever the lengths. */
export function createTokenCheck(token: string): (request: IncomingMessage) => void {
  const expected = sha256(`Bearer ${token}`);
  return ({ headers }) => {
    if (timingSafeEqual(sha256(headers.authorization ?? ''), expected)) return;
    throw new HttpError(401, 'token', 'Send the token of the service: Authorization: Bearer TOKEN.', {
      'WWW-Authenticate': 'Bearer',
    });
  };
}

/**
 * The exact values of `Host` under which the service answers, so that a page whose name was bound to this address (DNS rebinding)
 * reaches nothing. `more` are names with or without port, for a proxy in front.
 */
export function hostList(address: string, port: number, more: readonly string[] = []): Set<string> {
  const names = ['127.0.0.1', 'localhost', '[::1]'];
  const isAny = address === '0.0.0.0' || address === '::';
  if (isAny) {
    names.push(hostname().toLowerCase());
    for (const found of Object.values(networkInterfaces()).flat())
      if (found) names.push(inUrl(found.address));
  } else names.push(inUrl(address));
  const hosts = names.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]));
  return new Set([...hosts, ...more.map((name) => name.toLowerCase())]);
}

/** An address as it stands in a URL. */
export const inUrl = (address: string): string => (address.includes(':') ? `[${address}]` : address);

export function checkHost({ headers, rawHeaders }: IncomingMessage, hosts: ReadonlySet<string>): void {
  const given = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  if (given === 1 && hosts.has((headers.host ?? '').toLowerCase())) return;
  throw new HttpError(421, 'host', 'The service does not answer under this Host.');
}

const EXTENSION = /^(?:chrome|moz|safari-web)-extension:\/\/[a-z0-9-]{1,64}$/i;

/** Whether an `Origin` is that of an extension. */
export const isExtension = (origin: string): boolean => EXTENSION.test(origin);

/** Web pages are refused, and so are extensions that were not paired. */
export function checkOrigin(origin: string | undefined, isPaired: (origin: string) => boolean): void {
  if (origin === undefined || (isExtension(origin) && isPaired(origin))) return;
  throw isExtension(origin)
    ? new HttpError(403, 'not-paired', 'Pair this extension first: POST /v1/pair with the token.')
    : new HttpError(403, 'origin', 'Web pages may not use the service.');
}

/** The media type of a body. @throws {HttpError} 415 where it is missing or none of `types` */
export function checkType({ headers }: IncomingMessage, types: readonly string[]): string {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const charset = parameters.find((parameter) => /^\s*charset\s*=/.test(parameter));
  if (types.includes(type.trim()) && (charset === undefined || /=\s*"?utf-?8"?\s*$/.test(charset)))
    return type.trim();
  throw new HttpError(415, 'content-type', `Content-Type must be ${types.join(' or ')} (in UTF-8).`);
}
