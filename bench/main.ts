// npm run bench -- [--json] [--urls FILE]… [--only NAME]… [--engine node|chromium] [--rounds N] [--write]
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { List } from './lists.ts';
import { table, writeReport } from './report.ts';
import type { Engine, Row } from './row.ts';

const HERE = dirname(fileURLToPath(import.meta.url));
const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    urls: { type: 'string', multiple: true, default: [] },
    only: { type: 'string', multiple: true, default: [] },
    engine: { type: 'string', multiple: true, default: ['node', 'chromium'] },
    rounds: { type: 'string', default: '5' },
    write: { type: 'boolean', default: false },
  },
});

installPeers();
const { GROUPS } = await import('./groups/index.ts');
const { readList } = await import('./files.ts');
const unknown = values.only.filter((name) => GROUPS.every((group) => group.name !== name));
if (unknown.length > 0) {
  console.error(
    `There is no group ${unknown.join(', ')}; there are ${GROUPS.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(2);
}
const groups = GROUPS.filter(({ name, onDemand }) =>
  values.only.length > 0 ? values.only.includes(name) : onDemand !== true,
);
const files = values.urls.map((path) => resolve(path));
const lists: List[] = files.map(readList);
const rounds = Number(values.rounds);
const rows: Row[] = [];
const versions: Partial<Record<Engine, string>> = {};

if (values.engine.includes('node')) {
  versions.node = process.version;
  for (const name of namesFor('node')) await inNode(name);
}
if (values.engine.includes('chromium') && namesFor('chromium').length > 0) {
  const { startChromium } = await import('./engines/chromium.ts');
  const chromium = await startChromium();
  versions.chromium = chromium.version;
  for (const name of namesFor('chromium')) await chromium.run(name, rounds, lists, take);
  await chromium.close();
}
if (values.json) console.log(JSON.stringify(rows, undefined, 2));
else console.log(table(rows));
if (values.write) await writeReport(rows, versions, rounds);

function namesFor(engine: Engine): string[] {
  return groups.filter(({ engines }) => engines.includes(engine)).map(({ name }) => name);
}

/** Runs a group in a process of its own. */
async function inNode(group: string): Promise<void> {
  const child = spawn(process.execPath, [resolve(HERE, 'engines/node.ts'), group, String(rounds), ...files], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  const ended = new Promise<number | null>((done) => child.on('close', done));
  for await (const line of createInterface({ input: child.stdio[3] as Readable }))
    take(JSON.parse(line) as Row);
  const status = await ended;
  if (status !== 0) throw new Error(`${group} ended with ${status}`);
}

function take(row: Row): void {
  rows.push(row);
  const { name, engine, set, ratio, target, holds } = row;
  console.error(`[${engine}] ${name} · ${set}: ${ratio?.toPrecision(3) ?? '—'} ${target} ${holds}`);
}

/** Peers are dependencies of this folder alone. */
function installPeers(): void {
  const installed = resolve(HERE, 'node_modules/.package-lock.json');
  if (
    existsSync(installed) &&
    statSync(resolve(HERE, 'package-lock.json')).mtimeMs <= statSync(installed).mtimeMs
  )
    return;
  console.error('Installing the peers to compare with (bench/node_modules)');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: HERE,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status === 0) return;
  console.error(
    'The peers could not be installed; run `npm ci` in bench/ where the registry can be reached.',
  );
  process.exit(1);
}
