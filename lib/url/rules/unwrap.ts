import { splitAddress } from '../address.ts';
import { decodeOnce } from '../escapes.ts';
import { splitPairs } from '../pairs.ts';
import { isInDomain } from '../sites.ts';
import { schemeOf } from './parse.ts';
import { trim } from './trim.ts';

/** Addresses that only lead to the address in a parameter. */
export const REDIRECTORS: readonly {
  readonly host: string;
  readonly path: string;
  readonly names: readonly string[];
}[] = [
  { host: 'google.com', path: '/url', names: ['q', 'url'] },
  { host: 'l.facebook.com', path: '/l.php', names: ['u'] },
  { host: 'link.zhihu.com', path: '/', names: ['target'] },
];

/** Switch of rule 9: the address to which a finished key of a known redirector leads, or undefined. */
export function redirectTarget(key: string): string | undefined {
  const { host, path, query } = splitAddress(key);
  const redirector = REDIRECTORS.find((entry) => isInDomain(host, entry.host) && path === entry.path);
  if (redirector === undefined || query === undefined) return undefined;
  const pair = splitPairs(query).find(
    ({ name, value }) => redirector.names.includes(name) && value !== undefined,
  );
  const target = trim(decodeOnce(pair?.value ?? ''));
  return ['http', 'https'].includes(schemeOf(target) ?? '') ? target : undefined;
}
