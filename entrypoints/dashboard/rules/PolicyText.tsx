import { useState } from 'preact/hooks';
import { Button } from '#components/Button.tsx';
import { useText } from '#components/language.ts';
import { PolicyError, type PolicyJson } from '#lib/url/index.ts';
import { withField } from '../../views/policy.ts';
import { useDashboard } from '../context.ts';
import type { PolicyEditor } from './editor.ts';
import { Wrong } from './Wrong.tsx';

/** The policy as the command line reads it (`--policy`), to copy out and to paste in. Imported rules stay apart: only a file is timed. */
export function PolicyText({ editor }: { editor: PolicyEditor }) {
  const text = useText();
  const { tell } = useDashboard();
  const stored = JSON.stringify(withField(editor.policy, 'imported', undefined), undefined, 2);
  const [typed, setTyped] = useState<string>();
  const [wrong, setWrong] = useState<PolicyError>();
  const save = async (): Promise<void> => {
    try {
      const policy = read(typed ?? stored);
      const error = await editor.change(
        ({ imported }) => withField(policy, 'imported', imported),
        text('policySaved', text('policyAsText')),
      );
      setWrong(error);
      if (!error) setTyped(undefined);
    } catch (error) {
      if (!(error instanceof PolicyError)) throw error;
      setWrong(error);
    }
  };
  return (
    <section>
      <details>
        <summary>
          <h2>{text('policyAsText')}</h2>
        </summary>
        <div class="policy-text">
          <label>
            <span class="soft prose">{text('policyTextHint')}</span>
            <textarea
              class="address"
              dir="ltr"
              rows={10}
              spellcheck={false}
              value={typed ?? stored}
              onInput={(event) => setTyped(event.currentTarget.value)}
            />
          </label>
          <Wrong error={wrong} />
          <div class="line">
            <Button off={typed === undefined || typed === stored} onClick={() => void save()}>
              {text('savePolicy')}
            </Button>
            <Button
              icon="copy"
              onClick={() =>
                void navigator.clipboard.writeText(stored).then(
                  () => tell(text('policyCopied')),
                  () => tell(text('copyFailed')),
                )
              }
            >
              {text('copyPolicy')}
            </Button>
          </div>
        </div>
      </details>
    </section>
  );
}

/** @throws {PolicyError} */
function read(json: string): PolicyJson {
  let policy: unknown;
  try {
    policy = JSON.parse(json);
  } catch (error) {
    throw new PolicyError('', `is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (typeof policy !== 'object' || policy === null || Array.isArray(policy))
    throw new PolicyError('', 'must be an object.');
  if ('imported' in policy)
    throw new PolicyError('imported', 'comes in as a file: choose it under imported rules.');
  return policy;
}
