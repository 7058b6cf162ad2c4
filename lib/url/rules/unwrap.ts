import { splitAddress } from '../address.ts';
import type { Address } from '../address.ts';
import { decodeOnce } from '../escapes.ts';
import { providersFor, textForProviders } from '../imported.ts';
import { splitPairs } from '../pairs.ts';
import type { Policy } from '../policy.ts';
import { isInDomain } from '../sites.ts';
import { schemeOf } from './parse.ts';
import { trim } from './trim.ts';

/** Addresses that only lead to the address in a parameter. */
const REDIRECTORS: readonly {
  readonly host: string;
  readonly path: string;
  readonly names: readonly string[];
}[] = [
  { host: 'google.com', path: '/url', names: ['q', 'url'] },
  { host: 'l.facebook.com', path: '/l.php', names: ['u'] },
  { host: 'link.zhihu.com', path: '/', names: ['target'] },
];

/** Switch of rule 9: the address to which a finished key of a known redirector leads, or undefined. */
export function redirectTarget(key: string, policy: Policy): string | undefined {
  const address = splitAddress(key);
  const value = valueInTable(address) ?? valueInImports(address, policy);
  const target = trim(decodeOnce(value ?? ''));
  return ['http', 'https'].includes(schemeOf(target) ?? '') ? target : undefined;
}

function valueInTable({ host, path, query }: Address): string | undefined {
  const redirector = REDIRECTORS.find((entry) => isInDomain(host, entry.host) && path === entry.path);
  if (redirector === undefined || query === undefined) return undefined;
  return splitPairs(query).find(({ name, value }) => redirector.names.includes(name) && value !== undefined)
    ?.value;
}

function valueInImports(address: Address, policy: Policy): string | undefined {
  if (policy.imported.length === 0) return undefined;
  const text = textForProviders(address);
  for (const { redirections } of providersFor(policy.imported, text))
    for (const redirection of redirections) {
      const target = redirection.exec(text)?.[1];
      if (target !== undefined) return target;
    }
  return undefined;
}
