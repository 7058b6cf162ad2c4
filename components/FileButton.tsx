import { useRef } from 'preact/hooks';
import { Button } from './Button.tsx';
import type { IconName } from './Icon.tsx';

interface FileButtonProps {
  /** What the button says. */
  label: string;
  icon?: IconName;
  kind?: 'primary' | 'plain';
  /** Endings the browser offers first. */
  accept?: string;
  off?: boolean;
  testid?: string;
  onFile: (file: File) => void;
}

/** A button that lets a person choose one file. */
export function FileButton({
  label,
  icon = 'plus',
  kind = 'plain',
  accept,
  off,
  testid,
  onFile,
}: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        class="unseen"
        type="file"
        {...(accept === undefined ? {} : { accept })}
        tabIndex={-1}
        aria-label={label}
        data-testid={testid}
        onChange={(event) => {
          const field = event.currentTarget;
          const chosen = field.files?.[0];
          if (chosen) onFile(chosen);
          // The same file can be chosen again.
          field.value = '';
        }}
      />
      <Button kind={kind} icon={icon} off={off ?? false} onClick={() => input.current?.click()}>
        {label}
      </Button>
    </>
  );
}
