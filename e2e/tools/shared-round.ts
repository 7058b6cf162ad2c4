// Two crawlers of different kinds share one round: Scrapy and Crawlee walk the same site at the same time through one service, with
// the example programs of their adapters. What happened is judged by the log of the site and by the service.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceClient } from '../../service/index.ts';
import { hasServer, startPostgres, startRedis } from '../../service/servers.testing.ts';
import { SharedSite } from './shared-site.ts';

type Crawler = 'scrapy' | 'crawlee';

export interface SharedTrial {
  readonly store: 'memory' | 'sqlite' | 'redis' | 'postgres' | 'redis+postgres';
  /** Who is ended (SIGKILL) in the middle. */
  readonly kill?: Crawler | 'service';
}

export const SHARED_TRIALS: readonly SharedTrial[] = [
  { store: 'memory' },
  { store: 'memory', kill: 'scrapy' },
  { store: 'sqlite', kill: 'crawlee' },
  { store: 'sqlite', kill: 'service' },
  { store: 'redis' },
  { store: 'postgres' },
  { store: 'redis+postgres', kill: 'scrapy' },
];

const TOKEN = 'of-the-trial-of-shared-rounds';
const PAGES = 120;
/** Milliseconds a slow page takes. */
const SLOW = 4200;
/**
 * Seconds. Shorter than a slow page takes, so that leases must be made longer; but longer than the service is away: what runs out
 * meanwhile anybody may take.
 */
const leaseOf = ({ kill }: SharedTrial): number => (kill === 'service' ? 30 : 3);
const LONGEST = 240_000;
/** Pages that a crawler may have got and not yet told when it was killed: its requests at one time and what it had leased ahead. */
const IN_FLIGHT = 32;

const here = import.meta.dirname;
const adapters = join(here, '..', '..', 'service', 'adapters');
const program = join(here, '..', '..', 'cli', 'onceover.cjs');

export const nameOf = ({ store, kill }: SharedTrial): string =>
  `shared round: Scrapy and Crawlee, ${store}${kill === undefined ? '' : `, ${kill} killed`}`;

/** @returns what is wrong; nothing: every page was fetched once */
export async function attemptShared(trial: SharedTrial, python: NodeJS.ProcessEnv): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'onceover-shared-'));
  const ends: (() => Promise<void>)[] = [];
  try {
    const store = await startStore(trial.store, folder, ends);
    const site = await SharedSite.start(PAGES, SLOW);
    ends.push(() => site.stop());
    let service = await startService(store, '0');
    ends.push(() => end(service.child, 'SIGTERM'));
    const lease = leaseOf(trial);
    const place = trial.kill === 'scrapy' || trial.kill === 'crawlee' ? 'list' : 'start';
    const crawlers = {
      scrapy: startScrapy(`${site.url}/${place}/scrapy`, service.url, folder, lease, python),
      crawlee: startCrawlee(`${site.url}/${place}/crawlee`, service.url, folder, lease),
    };
    for (const { child } of Object.values(crawlers)) ends.push(() => end(child, 'SIGKILL'));

    let killedAt: number | undefined;
    if (trial.kill !== undefined) {
      const isEnough = () => site.answered.filter(({ status }) => status === 200).length > PAGES * 0.3;
      const both = () => new Set(site.answered.map(({ by }) => by)).size === 2;
      await until(() => isEnough() && (trial.kill === 'service' || both()), crawlers);
      if (trial.kill === 'service') {
        await end(service.child, 'SIGKILL');
        await sleep(1500);
        service = await startService(store, new URL(service.url).port);
      } else await end(crawlers[trial.kill].child, 'SIGKILL');
      killedAt = Date.now();
    }
    const problems: string[] = [];
    for (const [name, { child, output, done }] of Object.entries(crawlers)) {
      if (name === trial.kill) continue;
      const isDone = await Promise.race([done, sleep(LONGEST, 'late', { ref: false })]);
      if (isDone === 'late') problems.push(`${name} did not end: ${output().slice(-1500)}`);
      else if (child.exitCode !== 0)
        problems.push(`${name} ended with ${child.exitCode}: ${output().slice(-1500)}`);
    }
    return [...problems, ...(await judge(trial, site, service.url, killedAt))];
  } finally {
    for (const end of ends.toReversed()) await end();
    if (process.env['KEEP'] === undefined) rmSync(folder, { recursive: true, force: true });
    else console.log(folder);
  }
}

