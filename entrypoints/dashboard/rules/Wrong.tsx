import { Icon } from '#components/Icon.tsx';
import { useText } from '#components/language.ts';
import type { PolicyError } from '#lib/url/index.ts';

/** What is wrong with a policy: which field, at which place, and what it must be. */
export function Wrong({ error }: { error: PolicyError | undefined }) {
  const text = useText();
  if (!error) return null;
  return (
    <p role="alert" class="problem">
      <Icon name="warning" />
      <span>
        {text('policyWrong')} <span lang="en">{error.message}</span>
      </span>
    </p>
  );
}
