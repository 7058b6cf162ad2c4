import './exchange.css';
import { useRef, useState } from 'preact/hooks';
import { browser } from 'wxt/browser';
import { Button } from '#components/Button.tsx';
import { roundName } from '#components/describe.ts';
import { Choice, Switch, TextField } from '#components/Field.tsx';
import { FilterTabs } from '#components/FilterTabs.tsx';
import { useText } from '#components/language.ts';
import { ProgressBar } from '#components/Notices.tsx';
import { COLUMNS, type Column, type ExportFormat, type FormatName } from '#lib/exchange/format.ts';
import { findFormat, FORMATS } from '#lib/exchange/formats.ts';
import type { AddressChoice } from '#lib/exchange/record.ts';
import type { Round } from '#lib/rounds/types.ts';
import { download, writeFiles, type Saved, type SavedFile } from '../views/save.ts';
import { useDashboard } from './context.ts';
import { filterTabs } from './page-rows.ts';
import { NoRound } from './PagesPage.tsx';
import { formatRoute } from './route.ts';

/** The two every person needs stand first; the others below them. */
const FIRST: FormatName[] = ['list', 'jsonl'];

interface Going {
  format: ExportFormat;
  done: number;
}

/** What a person chose for the files, whatever their format. */
interface Chosen {
  address: AddressChoice;
  order: 'visit' | 'az';
  records: 'pages' | 'visits';
  prefix: string;
  split: string;
  gzip: boolean;
  manifests: boolean;
  columns: readonly Column[];
  include: boolean;
}

const PLAIN: Chosen = {
  address: 'first',
  order: 'visit',
  records: 'pages',
  prefix: '',
  split: '',
  gzip: false,
  manifests: false,
  columns: COLUMNS,
  include: false,
};

/** A round's pages as a file, written by this page of the browser and handed over as a download. */
export function ExportPage() {
  const { round } = useDashboard();
  return round ? <RoundExport key={round.id} round={round} /> : <NoRound />;
}

