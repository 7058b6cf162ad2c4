import { describeAlias } from '#components/describe.ts';
import { useText } from '#components/language.ts';
import type { Alias, Round, Scope } from '#lib/rounds/types.ts';
import { listProposals } from '#lib/store/read.ts';
import { useLive } from '../../views/live.ts';
import { useDashboard } from '../context.ts';
import { formatRoute } from '../route.ts';
import { AliasActions } from '../WhyAliases.tsx';

/** So many are shown at once; the others follow as these are decided. */
const SHOWN = 50;

/** Pages of a scope that may be one page: each is accepted or kept apart by the person, never by itself. */
export function Proposals({ scope, round }: { scope: Scope; round: Round | undefined }) {
  const text = useText();
  const { value } = useLive(() => listProposals(scope.id, SHOWN + 1), [scope.id]);
  return (
    <section aria-labelledby="proposals">
      <h2 id="proposals">{text('proposals')}</h2>
      <p class="soft prose">{text('proposalsHint')}</p>
      {value?.length === 0 && <p class="soft">{text('noProposals')}</p>}
      <ul class="proposals">
        {value?.slice(0, SHOWN).map((alias) => (
          <Proposal key={alias.from} alias={alias} round={round} />
        ))}
      </ul>
      {(value?.length ?? 0) > SHOWN && <p class="soft">{text('moreProposals')}</p>}
    </section>
  );
}

function Proposal({ alias, round }: { alias: Alias; round: Round | undefined }) {
  const text = useText();
  const { now } = useDashboard();
  const page = (key: string, url: string) => (
    <a href={formatRoute({ view: 'pages', ...(round && { round: round.id }), page: key })}>
      <bdi dir="ltr" class="address whole">
        {url}
      </bdi>
    </a>
  );
  return (
    <li class="stack" data-testid="proposal">
      <p class="whole">
        {page(alias.from, alias.fromUrl)} <span class="soft">{text('maybeSameAs')}</span>{' '}
        {page(alias.to, alias.toUrl)}
      </p>
      <p class="small soft">{describeAlias(alias, false, text, now)}</p>
      <AliasActions alias={alias} />
    </li>
  );
}
