import { listScopes } from '#lib/store/read.ts';
import { updateBadge } from './badge.ts';
import { forgetRecordings, publishObserved } from './recordings.ts';
import { updateAlarms } from './schedule.ts';
import { injectObserver, reconcileObserver } from './scripts.ts';

/**
 * Brings everything outside the store in line with its rounds and scopes: what observers are to see, where they are
 * registered, alarms and badge. `inject`: open tabs get their observer too. Idempotent.
 */
export async function afterRoundsChanged({ inject }: { inject: boolean }): Promise<void> {
  forgetRecordings();
  const origins = (await listScopes()).flatMap((scope) => scope.origins);
  await publishObserved();
  await reconcileObserver(origins);
  if (inject) await injectObserver(origins);
  await updateAlarms();
  await updateBadge();
}
