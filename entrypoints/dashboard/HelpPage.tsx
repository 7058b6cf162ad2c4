import { Fragment } from 'preact';
import { Keys } from '#components/Button.tsx';
import { useText } from '#components/language.ts';
import { MarksLegend } from '#components/MarksLegend.tsx';
import { useShortcuts } from '../views/shortcut.ts';
import { formatRoute } from './route.ts';
import type { TextKey } from '#components/i18n.ts';

/** The keys of the manifest. */
const COMMANDS: Record<string, TextKey> = {
  'next-unvisited': 'commandNextUnvisited',
  'copy-left': 'commandCopyLeft',
  'pause-round': 'commandPause',
  'open-dashboard': 'commandDashboard',
};
/** Where the browser lets them be changed. */
const SHORTCUTS_PAGE = import.meta.env.FIREFOX ? 'about:addons' : 'chrome://extensions/shortcuts';

const SHORTCUTS: { keys: string[]; does: TextKey }[] = [
  { keys: ['j', 'k'], does: 'keyMove' },
  { keys: ['h', 'l'], does: 'keyFold' },
  { keys: ['Enter'], does: 'keyWhy' },
  { keys: ['x'], does: 'keySelect' },
  { keys: ['Esc'], does: 'keyClose' },
  { keys: ['/'], does: 'keySearch' },
  { keys: ['n'], does: 'keyNext' },
  { keys: ['r'], does: 'keyRetry' },
  { keys: ['1', '2', '3'], does: 'keyVerdict' },
  { keys: ['e'], does: 'keyExport' },
  { keys: ['s'], does: 'keySeen' },
  { keys: ['i'], does: 'keyIgnore' },
  { keys: ['u'], does: 'keyUndo' },
  { keys: ['?'], does: 'keyHelp' },
];

const WORDS: { word: TextKey; means: TextKey }[] = [
  { word: 'wordScope', means: 'meansScope' },
  { word: 'round', means: 'meansRound' },
  { word: 'page', means: 'meansPage' },
  { word: 'wordKey', means: 'meansKey' },
  { word: 'left', means: 'meansLeft' },
];

export function HelpPage() {
  const text = useText();
  return (
    <div class="sheet">
      <div class="title-line">
        <h1>{text('help')}</h1>
      </div>
      <section aria-labelledby="how">
        <h2 id="how">{text('howItWorks')}</h2>
        <ol class="stack prose">
          <li>{text('how1')}</li>
          <li>{text('how2')}</li>
          <li>{text('how3')}</li>
        </ol>
      </section>
      <section aria-labelledby="more">
        <h2 id="more">{text('helpMore')}</h2>
        <ul class="stack">
          <li>
            <a href="/welcome.html">{text('welcomeAgain')}</a>
          </li>
          <li>
            <a href="/practice.html">{text('practiceTitle')}</a>
          </li>
          <li>
            <a href={formatRoute({ view: 'privacy' })}>{text('privacyDetail')}</a>
          </li>
        </ul>
      </section>
      <section aria-labelledby="shortcuts">
        <h2 id="shortcuts">{text('shortcuts')}</h2>
        <h3>{text('keysEverywhere')}</h3>
        <dl class="pairs">
          {useShortcuts().flatMap(({ name, keys }) => {
            const does = COMMANDS[name];
            return does === undefined
              ? []
              : [
                  <Fragment key={name}>
                    <dt>
                      {keys.length > 0 ? <Keys keys={keys} /> : <span class="soft">{text('noKeySet')}</span>}
                    </dt>
                    <dd>{text(does)}</dd>
                  </Fragment>,
                ];
          })}
        </dl>
        <p class="soft">{text.rich('keysEverywhereHint', <bdi class="address">{SHORTCUTS_PAGE}</bdi>)}</p>
        <h3>{text('dashboard')}</h3>
        <dl class="pairs">
          {SHORTCUTS.map(({ keys, does }) => (
            <Fragment key={does}>
              <dt>
                <Keys keys={keys} />
              </dt>
              <dd>{text(does)}</dd>
            </Fragment>
          ))}
        </dl>
      </section>
      <section aria-labelledby="marks">
        <h2 id="marks">{text('whatMarksMean')}</h2>
        <MarksLegend />
      </section>
      <section aria-labelledby="words">
        <h2 id="words">{text('wordsTitle')}</h2>
        <dl class="pairs">
          {WORDS.map(({ word, means }) => (
            <Fragment key={word}>
              <dt>{text(word)}</dt>
              <dd class="prose">{text(means)}</dd>
            </Fragment>
          ))}
        </dl>
      </section>
    </div>
  );
}
