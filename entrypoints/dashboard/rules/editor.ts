import type { PolicyError, PolicyJson } from '#lib/url/index.ts';

/** A scope's policy and the one way to change it. */
export interface PolicyEditor {
  policy: PolicyJson;
  /** Changes the policy as it is stored now and says `said`, with undo. Answers what is wrong with it; then nothing was stored. */
  change: (edit: (policy: PolicyJson) => PolicyJson, said: string) => Promise<PolicyError | undefined>;
}
