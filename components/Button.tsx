import './controls.css';
import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './Icon.tsx';

interface ButtonProps {
  children?: ComponentChildren;
  kind?: 'primary' | 'plain' | 'quiet';
  icon?: IconName;
  compact?: boolean;
  wide?: boolean;
  /** Where it leads; without it the button acts. */
  href?: string;
  /** Said instead of the words shown, for example with the number that a short label leaves out. */
  label?: string;
  /** A button that is busy or has nothing to do keeps its place and its focus. */
  off?: boolean;
  /** One of several that are on or off. */
  pressed?: boolean;
  /** Sends the form it stands in. */
  submit?: boolean;
  testid?: string;
  onClick?: (event: MouseEvent) => void;
}

export function Button(props: ButtonProps) {
  const { kind = 'plain', icon, off = false } = props;
  const name = [
    'button',
    kind,
    props.compact && 'compact',
    props.wide && 'wide',
    !props.children && 'square',
  ];
  const common = {
    class: name.filter(Boolean).join(' '),
    'aria-label': props.label,
    title: props.children ? undefined : props.label,
    'data-testid': props.testid,
  };
  const content = (
    <>
      {icon && <Icon name={icon} />}
      {props.children}
    </>
  );
  if (props.href !== undefined) {
    return (
      <a {...common} href={props.href} onClick={props.onClick}>
        {content}
      </a>
    );
  }
  return (
    <button
      {...common}
      type={props.submit ? 'submit' : 'button'}
      aria-disabled={off ? 'true' : undefined}
      aria-pressed={props.pressed}
      onClick={(event) => {
        if (!off) props.onClick?.(event);
      }}
    >
      {content}
    </button>
  );
}

/** Keys of a shortcut, one box each; nothing where a command has none. */
export function Keys({ keys }: { keys: string[] }) {
  if (keys.length === 0) return null;
  return (
    <span class="keys">
      {keys.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  );
}
