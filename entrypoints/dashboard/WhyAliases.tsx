import { Button } from '#components/Button.tsx';
import { describeAlias, pathOf } from '#components/describe.ts';
import { useText } from '#components/language.ts';
import type { PageDetails } from '#lib/protocol.ts';
import type { Alias } from '#lib/rounds/types.ts';
import { ruleAlias } from '../views/by-hand.ts';
import { useDashboard } from './context.ts';
import { formatRoute } from './route.ts';

/** Where a page leads, and what leads here: evidence, and the word of the person on each. Nothing where there is neither. */
export function WhyAliases({ details, round }: { details: PageDetails; round: string }) {
  const text = useText();
  const { page, aliases, apart } = details;
  const own = aliases.find(({ from }) => from === page.key);
  const held = aliases.filter((alias) => alias !== own);
  // An alias that is accepted and kept apart in another view at once stands once.
  const others = apart.filter(({ from }) => !held.some((alias) => alias.from === from));
  if (!own && held.length + others.length === 0) return null;
  return (
    <section aria-labelledby="aliases-title">
      <h3 id="aliases-title">{text('aliasesTitle')}</h3>
      <ul class="stack aliases" data-testid="aliases">
        {own && <Line alias={own} held={false} hint={page.hint} leads round={round} />}
        {held.map((alias) => (
          <Line key={alias.from} alias={alias} held round={round} />
        ))}
        {others.map((alias) => (
          <Line key={alias.from} alias={alias} held={false} round={round} />
        ))}
      </ul>
    </section>
  );
}

interface LineProps {
  alias: Alias;
  held: boolean;
  /** The page itself is the original. */
  leads?: boolean;
  /** Where the page led in an earlier round. */
  hint?: string | undefined;
  round: string;
}

function Line({ alias, held, leads = false, hint, round }: LineProps) {
  const text = useText();
  const { now } = useDashboard();
  const url = leads ? alias.toUrl : alias.fromUrl;
  const key = leads ? alias.to : alias.from;
  const isProposed = alias.strength === 'proposed' || alias.undone === true;
  const withdrawn = leads && !isProposed && hint === undefined;
  return (
    <li>
      <p class="small soft">{text(leads ? 'aliasLeadsTo' : 'aliasLeadsHere')}</p>
      <a href={formatRoute({ view: 'pages', round, page: key })}>
        <bdi dir="ltr" class="address">
          {url}
        </bdi>
      </a>
      <p class="small">{describeAlias(alias, held, text, now)}</p>
      {hint !== undefined && !isProposed && <p class="small">{text('aliasHint')}</p>}
      {withdrawn && <p class="small">{text('aliasWithdrawn')}</p>}
      <AliasActions alias={alias} held={held} />
    </li>
  );
}

/** What a person can say of an alias: accept a proposal, keep the two apart, or leave it to what is seen. */
export function AliasActions({ alias, held = false }: { alias: Alias; held?: boolean }) {
  const text = useText();
  const { run, tell } = useDashboard();
  const name = pathOf(alias.fromUrl);
  const say = (accept: boolean | null, said: string): void =>
    void run(async () => tell(said, await ruleAlias(alias, accept)));
  const isProposal = alias.strength === 'proposed' && !alias.undone;
  return (
    <div class="line">
      {isProposal && (
        <Button compact onClick={() => say(true, text('aliasNowOne', name))}>
          {text('acceptAlias')}
        </Button>
      )}
      {(isProposal || held) && (
        <Button compact onClick={() => say(false, text('aliasNowApart', name))}>
          {text('keepApart')}
        </Button>
      )}
      {alias.undone && (
        <Button compact onClick={() => say(null, text('aliasByItself', name))}>
          {text('learnAgain')}
        </Button>
      )}
    </div>
  );
}
