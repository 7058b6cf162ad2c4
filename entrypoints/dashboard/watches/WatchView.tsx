import { Button, Keys } from '#components/Button.tsx';
import { groupChange } from '#components/changeEntries.ts';
import { useText } from '#components/language.ts';
import { EmptyState } from '#components/Notices.tsx';
import { StateWord } from '#components/StateMark.tsx';
import type { Threshold } from '#lib/content/live.ts';
import { watchSpace, type Watch } from '#lib/content/watch.ts';
import type { Scope } from '#lib/rounds/types.ts';
import { contentRules, pageChange, pageVersions, watchChange, type PageChange } from '#lib/store/changes.ts';
import { useKeys } from '../../views/keys.ts';
import { useLive } from '../../views/live.ts';
import { openPage, pickRegion } from '../../views/watches.ts';
import { ask } from '../../views/worker.ts';
import { useDashboard } from '../context.ts';
import { formatVersion } from '../route.ts';
import { ChangesView } from './ChangesView.tsx';
import { WatchSettings } from './WatchSettings.tsx';
import { WATCH_MARKS, watchWords } from './words.ts';

/** What changed in one watch since the person looked, and how it is watched. */
export function WatchView({ watch, scope }: { watch: Watch; scope: Scope }) {
  const text = useText();
  const { route, rounds, now, run, tell } = useDashboard();
  const { id, key, url, seen, latest, lookedAt, label } = watch;
  const space = watchSpace(id);
  const rules = useLive(() => contentRules(scope.id), [scope.id]).value ?? [];
  const rulesState = rules.map((rule) => `${rule.id} ${rule.at}`).join();
  const wanted = [route.from, route.to].map((version) => version && formatVersion(version)).join(' ');
  const found = useLive(
    async () => {
      if (route.from && route.to) return pageChange(space, key, { before: route.from, after: route.to });
      return newsOf(watch);
    },
    [id, watch.unseen, seen, latest, lookedAt, rulesState, wanted, JSON.stringify(watch.thresholds)],
    { follows: false },
  );
  const count = found.value?.change ? groupChange(found.value.change).count : 0;

  const markSeen = (): void => {
    if (watch.unseen) void run(() => markWatchSeen(watch).then((undo) => tell(text('seenDone'), undo)));
  };
  const pick = (): void =>
    void run(async () => {
      const tab = await openPage({ key, url }, scope, rounds);
      if (tab === undefined || !(await pickRegion(tab))) tell(text('pageSilent'));
    });
  const limit = (threshold: Threshold): void =>
    void run(async () => {
      const before = watch.thresholds ?? [];
      const others = before.filter(({ value }) => value !== threshold.value);
      const bounded = threshold.above !== undefined || threshold.below !== undefined;
      await ask('changeWatch', { watch: id, thresholds: bounded ? [...others, threshold] : others });
      tell(
        text('optionSaved', text('limit')),
        async () => void (await ask('changeWatch', { watch: id, thresholds: before })),
      );
    });
  useKeys({ s: markSeen });
  return (
    <article aria-labelledby="changes-title">
      <header class="title-line">
        <h2 id="changes-title" class="whole">
          <bdi>{label}</bdi>
        </h2>
        <span class="end">
          <Button onClick={() => void run(() => openPage({ key, url }, scope, rounds))}>
            {text('openThePage')}
          </Button>
          <Button onClick={pick}>{text('watchRegion')}</Button>
          <Button kind="primary" off={!watch.unseen} testid="mark-seen" onClick={markSeen}>
            {watch.unseen ? text('markSeen', count) : text('seenAlready')} <Keys keys={['s']} />
          </Button>
        </span>
      </header>
      <p class="whole">
        <bdi dir="ltr" class="address soft">
          {url.replace(/^https?:\/\//, '')}
        </bdi>
      </p>
      <p>
        <StateWord
          state={WATCH_MARKS[watch.unseen ? 'changed' : watch.state]}
          word={watchWords(watch, text, now)}
        />
        {lookedAt !== undefined && <span class="soft"> · {text('lookedAt', text.time(lookedAt, now))}</span>}
      </p>
      {watch.state === 'not-found' && <p class="soft">{text('watchNotFoundHint')}</p>}
      {watch.state === 'busy' && <p class="soft">{text('watchBusyHint')}</p>}
      {watch.state === 'waiting' && (
        <EmptyState title={text('watchWaiting')}>
          <p class="soft">{text('watchWaitingHint')}</p>
          <Button kind="primary" onClick={() => void run(() => openPage({ key, url }, scope, rounds))}>
            {text('openThePage')}
          </Button>
        </EmptyState>
      )}
      {found.value && (
        <ChangesView
          subject={{ scope, space, key, url, unsee: watch.unseen ? () => unsee(watch) : undefined }}
          found={found.value}
          here={{ view: 'watches', watch: id, ...(route.only && { only: route.only }) }}
          isSeen={!watch.unseen && !route.from}
          thresholds={watch.thresholds}
          onLimit={limit}
        />
      )}
      <details class="changes">
        <summary>{text('watchSettings')}</summary>
        <WatchSettings key={id} watch={watch} />
      </details>
    </article>
  );
}

/** What changed since the person looked; where it is the same again by now, what it had changed to. What was seen stays to be read. */
async function newsOf({ id, key, unseen, seen, latest = 0 }: Watch): Promise<PageChange | undefined> {
  const space = watchSpace(id);
  if (!unseen) return pageChange(space, key);
  const found = (await watchChange(id))?.found ?? undefined;
  if (seen === undefined || !found?.change?.quiet) return found;
  for (const version of await pageVersions(space, key)) {
    if (version.seq <= seen || version.seq >= latest || version.doubt !== undefined) continue;
    const passed = await pageChange(space, key, { before: { space, seq: seen }, after: version });
    if (passed?.change?.quiet === false) return passed;
  }
  return found;
}

/** Marks a watch as seen. Answers how to take that back. */
export async function markWatchSeen(watch: Watch): Promise<() => Promise<void>> {
  await ask('seenWatch', { watch: watch.id });
  return () => unsee(watch);
}

/** Nothing after the version that was seen at the time has been seen. */
async function unsee({ id, seen }: Watch): Promise<void> {
  await ask('seenWatch', { watch: id, seen: seen ?? null });
}
