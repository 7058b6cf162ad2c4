import { noiseWord } from '#components/ChangeList.tsx';
import { Switch } from '#components/Field.tsx';
import { Button } from '#components/Button.tsx';
import { useText } from '#components/language.ts';
import { DEFAULT_NOISE, NOISE_RULES } from '#lib/content/noise.ts';
import { rulesFor } from '#lib/content/watch.ts';
import type { Scope } from '#lib/rounds/types.ts';
import { contentRules } from '#lib/store/changes.ts';
import { useLive } from '../../views/live.ts';
import { ask } from '../../views/worker.ts';
import { useDashboard } from '../context.ts';
import { ignoredWords } from './words.ts';

/** What counts as noise on a page: the kinds, each to be switched, and the blocks the person ignores. */
export function NoiseRules({ scope, pageKey }: { scope: Scope; pageKey: string }) {
  const text = useText();
  const { run, tell } = useDashboard();
  const all = useLive(() => contentRules(scope.id), [scope.id]).value ?? [];
  const here = all.filter(({ key }) => key === undefined || key === pageKey);
  const on = rulesFor(all, pageKey).masks ?? DEFAULT_NOISE;
  const own = here.findLast((rule) => rule.key === pageKey && rule.rules.masks !== undefined);
  const ignoring = here.filter(({ rules }) => (rules.ignore?.length ?? 0) > 0);

  const setMasks = (masks: readonly string[], rule: string | undefined) =>
    ask('setContentRule', {
      scope: scope.id,
      key: pageKey,
      rules: { masks: [...masks] },
      ...(rule !== undefined && { rule }),
    });
  const toggle = (name: string, wanted: boolean): void =>
    void run(async () => {
      const masks = NOISE_RULES.filter((one) => (one === name ? wanted : on.includes(one)));
      const { rule } = await setMasks(masks, own?.id);
      tell(text(wanted ? 'noiseOn' : 'noiseOff', noiseWord(name, text)), async () => {
        if (own) await setMasks(on, own.id);
        else await ask('removeContentRule', { rule });
      });
    });
  return (
    <div class="stack">
      <p class="soft">{text('noiseHint')}</p>
      <h3>{text('ignoredHere')}</h3>
      {ignoring.length === 0 && <p class="soft">{text('nothingIgnored')}</p>}
      <ul class="stack">
        {ignoring.map(({ id, key, rules }) => {
          const words = (rules.ignore ?? []).map((ignored) => ignoredWords(ignored, text)).join('; ');
          return (
            <li key={id} class="line" data-testid="ignored">
              <bdi class="whole">{words}</bdi>
              {key === undefined && <span class="soft">{text('onAllPages')}</span>}
              <span class="end">
                <Button
                  compact
                  label={text('reportAgainOf', words)}
                  onClick={() =>
                    void run(async () => {
                      const { undo } = await ask('removeContentRule', { rule: id });
                      tell(text('reportedAgain'), undo);
                    })
                  }
                >
                  {text('reportAgain')}
                </Button>
              </span>
            </li>
          );
        })}
      </ul>
      <h3>{text('noiseKinds')}</h3>
      <ul class="noise-kinds">
        {NOISE_RULES.map((name) => (
          <li key={name}>
            <Switch
              label={noiseWord(name, text)}
              on={on.includes(name)}
              onChange={(wanted) => toggle(name, wanted)}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}