async function judge(
  trial: SharedTrial,
  site: SharedSite,
  service: string,
  killedAt: number | undefined,
): Promise<string[]> {
  const problems: string[] = [];
  const client = new ServiceClient({ url: service, token: TOKEN });
  const seen = (path: string) => ({ url: `${site.url}/${path}` });
  const pages = Array.from({ length: site.pages }, (_, page) => page);
  const answers = await client.batch('is_seen', 'trial', { items: pages.map((page) => seen(`p/${page}`)) });
  let again = 0;
  for (const page of pages) {
    const nature = site.nature(page);
    const asked = site.answered.filter((entry) => entry.page === page);
    const failures = asked.filter(({ status }) => status === 0 || status >= 500).length;
    const fetched = asked.filter(({ status }) => status === 200 || status === 404);
    const told = `${nature} page ${page}: ${asked.map(({ by, status }) => `${by} ${status}`).join(', ')}`;
    if (nature === 'broken') {
      if (failures === 0) problems.push(`never asked for: ${told}`);
      if (answers[page]!.result === 'seen') problems.push(`marked, and nobody got it: ${told}`);
      continue;
    }
    if (fetched.length === 0) problems.push(`lost: ${told}`);
    if (answers[page]!.result !== 'seen') problems.push(`not marked (${answers[page]!.result}): ${told}`);
    const [first, second] = fetched;
    // What the killed crawler had got and could not tell any more, the other one fetches again.
    const isExcused =
      killedAt !== undefined &&
      first !== undefined &&
      second !== undefined &&
      first.by === trial.kill &&
      second.by !== trial.kill &&
      second.at > first.at;
    if (fetched.length === 2 && isExcused) again++;
    else if (fetched.length > 1) problems.push(`fetched ${fetched.length} times: ${told}`);
    if (nature.endsWith('once') && failures !== 1 && killedAt === undefined)
      problems.push(`failed ${failures} times: ${told}`);
  }
  if (again > IN_FLIGHT) problems.push(`${again} pages of the killed crawler were fetched again`);
  for (const name of ['scrapy', 'crawlee'] as const) {
    const share = site.answered.filter(({ by, status }) => by === name && status === 200).length;
    console.log(`  ${name} fetched ${share} pages${name === trial.kill ? `, of which ${again} again` : ''}`);
    if (share === 0) problems.push(`${name} fetched nothing: nothing was shared`);
  }
  return problems;
}

// ---- Programs ----

interface Started {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly done: Promise<unknown>;
}

function start(words: readonly [string, ...string[]], cwd: string, env: NodeJS.ProcessEnv): Started {
  const [command, ...rest] = words;
  const child = spawn(command, rest, {
    cwd,
    env: { ...process.env, ...env, HOME: cwd },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (output = (output + data.toString()).slice(-20_000)));
  return { child, output: () => output, done: once(child, 'close') };
}

function startScrapy(
  url: string,
  service: string,
  folder: string,
  lease: number,
  python: NodeJS.ProcessEnv,
): Started {
  const settings = {
    ONCEOVER_SERVICE: service,
    ONCEOVER_NAMESPACE: 'trial',
    ONCEOVER_LEASE: lease,
    ONCEOVER_POLL: 0.5,
    ONCEOVER_WHEN_DOWN: 'wait',
    // Crawlee sets out slowly on a busy machine.
    CONCURRENT_REQUESTS: 4,
    TELNETCONSOLE_ENABLED: 'False',
  };
  const adapter = join(adapters, 'scrapy');
  return start(
    [
      'scrapy',
      'runspider',
      '-L',
      'INFO',
      '-a',
      `start=${url}`,
      ...Object.entries(settings).flatMap(([name, value]) => ['-s', `${name}=${value}`]),
      join(adapter, 'example_spider.py'),
    ],
    folder,
    {
      ...python,
      PYTHONPATH: `${adapter}:${python['PYTHONPATH'] ?? ''}`,
      PYTHONDONTWRITEBYTECODE: '1',
      ONCEOVER_TOKEN: TOKEN,
    },
  );
}

/** The example as its users have it, but for the place of the package and times that are made for a trial. */
function startCrawlee(url: string, service: string, folder: string, lease: number): Started {
  const place = join(here, 'crawlers', 'node_modules', '.shared');
  mkdirSync(place, { recursive: true });
  const file = join(place, 'example.mjs');
  const example = readFileSync(join(adapters, 'crawlee', 'example.mjs'), 'utf8')
    .replace('onceover/crawlee', join(adapters, 'crawlee', 'index.ts'))
    .replace('round:', `lease: ${lease}, poll: 0.5, whenDown: 'wait', round:`);
  writeFileSync(file, example);
  return start([process.execPath, file, url], folder, {
    ONCEOVER_SERVICE: service,
    ONCEOVER_NAMESPACE: 'trial',
    ONCEOVER_TOKEN: TOKEN,
    CRAWLEE_STORAGE_DIR: join(folder, 'storage'),
    CRAWLEE_LOG_LEVEL: 'INFO',
  });
}

async function startService(store: string, port: string): Promise<{ child: ChildProcess; url: string }> {
  const words = [program, 'serve', '--json', '--port', port, '--store', store];
  const child = spawn(process.execPath, words, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ONCEOVER_TOKEN: TOKEN },
  });
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'close').then(() => ['{}']),
  ])) as [string];
  const { address } = JSON.parse(line) as { address?: string };
  if (address === undefined) throw new Error(`onceover serve --store ${store} did not start`);
  return { child, url: address };
}

async function startStore(
  store: SharedTrial['store'],
  folder: string,
  ends: (() => Promise<void>)[],
): Promise<string> {
  if (store === 'memory') return store;
  if (store === 'sqlite') return `sqlite:${join(folder, 'seen.sqlite')}`;
  const urls: string[] = [];
  for (const name of store.split('+') as ('redis' | 'postgres')[]) {
    const server = await (name === 'redis' ? startRedis() : startPostgres());
    ends.push(() => server.stop());
    urls.push(server.url);
  }
  return urls.join('+');
}

/** Whether the servers that the store needs are there. */
export const hasStore = ({ store }: SharedTrial): boolean =>
  (['redis', 'postgres'] as const).every((name) => !store.includes(name) || hasServer(name));

async function until(condition: () => boolean, crawlers: Record<Crawler, Started>): Promise<void> {
  const last = Date.now() + LONGEST;
  while (!condition()) {
    const ended = Object.entries(crawlers).find(([, { child }]) => child.exitCode !== null);
    if (ended !== undefined || Date.now() > last)
      throw new Error(
        `${ended?.[0] ?? 'nobody'} ended before anybody was killed: ${ended?.[1].output() ?? ''}`,
      );
    await sleep(20);
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill(signal);
  await closed;
}
