import './ChangeList.css';
import { useState } from 'preact/hooks';
import type { Change, ChangedBlock } from '#lib/content/snapshot.ts';
import { wordDiff, type Piece } from '#lib/content/words.ts';
import { Button } from './Button.tsx';
import { groupChange, placeName, ruleOf, textsOf, type ChangeEntry } from './changeEntries.ts';
import { Icon, type IconName } from './Icon.tsx';
import type { Text, TextKey } from './i18n.ts';
import { useText } from './language.ts';

/** Each operation with its drawing and word. */
export const OPS: Record<ChangedBlock['op'], { icon: IconName; word: TextKey }> = {
  edited: { icon: 'pencil', word: 'opEdited' },
  added: { icon: 'plus', word: 'opAdded' },
  removed: { icon: 'minus', word: 'opRemoved' },
  moved: { icon: 'move', word: 'opMoved' },
};

/** Kinds of noise in words. */
const NOISE: Record<string, TextKey> = {
  'mask-uuid-hex': 'noiseIds',
  'mask-token': 'noiseTokens',
  'mask-render-time': 'noiseServingTimes',
  'mask-copyright-year': 'noiseCopyrightYears',
  'mask-clock': 'noiseClocks',
  'mask-relative-time': 'noiseRelativeTimes',
  'mask-dates': 'noiseDates',
  'mask-numbers': 'noiseNumbers',
  nfkc: 'noiseLetterForms',
  'fold-punctuation': 'noisePunctuation',
  'ignore-case': 'noiseCase',
  'exclude-selector': 'noiseAds',
  'virtual-list-aware': 'noiseListRows',
  'wait-until-quiet': 'noiseLoading',
  'ignore-moves': 'noiseMoves',
  'unique-blocks': 'noiseRepeats',
  'ignore-place': 'noiseIgnored',
};

/** A kind of noise in words; one that has none yet goes by its name. */
export function noiseWord(rule: string, text: Text): string {
  const words = NOISE[ruleOf(rule)];
  return words === undefined ? rule : text(words);
}

interface ChangeListProps {
  change: Change;
  /** Brings a block to the eye on its page. */
  onShow?: (block: ChangedBlock) => void;
  onIgnore?: (block: ChangedBlock) => void;
}

/** Entries drawn at first and with each press of "show more". */
const STEP = 100;

/** What changed on a page: news under their headings, then noise, folded. j and k move, i ignores, Enter shows on the page. */
export function ChangeList({ change, onShow, onIgnore }: ChangeListProps) {
  const text = useText();
  const [shown, setShown] = useState(STEP);
  const [current, setCurrent] = useState<string>();
  const { groups, noise, count } = groupChange(change);
  const ids = groups.flatMap(({ entries }) => entries.map(({ id }) => id)).slice(0, shown);
  const visible = new Set(ids);
  const active = current !== undefined && visible.has(current) ? current : ids[0];
  const noisy = noise.reduce((sum, { blocks }) => sum + blocks.length, 0);

  const onKeyDown = (event: KeyboardEvent, entry: ChangeEntry): void => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
    if (step !== undefined) focusEntry(ids[ids.indexOf(entry.id) + step]);
    else if (event.key === 'i' && onIgnore) onIgnore(entry.blocks[0]!);
    else if (event.key === 'Enter' && onShow && entry.op !== 'removed') onShow(entry.blocks[0]!);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="change-list">
      {groups
        .filter(({ entries }) => entries.some(({ id }) => visible.has(id)))
        .map(({ heading, entries }) => (
          <section key={heading ?? ''}>
            <h3>
              {heading === undefined ? text('noHeading') : <bdi>{heading}</bdi>}
              <span>{text('changesCount', entries.length)}</span>
            </h3>
            <ul>
              {entries
                .filter(({ id }) => visible.has(id))
                .map((entry) => (
                  <li
                    key={entry.id}
                    class="change"
                    data-entry={entry.id}
                    data-testid="change"
                    tabIndex={entry.id === active ? 0 : -1}
                    onFocusIn={() => setCurrent(entry.id)}
                    onKeyDown={(event) => onKeyDown(event, entry)}
                  >
                    <EntryCells entry={entry} />
                    <span class="does">
                      {onShow && entry.op !== 'removed' && (
                        <Button
                          compact
                          kind="quiet"
                          icon="target"
                          label={text('showOnPage')}
                          onClick={() => onShow(entry.blocks[0]!)}
                        />
                      )}
                      {onIgnore && (
                        <Button
                          compact
                          kind="quiet"
                          icon="ignore"
                          label={text('ignoreBlock')}
                          onClick={() => onIgnore(entry.blocks[0]!)}
                        />
                      )}
                    </span>
                  </li>
                ))}
            </ul>
          </section>
        ))}
      {count > shown && (
        <p class="line">
          <Button onClick={() => setShown(shown + STEP)}>
            {text('showMore', Math.min(STEP, count - shown))}
          </Button>
          <span class="soft">{text('nOfN', shown, count)}</span>
        </p>
      )}
      {change.coarse && <p class="soft">{text('coarse')}</p>}
      {noisy > 0 && (
        <details class="noise" data-testid="noise">
          <summary>
            {text(
              count === 0 ? 'allNoise' : 'moreNoise',
              noisy,
              noise
                .map(({ rule, blocks }) => `${noiseWord(rule, text)} ${text.number(blocks.length)}`)
                .join(text('listComma')),
            )}
          </summary>
          {noise.map(({ rule, blocks }) => (
            <section key={rule}>
              <h3>
                {noiseWord(rule, text)} <span>{text.number(blocks.length)}</span>
              </h3>
              <ul>
                {blocks.slice(0, shown).map((block) => (
                  <li key={`${block.op} ${block.place.order}`} class="change">
                    <EntryCells entry={{ id: '', op: block.op, blocks: [block] }} />
                  </li>
                ))}
              </ul>
              {blocks.length > shown && <p class="soft">{text('andMore', blocks.length - shown)}</p>}
            </section>
          ))}
        </details>
      )}
    </div>
  );
}

