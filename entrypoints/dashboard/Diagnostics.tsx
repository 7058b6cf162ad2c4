import { Fragment } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { pathOf, roundName } from '#components/describe.ts';
import type { TextKey } from '#components/i18n.ts';
import { useText } from '#components/language.ts';
import type { Round } from '#lib/rounds/types.ts';
import type { Reason } from '#lib/sets/index.ts';
import { diagnostics, mostRepeated } from '#lib/store/read.ts';
import { setReport } from '#lib/store/set-report.ts';
import { useLive } from '../views/live.ts';
import { useDashboard } from './context.ts';
import { formatRoute } from './route.ts';

/** Why pages were counted as they were: what each layer said, what was refused, what came again and again. */
export function Diagnostics() {
  const text = useText();
  const { round } = useDashboard();
  return (
    <section aria-labelledby="diagnostics" class="diagnostics">
      <h2 id="diagnostics">{text('diagnostics')}</h2>
      <p class="prose">
        <a href={formatRoute({ view: 'rules' })}>{text('whyDifferent')}</a>
      </p>
      <Layers />
      {round && (
        <>
          <Repeats key={`repeats ${round.id}`} round={round} />
          <SetOfRound key={`set ${round.id}`} round={round} />
        </>
      )}
    </section>
  );
}

type Row = [name: string, value: number | string];

function Layers() {
  const text = useText();
  const { value } = useLive(diagnostics, []);
  if (!value) return null;
  const { decisions, decisionMs, refused } = value;
  const groups: [title: string, rows: Row[]][] = [
    [text('layerPage'), [[text('diagCollapsed'), value.collapsed]]],
    [
      text('layerFilter'),
      [
        [text('diagFilterNo'), value.filterNo],
        [text('diagFilterMaybe'), value.filterMaybe],
        [text('diagFilterWrong'), value.filterWrong],
        [text('diagSets'), value.setsRebuilt],
      ],
    ],
    [
      text('layerWriter'),
      [
        [text('diagEvents'), value.events],
        [text('diagRepeated'), value.repeated],
        [text('diagDownloads'), value.downloads],
      ],
    ],
    [
      text('layerDatabase'),
      [
        [text('diagDecisions'), decisions],
        [
          text('diagDecisionMs'),
          decisions === 0 ? '–' : text('milliseconds', (decisionMs / decisions).toFixed(2)),
        ],
        [text('diagPerSecond'), decisionMs === 0 ? '–' : Math.round((1000 * decisions) / decisionMs)],
      ],
    ],
    [
      text('diagRefused'),
      [
        [text('fromPages'), refused.page],
        [text('fromImports'), refused.import],
        [text('fromPastes'), refused.paste],
      ],
    ],
  ];
  return (
    <div class="columns">
      {groups.map(([title, rows]) => (
        <div key={title} class="stack">
          <h3>{title}</h3>
          <Counts rows={rows} />
        </div>
      ))}
    </div>
  );
}

const MOST = 10;

function Repeats({ round }: { round: Round }) {
  const text = useText();
  const { now } = useDashboard();
  const pages = useOnce(() => mostRepeated(round.space, MOST));
  return (
    <div class="stack">
      <h3>{text('mostRepeated')}</h3>
      <p>{text('repeatsAvoided', round.counters.duplicates, roundName(round, text, now))}</p>
      <ol>
        {pages?.map((page) => (
          <li key={page.key} class="line">
            <a
              class="whole"
              href={formatRoute({ view: 'pages', round: round.id, page: page.key })}
              title={page.url}
            >
              <bdi dir="ltr">{`${page.host}${pathOf(page.url)}`}</bdi>
            </a>
            <span class="soft">
              {text('visitsAndAddresses', page.visits, text('addressesCount', page.addresses))}
            </span>
          </li>
        ))}
      </ol>
      {pages?.length === 0 && <p class="soft">{text('noRepeats')}</p>}
    </div>
  );
}

const REASONS: Record<Reason, TextKey> = {
  forced: 'setForced',
  listing: 'setListing',
  exact: 'setExact',
  few: 'setFew',
  shared: 'setShared',
  unshared: 'setUnshared',
};

function SetOfRound({ round }: { round: Round }) {
  const text = useText();
  const report = useOnce(() => setReport(round));
  if (!report) return <p class="soft">{text('loading')}</p>;
  const { set, filter } = report;
  const perPage = (bytes: number) => text('bytesPerPage', bytes.toFixed(1));
  return (
    <div class="stack">
      <h3>{text('setOfRound')}</h3>
      <p>
        {text.sentences(text(set.form === 'trie' ? 'setTrie' : 'setFingerprints'), text(REASONS[set.reason]))}
      </p>
      <Counts
        rows={[
          [text('pages'), set.keys],
          [text('memory'), text.bytes(set.byteLength)],
          [text('keyLength'), perPage(set.keyLength)],
          [text('novelBytes'), perPage(set.novelBytes)],
          [text('asTrie'), perPage(set.bytes.trie)],
          [text('asFingerprints'), perPage(set.bytes.fingerprints)],
          [text('filterKeys'), filter.keys],
          [text('filterSize'), text.bytes(filter.bits / 8)],
          [text('filterRate'), `${(100 * filter.rate).toPrecision(2)} %`],
        ]}
      />
    </div>
  );
}

/** Reads once: what goes through all pages is not read again for every write. */
function useOnce<T>(read: () => Promise<T>): T | undefined {
  const [value, setValue] = useState<T>();
  useEffect(() => {
    let over = false;
    void read().then(
      (found) => over || setValue(() => found),
      // What keeps the store from being read is said at the top of the page.
      () => undefined,
    );
    return () => {
      over = true;
    };
  }, []);
  return value;
}

export function Counts({ rows }: { rows: Row[] }) {
  const text = useText();
  return (
    <dl class="pairs counts">
      {rows.map(([name, count]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{typeof count === 'number' ? text.number(count) : count}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
