import type { ComponentChildren } from 'preact';
import { Button, Keys } from '#components/Button.tsx';
import { ChangeBrief } from '#components/ChangeBrief.tsx';
import { isChangeUnseen } from '#components/describe.ts';
import { useText } from '#components/language.ts';
import type { Page, Round } from '#lib/rounds/types.ts';
import { pageChange } from '#lib/store/changes.ts';
import { useLive } from './live.ts';

interface ChangedPageProps {
  round: Round;
  page: Page;
  /** Changes shown at most. */
  most: number;
  /** The person saw them; absent where they cannot say so. */
  onSeen?: (() => void) | undefined;
  /** The key that says so, where there is one. */
  keys?: string[];
  /** Opens in the dashboard's own tab. */
  inDashboard?: boolean;
  /** Stands at the end of the line of the link. */
  beside?: ComponentChildren;
}

/** What changed on a page since the base round, in a few lines, with the way to all of it. */
export function ChangedPage({
  round,
  page,
  most,
  onSeen,
  keys = [],
  inDashboard = false,
  beside,
}: ChangedPageProps) {
  const text = useText();
  const found = useLive(
    () => pageChange(round.space, page.key),
    [round.space, page.key, page.digestAt, page.changed],
    { follows: false },
  ).value;
  const query = new URLSearchParams({ round: round.id, page: page.key });
  const href = `${inDashboard ? '' : '/dashboard.html'}#/watches?${query}`;
  return (
    <div class="stack" data-testid="changed-page">
      {found?.change && <ChangeBrief change={found.change} most={most} />}
      <p class="line">
        <a href={href} {...(!inDashboard && { target: '_blank' })} data-testid="changes-link">
          {text('allChanges')}
        </a>
        {onSeen &&
          (isChangeUnseen(page) ? (
            <span class="end">
              <Button compact testid="seen" onClick={onSeen}>
                {text('markChangesSeen')} <Keys keys={keys} />
              </Button>
            </span>
          ) : (
            <span class="end soft">{text('seenAlready')}</span>
          ))}
        {beside !== undefined && <span class="end">{beside}</span>}
      </p>
    </div>
  );
}
