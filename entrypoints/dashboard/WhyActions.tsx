import { useMemo } from 'preact/hooks';
import { Button } from '#components/Button.tsx';
import { useText } from '#components/language.ts';
import type { Scope } from '#lib/rounds/types.ts';
import { compilePolicy, type PolicyJson, type SiteRuleJson, type Step } from '#lib/url/index.ts';
import { changePolicy } from '../views/change-policy.ts';
import { areApart, isKept, keepOnSite, splitOnSite, type SiteChange } from '../views/site-rules.ts';
import { useDashboard } from './context.ts';

/** Keeps what a step takes away, on this site, from the next round on. */
export function KeepAction({ scope, url, step }: { scope: Scope; url: string; step: Step }) {
  const text = useText();
  const change = useSiteChange(scope);
  const next = usePolicy(scope);
  if (scope.mode === 'collecting') return null;
  if (isKept(next, url, step)) return <span class="soft small">{text('keptFromNextRound')}</span>;
  return (
    <Button
      compact
      onClick={() =>
        void change(
          (policy) => keepOnSite(policy, url, step),
          (rule) => text('keptOnSite', wordsOf(rule, text('fragment')), rule.host + (rule.path ?? '')),
          text('cannotKeep'),
        )
      }
    >
      {text('keepOnSite')}
    </Button>
  );
}

/** Makes two addresses of one page two pages, from the next round on. */
export function SplitAction({ scope, own, other }: { scope: Scope; own: string; other: string }) {
  const text = useText();
  const change = useSiteChange(scope);
  const next = usePolicy(scope);
  if (scope.mode === 'collecting') return <span class="soft small">{text('collectingKeeps')}</span>;
  if (areApart(next, own, other)) return <span class="soft small">{text('apartFromNextRound')}</span>;
  return (
    <Button
      compact
      onClick={() =>
        void change(
          (policy) => splitOnSite(policy, own, other),
          (rule) => text('splitOnSite', wordsOf(rule, text('fragment')), rule.host + (rule.path ?? '')),
          text('cannotSplit'),
        )
      }
    >
      {text('splitAddresses')}
    </Button>
  );
}

function usePolicy({ policy, policyVersion }: Scope) {
  return useMemo(() => compilePolicy(policy), [policyVersion]);
}

function wordsOf({ keep = [], fragment }: SiteRuleJson, fragmentWord: string): string {
  return [...keep, ...(fragment ? [fragmentWord] : [])].join(', ');
}

/** Writes a site rule into the policy and says so with undo, or says why there is none that helps. */
function useSiteChange(scope: Scope) {
  const { run, tell } = useDashboard();
  return (
    make: (policy: PolicyJson) => SiteChange | undefined,
    said: (rule: SiteRuleJson) => string,
    impossible: string,
  ) =>
    run(async () => {
      let made: SiteChange | undefined;
      const undo = await changePolicy(scope.id, (policy) => {
        made = make(policy);
        return made?.policy ?? policy;
      });
      if (made) tell(said(made.rule), undo);
      else tell(impossible);
    });
}
