import './watches.css';
import { Button } from '#components/Button.tsx';
import { noiseWord, OPS } from '#components/ChangeList.tsx';
import { briefTexts } from '#components/changeEntries.ts';
import { isChangeUnseen, pathOf } from '#components/describe.ts';
import { Icon } from '#components/Icon.tsx';
import { useText } from '#components/language.ts';
import type { EditGroup } from '#lib/content/groups.ts';
import type { Page, Round } from '#lib/rounds/types.ts';
import { roundChanges } from '#lib/store/changes.ts';
import { useLive } from '../../views/live.ts';
import { ask } from '../../views/worker.ts';
import { useDashboard } from '../context.ts';
import { formatRoute } from '../route.ts';

const MOST_GROUPS = 20;
const MOST_PAGES = 200;

/** Edits that are the same on several pages of a round: one line each, with its pages behind it. */
export function EqualEdits({ round }: { round: Round }) {
  const text = useText();
  const { run, tell } = useDashboard();
  const found = useLive(
    (signal) => roundChanges(round.space, { signal }),
    [round.space, round.counters.changed],
    { follows: false },
  ).value;
  const groups = (found?.groups ?? []).filter(({ pages }) => pages.length > 1);
  if (!found || groups.length === 0) return null;
  const byKey = new Map(found.pages.map((each) => [each.page.key, each]));
  /** Pages on which this is the only news, not seen yet. */
  const only = (group: EditGroup): Page[] =>
    group.pages.flatMap((key) => {
      const each = byKey.get(key);
      return each && each.news <= 1 && isChangeUnseen(each.page) ? [each.page] : [];
    });
  const seeAll = (pages: Page[]): void =>
    void run(async () => {
      for (const { space, key } of pages) await ask('seenPage', { space, key });
      tell(text('pagesSeen', pages.length), async () => {
        for (const { space, key } of pages) await ask('seenPage', { space, key, seen: false });
      });
    });
  return (
    <section class="equal-edits" aria-labelledby="equal-edits" data-testid="equal-edits">
      <h2 id="equal-edits">{text('equalEdits')}</h2>
      <ul>
        {groups.slice(0, MOST_GROUPS).map((group) => {
          const { op, before, after, noise, pages } = group;
          const texts = briefTexts({
            id: '',
            op,
            blocks: [{ op, place: { order: 0 }, before: before ?? '', after: after ?? '' }],
          });
          const alone = only(group);
          return (
            <li key={JSON.stringify([op, before, after])}>
              <details>
                <summary>
                  <Icon name={OPS[op].icon} /> <span class="unseen">{text(OPS[op].word)} </span>
                  <bdi>{texts.join(' → ')}</bdi>{' '}
                  <span class="soft">
                    {text('onPages', pages.length)}
                    {noise !== undefined && ` · ${noiseWord(noise, text)}`}
                  </span>
                </summary>
                <ul>
                  {pages.slice(0, MOST_PAGES).map((key) => {
                    const page = byKey.get(key)?.page;
                    return (
                      <li key={key}>
                        <a href={formatRoute({ view: 'watches', round: round.id, page: key })}>
                          <bdi dir="ltr">{page ? `${page.host}${pathOf(page.url)}` : key}</bdi>
                        </a>
                      </li>
                    );
                  })}
                  {pages.length > MOST_PAGES && (
                    <li class="soft">{text('andMore', pages.length - MOST_PAGES)}</li>
                  )}
                  {alone.length > 0 && (
                    <li>
                      <Button compact onClick={() => seeAll(alone)}>
                        {text('markPagesSeen', alone.length)}
                      </Button>
                    </li>
                  )}
                </ul>
              </details>
            </li>
          );
        })}
      </ul>
      {found.cut && <p class="soft">{text('comparedFirst', found.pages.length)}</p>}
    </section>
  );
}
