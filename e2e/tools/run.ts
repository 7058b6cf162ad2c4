// Gives each crawler the file we would give its user, lets it read a list of nasty addresses from there, and compares what a site on
// loopback was really asked with what was meant. Installs the tools itself (apt-get as root on Debian, npm in this folder).
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFormat, FORMATS, safeAddress } from '#lib/exchange/index.ts';
import { NASTY } from '#lib/exchange/nasty.fixture.ts';
import { AskedSite } from './server.ts';
import { attemptShared, hasStore, nameOf, SHARED_TRIALS } from './shared-round.ts';
import { TRIALS, type Run, type Trial } from './tools.ts';

const here = import.meta.dirname;
const root = join(here, '..', '..');
const LONGEST_RUN = 120_000;

function has(command: string): boolean {
  return spawnSync('sh', ['-c', 'command -v -- "$1"', 'sh', command]).status === 0;
}

/** Debian's Python, for which its Scrapy is made, whatever other Python stands before it. */
const PYTHON = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';
/** Where pip puts what Debian has not. */
const MODULES = join(here, 'crawlers', 'node_modules', '.python');

function hasModule(name: string): boolean {
  const env = { ...process.env, PYTHONPATH: pythonPath() };
  return spawnSync(PYTHON, ['-c', `import ${name}`], { env }).status === 0;
}

function pythonPath(): string {
  return [MODULES, process.env['PYTHONPATH'] ?? ''].filter((path) => path !== '').join(':');
}

/** The module that cannot be had, if any. */
function missingModule(trial: Trial): string | undefined {
  return Object.keys(trial.modules ?? {}).find((name) => {
    if (hasModule(name)) return false;
    spawnSync('python3', ['-m', 'pip', 'install', '--quiet', '--target', MODULES, name.replaceAll('_', '-')]);
    return !hasModule(name);
  });
}

function install(trials: readonly Trial[], commands: Record<string, string>): void {
  const missing = new Set<string>();
  for (const { modules = {} } of trials) {
    for (const [name, debian] of Object.entries(modules))
      if (debian !== null && !hasModule(name)) missing.add(debian);
  }
  for (const needs of [commands, ...trials.map(({ needs }) => needs)])
    for (const [command, name] of Object.entries(needs)) if (!has(command)) missing.add(name);
  if (missing.size > 0) {
    const words = ['install', '-y', '--no-install-recommends', ...missing];
    if (process.getuid?.() !== 0 || !has('apt-get'))
      throw new Error(`Install first: ${[...missing].join(' ')}`);
    console.log(`apt-get ${words.join(' ')}`);
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
    const { status } = spawnSync('apt-get', ['-qq', ...words], { stdio: ['ignore', 'ignore', 'inherit'] });
    if (status !== 0) throw new Error('apt-get failed');
  }
  if (!existsSync(join(here, 'crawlers', 'node_modules', 'crawlee'))) {
    if (spawnSync('npm', ['ci'], { cwd: join(here, 'crawlers'), stdio: 'inherit' }).status !== 0)
      throw new Error('npm ci failed');
  }
}

/** Places that differ from machine to machine, so that the table of tools need not know them. */
const PLACES: Record<string, string> = {
  ONCEOVER: join(root, 'cli', 'onceover.cjs'),
  SAMPLE: join(root, 'lib', 'exchange', 'samples', 'backup-v1.onceover'),
  CRAWLEE: join(here, 'crawlers', 'crawlee.mjs'),
  SCRAPY_REDIS: join(here, 'crawlers', 'scrapy-redis.sh'),
  SCHEMA: join(here, 'crawlers', 'node_modules', 'sitemap', 'schema', 'sitemap.xsd'),
};

function runIn(folder: string): Run {
  return (program, ...words) =>
    new Promise((resolve, reject) => {
      const child = spawn(
        program,
        words.map((word) => PLACES[word] ?? word),
        {
          cwd: folder,
          stdio: ['ignore', 'pipe', 'pipe'],
          env: { ...process.env, HOME: folder, PYTHONPATH: pythonPath(), LC_ALL: 'C.UTF-8' },
          timeout: LONGEST_RUN,
        },
      );
      let output = '';
      let errors = '';
      child.stdout.on('data', (data: Buffer) => (output += data.toString()));
      child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
      child.on('error', reject);
      child.on('close', (status) => {
        if (status === 0) resolve(output);
        else reject(new Error(`${program} ended with ${status}\n${(errors || output).slice(-2000)}`));
      });
    });
}