/** The entry the keys act on from anywhere on the page. */
export function focusEntry(id?: string): void {
  const entries = [...document.querySelectorAll<HTMLElement>('.change[data-entry]')];
  const found =
    id === undefined
      ? entries.find(({ tabIndex }) => tabIndex === 0)
      : entries.find(({ dataset }) => dataset.entry === id);
  found?.focus();
}

function EntryCells({ entry }: { entry: ChangeEntry }) {
  const text = useText();
  const { icon, word } = OPS[entry.op];
  return (
    <>
      <span class="op">
        <Icon name={icon} />
        {text(word)}
      </span>
      <span class="where">
        <bdi>{placeName(entry)}</bdi>
      </span>
      <Texts entry={entry} />
    </>
  );
}

function Texts({ entry }: { entry: ChangeEntry }) {
  const text = useText();
  const [whole, setWhole] = useState(false);
  const before = textsOf(entry, 'before');
  const after = textsOf(entry, 'after');
  const pieces = entry.op === 'edited' ? wordDiff(before, after) : [];
  const isLong = pieces.some(({ op, text: piece }) => op === 'same' && piece.length > LONG);
  return (
    <div class="texts">
      {entry.op === 'edited' && (
        <>
          <p class="was">
            <span>
              <span class="unseen">{text('removedText')} </span>
              <Side pieces={pieces} without="added" whole={whole} />
            </span>
          </p>
          <p class="is">
            <span>
              <span class="unseen">{text('addedText')} </span>
              <Side pieces={pieces} without="removed" whole={whole} />
            </span>
          </p>
          {isLong && (
            <Button compact kind="quiet" onClick={() => setWhole(!whole)}>
              {whole ? text('shorten') : text('wholeText')}
            </Button>
          )}
        </>
      )}
      {entry.op === 'removed' && (
        <p class="was">
          <bdi>{before}</bdi>
        </p>
      )}
      {entry.op === 'added' && (
        <p class="is">
          <bdi>{after}</bdi>
        </p>
      )}
      {entry.op === 'moved' && (
        <p class="kept">
          <span>
            <bdi>{after}</bdi>{' '}
            <span class="soft">
              {entry.blocks[0]!.place.order < entry.blocks[0]!.from! ? text('movedUp') : text('movedDown')}
            </span>
          </span>
        </p>
      )}
    </div>
  );
}

/** Unchanged text that is longer is shown by its two ends. */
const LONG = 240;
const END = 80;

/** One side of an edit, its own words marked. */
function Side({ pieces, without, whole }: { pieces: Piece[]; without: 'added' | 'removed'; whole: boolean }) {
  return (
    <bdi>
      {pieces
        .filter(({ op }) => op !== without)
        .map(({ op, text: piece }, index) => {
          if (op === 'removed') return <del key={index}>{piece}</del>;
          if (op === 'added') return <ins key={index}>{piece}</ins>;
          return whole || piece.length <= LONG ? piece : `${piece.slice(0, END)} … ${piece.slice(-END)}`;
        })}
    </bdi>
  );
}
