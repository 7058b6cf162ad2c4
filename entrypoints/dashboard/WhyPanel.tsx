import { Button } from '#components/Button.tsx';
import { describePage, describeTriesFully, describeVisit, pathOf, seenFrom } from '#components/describe.ts';
import type { TextKey } from '#components/i18n.ts';
import { useText } from '#components/language.ts';
import { MarkField, markWord, type HandMark } from '#components/MarkField.tsx';
import { VerdictField } from '#components/VerdictField.tsx';
import { WhyCard } from '#components/WhyCard.tsx';
import { isFrozen } from '#lib/rounds/rounds.ts';
import type { Page, Round, VisitKind } from '#lib/rounds/types.ts';
import { decidingMark, markByHand, sayVerdict } from '../views/by-hand.ts';
import { ChangedPage } from '../views/ChangedPage.tsx';
import { useLive } from '../views/live.ts';
import { teamFactsOf } from '../views/team.ts';
import { detailsOf } from '../views/reading.ts';
import { canKeep } from '../views/site-rules.ts';
import { shownSteps, whyAddresses, type ExplainedAddress } from '../views/why.ts';
import { useDashboard } from './context.ts';
import { formatRoute } from './route.ts';
import { KeepAction, SplitAction } from './WhyActions.tsx';
import { useAddWatch } from './watches/AddWatch.tsx';
import { WhyAliases } from './WhyAliases.tsx';

const SHOWN_ADDRESSES = 50;
const SHOWN_VISITS = 8;

/** Which layer made an address this page. */
const DECIDED: Record<ExplainedAddress['decided'], TextKey> = {
  key: 'decidedByKey',
  alias: 'decidedByAlias',
  shown: 'decidedByShown',
};

/** What a visit counted as. */
const KINDS: Record<VisitKind, TextKey> = {
  first: 'visitFirst',
  return: 'visitRepeat',
  failed: 'visitNotShown',
  stub: 'visitStub',
};

/** The why card of one page of a round. */
export function WhyPanel({
  round,
  pageKey,
  onClose,
}: {
  round: Round;
  pageKey: string;
  onClose: () => void;
}) {
  const text = useText();
  const { now, scopes } = useDashboard();
  const addWatch = useAddWatch();
  const details = useLive(() => detailsOf(round, pageKey), [round.id, pageKey]);
  const fullKey = details.value?.page.fullKey;
  const team = useLive(
    async () => (await teamFactsOf(round, [{ key: pageKey, ...(fullKey !== undefined && { fullKey }) }]))[0],
    [round.id, pageKey, fullKey],
  );
  if (!details.value) {
    return (
      <div class="padded line">
        <p class="soft">{details.error === undefined ? text('loading') : text('pageNotFound')}</p>
        <span class="end">
          <Button kind="quiet" icon="close" label={text('closeCard')} onClick={onClose} />
        </span>
      </div>
    );
  }
  const { page, visits } = details.value;
  const described = describePage(page, text, now);
  const scope = scopes.find(({ id }) => id === round.scope);
  const explained = whyAddresses(details.value, round);
  const own = explained[0]?.url ?? page.url;
  const addresses = explained.slice(0, SHOWN_ADDRESSES).map(({ url, steps, decided, seen }, index) => ({
    url,
    steps: shownSteps(steps, text).map((step, place) => {
      const made = steps[place];
      if (!scope || !made || 'alias' in made || !canKeep(made.rule)) return step;
      return { ...step, action: <KeepAction scope={scope} url={url} step={made} /> };
    }),
    seen: seen ? seenFrom(seen, text, now) : '',
    actions: (
      <div class="stack address-actions">
        <p class="soft small">{text(DECIDED[decided])}</p>
        {index > 0 && decided === 'key' && scope && (
          <div class="line">
            <SplitAction scope={scope} own={own} other={url} />
            <a
              class="small"
              href={formatRoute({ view: 'rules', round: round.id, a: own, b: url, by: 'round' })}
            >
              {text('compareSteps')}
            </a>
          </div>
        )}
      </div>
    ),
  }));
  return (
    <WhyCard
      state={described.state}
      word={described.word}
      reason={[
        described.detail ?? described.reason,
        ...(team.value ? [text('teamSawFirst', text.time(team.value.at, now))] : []),
      ].join(' · ')}
      title={page.title}
      open={page.usable ?? page.url}
      pageKey={page.fullKey ?? page.key}
      addresses={addresses}
      hidden={Math.max(0, explained.length - SHOWN_ADDRESSES)}
      said={
        <div class="stack">
          {page.changed && <ChangedPage round={round} page={page} most={3} inDashboard />}
          {isFrozen(round) ? <WordsSaid page={page} /> : <Words page={page} />}
          {scope && (
            <Button
              compact
              icon="watch"
              onClick={() => void addWatch(scope.id, page.usable ?? page.url, page.title)}
            >
              {text('watchPage')}
            </Button>
          )}
        </div>
      }
      aliases={<WhyAliases details={details.value} round={round.id} />}
      facts={[
        { name: text('factFirstSeen'), value: text.time(page.firstSeenAt, now) },
        ...(page.from === undefined
          ? []
          : [{ name: text('factFrom'), value: <bdi dir="ltr">{pathOf(page.from)}</bdi> }]),
        ...(page.status ? [{ name: text('factStatus'), value: String(page.status) }] : []),
        ...(page.tries
          ? [{ name: text('factTries'), value: describeTriesFully(page.tries, text, now) }]
          : []),
        ...(visits.length === 0
          ? []
          : [
              {
                name: text('factVisits'),
                value: (
                  <ul>
                    {visits.slice(0, SHOWN_VISITS).map((visit) => (
                      <li key={visit.event}>
                        {describeVisit(visit, text, now)} <span class="soft">{text(KINDS[visit.kind])}</span>
                      </li>
                    ))}
                    {visits.length > SHOWN_VISITS && (
                      <li>{text('moreAddresses', visits.length - SHOWN_VISITS)}</li>
                    )}
                  </ul>
                ),
              },
            ]),
      ]}
      onClose={onClose}
    />
  );
}

/** What a person said of a page in a round that is closed: it stays as it is. */
function WordsSaid({ page: { verdict, note = '' } }: { page: Page }) {
  const text = useText();
  return (
    <div class="stack" data-testid="words-said">
      {verdict && <p>{text('verdictSaid', text('verdict'), text(verdict))}</p>}
      {note !== '' && (
        <p class="whole">
          <bdi>{note}</bdi>
        </p>
      )}
      <p class="soft small">{text('roundFrozen')}</p>
    </div>
  );
}

/** What a person says of the page: verdict, note, and a marking by hand. */
function Words({ page }: { page: Page }) {
  const text = useText();
  const { run, tell } = useDashboard();
  const mark = (chosen: HandMark | null): void =>
    void run(async () => {
      const undo = await markByHand([page], chosen);
      tell(chosen ? text('markedPages', 1, text(markWord(chosen))) : text('markTakenBack'), undo);
    });
  return (
    <div class="stack">
      <VerdictField
        key={page.key}
        verdict={page.verdict}
        note={page.note ?? ''}
        onVerdict={(verdict) => void run(() => sayVerdict(page, verdict))}
        onNote={(note) => void run(() => sayVerdict(page, page.verdict ?? null, note))}
      />
      <MarkField marked={decidingMark(page)} onMark={mark} />
      <p class="soft small">{text('markHint')}</p>
    </div>
  );
}
