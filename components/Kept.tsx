import { Icon } from './Icon.tsx';
import { useText } from './language.ts';

/** What is recorded and where it stays: said before anything is, and again in Options. */
export function Kept() {
  const text = useText();
  return (
    <ul class="kept">
      <li>
        <Icon name="check" />
        <span>{text('keptAddresses')}</span>
      </li>
      <li>
        <Icon name="check" />
        <span>{text('keptText')}</span>
      </li>
      <li>
        <Icon name="lock" />
        <span>{text('keptHere')}</span>
      </li>
      <li>
        <Icon name="close" />
        <span>{text('keptNever')}</span>
      </li>
    </ul>
  );
}
