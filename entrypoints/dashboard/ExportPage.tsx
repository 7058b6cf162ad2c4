import { useRef, useState } from 'preact/hooks';
import { Button } from '#components/Button.tsx';
import { roundName } from '#components/describe.ts';
import { FilterTabs } from '#components/FilterTabs.tsx';
import { useText } from '#components/language.ts';
import { ProgressBar } from '#components/Notices.tsx';
import type { ExportFormat, FormatName } from '#lib/exchange/format.ts';
import { FORMATS } from '#lib/exchange/formats.ts';
import type { Round } from '#lib/rounds/types.ts';
import { saveExport } from '../views/save.ts';
import { useDashboard } from './context.ts';
import { filterTabs, NoRound } from './PagesPage.tsx';
import { formatRoute } from './route.ts';

/** The two every person needs stand first; the others below them. */
const FIRST: FormatName[] = ['list', 'jsonl'];

interface Going {
  format: ExportFormat;
  done: number;
}

/** A round's pages as a file, written by this page of the browser and handed over as a download. */
export function ExportPage() {
  const { round } = useDashboard();
  return round ? <RoundExport key={round.id} round={round} /> : <NoRound />;
}

function RoundExport({ round }: { round: Round }) {
  const text = useText();
  const { route, scopes, now, run, tell } = useDashboard();
  const [going, setGoing] = useState<Going>();
  const cancel = useRef<AbortController>(null);
  const show = route.show ?? 'all';
  const tabs = filterTabs(round, text);
  const total = tabs.find((tab) => tab.id === show)?.count;
  const scope = scopes.find((one) => one.id === round.scope);

  const save = (format: ExportFormat): void => {
    const controller = new AbortController();
    cancel.current = controller;
    setGoing({ format, done: 0 });
    void run(async () => {
      try {
        const { written, refused, files } = await saveExport({
          format,
          round,
          show,
          name: `${scope?.name ?? 'onceover'}-${round.number}`,
          signal: controller.signal,
          onProgress: (done) => setGoing({ format, done }),
        });
        tell(
          refused > 0
            ? text('exportedWithout', files.join(' '), written, refused)
            : text('exported', written, files.join(' ')),
        );
      } catch (error) {
        if (!controller.signal.aborted) throw error;
        tell(text('exportCancelled'));
      }
    }).finally(() => setGoing(undefined));
  };
  const formats = Object.values(FORMATS).filter((format) => format.name !== 'backup');
  const purpose = (format: ExportFormat): string =>
    text.language === 'zh_CN' ? format.purpose.zh : format.purpose.en;
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
        {going && (
          <ProgressBar
            label={text('exporting', purpose(going.format))}
            done={going.done}
            {...(total === undefined ? {} : { total })}
            onCancel={() => cancel.current?.abort()}
          />
        )}
        <section>
          <div class="actions">
            {FIRST.map((name, index) => {
              const format = formats.find((one) => one.name === name);
              return (
                format && (
                  <Button
                    key={name}
                    kind={index === 0 ? 'primary' : 'plain'}
                    icon="export"
                    off={going !== undefined}
                    testid={name === 'list' ? 'export-list' : 'export-jsonl'}
                    onClick={() => save(format)}
                  >
                    {text(name === 'list' ? 'savePlainList' : 'saveJsonLines')}
                  </Button>
                )
              );
            })}
          </div>
          <p class="soft prose">{text('exportFirstHint')}</p>
        </section>
        <section aria-labelledby="other-formats">
          <h2 id="other-formats">{text('otherFormats')}</h2>
          <ul class="formats stack">
            {formats
              .filter((format) => !FIRST.includes(format.name))
              .map((format) => (
                <li key={format.name} class="line">
                  <Button
                    compact
                    off={going !== undefined}
                    label={text('saveAs', purpose(format))}
                    onClick={() => save(format)}
                  >
                    {text('save')}
                  </Button>
                  <span>{purpose(format)}</span>
                  <code class="end soft">{format.extension}</code>
                </li>
              ))}
          </ul>
        </section>
      </div>
    </>
  );
}
