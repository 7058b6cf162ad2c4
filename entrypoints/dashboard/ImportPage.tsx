import './exchange.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '#components/Button.tsx';
import { roundName } from '#components/describe.ts';
import { Choice, TextField } from '#components/Field.tsx';
import type { TextKey } from '#components/i18n.ts';
import { FileButton } from '#components/FileButton.tsx';
import { useText } from '#components/language.ts';
import { EmptyState, ProgressBar } from '#components/Notices.tsx';
import type { BadLink } from '#lib/exchange/import.ts';
import { IMPORTS } from '#lib/exchange/in/index.ts';
import type { ImportName } from '#lib/exchange/in/reader.ts';
import type { Round, Scope } from '#lib/rounds/types.ts';
import {
  compareFile,
  previewImport,
  runImport,
  type AddressList,
  type ComparedLists,
  type Going,
  type ImportSource,
  type Preview,
} from '../views/import-links.ts';
import { fromHistory, linksOf, pasted, tabsOf } from '../views/import-sources.ts';
import { useLive } from '../views/live.ts';
import { download } from '../views/save.ts';
import { useDashboard } from './context.ts';
import { formatRoute } from './route.ts';

/** Addresses from anywhere into the open round, looked at before anything is written. */
export function ImportPage() {
  const text = useText();
  const { round, rounds, scopes } = useDashboard();
  const open = rounds.filter(({ state }) => state !== 'ended');
  // The one looked at, else the open one of its scope, else any.
  const target =
    open.find(({ id }) => id === round?.id) ?? open.find(({ scope }) => scope === round?.scope) ?? open[0];
  const scope = scopes.find(({ id }) => id === target?.scope);
  if (target && scope) return <RoundImport key={target.id} round={target} scope={scope} />;
  return (
    <div class="sheet">
      <div class="title-line">
        <h1>{text('importWord')}</h1>
      </div>
      <EmptyState title={text('importNoRound')}>
        <p class="soft">{text('importNoRoundHint')}</p>
        <Button href={formatRoute({ view: 'rounds' })}>{text('rounds')}</Button>
      </EmptyState>
    </div>
  );
}

type Step = 'reading' | 'writing' | 'comparing';

function RoundImport({ round, scope }: { round: Round; scope: Scope }) {
  const text = useText();
  const { now, run, tell } = useDashboard();
  const [source, setSource] = useState<ImportSource>();
  const [preview, setPreview] = useState<Preview>();
  const [compared, setCompared] = useState<ComparedLists>();
  const [going, setGoing] = useState<{ step: Step; done: number }>();
  const cancel = useRef<AbortController>(null);

  /** Runs one step that can be cancelled. */
  const go = async (step: Step, work: (going: Going) => Promise<void>): Promise<void> => {
    cancel.current?.abort();
    const controller = new AbortController();
    cancel.current = controller;
    setGoing({ step, done: 0 });
    await run(async () => {
      try {
        await work({
          signal: controller.signal,
          onProgress: (done) => setGoing({ step, done }),
        });
      } catch (error) {
        if (!controller.signal.aborted) throw error;
      }
    });
    if (cancel.current === controller) setGoing(undefined);
  };
  const forget = (): void => {
    setSource(undefined);
    setPreview(undefined);
    setCompared(undefined);
  };
  const look = (chosen: ImportSource): void => {
    forget();
    setSource(chosen);
    void go('reading', async (steps) => setPreview(await previewImport(chosen, round, scope, steps)));
  };
  const write = (from: ImportSource): void =>
    void go('writing', async (steps) => {
      const { added, stopped, takeBack } = await runImport(from, round, scope, steps);
      forget();
      tell(
        stopped === undefined ? text('importDone', added) : text('importStopped', added),
        added === 0 ? undefined : async () => void (await takeBack()),
      );
    });
  const compare = (from: ImportSource): void =>
    void go('comparing', async (steps) => setCompared(await compareFile(from, round, scope, steps)));
  return (
    <div class="sheet">
      <div class="title-line">
        <h1>{text('importWord')}</h1>
        <span class="soft">
          <bdi>{scope.name}</bdi> · {roundName(round, text, now)}
        </span>
      </div>
      <p class="soft prose">{text('importHint')}</p>
      <Sources scope={scope} onSource={look} />
      {going && (
        <ProgressBar
          label={text(STEP_WORDS[going.step], source?.name ?? '')}
          done={going.done}
          onCancel={() => cancel.current?.abort(new Error('cancelled'))}
        />
      )}
      {source && preview && (
        <Found
          source={source}
          preview={preview}
          busy={going !== undefined}
          onImport={() => write(source)}
          onCompare={() => compare(source)}
          onForget={forget}
        />
      )}
      {compared && <ComparedWith lists={compared} />}
    </div>
  );
}