function RoundExport({ round }: { round: Round }) {
  const text = useText();
  const { route, scopes, now, run, tell } = useDashboard();
  const [going, setGoing] = useState<Going>();
  const [saved, setSaved] = useState<Saved>();
  const [chosen, setChosen] = useState(PLAIN);
  const cancel = useRef<AbortController>(null);
  const show = route.show ?? 'all';
  const tabs = filterTabs(round, text);
  const total = chosen.prefix === '' ? tabs.find((tab) => tab.id === show)?.count : undefined;
  const scope = scopes.find((one) => one.id === round.scope);
  const purpose = (format: ExportFormat): string =>
    text.language === 'zh_CN' ? format.purpose.zh : format.purpose.en;
  const split = chosen.split.trim() === '' ? undefined : Number(chosen.split);
  const isSplitWrong = split !== undefined && !(Number.isInteger(split) && split > 0);

  const save = (format: ExportFormat): void => {
    const controller = new AbortController();
    cancel.current = controller;
    setGoing({ format, done: 0 });
    setSaved(undefined);
    void run(async () => {
      try {
        const { address, order, prefix } = chosen;
        const done = await writeFiles({
          format,
          round,
          scope,
          show,
          address,
          order,
          ...(prefix !== '' && { prefix }),
          allVisits: chosen.records === 'visits',
          ...(split !== undefined && { split }),
          compressed: chosen.gzip,
          ...(format.options.includes('columns') && { columns: chosen.columns }),
          ...(format.options.includes('include') && { include: chosen.include }),
          app: browser.runtime.getManifest().version,
          signal: controller.signal,
          onProgress: (records) => setGoing({ format, done: records }),
        });
        for (const file of done.files) download(file);
        if (chosen.manifests) for (const file of done.beside) download(file);
        setSaved(done);
        const { written, refused } = done.summary;
        const lost = Object.values(refused).reduce((sum, count) => sum + count, 0);
        const names = done.files.length > 3 ? text('filesCount', done.files.length) : namesOf(done.files);
        tell(lost > 0 ? text('exportedWithout', names, written, lost) : text('exported', written, names));
      } catch (error) {
        if (!controller.signal.aborted) throw error;
        tell(text('exportCancelled'));
      }
    }).finally(() => setGoing(undefined));
  };
  const isOff = going !== undefined || isSplitWrong;
  return (
    <>
      <div class="head">
        <div class="title-line">
          <h1>{text('export')}</h1>
          <span class="soft">{roundName(round, text, now)}</span>
        </div>
      </div>
      <div class="tools">
        <FilterTabs
          label={text('whichPages')}
          current={show}
          tabs={tabs.map((tab) => ({
            ...tab,
            href: formatRoute({ view: 'export', round: round.id, show: tab.id }),
          }))}
        />
      </div>
      <div class="sheet">
        <p class="soft prose">{text('exportHint')}</p>
        <section>
          <div class="actions">
            {FIRST.map((name, index) => (
              <Button
                key={name}
                kind={index === 0 ? 'primary' : 'plain'}
                icon="export"
                off={isOff}
                testid={name === 'list' ? 'export-list' : 'export-jsonl'}
                onClick={() => save(formatNamed(name))}
              >
                {text(name === 'list' ? 'savePlainList' : 'saveJsonLines')}
              </Button>
            ))}
          </div>
          <p class="soft prose">{text('exportFirstHint')}</p>
          {going && (
            <ProgressBar
              label={text('exporting', purpose(going.format))}
              done={going.done}
              {...(total === undefined ? {} : { total })}
              onCancel={() => cancel.current?.abort()}
            />
          )}
          {saved && <Files saved={saved} />}
        </section>
        <Options chosen={chosen} isSplitWrong={isSplitWrong} onChange={setChosen} />
        <section aria-labelledby="other-formats">
          <h2 id="other-formats">{text('otherFormats')}</h2>
          <ul class="formats stack">
            {FORMATS.filter(({ name }) => !FIRST.includes(name)).map((format) => (
              <li key={format.name} class="format">
                <Button
                  compact
                  off={isOff}
                  label={text('saveAs', purpose(format))}
                  testid={`export-${format.name}`}
                  onClick={() => save(format)}
                >
                  {text('save')}
                </Button>
                <div>
                  <p>
                    {purpose(format)} <code class="soft">{format.extension}</code>
                  </p>
                  <p class="soft small">{notesOn(format, text)}</p>
                </div>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </>
  );
}

function formatNamed(name: FormatName): ExportFormat {
  const format = findFormat(name);
  if (!format) throw new Error(`no format ${name}`);
  return format;
}

const namesOf = (files: SavedFile[]): string => files.map(({ name }) => name).join(' ');

/** How a format is known to be right, and what it cannot hold. */
function notesOn(
  { proof, limits, limitation, fragment }: ExportFormat,
  text: ReturnType<typeof useText>,
): string {
  const notes = [text(proof === 'tool' ? 'triedWithTool' : 'fromDocumentation')];
  if (limits?.entries !== undefined) notes.push(text('atMostEntries', limits.entries));
  if (limits?.whole) notes.push(text('neverSplit'));
  if (fragment === 'drop') notes.push(text('withoutFragments'));
  if (limitation) notes.push(text.language === 'zh_CN' ? limitation.zh : limitation.en);
  return notes.join(' · ');
}

function Options({
  chosen,
  isSplitWrong,
  onChange,
}: {
  chosen: Chosen;
  isSplitWrong: boolean;
  onChange: (chosen: Chosen) => void;
}) {
  const text = useText();
  const set = (change: Partial<Chosen>): void => onChange({ ...chosen, ...change });
  return (
    <section aria-labelledby="export-options">
      <h2 id="export-options">{text('exportOptions')}</h2>
      <div class="actions">
        <Choice
          label={text('whichAddress')}
          value={chosen.address}
          options={[
            { value: 'first', text: text('addressFirst') },
            { value: 'usable', text: text('addressUsable') },
            { value: 'final', text: text('addressFinal') },
          ]}
          onChange={(address) => set({ address })}
        />
        <Choice
          label={text('inOrder')}
          value={chosen.order}
          options={[
            { value: 'visit', text: text('orderVisit') },
            { value: 'az', text: text('orderAz') },
          ]}
          onChange={(order) => set({ order })}
        />
        <Choice
          label={text('oneLineFor')}
          value={chosen.records}
          options={[
            { value: 'pages', text: text('eachPage') },
            { value: 'visits', text: text('eachVisit') },
          ]}
          onChange={(records) => set({ records })}
        />
      </div>
      <div class="columns">
        <TextField
          label={text('onlyBeginning')}
          hint={text('onlyBeginningHint')}
          value={chosen.prefix}
          address
          onInput={(prefix) => set({ prefix: prefix.trim() })}
        />
        <TextField
          label={text('splitAfter')}
          hint={text(isSplitWrong ? 'splitWrong' : 'splitAfterHint')}
          value={chosen.split}
          onInput={(split) => set({ split })}
        />
      </div>
      <div class="actions">
        <Switch label={text('compressGzip')} on={chosen.gzip} onChange={(gzip) => set({ gzip })} />
        <Switch
          label={text('saveManifests')}
          on={chosen.manifests}
          onChange={(manifests) => set({ manifests })}
        />
        <Switch
          label={text('heritrixInclude')}
          on={chosen.include}
          onChange={(include) => set({ include })}
        />
      </div>
      <details>
        <summary>{text('csvColumns', chosen.columns.length, COLUMNS.length)}</summary>
        <div class="actions">
          {COLUMNS.map((column) => (
            <Switch
              key={column}
              label={column}
              on={chosen.columns.includes(column)}
              onChange={(on) => {
                const columns = COLUMNS.filter((one) => (one === column ? on : chosen.columns.includes(one)));
                if (columns.length > 0) set({ columns });
              }}
            />
          ))}
        </div>
      </details>
    </section>
  );
}

/** Files shown one by one. */
const SHOWN = 20;

/** What was written, with its proof; what lies beside each file is saved by a click. */
function Files({ saved: { files, beside } }: { saved: Saved }) {
  const text = useText();
  return (
    <div class="stack" data-testid="export-files">
      {files.slice(0, SHOWN).map(
        ({ name, manifest }) =>
          manifest && (
            <p key={name} class="whole">
              <bdi class="address">{name}</bdi>{' '}
              <span class="soft small">
                {text('fileFacts', manifest.count, text.bytes(manifest.bytes), manifest.sha256)}
              </span>
            </p>
          ),
      )}
      {files.length > SHOWN && <p class="soft">{text('andMore', files.length - SHOWN)}</p>}
      <div class="actions">
        {beside.slice(0, SHOWN).map((file) => (
          <Button key={file.name} compact label={text('saveFile', file.name)} onClick={() => download(file)}>
            {file.name}
          </Button>
        ))}
      </div>
    </div>
  );
}
