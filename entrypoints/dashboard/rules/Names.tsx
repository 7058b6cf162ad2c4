import { useState } from 'preact/hooks';
import { Button } from '#components/Button.tsx';
import { TextField } from '#components/Field.tsx';
import { useText } from '#components/language.ts';
import type { PolicyError, PolicyJson } from '#lib/url/index.ts';
import { SOFT_VALUES } from '#lib/url/tracking.ts';
import { namesIn, withField } from '../../views/policy.ts';
import type { PolicyEditor } from './editor.ts';
import { Wrong } from './Wrong.tsx';

/** Parameters that are always kept or always removed, and words that mark a share. */
export function Names({ editor }: { editor: PolicyEditor }) {
  const text = useText();
  const { keepParams = [], removeParams = [], softValues = {} } = editor.policy;
  const softWords = (name: 'from' | 'ref', words: readonly string[]) => (policy: PolicyJson) => {
    const { [name]: _, ...rest } = policy.softValues ?? {};
    return withField(policy, 'softValues', words.length > 0 ? { ...rest, [name]: words } : rest);
  };
  return (
    <section aria-labelledby="names">
      <h2 id="names">{text('parameters')}</h2>
      <p class="soft prose">{text('parametersHint')}</p>
      <div class="columns">
        <NameList
          title={text('alwaysKeep')}
          names={keepParams}
          editor={editor}
          put={(names) => (policy) => withField(policy, 'keepParams', names)}
        />
        <NameList
          title={text('alwaysRemove')}
          names={removeParams}
          editor={editor}
          put={(names) => (policy) => withField(policy, 'removeParams', names)}
        />
        {(['from', 'ref'] as const).map((name) => (
          <NameList
            key={name}
            title={text('softWords', name)}
            hint={text('softWordsBuiltIn', SOFT_VALUES[name].join(', '))}
            names={softValues[name] ?? []}
            editor={editor}
            put={(names) => softWords(name, names)}
          />
        ))}
      </div>
    </section>
  );
}

interface NameListProps {
  title: string;
  hint?: string;
  names: readonly string[];
  editor: PolicyEditor;
  /** The change that makes these the names. */
  put: (names: readonly string[]) => (policy: PolicyJson) => PolicyJson;
}

function NameList({ title, hint, names, editor, put }: NameListProps) {
  const text = useText();
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState<PolicyError>();
  const add = async (): Promise<void> => {
    const added = namesIn(typed);
    if (added.length === 0) return;
    const error = await editor.change(put([...new Set([...names, ...added])]), text('policySaved', title));
    setWrong(error);
    if (!error) setTyped('');
  };
  return (
    <div class="name-list">
      <h3>{title}</h3>
      <ul>
        {names.map((name) => (
          <li key={name}>
            <bdi dir="ltr" class="address">
              {name}
            </bdi>
            <Button
              compact
              kind="quiet"
              icon="close"
              label={text('removeName', name)}
              onClick={() =>
                void editor.change(put(names.filter((one) => one !== name)), text('policyRemoved', name))
              }
            />
          </li>
        ))}
      </ul>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <TextField label={text('addNames')} labelShown={false} value={typed} onInput={setTyped} />
        <Button submit>{text('add')}</Button>
      </form>
      <Wrong error={wrong} />
      {hint !== undefined && <p class="soft small">{hint}</p>}
    </div>
  );
}
