import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '#components/Button.tsx';
import { ChangeList, focusEntry } from '#components/ChangeList.tsx';
import { roundName } from '#components/describe.ts';
import { Icon } from '#components/Icon.tsx';
import { useText } from '#components/language.ts';
import { LiveValues } from '#components/LiveValues.tsx';
import { NotCovered } from '#components/NotCovered.tsx';
import { Timeline, type TimelineVersion } from '#components/Timeline.tsx';
import { ignorable } from '#lib/content/ignored.ts';
import type { Threshold } from '#lib/content/live.ts';
import type { ChangedBlock } from '#lib/content/snapshot.ts';
import type { Scope } from '#lib/rounds/types.ts';
import { pageVersions, versionText, type PageChange, type Version } from '#lib/store/changes.ts';
import { isKept, keepReporting } from '../../views/kept-reporting.ts';
import { useKeys } from '../../views/keys.ts';
import { useLive } from '../../views/live.ts';
import { showBlock } from '../../views/watches.ts';
import { ask } from '../../views/worker.ts';
import { useDashboard } from '../context.ts';
import { formatVersion, type Route, type VersionRef } from '../route.ts';
import { NoiseRules } from './NoiseRules.tsx';
import { doubtWords } from './words.ts';

/** The page whose changes are read: as a watch or as a page of a round. */
export interface Subject {
  scope: Scope;
  /** Where its versions are kept. */
  space: string;
  key: string;
  url: string;
  /** Makes the change news again, as it was: a rule that is taken back does not do that by itself. */
  unsee?: (() => Promise<void>) | undefined;
}

interface ChangesViewProps {
  subject: Subject;
  found: PageChange;
  /** The address of this view, without versions. */
  here: Route;
  /** The person has seen what is shown. */
  isSeen?: boolean;
  thresholds?: Threshold[] | undefined;
  onLimit?: (threshold: Threshold) => void;
  children?: ComponentChildren;
}

/** What changed on a page, its live values, what was not covered, its versions and what counts as noise. */
export function ChangesView({
  subject,
  found,
  here,
  isSeen = false,
  thresholds,
  onLimit,
  children,
}: ChangesViewProps) {
  const text = useText();
  const { now, rounds, run, tell } = useDashboard();
  const { scope, space, key } = subject;
  const { before, after, change, live, offers } = found;
  const [declined, setDeclined] = useState(0);

  const ignore = (block: ChangedBlock): void =>
    void run(async () => {
      const snapshot = await versionText(after.space, key, after.seq);
      const meant = ignorable(block, snapshot?.blocks ?? []);
      if (!meant) return tell(text('cannotIgnore'));
      const { rule } = await ask('ignoreBlock', { scope: scope.id, key, place: meant.place });
      tell(text('ignoredBlocks', meant.blocks), async () => {
        await ask('removeContentRule', { rule });
        await subject.unsee?.();
      });
    });
  const show = (block: ChangedBlock): void =>
    void run(async () => {
      if (!(await showBlock(subject, block, scope, rounds))) tell(text('blockNotOnPage'));
    });
  useKeys({ j: focusEntry, k: focusEntry, i: focusEntry });

  const offered = offers.filter((block) => !isKept(scope.id, key, block)).slice(0, 3);
  return (
    <div class="changes" data-declined={declined}>
      <p class="soft" data-testid="compared">
        {before && isSeen && change?.changed ? `${text('lastChangeSeen')} ` : ''}
        {before
          ? text('comparedVersions', text.time(after.at, now), text.time(before.at, now))
          : text('firstVersion', text.time(after.at, now))}
      </p>
      {after.doubt !== undefined && <p>{doubtWords(after.doubt, text)}</p>}
      {change?.changed ? (
        <ChangeList change={change} onShow={show} onIgnore={ignore} />
      ) : (
        change && <p data-testid="no-change">{live.length > 0 ? text('onlyLive') : text('noChange')}</p>
      )}
      {offered.map((block) => (
        <div key={block.place.order} class="offer" data-testid="offer">
          <Icon name="watch" />
          <span>{text.rich('offerIgnore', <bdi>{excerpt(block.after ?? '')}</bdi>)}</span>
          <span class="end">
            <Button compact onClick={() => ignore(block)}>
              {text('ignoreBlock')}
            </Button>
            <Button
              compact
              kind="quiet"
              onClick={() => {
                keepReporting(scope.id, key, block);
                setDeclined(declined + 1);
              }}
            >
              {text('keepReporting')}
            </Button>
          </span>
        </div>
      ))}
      <LiveValues values={live} now={now} thresholds={thresholds} {...(onLimit && { onLimit })} />
      <NotCovered coverage={after.coverage} />
      <VersionLine key={space} subject={subject} found={found} here={here} />
      <details>
        <summary>{text('noiseTitle')}</summary>
        <NoiseRules scope={scope} pageKey={key} />
      </details>
      {children}
    </div>
  );
}

