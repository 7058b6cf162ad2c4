import './controls.css';
import type { Ref } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Icon } from './Icon.tsx';

interface SearchFieldProps {
  label: string;
  value: string;
  onInput: (value: string) => void;
  /** The element, so that `/` can put the cursor there. */
  fieldRef?: Ref<HTMLInputElement>;
}

/** Free text that narrows a list. Escape clears it. */
export function SearchField({ label, value, onInput, fieldRef }: SearchFieldProps) {
  return (
    <label class="field">
      <Icon name="search" />
      <span class="unseen">{label}</span>
      <input
        {...(fieldRef ? { ref: fieldRef } : {})}
        type="search"
        value={value}
        placeholder={label}
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onInput('');
        }}
      />
      <kbd aria-hidden="true">/</kbd>
    </label>
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  /** Shown beside the list, or said only. */
  labelShown?: boolean;
  value: T;
  options: readonly { value: T; text: string }[];
  onChange: (value: T) => void;
}

/** One of a few. */
export function Choice<T extends string>({
  label,
  labelShown = true,
  value,
  options,
  onChange,
}: ChoiceProps<T>) {
  return (
    <label class="line">
      <span class={labelShown ? 'soft' : 'unseen'}>{label}</span>
      <select
        class="choice"
        value={value}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.currentTarget.value);
          if (chosen) onChange(chosen.value);
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.text}
          </option>
        ))}
      </select>
    </label>
  );
}

interface SwitchProps {
  label: string;
  on: boolean;
  onChange: (on: boolean) => void;
}

export function Switch({ label, on, onChange }: SwitchProps) {
  return (
    <label class="switch">
      <span>{label}</span>
      <input
        type="checkbox"
        role="switch"
        checked={on}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </label>
  );
}

interface TextFieldProps {
  label: string;
  /** Shown above the field, or said only. */
  labelShown?: boolean;
  /** What may stand in it, below the field. */
  hint?: string;
  value: string;
  /** Holds an address, which is written from left to right in any language. */
  address?: boolean;
  /** Shown as dots. */
  secret?: boolean;
  /** Takes the focus when it appears. */
  focus?: boolean;
  onInput: (value: string) => void;
}

/** One line of text of a form. */
export function TextField({
  label,
  labelShown = true,
  hint,
  value,
  address,
  secret,
  focus,
  onInput,
}: TextFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focus) input.current?.focus();
  }, []);
  return (
    <div class="text-field">
      <label for={id} class={labelShown ? 'soft' : 'unseen'}>
        {label}
      </label>
      <span class="field">
        <input
          ref={input}
          id={id}
          {...(secret ? { type: 'password' as const } : { type: 'text' as const })}
          class={address ? 'address' : ''}
          dir={address ? 'ltr' : undefined}
          spellcheck={false}
          autocomplete="off"
          value={value}
          placeholder={labelShown ? '' : label}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      </span>
      {hint !== undefined && (
        <span id={`${id}-hint`} class="soft small">
          {hint}
        </span>
      )}
    </div>
  );
}

interface NumberFieldProps {
  label: string;
  /** Undefined where nothing is set. */
  value: number | undefined;
  /** Takes the focus when it appears. */
  focus?: boolean;
  onInput: (value: number | undefined) => void;
}

/** A number that may be left out. */
export function NumberField({ label, value, focus, onInput }: NumberFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focus) input.current?.focus();
  }, []);
  return (
    <label class="text-field">
      <span class="soft">{label}</span>
      <span class="field">
        <input
          ref={input}
          type="number"
          step="any"
          value={value ?? ''}
          onInput={({ currentTarget }) =>
            onInput(Number.isNaN(currentTarget.valueAsNumber) ? undefined : currentTarget.valueAsNumber)
          }
        />
      </span>
    </label>
  );
}
