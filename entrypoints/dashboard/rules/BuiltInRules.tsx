import { Switch } from '#components/Field.tsx';
import type { Text } from '#components/i18n.ts';
import { useText } from '#components/language.ts';
import { compilePolicy, RULES, type RuleId, type Rule } from '#lib/url/index.ts';
import { HARD_NAMES, HARD_PREFIXES, SESSION_NAMES, SOFT_NAMES } from '#lib/url/tracking.ts';
import { withSwitch } from '../../views/policy.ts';
import { ruleName } from '../../views/why.ts';
import type { PolicyEditor } from './editor.ts';

/** Every rule in its order, with the switch it has, or what else decides whether it acts. */
export function BuiltInRules({ editor }: { editor: PolicyEditor }) {
  const text = useText();
  return (
    <section aria-labelledby="built-in">
      <h2 id="built-in">{text('builtInRules')}</h2>
      <p class="soft prose">{text('builtInHint')}</p>
      <ol class="rule-list">
        {RULES.map((rule) => (
          <li key={rule.id} data-testid="rule">
            <RuleLine rule={rule} editor={editor} />
            {NAMES[rule.id] && (
              <details>
                <summary>{text('builtInNames', NAMES[rule.id]?.length ?? 0)}</summary>
                <p class="names address">{NAMES[rule.id]?.join(' ')}</p>
              </details>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function RuleLine({ rule, editor }: { rule: Rule; editor: PolicyEditor }) {
  const text = useText();
  const name = ruleName(rule.id, text.language);
  const { switch: field } = rule;
  if (field === undefined) {
    return (
      <div class="rule-line">
        <span>{name}</span>
        <span class="soft">{governed(rule.id, text)}</span>
      </div>
    );
  }
  const first = RULES.find((one) => one.switch === field);
  if (first && first.id !== rule.id) {
    return (
      <div class="rule-line">
        <span>{name}</span>
        <span class="soft">{text('withRule', ruleName(first.id, text.language))}</span>
      </div>
    );
  }
  return (
    <Switch
      label={name}
      on={compilePolicy(editor.policy)[field]}
      onChange={(on) =>
        void editor.change((policy) => withSwitch(policy, field, on), text('policySaved', name))
      }
    />
  );
}

/** What decides about a rule without a switch. */
function governed(rule: RuleId, text: Text): string {
  switch (rule) {
    case 'imported-raw':
    case 'imported-names':
      return text('byImported');
    case 'policy-names':
      return text('byOwnNames');
    case 'tracking-names':
    case 'soft-names':
      return text('byPreset');
    case 'fragment':
      return text('unlessSiteRule');
    default:
      return text('alwaysOn');
  }
}

const NAMES: Partial<Record<RuleId, string[]>> = {
  'session-names': SESSION_NAMES.map(({ name }) => name),
  'tracking-names': [...HARD_PREFIXES.map(({ name }) => `${name}*`), ...HARD_NAMES.map(({ name }) => name)],
  'soft-names': SOFT_NAMES.map(({ name }) => name),
};