/** @returns what is wrong; nothing: the log is what it must be */
async function attempt(trial: Trial): Promise<string[]> {
  const site = await AskedSite.start();
  const folder = mkdtempSync(join(tmpdir(), 'onceover-tools-'));
  try {
    const origin = trial.proxied ? 'http://nasty.example.com' : `http://127.0.0.1:${site.port}`;
    const addresses = NASTY.map((address) =>
      address.replace(/^https:\/\/(user:secret@)?example\.com/, (_, user = '') =>
        origin.replace('//', `//${user}`),
      ),
    );
    const wanted = addresses.filter(
      (address) => address.includes(origin.slice(7)) && !/^https:\/\/\[|^https:\/\/例/.test(address),
    );
    writeFileSync(
      join(folder, 'input.txt'),
      addresses
        .filter((address) => wanted.includes(address) || !/^https?:/.test(address))
        .map((address) => address.replace(/[\r\n]/g, ''))
        .join('\n'),
    );
    const run = runIn(folder);
    const output = trial.format === 'sitemap' ? 'out/' : `out/list${findFormat(trial.format)?.extension}`;
    await run(
      process.execPath,
      'ONCEOVER',
      'dedupe',
      '--format',
      trial.format,
      '--output',
      output,
      'input.txt',
    ).catch((error: unknown) => {
      // Some of the addresses are none, and that is told by exit code 1.
      if (!String(error).includes('ended with 1\n')) throw error;
    });
    const out = join(folder, 'out');
    const [file = ''] = readdirSync(out)
      .filter((name) => !name.endsWith('.manifest.json') && !name.endsWith('.py'))
      .sort();
    await trial.ask(runIn(out), file, out, site);
    const asked = site.take();
    const alike = trial.alike ?? ((target: string) => target);
    const expected = wanted.flatMap((address) => {
      const safe = safeAddress(address, 'drop');
      if (!safe.ok || safe.url.length > (trial.longest ?? Infinity)) return [];
      return trial.proxied ? [safe.url] : [safe.url.slice(origin.length)];
    });
    // Each address is written once; two that only this tool takes for the same may be asked for twice.
    return compare(asked.map(alike), [...new Set(expected)].map(alike));
  } finally {
    await site.stop();
    if (process.env['KEEP'] === undefined) rmSync(folder, { recursive: true, force: true });
    else console.log(folder);
  }
}

function compare(asked: readonly string[], expected: readonly string[]): string[] {
  const problems: string[] = [];
  if (expected.length < 30) problems.push(`only ${expected.length} addresses were expected`);
  const count = (targets: readonly string[], wanted: string) =>
    targets.filter((target) => target === wanted).length;
  for (const target of new Set([...expected, ...asked])) {
    const [meant, came] = [count(expected, target), count(asked, target)];
    if (meant > 0 && came === 0) problems.push(`never asked    ${shorten(target)}`);
    else if (meant === 0) problems.push(`not meant      ${shorten(target)}`);
    else if (came > meant) problems.push(`asked ${came} times  ${shorten(target)}`);
  }
  return problems;
}

function shorten(text: string): string {
  return text.length > 160 ? `${text.slice(0, 100)}…${text.slice(-40)} (${text.length})` : text;
}

// "Run with the real tool" is said of a format only where it is true. (A backup is read by Onceover itself.)
for (const { name, proof } of FORMATS) {
  if ((proof === 'tool') !== (name === 'backup' || TRIALS.some(({ format }) => format === name))) {
    throw new Error(`The format ${name} is called "${proof}", which its trials do not bear out.`);
  }
}

const words = process.argv.slice(2);
const isChosen = (...names: string[]) =>
  words.length === 0 || words.some((word) => names.some((name) => name.includes(word)));
const chosen = TRIALS.filter(({ format, tool }) => isChosen(tool) || words.includes(format));
const shared = SHARED_TRIALS.filter((trial) => isChosen(nameOf(trial)));
install(chosen, shared.length > 0 ? { scrapy: 'python3-scrapy' } : {});
let failed = 0;
for (const trial of chosen) {
  const missing = missingModule(trial);
  if (missing !== undefined)
    console.log(`[${trial.format}: ${trial.tool}] skipped: pip cannot install ${missing}`);
  else await report(`${trial.format}: ${trial.tool}`, () => attempt(trial));
}
for (const trial of shared) {
  if (hasStore(trial)) await report(nameOf(trial), () => attemptShared(trial, { PYTHONPATH: pythonPath() }));
  else console.log(`[${nameOf(trial)}] skipped`);
}
process.exitCode = failed > 0 ? 1 : 0;

async function report(name: string, run: () => Promise<string[]>): Promise<void> {
  const started = performance.now();
  let problems: string[];
  try {
    problems = await run();
  } catch (error) {
    problems = [error instanceof Error ? error.message : String(error)];
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`[${name}] ${problems.length === 0 ? 'ok' : 'FAILED'} ${seconds}s`);
  for (const problem of problems) console.log(`  ${problem}`);
  if (problems.length > 0) failed++;
}
