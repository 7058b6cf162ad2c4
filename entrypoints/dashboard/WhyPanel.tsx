import { Button } from '#components/Button.tsx';
import { describePage, describeVisit, pathOf, seenLine } from '#components/describe.ts';
import { useText } from '#components/language.ts';
import { WhyCard } from '#components/WhyCard.tsx';
import type { Round } from '#lib/rounds/types.ts';
import { useLive } from '../views/live.ts';
import { detailsOf } from '../views/reading.ts';
import { shownSteps, whyAddresses } from '../views/why.ts';
import { useDashboard } from './context.ts';

const SHOWN_ADDRESSES = 50;
const SHOWN_VISITS = 8;

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
  const { now } = useDashboard();
  const details = useLive(() => detailsOf(round, pageKey), [round.id, pageKey]);
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
  const { page, variants, visits } = details.value;
  const described = describePage(page, text, now);
  const addresses = whyAddresses(details.value, round).map(({ url, steps, seen }) => ({
    url,
    steps: shownSteps(steps, text),
    seen: seen ? seenLine(seen.how, seen.at, text, now) : '',
  }));
  return (
    <WhyCard
      state={described.state}
      word={described.word}
      reason={described.detail ?? described.reason}
      title={page.title}
      open={page.usable ?? page.url}
      pageKey={page.fullKey ?? page.key}
      addresses={addresses.slice(0, SHOWN_ADDRESSES)}
      hidden={Math.max(0, Math.max(addresses.length, variants.length) - SHOWN_ADDRESSES)}
      facts={[
        { name: text('factFirstSeen'), value: text.time(page.firstSeenAt, now) },
        ...(page.from === undefined
          ? []
          : [{ name: text('factFrom'), value: <bdi dir="ltr">{pathOf(page.from)}</bdi> }]),
        ...(page.status ? [{ name: text('factStatus'), value: String(page.status) }] : []),
        ...(visits.length === 0
          ? []
          : [
              {
                name: text('factVisits'),
                value: (
                  <ul>
                    {visits.slice(0, SHOWN_VISITS).map((visit) => (
                      <li key={visit.event}>{describeVisit(visit, text, now)}</li>
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
