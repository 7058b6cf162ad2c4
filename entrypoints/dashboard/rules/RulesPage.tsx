import './rules.css';
import { Choice } from '#components/Field.tsx';
import { useText } from '#components/language.ts';
import { EmptyState } from '#components/Notices.tsx';
import type { Scope } from '#lib/rounds/types.ts';
import { PolicyError, type PolicyJson, type Preset } from '#lib/url/index.ts';
import { changePolicy } from '../../views/change-policy.ts';
import { withField } from '../../views/policy.ts';
import { useDashboard } from '../context.ts';
import { formatRoute } from '../route.ts';
import { BuiltInRules } from './BuiltInRules.tsx';
import type { PolicyEditor } from './editor.ts';
import { ImportedRules } from './ImportedRules.tsx';
import { Names } from './Names.tsx';
import { PolicyText } from './PolicyText.tsx';
import { Proposals } from './Proposals.tsx';
import { SiteRules } from './SiteRules.tsx';
import { TestBox } from './TestBox.tsx';

/** Which addresses are one page: the rules of a scope, and a box to try them. */
export function RulesPage() {
  const text = useText();
  const { scopes, round } = useDashboard();
  const scope = scopes.find(({ id }) => id === round?.scope) ?? scopes[0];
  return (
    <div class="sheet">
      <div class="title-line">
        <h1>{text('rules')}</h1>
        {scope && (
          <span class="soft">
            <bdi>{scope.name}</bdi>
          </span>
        )}
      </div>
      <TestBox scope={scope} />
      {scope && <Proposals key={`proposals ${scope.id}`} scope={scope} round={round} />}
      {scope ? (
        <ScopeRules key={scope.id} scope={scope} />
      ) : (
        <EmptyState title={text('noRounds')}>
          <p class="soft">{text('rulesNeedScope')}</p>
          <a href={formatRoute({ view: 'rounds' })}>{text('toRounds')}</a>
        </EmptyState>
      )}
    </div>
  );
}

function ScopeRules({ scope }: { scope: Scope }) {
  const text = useText();
  const { rounds, run, tell } = useDashboard();
  // All rounds of a collecting scope share one space, so they share its keys.
  const kept = scope.mode === 'collecting' ? rounds.find((round) => round.scope === scope.id) : undefined;
  const policy = (kept?.policy ?? scope.policy) as PolicyJson;
  const editor: PolicyEditor = {
    policy,
    change: async (edit, said) => {
      let wrong: PolicyError | undefined;
      await run(async () => {
        try {
          const undo = await changePolicy(scope.id, edit);
          tell(said, undo);
        } catch (error) {
          if (!(error instanceof PolicyError)) throw error;
          wrong = error;
        }
      });
      return wrong;
    },
  };
  return (
    <fieldset class="rules" disabled={kept !== undefined}>
      <legend class="unseen">{text('rules')}</legend>
      <p class="soft prose">{kept ? text('rulesKept') : text('rulesFromNextRound')}</p>
      <section aria-labelledby="preset">
        <h2 id="preset">{text('matching')}</h2>
        <div>
          <Choice<Preset>
            label={text('preset')}
            value={policy.preset ?? 'standard'}
            options={[
              { value: 'strict', text: text('presetStrict') },
              { value: 'standard', text: text('presetStandard') },
              { value: 'broad', text: text('presetBroad') },
            ]}
            onChange={(preset) =>
              void editor.change(
                (before) => withField(before, 'preset', preset === 'standard' ? undefined : preset),
                text('policySaved', text('preset')),
              )
            }
          />
        </div>
      </section>
      <SiteRules editor={editor} />
      <Names editor={editor} />
      <BuiltInRules editor={editor} />
      <ImportedRules editor={editor} />
      <PolicyText editor={editor} />
    </fieldset>
  );
}
