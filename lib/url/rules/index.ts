import type { Address } from '../address.ts';
import type { Failure } from '../failure.ts';
import type { Provider } from '../imported.ts';
import type { Policy, Switch } from '../policy.ts';
import type { RuleId } from '../rule-names.ts';
import { dropFragment } from './fragment.ts';
import { dropEntities } from './html-entities.ts';
import { mergeSchemes } from './merge-schemes.ts';
import { removeNames } from './names.ts';
import { spellPairs } from './pairs.ts';
import { parse } from './parse.ts';
import { dropPathSessions } from './path-session.ts';
import { applyRawRules } from './imported-raw.ts';
import { spellEscapes } from './percent.ts';
import { cleanRouteQuery } from './route-query.ts';
import { sortPairs } from './sort.ts';
import { stripIndexFiles } from './strip-index.ts';
import { stripTrailingSlash } from './strip-slash.ts';
import { stripWww } from './strip-www.ts';
import { trimAndResolve } from './trim.ts';
import { redirectTarget } from './unwrap.ts';
import { decodeWhole } from './whole.ts';

export interface Context {
  readonly policy: Policy;
  /** What a relative reference is relative to. */
  readonly base: string | undefined;
  /** The text comes from a person or a list, not from a page or a redirector: rule 2 applies. */
  readonly pasted: boolean;
}

/** What the rules know while they run over one address. */
export interface Run {
  readonly policy: Policy;
  /** Imported providers that speak of this address. */
  providers: readonly Provider[];
  /** Names of imported providers that could not be used for this address. */
  readonly skipped: Set<string>;
}

interface Named {
  readonly id: RuleId;
  /** Section of the specification and of docs/keys.md: 1 to 9. */
  readonly section: number;
  /** The policy field that switches the rule; without one it is always on. */
  readonly switch?: Switch;
}

/** Works on a text that is not parsed yet, and may refuse it. */
export interface TextRule extends Named {
  readonly on: 'text';
  readonly apply: (text: string, context: Context) => string | Failure;
}

export interface AddressRule extends Named {
  readonly on: 'address';
  readonly apply: (address: Address, run: Run) => Address;
  /** Neighbouring rules with this mark are repeated together until none changes anything. */
  readonly together?: true;
}

/** Asked of the finished key for another address to start again with. */
export interface KeyRule extends Named {
  readonly on: 'key';
  readonly apply: (key: string, policy: Policy) => string | undefined;
}

export type Rule = TextRule | AddressRule | KeyRule;

/** Every rule, in order. */
export const RULES: readonly Rule[] = [
  { id: 'trim', section: 1, on: 'text', apply: trimAndResolve },
  { id: 'whole', section: 2, on: 'text', apply: decodeWhole },
  { id: 'path-session', section: 3, switch: 'stripSessionIds', on: 'text', apply: dropPathSessions },
  { id: 'parse', section: 3, on: 'text', apply: parse },
  { id: 'percent', section: 4, on: 'address', apply: spellEscapes },
  {
    id: 'merge-schemes',
    section: 4,
    switch: 'mergeSchemes',
    on: 'address',
    together: true,
    apply: mergeSchemes,
  },
  { id: 'strip-www', section: 4, switch: 'stripWww', on: 'address', together: true, apply: stripWww },
  {
    id: 'strip-index',
    section: 4,
    switch: 'stripIndexFiles',
    on: 'address',
    together: true,
    apply: stripIndexFiles,
  },
  {
    id: 'strip-slash',
    section: 4,
    switch: 'stripTrailingSlash',
    on: 'address',
    together: true,
    apply: stripTrailingSlash,
  },
  { id: 'imported-raw', section: 6, on: 'address', apply: applyRawRules },
  { id: 'pairs', section: 5, on: 'address', apply: spellPairs },
  { id: 'html-entities', section: 5, switch: 'htmlEntities', on: 'address', apply: dropEntities },
  { id: 'policy-names', section: 6, on: 'address', apply: removeNames('policy-names') },
  { id: 'imported-names', section: 6, on: 'address', apply: removeNames('imported-names') },
  {
    id: 'session-names',
    section: 6,
    switch: 'stripSessionIds',
    on: 'address',
    apply: removeNames('session-names'),
  },
  { id: 'tracking-names', section: 6, on: 'address', apply: removeNames('tracking-names') },
  { id: 'soft-names', section: 6, on: 'address', apply: removeNames('soft-names') },
  { id: 'sort', section: 7, on: 'address', apply: sortPairs },
  { id: 'fragment', section: 8, on: 'address', apply: dropFragment },
  { id: 'route-query', section: 8, switch: 'routeQueryTracking', on: 'address', apply: cleanRouteQuery },
  { id: 'unwrap', section: 9, switch: 'unwrapRedirects', on: 'key', apply: redirectTarget },
];
