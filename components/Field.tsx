import './controls.css';
import type { Ref } from 'preact';
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
