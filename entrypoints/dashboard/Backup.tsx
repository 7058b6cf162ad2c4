import './exchange.css';
import { useRef, useState } from 'preact/hooks';
import { Button } from '#components/Button.tsx';
import { FileButton } from '#components/FileButton.tsx';
import type { Text, TextKey } from '#components/i18n.ts';
import { useText } from '#components/language.ts';
import { Banner, ProgressBar } from '#components/Notices.tsx';
import { BackupError, type BackupSummary } from '#lib/exchange/backup.ts';
import { KEPT_BACKUPS, listKeptBackups, readKeptBackup } from '#lib/store/kept-backups.ts';
import { checkBackup, makeBackup, restoreBackup, type Progress, type RestoreMode } from '../views/backup.ts';
import { useLive } from '../views/live.ts';
import { download } from '../views/save.ts';
import { useDashboard } from './context.ts';

type Step = 'backupSaving' | 'backupChecking' | 'backupRestoring';

/** Saves everything as one file, and brings it back. */
export function Backup() {
  const text = useText();
  const { run, tell } = useDashboard();
  const [going, setGoing] = useState<{ step: Step; done: number; total: number | undefined }>();
  const [checked, setChecked] = useState<{ file: File; summary: BackupSummary }>();
  const [wrong, setWrong] = useState<BackupError>();
  const cancel = useRef<AbortController>(null);

  const go = (step: Step, work: (progress: Progress) => Promise<void>): void => {
    const controller = new AbortController();
    cancel.current = controller;
    setGoing({ step, done: 0, total: undefined });
    setWrong(undefined);
    void run(async () => {
      try {
        await work({
          signal: controller.signal,
          onProgress: (done, total) => setGoing({ step, done, total }),
        });
      } catch (error) {
        if (error instanceof BackupError) setWrong(error);
        else if (controller.signal.aborted) tell(text(CANCELLED[step]));
        else throw error;
      }
    }).finally(() => setGoing(undefined));
  };
  const save = (): void =>
    go('backupSaving', async (progress) => {
      const { blob, summary } = await makeBackup(progress);
      download({ name: `onceover-${summary.header.createdAt.slice(0, 10)}.onceover`, blob });
      tell(text('backupSaved', summary.counts.pages, summary.sha256.slice(0, 12)));
    });
  const check = (file: File): void => {
    setChecked(undefined);
    go('backupChecking', async ({ signal }) =>
      setChecked({ file, summary: await checkBackup(file, signal) }),
    );
  };
  const restore = (file: File, mode: RestoreMode): void =>
    go('backupRestoring', async (progress) => {
      const { goBack, added, refused } = await restoreBackup(file, mode, progress);
      setChecked(undefined);
      tell(refused > 0 ? text('restoredWithout', added, refused) : text('restored', added), goBack);
    });
  return (
    <section aria-labelledby="backup">
      <h2 id="backup">{text('backup')}</h2>
      <p class="soft prose">{text('backupHint')}</p>
      <div class="actions">
        <Button kind="primary" icon="export" off={going !== undefined} testid="backup-save" onClick={save}>
          {text('saveBackup')}
        </Button>
        <FileButton
          label={text('restoreBackup')}
          icon="import"
          accept=".onceover,.gz"
          off={going !== undefined}
          testid="backup-file"
          onFile={check}
        />
      </div>
      {going && (
        <ProgressBar
          label={text(going.step)}
          done={going.done}
          {...(going.total === undefined ? {} : { total: going.total })}
          onCancel={() => cancel.current?.abort(new Error('cancelled'))}
        />
      )}
      {wrong && (
        <Banner title={text(faultOf(wrong))}>
          <p data-testid="backup-wrong">{wrong.message}</p>
          <p>{text('backupNothingChanged')}</p>
        </Banner>
      )}
      {checked && (
        <Checked
          {...checked}
          off={going !== undefined}
          onRestore={(mode) => restore(checked.file, mode)}
          onForget={() => setChecked(undefined)}
        />
      )}
      <KeptBackups off={going !== undefined} onChoose={check} />
    </section>
  );
}

const CANCELLED = {
  backupSaving: 'exportCancelled',
  backupChecking: 'checkCancelled',
  backupRestoring: 'restoreCancelled',
} as const satisfies Record<Step, TextKey>;

/** What is wrong with a file, in the person's language; the exact message stands below. */
function faultOf({ message, line }: BackupError): TextKey {
  if (message.includes('newer Onceover')) return 'backupNewer';
  if (message.includes('no backup')) return 'backupForeign';
  if (message.includes('cut off')) return 'backupCutOff';
  return line === 0 ? 'backupDamaged' : 'backupBadRow';
}

function Checked({
  file,
  summary: { header, counts, sha256 },
  off,
  onRestore,
  onForget,
}: {
  file: File;
  summary: BackupSummary;
  off: boolean;
  onRestore: (mode: RestoreMode) => void;
  onForget: () => void;
}) {
  const text = useText();
  const { now } = useDashboard();
  const rows: [string, string][] = [
    [text('backupMade'), madeAt(Date.parse(header.createdAt), now, text)],
    [text('rounds'), text.number(counts.rounds)],
    [text('pages'), text.number(counts.pages)],
    [text('visitsWord'), text.number(counts.visits)],
    [text('checksum'), sha256],
  ];
  return (
    <div class="stack" data-testid="backup-checked">
      <h3>
        <bdi>{file.name}</bdi> <span class="soft small">{text.bytes(file.size)}</span>
      </h3>
      <dl class="pairs">
        {rows.map(([name, value]) => (
          <>
            <dt key={`${name}-name`}>{name}</dt>
            <dd key={name}>{value}</dd>
          </>
        ))}
      </dl>
      <p class="soft prose">{text('restoreHint')}</p>
      <div class="actions">
        <Button kind="primary" off={off} testid="backup-merge" onClick={() => onRestore('merge')}>
          {text('restoreMerge')}
        </Button>
        <Button off={off} testid="backup-replace" onClick={() => onRestore('replace')}>
          {text('restoreReplace')}
        </Button>
        <Button kind="quiet" onClick={onForget}>
          {text('forget')}
        </Button>
      </div>
    </div>
  );
}

function madeAt(at: number, now: number, text: Text): string {
  return Number.isFinite(at) ? text.time(at, now) : '';
}

/** What the browser keeps by itself, a day each. */
function KeptBackups({ off, onChoose }: { off: boolean; onChoose: (file: File) => void }) {
  const text = useText();
  const { now, run } = useDashboard();
  const kept = useLive(listKeptBackups, []);
  return (
    <>
      <h3>{text('keptBackups')}</h3>
      <p class="soft prose">{text('keptBackupsHint', KEPT_BACKUPS)}</p>
      {kept.value?.length === 0 && <p>{text('noKeptBackups')}</p>}
      <ul class="stack" data-testid="kept-backups">
        {kept.value?.map(({ name, at, bytes }) => (
          <li key={name} class="line">
            <span class="whole">
              {text.time(at, now)} <span class="soft">{text.bytes(bytes)}</span>
            </span>
            <Button
              compact
              off={off}
              label={text('restoreThis', text.time(at, now))}
              onClick={() => void run(async () => onChoose(await readKeptBackup(name)))}
            >
              {text('restoreWord')}
            </Button>
            <Button
              compact
              label={text('saveFile', name)}
              onClick={() => void run(async () => download({ name, blob: await readKeptBackup(name) }))}
            >
              {text('save')}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
