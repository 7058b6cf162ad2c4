import './states.css';
import { useText } from './language.ts';

export interface FilterTab {
  id: string;
  label: string;
  /** How many rows it leads to; unknown while it is being counted. */
  count?: number | undefined;
  href: string;
}

/** Links, so that every filter has an address. */
export function FilterTabs({ label, tabs, current }: { label: string; tabs: FilterTab[]; current: string }) {
  const text = useText();
  return (
    <nav aria-label={label}>
      <ul class="tabs">
        {tabs.map((tab) => (
          <li key={tab.id}>
            <a href={tab.href} aria-current={tab.id === current ? 'true' : undefined}>
              {tab.label} {tab.count !== undefined && <b>{text.number(tab.count)}</b>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
