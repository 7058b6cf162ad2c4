import type { Address } from '../address.ts';
import { LONGEST_MATCHED, providersFor, textForProviders } from '../imported.ts';
import type { Provider } from '../imported.ts';
import { keptFragment } from './fragment.ts';
import type { Run } from './index.ts';

const MOST_ROUNDS = 5;

/**
 * Rule 6, after rule 4: what the raw rules of imported providers match is cut out of path and query. A provider whose rules go
 * on changing the address is skipped for it. Which providers speak of the address is decided here, once for all of rule 6.
 */
export function applyRawRules(address: Address, run: Run): Address {
  const { policy } = run;
  if (policy.imported.length === 0) return address;
  const text = textForProviders({ ...address, fragment: keptFragment(address, policy) });
  if (text.length > LONGEST_MATCHED) policy.imported.forEach(({ name }) => run.skipped.add(name));
  run.providers = providersFor(policy.imported, text);
  let current = address.query === undefined ? address.path : `${address.path}?${address.query}`;
  for (const provider of run.providers) {
    const settled = cut(current, provider);
    if (settled === undefined) run.skipped.add(provider.name);
    else current = settled;
  }
  run.providers = run.providers.filter(({ name }) => !run.skipped.has(name));
  const at = current.indexOf('?');
  return at < 0
    ? { ...address, path: current, query: undefined }
    : { ...address, path: current.slice(0, at), query: current.slice(at + 1) };
}

/** Applies every raw rule until none changes anything; undefined when that does not come to an end. */
function cut(text: string, { raw }: Provider): string | undefined {
  let current = text;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const before = current;
    for (const rule of raw) current = current.replace(rule, '');
    if (!current.startsWith('/')) current = `/${current}`;
    if (current === before) return current;
  }
  return undefined;
}
