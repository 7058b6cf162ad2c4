import type { Round, Scope } from '#lib/rounds/types.ts';
import { roundKey } from './windows.ts';

/** `storage.local`: the service this extension is paired with. Holds the token, so it is in no export and no backup. */
export const PAIRING_KEY = 'service';

/** Every fingerprint that is sent: the first 16 bytes of the SHA-256 of the key. */
export const TEAM_FORM = 'sha256-16';

/** How a scope takes part. */
export interface Binding {
  on: boolean;
  /** Namespace of the service. */
  ns: string;
  /** Policy version that the namespace is bound to. */
  policy: string;
  /** What the team calls its round: `all`, a window (`day`, `6h`) or a name. */
  round: string;
  /** Whether addresses are sent beside the fingerprints. */
  addresses: boolean;
}

export interface Pairing {
  /** Origin of the service, e.g. `http://127.0.0.1:8321`. */
  address: string;
  token: string;
  pairedAt: number;
  /** By id of the scope. */
  scopes: Record<string, Binding>;
}

/** Where the pages of a round stand in the service. */
export interface TeamPlace {
  ns: string;
  round: string;
  policy: string;
  addresses: boolean;
}

/** Names that the service takes, of namespaces and rounds. */
export const TEAM_NAME = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A pairing from whatever was stored; nothing where there is none or it is damaged. */
export function readPairing(stored: unknown): Pairing | undefined {
  if (!isRecord(stored)) return undefined;
  const { address, token, pairedAt, scopes } = stored;
  if (typeof address !== 'string' || serviceOrigin(address) !== address) return undefined;
  if (typeof token !== 'string' || token === '') return undefined;
  const bindings: Record<string, Binding> = {};
  for (const [id, binding] of Object.entries(isRecord(scopes) ? scopes : {}))
    if (isBinding(binding)) bindings[id] = binding;
  return { address, token, pairedAt: typeof pairedAt === 'number' ? pairedAt : 0, scopes: bindings };
}

function isBinding(value: unknown): value is Binding {
  if (!isRecord(value)) return false;
  const { on, ns, policy, round, addresses } = value;
  const areNames = [ns, policy, round].every((name) => typeof name === 'string' && TEAM_NAME.test(name));
  return areNames && typeof on === 'boolean' && typeof addresses === 'boolean';
}

/** The origin of what a person typed as the address of a service; a bare `host:port` is http. Nothing where it is none. */
export function serviceOrigin(typed: string): string | undefined {
  const text = typed.trim();
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined;
  return url.host === '' || url.username !== '' || url.password !== '' ? undefined : url.origin;
}

/** What a scope begins with: a namespace of its own name, one round for each day (UTC), or one for all where it collects. */
export function newBinding({ name, id, mode, policyVersion }: Scope): Binding {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+|-+$/g, '')
    .slice(0, 100);
  return {
    on: true,
    ns: plain === '' ? `project-${id.slice(0, 8)}` : plain,
    policy: policyVersion,
    round: mode === 'collecting' ? 'all' : 'day',
    addresses: false,
  };
}

/**
 * Where the pages of a round stand. A round with another policy has other keys: they go to a namespace beside, named with the version.
 * Windows are those in which the round began, so that all of it stands in one.
 */
export function teamPlace(
  pairing: Pairing | undefined,
  round: Pick<Round, 'scope' | 'startedAt' | 'policyVersion'>,
): TeamPlace | undefined {
  const binding = pairing?.scopes[round.scope];
  if (!binding?.on) return undefined;
  const key = roundKey(binding.round, round.startedAt)?.key;
  if (key === undefined) return undefined;
  const { policyVersion: policy } = round;
  const ns = policy === binding.policy ? binding.ns : `${binding.ns.slice(0, 100)}.${policy}`;
  return { ns, round: key, policy, addresses: binding.addresses };
}
