import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Button } from '#components/Button.tsx';
import { describePage, roundName } from '#components/describe.ts';
import { Choice } from '#components/Field.tsx';
import type { Language, Text } from '#components/i18n.ts';
import { useText } from '#components/language.ts';
import { ProgressBar } from '#components/Notices.tsx';
import type { ReportFacts } from '#lib/exchange/report/facts.ts';
import { htmlReport } from '#lib/exchange/report/html.ts';
import { markdownReport } from '#lib/exchange/report/markdown.ts';
import type { Round, Scope } from '#lib/rounds/types.ts';
import { useLive } from '../views/live.ts';
import { readReport, reportName } from '../views/report.ts';
import { loadText } from '../views/root.tsx';
import { download } from '../views/save.ts';
import { useDashboard } from './context.ts';
import { CoverageLine } from './CoverageLine.tsx';
import { NoRound } from './PagesPage.tsx';
import { ScheduleField } from './ScheduleField.tsx';
import { StartNext } from './StartNext.tsx';

/** The summary of a round: what was done, what is left and why; as a file and for a chat. */
export function ReportPage() {
  const { round, scopes } = useDashboard();
  const scope = scopes.find(({ id }) => id === round?.scope);
  return round && scope ? <RoundReport key={round.id} round={round} scope={scope} /> : <NoRound />;
}

function RoundReport({ round, scope }: { round: Round; scope: Scope }) {
  const text = useText();
  const { rounds, now } = useDashboard();
  const { facts, read, cancel, again } = useFacts(round, scope);
  const [language, setLanguage] = useState<Language>(text.language);
  const words = useLive(() => loadText(language), [language]).value;
  const ofScope = rounds.filter((one) => one.scope === scope.id);
  const isLast = ofScope[0]?.id === round.id;
  return (
    <>
      <div class="head">
        <div class="title-line">
          <h1>{text('report')}</h1>
          <span class="soft">
            <bdi>{scope.name}</bdi> · {roundName(round, text, now)}
          </span>
          {isLast && round.state === 'ended' && (
            <span class="end">
              <StartNext scope={scope} last={round} />
            </span>
          )}
        </div>
        <CoverageLine round={round} at={{ view: 'pages', round: round.id }} />
      </div>
      <div class="sheet">
        {isLast && round.state === 'ended' && <ScheduleField scope={scope} />}
        <p class="soft prose">{text('reportHint')}</p>
        <div class="actions">
          <Choice<Language>
            label={text('reportLanguage')}
            value={language}
            options={[
              { value: 'en', text: 'English' },
              { value: 'zh_CN', text: '简体中文' },
            ]}
            onChange={setLanguage}
          />
          {facts && words && <Finished facts={facts} words={words} round={round} scope={scope} />}
          {!cancel && <Button onClick={again}>{text('readAgain')}</Button>}
        </div>
        {cancel && <ProgressBar label={text('readingReport')} done={read} onCancel={cancel} />}
        {facts && words && <Preview facts={facts} words={words} />}
      </div>
    </>
  );
}

/** What the report says, read once; again when it is asked for. */
function useFacts(round: Round, scope: Scope) {
  const { rounds, run } = useDashboard();
  const [facts, setFacts] = useState<ReportFacts>();
  const [read, setRead] = useState(0);
  const [going, setGoing] = useState<AbortController>();
  const latest = useRef<AbortController>(undefined);
  const again = (): void => {
    latest.current?.abort();
    const controller = new AbortController();
    latest.current = controller;
    const { signal } = controller;
    const ofScope = rounds.filter((one) => one.scope === scope.id);
    setRead(0);
    setGoing(controller);
    void run(async () => {
      try {
        setFacts(await readReport(round, scope, ofScope, { signal, onProgress: setRead }));
      } catch (error) {
        if (!signal.aborted) throw error;
      } finally {
        if (latest.current === controller) setGoing(undefined);
      }
    });
  };
  // A round that has just been closed is read again as it is then.
  useEffect(() => {
    again();
    return () => latest.current?.abort();
  }, [round.id, round.state]);
  return { facts, read, cancel: going && (() => going.abort()), again };
}

/** A report in its words. The time is the one it was made at, so it does not change while it is looked at. */
function inWords(facts: ReportFacts, words: Text) {
  return {
    text: words,
    describe: (page: Parameters<typeof describePage>[0]) => whyOf(page, words, facts.madeAt),
  };
}

function whyOf(page: Parameters<typeof describePage>[0], words: Text, at: number): string {
  const { detail, reason } = describePage(page, words, at);
  return detail ?? reason;
}

function Finished({
  facts,
  words,
  round,
  scope,
}: {
  facts: ReportFacts;
  words: Text;
  round: Round;
  scope: Scope;
}) {
  const text = useText();
  const { tell } = useDashboard();
  const save = (): void => {
    const name = reportName(scope, round);
    download({ name, blob: new Blob([htmlReport(facts, inWords(facts, words))], { type: 'text/html' }) });
    tell(text('reportSaved', name));
  };
  const copy = (): void =>
    void navigator.clipboard.writeText(markdownReport(facts, inWords(facts, words))).then(
      () => tell(text('reportCopied')),
      () => tell(text('copyFailed')),
    );
  return (
    <>
      <Button kind="primary" icon="export" testid="save-report" onClick={save}>
        {text('saveReport')}
      </Button>
      <Button icon="copy" testid="copy-report" onClick={copy}>
        {text('copyMarkdown')}
      </Button>
    </>
  );
}

/** The file itself, in a frame that can neither run nor open anything. */
function Preview({ facts, words }: { facts: ReportFacts; words: Text }) {
  const text = useText();
  const html = useMemo(() => htmlReport(facts, inWords(facts, words)), [facts, words]);
  return (
    <iframe class="report" title={text('reportPreview')} sandbox="" srcdoc={html} data-testid="report" />
  );
}