const EXCERPT = 80;

function excerpt(words: string): string {
  return words.length > EXCERPT ? `${words.slice(0, EXCERPT)}…` : words;
}

/** Rounds whose versions of a page stand on its line of time. */
const MOST_ROUNDS = 12;

async function versionsIn(spaces: readonly string[], key: string): Promise<Version[]> {
  const all = await Promise.all(spaces.map((space) => pageVersions(space, key)));
  return all.flat().sort((a, b) => b.at - a.at);
}

/** All versions of a page, of its watch or of all rounds of its scope; any two are compared. */
function VersionLine({ subject, found, here }: { subject: Subject; found: PageChange; here: Route }) {
  const text = useText();
  const { route, now, rounds, go, run } = useDashboard();
  const [opened] = useState(route.from !== undefined);
  const chosenOr = (chosen: VersionRef | undefined, usual: Version | null): string | undefined => {
    const version = chosen ?? usual;
    return version ? formatVersion(version) : undefined;
  };
  const { scope, space, key } = subject;
  const own = rounds.filter((round) => round.scope === scope.id).slice(0, MOST_ROUNDS);
  const spaces = space.startsWith('watch:')
    ? [space]
    : [...new Set([space, ...own.map((round) => round.space)])];
  const versions = useLive(() => versionsIn(spaces, key), [spaces.join(' '), key]).value ?? [];
  const line = versions.map((version): TimelineVersion => {
    const round = own.find((one) => one.space === version.space);
    const same = versions.find((one) => one.space === version.space && one.seq === version.same);
    return {
      id: formatVersion(version),
      at: version.at,
      until: version.until,
      looks: version.looks,
      size: version.size,
      ...(spaces.length > 1 && round && { where: roundName(round, text, now) }),
      ...(same && { same: same.at }),
      ...(version.doubt && { doubt: doubtWords(version.doubt, text) }),
    };
  });
  const byName = (name: string | undefined): Version | undefined =>
    versions.find((version) => formatVersion(version) === name);
  const choose = (before: string | undefined, after: string | undefined): void => {
    const chosen = [byName(before), byName(after)].filter((version) => version !== undefined);
    const [older, newer] = chosen.sort((a, b) => a.at - b.at);
    if (!older || !newer) return;
    go({ ...here, from: refOf(older), to: refOf(newer) });
  };
  const flips = versions.some(({ same }) => same !== undefined);
  return (
    <details data-testid="versions" open={opened}>
      <summary>
        {text('versionsTitle', versions.length)}
        {flips && <span class="soft"> {text('flips')}</span>}
      </summary>
      <p class="soft">{text('versionsHint')}</p>
      <Timeline
        versions={line}
        before={chosenOr(route.from, found.before)}
        after={chosenOr(route.to, found.after)}
        now={now}
        onChoose={choose}
        onAccept={(id) => {
          const version = byName(id);
          if (version) void run(() => ask('acceptVersion', { space: version.space, key, seq: version.seq }));
        }}
      />
    </details>
  );
}

function refOf({ space, seq }: Version): VersionRef {
  return { space, seq };
}
