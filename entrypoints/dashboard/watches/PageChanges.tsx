import { Button, Keys } from '#components/Button.tsx';
import { groupChange } from '#components/changeEntries.ts';
import { isChangeUnseen, pathOf } from '#components/describe.ts';
import { useText } from '#components/language.ts';
import { EmptyState } from '#components/Notices.tsx';
import type { Round } from '#lib/rounds/types.ts';
import { contentRules, pageChange, pageVersions } from '#lib/store/changes.ts';
import { useKeys } from '../../views/keys.ts';
import { useLive } from '../../views/live.ts';
import { detailsOf } from '../../views/reading.ts';
import { openPage } from '../../views/watches.ts';
import { ask } from '../../views/worker.ts';
import { useDashboard } from '../context.ts';
import { formatRoute, formatVersion } from '../route.ts';
import { useAddWatch } from './AddWatch.tsx';
import { ChangesView } from './ChangesView.tsx';

/** What changed on a page of a round. */
export function PageChanges({ round, pageKey }: { round: Round; pageKey: string }) {
  const text = useText();
  const { route, scopes, rounds, run, tell } = useDashboard();
  const addWatch = useAddWatch();
  const { space } = round;
  const details = useLive(() => detailsOf(round, pageKey), [round.id, pageKey]);
  const state = useLive(() => stateOf(round, pageKey), [round.id, pageKey]);
  const wanted = [route.from, route.to].map((version) => version && formatVersion(version)).join(' ');
  const found = useLive(
    () =>
      pageChange(space, pageKey, {
        ...(route.from && { before: route.from }),
        ...(route.to && { after: route.to }),
      }),
    [space, pageKey, state.value, wanted],
    { follows: false },
  );
  const page = details.value?.page;
  const scope = scopes.find(({ id }) => id === round.scope);
  const count = found.value?.change ? groupChange(found.value.change).count : 0;
  const unseen = page !== undefined && isChangeUnseen(page);
  const seen = (): void => {
    if (!unseen) return;
    void run(async () => {
      await ask('seenPage', { space, key: pageKey });
      tell(text('seenDone'), async () => void (await ask('seenPage', { space, key: pageKey, seen: false })));
    });
  };
  useKeys({ s: seen });
  if (!page || !scope) {
    return <p class="soft">{details.error === undefined ? text('loading') : text('pageNotFound')}</p>;
  }
  const here = { view: 'watches' as const, round: round.id, page: pageKey };
  const url = page.usable ?? page.url;
  return (
    <article aria-labelledby="changes-title">
      <header class="title-line">
        <h2 id="changes-title" class="whole">
          <bdi>{page.title || pathOf(page.url)}</bdi>
        </h2>
        <span class="end">
          <Button onClick={() => void run(() => openPage({ key: pageKey, url }, scope, rounds))}>
            {text('openThePage')}
          </Button>
          <Button icon="watch" onClick={() => void addWatch(scope.id, url, page.title)}>
            {text('watchPage')}
          </Button>
          {page.changed && (
            <Button kind="primary" off={!unseen} testid="mark-seen" onClick={seen}>
              {unseen ? text('markSeen', count) : text('seenAlready')} <Keys keys={['s']} />
            </Button>
          )}
        </span>
      </header>
      <p class="whole">
        <bdi dir="ltr" class="address soft">
          {url.replace(/^https?:\/\//, '')}
        </bdi>{' '}
        <a href={formatRoute({ view: 'pages', round: round.id, page: pageKey })}>{text('why')}</a>
      </p>
      {found.value ? (
        <ChangesView
          subject={{ scope, space, key: pageKey, url }}
          found={found.value}
          here={here}
          isSeen={page.changed === true && !unseen && !route.from}
        />
      ) : (
        found.error === undefined &&
        state.value !== undefined && (
          <EmptyState title={text('noTextKept')}>
            <p class="soft">{text('noTextKeptHint')}</p>
          </EmptyState>
        )
      )}
    </article>
  );
}

/** Changes when a version or a rule does: what the comparison is made of. */
async function stateOf(round: Round, key: string): Promise<string> {
  const [versions, rules] = await Promise.all([pageVersions(round.space, key), contentRules(round.scope)]);
  return JSON.stringify([
    versions.map(({ seq, until }) => [seq, until]),
    rules.map(({ id, at }) => [id, at]),
  ]);
}
