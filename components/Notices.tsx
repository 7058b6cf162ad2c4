import './controls.css';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from './Button.tsx';
import { Icon } from './Icon.tsx';
import { useText } from './language.ts';

/** What is missing, and the one next step. */
export function EmptyState({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <section class="empty">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** Something failed and stays so until it is mended: what, and what to do. */
export function Banner({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="banner" role="alert">
      <Icon name="warning" />
      <div class="stack">
        <h2>{title}</h2>
        {children}
      </div>
    </div>
  );
}

interface ToastProps {
  message: string;
  onUndo?: (() => void) | undefined;
  onClose: () => void;
}

const TOAST_MS = 10_000;

/** What happened, and the way back. Goes after 10 s, but not while it is looked at (hover) or focused. */
export function Toast({ message, onUndo, onClose }: ToastProps) {
  const text = useText();
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return undefined;
    const timer = setTimeout(onClose, TOAST_MS);
    return () => clearTimeout(timer);
  }, [held, message]);
  return (
    <div
      class="toast"
      role="status"
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocusIn={() => setHeld(true)}
      onFocusOut={() => setHeld(false)}
    >
      <span>{message}</span>
      {onUndo && (
        <button type="button" onClick={onUndo}>
          {text('undo')} <kbd aria-hidden="true">u</kbd>
        </button>
      )}
    </div>
  );
}

interface ProgressBarProps {
  /** What is going on. */
  label: string;
  done: number;
  /** How many there are; unknown is possible. */
  total?: number;
  onCancel: () => void;
}

/** n of N with a way out; for anything over a second. */
export function ProgressBar({ label, done, total, onCancel }: ProgressBarProps) {
  const text = useText();
  const share = total ? Math.min(1, done / total) : undefined;
  return (
    <div class="progress">
      <div>
        <p role="status">
          {label} <b>{total === undefined ? text.number(done) : text('nOfN', done, total)}</b>
        </p>
        <div
          class="track"
          role="progressbar"
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={100}
          {...(share === undefined ? {} : { 'aria-valuenow': Math.round(share * 100) })}
        >
          <i style={{ width: `${(share ?? 0) * 100}%` }} />
        </div>
      </div>
      <Button compact onClick={onCancel}>
        {text('cancel')}
      </Button>
    </div>
  );
}
