import { randomBytes } from 'node:crypto';
import type { Store } from './store.ts';

/** Why a text cannot be a token (it has to fit in a header), or undefined. */
export function tokenProblem(token: string): string | undefined {
  return /^[\x21-\x7e]+$/.test(token)
    ? undefined
    : 'ONCEOVER_TOKEN must be letters, digits and signs without spaces.';
}

/** The token made at the first start with this store; a volatile store gets a new one each time. */
export async function storedToken(store: Store): Promise<{ token: string; isNew: boolean }> {
  const saved = await store.setting('token');
  if (saved !== undefined) return { token: saved, isNew: false };
  const token = randomBytes(24).toString('base64url');
  await store.setSetting('token', token);
  return { token, isNew: true };
}
