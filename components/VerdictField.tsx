import './VerdictField.css';
import { useEffect, useState } from 'preact/hooks';
import type { Verdict } from '#lib/rounds/types.ts';
import { useText } from './language.ts';

/** The verdicts in the order of their keys 1, 2, 3. */
export const VERDICTS = ['ok', 'problem', 'skip'] as const satisfies readonly Verdict[];

interface VerdictFieldProps {
  verdict: Verdict | undefined;
  note: string;
  onVerdict: (verdict: Verdict) => void;
  /** The note as it stands when the person leaves the field. */
  onNote: (note: string) => void;
}

/** What the inspector says of the page. */
export function VerdictField({ verdict, note, onVerdict, onNote }: VerdictFieldProps) {
  const text = useText();
  const [draft, setDraft] = useState(note);
  useEffect(() => setDraft(note), [note]);
  const words: Record<Verdict, string> = { ok: text('ok'), problem: text('problem'), skip: text('skip') };
  return (
    <>
      <fieldset>
        <legend class="unseen">{text('verdict')}</legend>
        <div class="verdict">
          {VERDICTS.map((one, index) => (
            <label key={one}>
              <input
                type="radio"
                name="verdict"
                value={one}
                checked={one === verdict}
                onChange={() => onVerdict(one)}
              />
              {words[one]}
              <kbd aria-hidden="true">{index + 1}</kbd>
            </label>
          ))}
        </div>
      </fieldset>
      <label class="note">
        <span class="unseen">{text('note')}</span>
        <textarea
          rows={1}
          maxLength={10_000}
          placeholder={text('addNote')}
          value={draft}
          onInput={(event) => setDraft(event.currentTarget.value)}
          onBlur={() => {
            if (draft !== note) onNote(draft);
          }}
        />
      </label>
    </>
  );
}
