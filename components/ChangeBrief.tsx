import './ChangeBrief.css';
import type { Change } from '#lib/content/snapshot.ts';
import { briefTexts, groupChange, placeName, type ChangeEntry } from './changeEntries.ts';
import { OPS } from './ChangeList.tsx';
import { Icon } from './Icon.tsx';
import { useText } from './language.ts';

/** The first few changes of a page, a line each: where, and from what to what. */
export function ChangeBrief({ change, most }: { change: Change; most: number }) {
  const text = useText();
  const { groups, count } = groupChange(change);
  const entries = groups.flatMap((group) => group.entries).slice(0, most);
  if (count === 0) return <p class="soft">{text(change.changed ? 'onlyNoise' : 'noChange')}</p>;
  return (
    <ul class="change-brief" data-testid="change-brief">
      {entries.map((entry) => (
        <Line key={entry.id} entry={entry} />
      ))}
      {count > entries.length && (
        <li>
          <span />
          <span class="soft">{text('andMore', count - entries.length)}</span>
        </li>
      )}
    </ul>
  );
}

function Line({ entry }: { entry: ChangeEntry }) {
  const text = useText();
  const { icon, word } = OPS[entry.op];
  const place = placeName(entry) || entry.blocks[0]!.place.heading || '';
  const texts = briefTexts(entry).map((words, index) => (
    <>
      {index > 0 && ' → '}
      <bdi key={index}>{words}</bdi>
    </>
  ));
  return (
    <li>
      <Icon name={icon} />
      <span>
        <span class="unseen">{text(word)} </span>
        {place !== '' && (
          <span class="soft">
            <bdi>{place}</bdi>{' '}
          </span>
        )}
        {texts}
      </span>
    </li>
  );
}
