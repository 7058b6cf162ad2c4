import '../views/pages.css';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '#components/Button.tsx';
import { Brand } from '#components/Icon.tsx';
import { useText } from '#components/language.ts';
import { MarksLegend } from '#components/MarksLegend.tsx';
import { StateMark, StateWord } from '#components/StateMark.tsx';
import { mount } from '../views/root.tsx';
import { keyOf, LINKS, nextRound, progress, START, visit, type Practice, type Shown } from './practice.ts';

function App() {
  const text = useText();
  const [practice, setPractice] = useState<Practice>(START);
  useEffect(() => {
    document.title = `${text('practiceTitle')} · Onceover`;
  }, [text]);
  const { visited, total } = progress(practice);
  return (
    <div class="single">
      <header class="line">
        <Brand />
      </header>
      <main class="stack">
        <h1>{text('practiceTitle')}</h1>
        <p class="soft">{text('practiceLead')}</p>
        <section aria-labelledby="links" class="paper stack">
          <div class="between">
            <h2 id="links">{text('practiceLinks')}</h2>
            <p class="soft" role="status">
              {text('practiceRound', practice.round)} · {text('practiceProgress', visited, total)}
            </p>
          </div>
          <ul class="stack">
            {LINKS.map(({ name, path }) => {
              const state = practice.pages.get(keyOf(path));
              return (
                <li key={path}>
                  <a
                    href={`#${path}`}
                    title={path}
                    onClick={(event) => {
                      event.preventDefault();
                      setPractice((old) => visit(old, path));
                    }}
                  >
                    {text(name)}
                  </a>
                  {state && <StateMark state={state} />}
                </li>
              );
            })}
          </ul>
        </section>
        <section aria-live="polite" class="stack">
          {practice.last ? <Told shown={practice.last} /> : <p>{text('practiceOpenOne')}</p>}
        </section>
        {practice.round === 2 && <p class="soft">{text('practiceNextHint')}</p>}
        <div class="line wrap">
          {practice.round === 1 ? (
            <Button
              kind={visited === total ? 'primary' : 'plain'}
              onClick={() => setPractice(nextRound())}
              testid="practice-next"
            >
              {text('practiceNext')}
            </Button>
          ) : (
            <Button onClick={() => setPractice(START)}>{text('practiceOver')}</Button>
          )}
          <Button kind="quiet" href="/welcome.html#3">
            {text('welcomeBack')}
          </Button>
        </div>
        <h2>{text('whatMarksMean')}</h2>
        <MarksLegend />
      </main>
    </div>
  );
}

/** What the visit was, and why. */
function Told({ shown: { url, key, steps, state, isDuplicate, numbers } }: { shown: Shown }) {
  const text = useText();
  const words = { visited: 'visited', changed: 'changed', gone: 'gone' } as const;
  return (
    <>
      <p>
        <StateWord state={state} word={text(words[state])} />{' '}
        <bdi dir="ltr" class="address whole">
          {url}
        </bdi>
      </p>
      {numbers && <p>{text('practiceChanged', ...numbers)}</p>}
      {state === 'gone' && <p>{text('practiceGone')}</p>}
      {steps.length > 0 && isDuplicate && (
        <>
          <p>{text('practiceSame')}</p>
          <p class="whole">
            <bdi dir="ltr" class="address">
              {url}
            </bdi>{' '}
            →{' '}
            <bdi dir="ltr" class="address">
              {key}
            </bdi>
          </p>
        </>
      )}
      {state !== 'gone' && !numbers && !(steps.length > 0 && isDuplicate) && (
        <p>{text(isDuplicate ? 'practiceAgain' : 'practiceFirst')}</p>
      )}
    </>
  );
}

void mount(() => <App />);
