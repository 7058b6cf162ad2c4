import type { Text, TextKey } from '#components/i18n.ts';
import { TeamError, type TeamCause } from '#lib/team/client.ts';

/** Somebody waits for the answer to a test so long, in ms. */
export const TEST_PATIENCE = 8_000;

const CAUSES: Record<TeamCause, TextKey> = {
  unreachable: 'serviceUnreachable',
  'local-network': 'serviceLocalNetwork',
  'no-permission': 'serviceNoPermission',
  token: 'serviceWrongToken',
  'not-paired': 'serviceNotPaired',
  host: 'serviceWrongHost',
  'not-service': 'serviceOther',
  bound: 'serviceBound',
  busy: 'serviceBusy',
  'too-large': 'serviceRefused',
  'key-reused': 'serviceRefused',
  refused: 'serviceRefused',
};

/** What went wrong with the service, and what to do; any other error as it is. */
export function causeWords(error: unknown, address: string, text: Text): string {
  if (error instanceof TeamError) return text(CAUSES[error.team], address, error.message);
  return error instanceof Error ? error.message : String(error);
}
