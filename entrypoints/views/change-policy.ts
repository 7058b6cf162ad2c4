import { getScope } from '#lib/store/read.ts';
import { compilePolicy, type PolicyJson } from '#lib/url/index.ts';
import { ask } from './worker.ts';

/**
 * Changes the policy of a scope, starting from what is stored at that moment, one change after another in all open views. Rounds that
 * exist keep theirs. Answers how to take it back.
 * @throws {PolicyError} where the policy would be wrong; nothing is stored then
 */
export function changePolicy(
  scope: string,
  change: (policy: PolicyJson) => PolicyJson,
): Promise<() => Promise<void>> {
  return navigator.locks.request('onceover-policy', async () => {
    const before = (await getScope(scope))?.policy ?? {};
    const policy = change(before);
    compilePolicy(policy);
    await ask('updateScope', { scope, policy: { ...policy } });
    return async () => {
      await ask('updateScope', { scope, policy: before });
    };
  });
}
