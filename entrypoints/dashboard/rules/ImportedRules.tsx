import { useRef, useState } from 'preact/hooks';
import { Button } from '#components/Button.tsx';
import type { TextKey } from '#components/i18n.ts';
import { useText } from '#components/language.ts';
import { ProgressBar } from '#components/Notices.tsx';
import type { ImportProblem } from '#lib/url/clearurls.ts';
import type { ProviderJson } from '#lib/url/imported.ts';
import type { PolicyError } from '#lib/url/index.ts';
import { withField } from '../../views/policy.ts';
import { readClearUrls } from '../../views/read-clearurls.ts';
import { useDashboard } from '../context.ts';
import type { PolicyEditor } from './editor.ts';
import { Wrong } from './Wrong.tsx';

const PROBLEMS: Record<ImportProblem['problem'], TextKey> = {
  'not-a-rule-file': 'importNotRules',
  'too-large': 'importTooLarge',
  'wrong-type': 'importWrongType',
  'unknown-field': 'importUnknownField',
  'not-an-expression': 'importNotExpression',
  'too-slow': 'importTooSlow',
  'not-checked': 'importNotChecked',
};
const SHOWN = 100;

/** Rules of a ClearURLs file: what came in, what of it is not used, and the way out. */
export function ImportedRules({ editor }: { editor: PolicyEditor }) {
  const text = useText();
  const { run, tell } = useDashboard();
  const file = useRef<HTMLInputElement>(null);
  const reading = useRef<AbortController>(undefined);
  const [name, setName] = useState<string>();
  const [problems, setProblems] = useState<readonly ImportProblem[]>([]);
  const [wrong, setWrong] = useState<PolicyError>();
  const providers = Object.entries(editor.policy.imported ?? {});

  const read = async (chosen: File): Promise<void> => {
    const abort = new AbortController();
    reading.current = abort;
    setName(chosen.name);
    setProblems([]);
    await run(async () => {
      try {
        const { providers: found, problems: named } = await readClearUrls(chosen, abort.signal);
        setProblems(named);
        const count = Object.keys(found).length;
        if (count === 0) return;
        setWrong(
          await editor.change((policy) => withField(policy, 'imported', found), text('importedSaved', count)),
        );
      } catch (error) {
        if (!abort.signal.aborted) throw error;
        tell(text('importCancelled'));
      } finally {
        setName(undefined);
      }
    });
  };
  return (
    <section aria-labelledby="imported">
      <h2 id="imported">{text('importedRules')}</h2>
      <p class="soft prose">{text('importedHint')}</p>
      <div class="actions">
        <input
          ref={file}
          class="unseen"
          type="file"
          accept=".json,application/json"
          tabIndex={-1}
          aria-label={text('ruleFile')}
          onChange={(event) => {
            const input = event.currentTarget;
            const chosen = input.files?.[0];
            if (chosen) void read(chosen);
            // The same file can be chosen again.
            input.value = '';
          }}
        />
        <Button icon="plus" onClick={() => file.current?.click()}>
          {text('chooseRuleFile')}
        </Button>
        {providers.length > 0 && (
          <Button
            onClick={() =>
              void editor.change(
                (policy) => withField(policy, 'imported', undefined),
                text('policyRemoved', text('importedRules')),
              )
            }
          >
            {text('deleteImported', providers.length)}
          </Button>
        )}
      </div>
      {name !== undefined && (
        <ProgressBar
          label={text('checkingRules', name)}
          done={0}
          onCancel={() => reading.current?.abort(new Error('cancelled'))}
        />
      )}
      <Wrong error={wrong} />
      {problems.length > 0 && (
        <div role="alert">
          <h3>{text('importProblems', problems.length)}</h3>
          <ul class="problems">
            {problems.slice(0, SHOWN).map((problem) => (
              <li key={JSON.stringify(problem)} data-testid="import-problem">
                {problem.provider !== '' && (
                  <bdi dir="ltr" class="address">
                    {[problem.provider, problem.field].filter(Boolean).join('.')}
                  </bdi>
                )}{' '}
                <span>{text(PROBLEMS[problem.problem])}</span>{' '}
                {problem.pattern !== undefined && (
                  <bdi dir="ltr" class="address soft">
                    {problem.pattern.slice(0, 200)}
                  </bdi>
                )}
              </li>
            ))}
          </ul>
          {problems.length > SHOWN && <p class="soft">{text('moreAddresses', problems.length - SHOWN)}</p>}
        </div>
      )}
      {providers.length > 0 && (
        <details>
          <summary>{text('importedSets', providers.length)}</summary>
          <ul class="providers">
            {providers.map(([provider, json]) => (
              <li key={provider} class="line">
                <bdi class="address whole">{provider}</bdi>
                <span class="soft">{text('expressions', expressionsIn(json))}</span>
                <Button
                  compact
                  label={text('deleteRuleOf', provider)}
                  onClick={() =>
                    void editor.change(
                      (policy) =>
                        withField(
                          policy,
                          'imported',
                          Object.fromEntries(
                            Object.entries(policy.imported ?? {}).filter(([other]) => other !== provider),
                          ),
                        ),
                      text('policyRemoved', provider),
                    )
                  }
                >
                  {text('delete')}
                </Button>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function expressionsIn({
  rules,
  referralMarketing,
  rawRules,
  exceptions,
  redirections,
}: ProviderJson): number {
  return [rules, referralMarketing, rawRules, exceptions, redirections].reduce(
    (sum, list) => sum + (list?.length ?? 0),
    0,
  );
}
