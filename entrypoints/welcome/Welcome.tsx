import { useState } from 'preact/hooks';
import { Button } from '#components/Button.tsx';
import { TextField } from '#components/Field.tsx';
import { Kept } from '#components/Kept.tsx';
import { useText } from '#components/language.ts';
import { MarksLegend } from '#components/MarksLegend.tsx';
import { Banner } from '#components/Notices.tsx';
import { siteOf, type Site } from '../views/site.ts';

export const STEPS = 3;

export interface WelcomeActions {
  go: (step: number) => void;
  /** Asks the browser for a site, in this very click. */
  allow: (site: Site & { kind: 'web' }) => void;
  start: (pattern: string) => void;
  /** Leaves, read or not. */
  leave: () => void;
}

interface WelcomeProps {
  step: number;
  /** Match patterns the person agreed to. */
  allowed: string[];
  trouble: { title: string; hint: string } | undefined;
  actions: WelcomeActions;
}

/** The first run, in three screens that can each be skipped. */
export function Welcome({ step, allowed, trouble, actions }: WelcomeProps) {
  const text = useText();
  return (
    <main class="stack" data-testid={`welcome-${step}`}>
      <p class="soft small">{text('welcomeStep', step, STEPS)}</p>
      {trouble && (
        <Banner title={trouble.title}>
          <p>{trouble.hint}</p>
        </Banner>
      )}
      {step === 1 && <What />}
      {step === 2 && <Sites allowed={allowed} onAllow={actions.allow} />}
      {step === 3 && <FirstRound allowed={allowed} onStart={actions.start} />}
      <div class="line wrap">
        {step > 1 && <Button onClick={() => actions.go(step - 1)}>{text('welcomeBack')}</Button>}
        {step < STEPS && (
          <Button
            kind={step === 1 || allowed.length > 0 ? 'primary' : 'plain'}
            testid="welcome-next"
            onClick={() => actions.go(step + 1)}
          >
            {text(step === 1 ? 'welcomeChoose' : 'welcomeNext')}
          </Button>
        )}
        <Button kind="quiet" testid="welcome-skip" onClick={actions.leave}>
          {text(step === STEPS ? 'dashboard' : 'welcomeSkip')}
        </Button>
      </div>
    </main>
  );
}

function What() {
  const text = useText();
  return (
    <>
      <h1>{text('welcomeWhat')}</h1>
      <p>{text('welcomeWhatLead')}</p>
      <Kept />
      <p>
        <a href="/dashboard.html#/privacy">{text('privacyDetail')}</a>
      </p>
    </>
  );
}

function Sites({ allowed, onAllow }: { allowed: string[]; onAllow: WelcomeActions['allow'] }) {
  const text = useText();
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  return (
    <>
      <h1>{text('welcomeSites')}</h1>
      <p>{text('welcomeSitesLead')}</p>
      <form
        class="line"
        onSubmit={(event) => {
          event.preventDefault();
          const site = typedSite(typed);
          setWrong(!site);
          if (site) onAllow(site);
        }}
      >
        <TextField label={text('welcomeSite')} value={typed} address onInput={setTyped} />
        <Button submit kind={allowed.length === 0 ? 'primary' : 'plain'} testid="welcome-allow">
          {text('welcomeAllow')}
        </Button>
      </form>
      {isWrong && <p role="alert">{text('welcomeSiteWrong')}</p>}
      <p class="soft">{text('welcomeAllowHint')}</p>
      {allowed.length > 0 && (
        <section class="stack" aria-labelledby="allowed">
          <h2 id="allowed">{text('allowedSites')}</h2>
          <ul class="stack">
            {allowed.map((pattern) => (
              <li key={pattern}>
                <bdi dir="ltr" class="address whole">
                  {pattern}
                </bdi>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** A site as people type it, with or without `https://`. */
export function typedSite(typed: string): (Site & { kind: 'web' }) | undefined {
  const address = typed.trim();
  const site = siteOf(/^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `https://${address}`);
  return site.kind === 'web' && /^(localhost|[\d.]+|\[.*\]|.+\..+)$/.test(site.host) ? site : undefined;
}

function FirstRound({ allowed, onStart }: { allowed: string[]; onStart: (pattern: string) => void }) {
  const text = useText();
  return (
    <>
      <h1>{text('welcomeRound')}</h1>
      <p>{text('welcomeRoundLead')}</p>
      <MarksLegend onPages />
      <p>
        <a href="/practice.html">{text('welcomePractice')}</a>
      </p>
      {allowed.length === 0 && <p>{text('welcomeNoSite')}</p>}
      <ul class="stack">
        {allowed.map((pattern, index) => (
          <li key={pattern}>
            <Button
              kind={index === 0 ? 'primary' : 'plain'}
              testid="welcome-start"
              onClick={() => onStart(pattern)}
            >
              {text.rich('welcomeStart', <bdi dir="ltr">{hostIn(pattern)}</bdi>)}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** `shop.example.com` of `https://shop.example.com/*`. */
export function hostIn(pattern: string): string {
  return pattern.replace(/^[^/]*\/\//, '').replace(/\/\*$/, '');
}
