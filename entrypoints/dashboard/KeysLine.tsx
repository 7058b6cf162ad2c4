import type { ComponentChildren } from 'preact';
import { useText } from '#components/language.ts';

/** A key (or several that belong together), and what it does here. */
export type KeyHint = readonly [keys: readonly string[], does: string];

/** The keys of a list, and at its end what the list is sorted or drawn by. */
export function KeysLine({ hints, children }: { hints: readonly KeyHint[]; children: ComponentChildren }) {
  const text = useText();
  const all: KeyHint[] = [...hints, [['?'], text('allKeys')]];
  return (
    <p class="keys-line">
      {all.map(([keys, does]) => (
        <span key={does}>
          {keys.map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
          {does}
        </span>
      ))}
      <span class="end">{children}</span>
    </p>
  );
}