const STEP_WORDS = {
  reading: 'importReading',
  writing: 'importWriting',
  comparing: 'importComparing',
} as const;

function Sources({ scope, onSource }: { scope: Scope; onSource: (source: ImportSource) => void }) {
  const text = useText();
  const [format, setFormat] = useState<ImportName | 'auto'>('auto');
  const [column, setColumn] = useState('');
  const file = (chosen: File): void =>
    onSource({
      name: chosen.name,
      blob: chosen,
      by: 'import',
      ...(format !== 'auto' && { format }),
      ...(column.trim() !== '' && { column: column.trim() }),
    });
  return (
    <>
      <section aria-labelledby="import-file">
        <h2 id="import-file">{text('importFile')}</h2>
        <div class="actions">
          <FileButton
            label={text('chooseFile')}
            kind="primary"
            icon="import"
            testid="import-file"
            onFile={file}
          />
          <Choice
            label={text('importFormat')}
            value={format}
            options={[
              { value: 'auto', text: text('importAuto') },
              ...IMPORTS.map(({ name, purpose }) => ({
                value: name,
                text: text.language === 'zh_CN' ? purpose.zh : purpose.en,
              })),
            ]}
            onChange={setFormat}
          />
        </div>
        {(format === 'csv' || format === 'auto') && (
          <div class="short-field">
            <TextField
              label={text('importColumn')}
              hint={text('importColumnHint')}
              value={column}
              onInput={setColumn}
            />
          </div>
        )}
      </section>
      <Paste onSource={onSource} />
      <section aria-labelledby="import-browser">
        <h2 id="import-browser">{text('importBrowser')}</h2>
        <History onSource={onSource} />
        <TabLinks scope={scope} onSource={onSource} />
      </section>
    </>
  );
}

function Paste({ onSource }: { onSource: (source: ImportSource) => void }) {
  const text = useText();
  const [words, setWords] = useState('');
  // What the clipboard had besides the words: a copied stretch of a page still has its links there.
  const document = useRef<{ words: string; html: string }>(undefined);
  const look = (): void => {
    const html = document.current?.words === words ? document.current.html : undefined;
    onSource(pasted(words, html, text('pastedText')));
  };
  return (
    <section aria-labelledby="import-paste">
      <h2 id="import-paste">{text('importPaste')}</h2>
      <textarea
        class="paste address"
        dir="auto"
        spellcheck={false}
        aria-labelledby="import-paste"
        placeholder={text('importPasteHint')}
        data-testid="import-paste"
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
        onPaste={(event) => {
          const html = event.clipboardData?.getData('text/html') ?? '';
          const field = event.currentTarget;
          if (html === '') return;
          // The text is in the field after this event.
          setTimeout(() => (document.current = { words: field.value, html }));
        }}
      />
      <div class="actions">
        <Button testid="import-look" off={words.trim() === ''} onClick={look}>
          {text('importLook')}
        </Button>
      </div>
    </section>
  );
}

const DAY_MS = 24 * 60 * 60_000;

