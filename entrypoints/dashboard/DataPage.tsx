import { Button } from '#components/Button.tsx';
import { roundName } from '#components/describe.ts';
import { useText } from '#components/language.ts';
import { listKeptBackups } from '#lib/store/kept-backups.ts';
import { listTrash } from '#lib/store/read.ts';
import { usageByKind, type KindUsage, type UsageKind } from '#lib/store/usage.ts';
import { useLive } from '../views/live.ts';
import { ask } from '../views/worker.ts';
import { Backup } from './Backup.tsx';
import { useDashboard } from './context.ts';
import { DeleteAll, DeleteSite } from './Deletion.tsx';
import { Counts, Diagnostics } from './Diagnostics.tsx';
import { Repair } from './Repair.tsx';

/** Where the records stand: space, what can be brought back, and the counters behind what is shown. */
export function DataPage() {
  const text = useText();
  return (
    <div class="sheet">
      <div class="title-line">
        <h1>{text('data')}</h1>
      </div>
      <Usage />
      <Backup />
      <Trash />
      <RoundCounters />
      <Repair />
      <DeleteSite />
      <DeleteAll />
      <Diagnostics />
    </div>
  );
}

function Usage() {
  const text = useText();
  const usage = useLive(() => navigator.storage.estimate(), []);
  const health = useLive(() => ask('health', {}), []);
  const { usage: used = 0, quota = 0 } = usage.value ?? {};
  return (
    <section aria-labelledby="usage">
      <h2 id="usage">{text('database')}</h2>
      <dl class="pairs">
        <dt>{text('usedSpace')}</dt>
        <dd>{usage.value && text('usedOf', text.bytes(used), text.bytes(quota))}</dd>
        <dt>{text('state')}</dt>
        <dd>{health.value && (health.value.database === 'ok' ? text('databaseOk') : health.value.detail)}</dd>
        <dt>{text('waiting')}</dt>
        <dd>{health.value && text.number(health.value.pending)}</dd>
      </dl>
      <p class="soft prose">{text('keptHere')}</p>
      <UsageByKind />
    </section>
  );
}

/** How much there is of each kind of thing. */
function UsageByKind() {
  const text = useText();
  const usage = useLive(readUsage, [], { follows: false });
  if (!usage.value) return <p class="soft">{text('loading')}</p>;
  const { pages, visits, texts, sets, backups, trash } = usage.value;
  const rows: [string, KindUsage][] = [
    [text('pages'), pages],
    [text('visitsWord'), visits],
    [text('usageTexts'), texts],
    [text('usageSets'), sets],
    [text('privacyBackups'), backups],
    [text('trash'), trash],
  ];
  return (
    <>
      <table class="usage">
        <thead>
          <tr>
            <th>{text('privacyWhat')}</th>
            <th class="number">{text('usageRows')}</th>
            <th class="number">{text('usageBytes')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, kind]) => (
            <tr key={name}>
              <td>{name}</td>
              <td class="number">{text.number(kind.rows)}</td>
              <td class="number">{text.bytes(kind.bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="soft small">{text('usageHint')}</p>
    </>
  );
}

async function readUsage(): Promise<Record<UsageKind | 'backups', KindUsage>> {
  const [usage, kept] = await Promise.all([usageByKind(), listKeptBackups()]);
  const bytes = kept.reduce((sum, backup) => sum + backup.bytes, 0);
  return { ...usage, backups: { rows: kept.length, bytes } };
}

function Trash() {
  const text = useText();
  const { now, run, tell } = useDashboard();
  const trash = useLive(listTrash, []);
  return (
    <section aria-labelledby="trash">
      <h2 id="trash">{text('trash')}</h2>
      <p class="soft prose">{text('trashHint')}</p>
      {trash.value?.length === 0 && <p>{text('trashEmpty')}</p>}
      <ul class="stack">
        {trash.value?.map((item) => (
          <li key={item.id} class="line">
            <span class="whole">
              <bdi>{item.label}</bdi> <span class="soft">{text('keptUntil', text.day(item.until, now))}</span>
            </span>
            <Button
              compact
              label={text('bringBackOne', item.label)}
              onClick={() =>
                void run(async () => {
                  await ask('undo', { undo: item.id });
                  tell(text('broughtBack', item.label));
                })
              }
            >
              {text('bringBack')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function RoundCounters() {
  const text = useText();
  const { round, now } = useDashboard();
  if (!round) return null;
  const { visits, duplicates, failed, known, visited, retrying, gone, changed } = round.counters;
  const rows: [string, number][] = [
    [text('visitsWord'), visits],
    [text('duplicatesWord'), duplicates],
    [text('failedWord'), failed],
    [text('pagesVisited'), visited],
    [text('pagesKnown'), known],
    [text('retry'), retrying],
    [text('gone'), gone],
    [text('changed'), changed],
  ];
  return (
    <section aria-labelledby="counters">
      <h2 id="counters">{roundName(round, text, now)}</h2>
      <Counts rows={rows} />
    </section>
  );
}
