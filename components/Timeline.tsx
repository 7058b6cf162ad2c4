import './Timeline.css';
import { useId } from 'preact/hooks';
import { Button } from './Button.tsx';
import { useText } from './language.ts';

/** One version of a page's text. */
export interface TimelineVersion {
  id: string;
  at: number;
  /** How often it was found so, and until when. */
  looks: number;
  until: number;
  /** Characters. */
  size: number;
  /** Round it was read in, where several are shown. */
  where?: string | undefined;
  /** When an earlier version with the same text began: the page flips between versions. */
  same?: number | undefined;
  /** Why it is not compared with by itself, in words. */
  doubt?: string | undefined;
}

interface TimelineProps {
  /** Newest first. */
  versions: readonly TimelineVersion[];
  before: string | undefined;
  after: string | undefined;
  now: number;
  onChoose: (before: string | undefined, after: string | undefined) => void;
  /** A doubtful version is what the page says. */
  onAccept?: ((id: string) => void) | undefined;
}

/** The versions of a page on a line of time; any two can be compared. */
export function Timeline({ versions, before, after, now, onChoose, onAccept }: TimelineProps) {
  const text = useText();
  const group = useId();
  return (
    <ol class="timeline" data-testid="timeline">
      <li class="heads" aria-hidden="true">
        <span />
        <span class="side">{text('olderSide')}</span>
        <span class="side">{text('newerSide')}</span>
        <span />
        <span />
      </li>
      {versions.map((version) => {
        const when = text.time(version.at, now);
        const side = (name: 'before' | 'after') => (
          <label>
            <span class="unseen">{text(name === 'before' ? 'compareFrom' : 'compareTo', when)}</span>
            <input
              type="radio"
              name={`${group}-${name}`}
              checked={(name === 'before' ? before : after) === version.id}
              onChange={() => {
                if (name === 'before') onChoose(version.id, after);
                else onChoose(before, version.id);
              }}
            />
          </label>
        );
        return (
          <li
            key={version.id}
            data-testid="version"
            data-chosen={version.id === before || version.id === after ? '' : undefined}
          >
            <span class="dot" aria-hidden="true" />
            {side('before')}
            {side('after')}
            <div class="about">
              <p>
                {when}
                {version.until > version.at && (
                  <span class="soft">
                    {' '}
                    {text('stayedUntil', text.time(version.until, now), version.looks)}
                  </span>
                )}
                {version.where !== undefined && <span class="soft"> · {version.where}</span>}
              </p>
              <p class="soft small">{text('versionSize', version.size)}</p>
              {version.same !== undefined && (
                <p class="small" data-testid="flip-flop">
                  {text('flipFlop', text.time(version.same, now))}
                </p>
              )}
              {version.doubt !== undefined && <p class="small">{version.doubt}</p>}
            </div>
            {version.doubt !== undefined && onAccept ? (
              <Button compact label={text('acceptVersionOf', when)} onClick={() => onAccept(version.id)}>
                {text('acceptVersion')}
              </Button>
            ) : (
              <span />
            )}
          </li>
        );
      })}
    </ol>
  );
}
