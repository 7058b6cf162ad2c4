import { useState } from 'preact/hooks';
import { Button } from '#components/Button.tsx';
import { Choice, TextField } from '#components/Field.tsx';
import { useText } from '#components/language.ts';
import type { PolicyError, SiteRuleJson } from '#lib/url/index.ts';
import { namesIn, replaceSiteRule, siteRule, withSiteRule } from '../../views/policy.ts';
import type { PolicyEditor } from './editor.ts';
import { Wrong } from './Wrong.tsx';

/** What holds on one site only; it goes before every other rule but the parameters always kept. */
export function SiteRules({ editor }: { editor: PolicyEditor }) {
  const text = useText();
  const rules = editor.policy.siteRules ?? [];
  /** Place of the rule that is edited; its length: a new one. */
  const [edited, setEdited] = useState<number>();
  return (
    <section aria-labelledby="site-rules">
      <h2 id="site-rules">{text('siteRules')}</h2>
      <p class="soft prose">{text('siteRulesHint')}</p>
      {rules.length === 0 && edited === undefined && <p>{text('noSiteRules')}</p>}
      <ul class="site-rules">
        {rules.map((rule, index) => (
          <li key={JSON.stringify(rule)} data-testid="site-rule">
            {edited === index ? (
              <SiteRuleForm rule={rule} place={index} editor={editor} onClose={() => setEdited(undefined)} />
            ) : (
              <div class="line">
                <span class="whole">
                  <bdi dir="ltr" class="address">
                    {rule.host + (rule.path ?? '')}
                  </bdi>{' '}
                  <RuleWords rule={rule} />
                </span>
                <span class="end line">
                  <Button compact label={text('editRuleOf', rule.host)} onClick={() => setEdited(index)}>
                    {text('edit')}
                  </Button>
                  <Button
                    compact
                    label={text('deleteRuleOf', rule.host)}
                    onClick={() =>
                      void editor.change(
                        (policy) => {
                          // Another view may have changed the list meanwhile.
                          const at = (policy.siteRules ?? []).findIndex((one) => isSame(one, rule));
                          return at < 0 ? policy : replaceSiteRule(policy, at);
                        },
                        text('policyRemoved', rule.host),
                      )
                    }
                  >
                    {text('delete')}
                  </Button>
                </span>
              </div>
            )}
          </li>
        ))}
      </ul>
      {edited === rules.length ? (
        <SiteRuleForm editor={editor} onClose={() => setEdited(undefined)} />
      ) : (
        <div>
          <Button icon="plus" onClick={() => setEdited(rules.length)}>
            {text('addSiteRule')}
          </Button>
        </div>
      )}
    </section>
  );
}

function isSame(a: SiteRuleJson, b: SiteRuleJson): boolean {
  return JSON.stringify(siteRule(a)) === JSON.stringify(siteRule(b));
}

/** `keeps ref, removes tk, keeps the fragment`. */
function RuleWords({ rule }: { rule: SiteRuleJson }) {
  const text = useText();
  const names = (words: readonly string[]) => <code>{words.join(', ')}</code>;
  return (
    <span>
      {rule.keep && <span class="said">{text.rich('keepsNames', names(rule.keep))} </span>}
      {rule.remove && <span class="said">{text.rich('removesNames', names(rule.remove))} </span>}
      {rule.fragment && (
        <span class="said">{text(rule.fragment === 'keep' ? 'keepsFragment' : 'dropsFragment')}</span>
      )}
    </span>
  );
}

interface FormProps {
  /** The rule that is changed, and its place; without one a new rule. */
  rule?: SiteRuleJson;
  place?: number;
  editor: PolicyEditor;
  onClose: () => void;
}

function SiteRuleForm({ rule, editor, onClose }: FormProps) {
  const text = useText();
  const [host, setHost] = useState(rule?.host ?? '');
  const [path, setPath] = useState(rule?.path ?? '');
  const [keep, setKeep] = useState(rule?.keep?.join(' ') ?? '');
  const [remove, setRemove] = useState(rule?.remove?.join(' ') ?? '');
  const [fragment, setFragment] = useState<'' | 'keep' | 'drop'>(rule?.fragment ?? '');
  const [wrong, setWrong] = useState<PolicyError>();
  const [empty, setEmpty] = useState(false);
  const save = async (): Promise<void> => {
    const wanted = siteRule({
      host: host.trim(),
      path: path.trim(),
      keep: namesIn(keep),
      remove: namesIn(remove),
      ...(fragment ? { fragment } : {}),
    });
    const saysNothing = !wanted.keep && !wanted.remove && !wanted.fragment;
    setEmpty(saysNothing);
    if (saysNothing) return;
    const error = await editor.change(
      (policy) => {
        const at = rule ? (policy.siteRules ?? []).findIndex((one) => isSame(one, rule)) : -1;
        return at < 0 ? withSiteRule(policy, wanted) : replaceSiteRule(policy, at, wanted);
      },
      text('policySaved', wanted.host),
    );
    setWrong(error);
    if (!error) onClose();
  };
  return (
    <form
      class="site-rule-form"
      aria-label={text('siteRules')}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <div class="columns">
        <TextField label={text('site')} hint={text('ruleHostHint')} value={host} onInput={setHost} focus />
        <TextField label={text('rulePath')} hint={text('rulePathHint')} value={path} onInput={setPath} />
        <TextField label={text('keepNames')} hint={text('namesHint')} value={keep} onInput={setKeep} />
        <TextField label={text('removeNames')} hint={text('namesHint')} value={remove} onInput={setRemove} />
      </div>
      <div>
        <Choice
          label={text('fragment')}
          value={fragment}
          options={[
            { value: '', text: text('fragmentUsual') },
            { value: 'keep', text: text('fragmentKeep') },
            { value: 'drop', text: text('fragmentDrop') },
          ]}
          onChange={setFragment}
        />
      </div>
      {empty && (
        <p role="alert" class="problem">
          {text('ruleSaysNothing')}
        </p>
      )}
      <Wrong error={wrong} />
      <div class="line">
        <Button submit kind="primary">
          {text('saveRule')}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          {text('cancel')}
        </Button>
      </div>
    </form>
  );
}