/** `2026-11-30` in local time, as date fields have it. */
function dayText(at: number): string {
  const date = new Date(at);
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function History({ onSource }: { onSource: (source: ImportSource) => void }) {
  const text = useText();
  const { now, run, tell } = useDashboard();
  const [from, setFrom] = useState(() => dayText(now - 7 * DAY_MS));
  const [to, setTo] = useState(() => dayText(now));
  // Days of the wall clock: the last one is included.
  const start = new Date(`${from}T00:00`).getTime();
  const end = new Date(`${to}T00:00`).getTime() + DAY_MS;
  const isWrong = !(start < end);
  const ask = (): void =>
    void run(async () => {
      const found = await fromHistory(start, end, text('historyName', from, to));
      if (found) onSource(found);
      else tell(text('historyRefused'));
    });
  return (
    <div class="actions">
      <label class="line">
        <span class="soft">{text('fromDay')}</span>
        <input
          type="date"
          class="choice"
          value={from}
          onInput={(event) => setFrom(event.currentTarget.value)}
        />
      </label>
      <label class="line">
        <span class="soft">{text('toDay')}</span>
        <input type="date" class="choice" value={to} onInput={(event) => setTo(event.currentTarget.value)} />
      </label>
      <Button testid="import-history" off={isWrong} onClick={ask}>
        {text('readHistory')}
      </Button>
    </div>
  );
}

function TabLinks({ scope, onSource }: { scope: Scope; onSource: (source: ImportSource) => void }) {
  const text = useText();
  const { run } = useDashboard();
  const tabs = useLive(() => tabsOf(scope), [scope.id]);
  const [chosen, setChosen] = useState('');
  const open = tabs.value ?? [];
  const tab = open.find(({ id }) => String(id) === chosen) ?? open[0];
  if (!tab) return <p class="soft">{text('noOpenTab')}</p>;
  return (
    <div class="actions">
      <Choice
        label={text('openPage')}
        value={String(tab.id)}
        options={open.map(({ id, title, url }) => ({ value: String(id), text: title || url }))}
        onChange={setChosen}
      />
      <Button testid="import-tab" onClick={() => void run(async () => onSource(await linksOf(tab)))}>
        {text('readLinks')}
      </Button>
    </div>
  );
}

function Found({
  source,
  preview: { places, repeats, bad, problems, stopped },
  busy,
  onImport,
  onCompare,
  onForget,
}: {
  source: ImportSource;
  preview: Preview;
  busy: boolean;
  onImport: () => void;
  onCompare: () => void;
  onForget: () => void;
}) {
  const text = useText();
  const place = useRef<HTMLElement>(null);
  useEffect(() => place.current?.scrollIntoView({ block: 'nearest' }), []);
  const rows = [
    ['new', text('importNew'), places.new],
    ['known', text('importKnown'), places.known],
    ['visited', text('importVisited'), places.visited],
    ['outside', text('importOutside'), places.outside],
    ['repeats', text('importRepeats'), repeats],
    ['bad', text('importBad'), bad],
  ] as const;
  return (
    <section ref={place} aria-labelledby="import-found" data-testid="import-preview">
      <h2 id="import-found">
        <bdi>{source.name}</bdi>
      </h2>
      <dl class="pairs">
        {rows.map(([id, name, count]) => (
          <>
            <dt key={`${id}-name`}>{name}</dt>
            <dd key={id} data-testid={`import-${id}`}>
              {text.number(count)}
            </dd>
          </>
        ))}
      </dl>
      {stopped !== undefined && <p role="alert">{text('importBroken', stopped)}</p>}
      <div class="actions">
        <Button kind="primary" off={busy || places.new === 0} testid="import-run" onClick={onImport}>
          {text('importRun', places.new)}
        </Button>
        <Button off={busy} testid="import-compare" onClick={onCompare}>
          {text('compareWithRound')}
        </Button>
        <Button kind="quiet" onClick={onForget}>
          {text('forget')}
        </Button>
      </div>
      {problems.length > 0 && (
        <details open>
          <summary>{text('importProblemsShown', problems.length, bad)}</summary>
          <ul class="stack">
            {problems.map(({ line, column, reason, detail, text: words }) => (
              <li key={`${line}:${column}`} class="whole" data-testid="import-bad-line">
                <b>{text('atPlace', line, column)}</b> {text(REASONS[reason])}{' '}
                <span class="soft" lang="en">
                  {detail}
                </span>{' '}
                {words !== '' && (
                  <bdi dir="ltr" class="address soft">
                    {words}
                  </bdi>
                )}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

const REASONS = {
  empty: 'reasonEmpty',
  'unsupported-scheme': 'reasonScheme',
  invalid: 'reasonInvalid',
  unreadable: 'reasonUnreadable',
  sitemap: 'reasonSitemap',
} as const satisfies Record<BadLink['reason'], TextKey>;

function ComparedWith({ lists }: { lists: ComparedLists }) {
  const text = useText();
  const parts: [string, string, AddressList][] = [
    ['missing', text('onlyInRound'), lists.round],
    ['new', text('onlyInFile'), lists.file],
    ['both', text('inBoth'), lists.both],
  ];
  return (
    <section aria-labelledby="compared" data-testid="import-compared">
      <h2 id="compared">{text('comparedWithRound')}</h2>
      {lists.outside + lists.bad > 0 && (
        <p class="soft">{text('comparedWithout', lists.outside, lists.bad)}</p>
      )}
      {parts.map(([id, name, list]) => (
        <details key={id}>
          <summary data-testid={`compared-${id}`}>
            {name} <b>{text.number(list.count)}</b>
          </summary>
          <div class="actions">
            <Button
              compact
              off={list.count === 0}
              label={text('saveListOf', name)}
              onClick={() =>
                download({ name: `${id}.txt`, blob: new Blob(list.text, { type: 'text/plain' }) })
              }
            >
              {text('savePlainList')}
            </Button>
          </div>
          <ul class="stack">
            {list.first.map((url) => (
              <li key={url}>
                <bdi dir="ltr" class="address whole">
                  {url}
                </bdi>
              </li>
            ))}
          </ul>
          {list.count > list.first.length && (
            <p class="soft">{text('andMore', list.count - list.first.length)}</p>
          )}
        </details>
      ))}
    </section>
  );
}
