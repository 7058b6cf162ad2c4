// One door for `npm start`, `npm test`, `npm run test:long` and `npm run screens`: sets up what is missing, then runs the steps.
// Built-ins of Node 20 only: this runs before anything is installed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { ensureChromium } from './browser.mjs';
import { countPlaywright, countTests, countVitest } from './results.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const reports = join(root, 'test-results', 'reports');
const windows = process.platform === 'win32';
// On Linux x64 the lock file brings a Node 24 into node_modules/.bin; first on PATH, the tools run on it too.
const env = {
  ...process.env,
  NO_COLOR: '1',
  PATH: join(modules, '.bin') + delimiter + (process.env.PATH ?? ''),
};

// ---- The steps ----

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string[]} command a program and its arguments
 * @property {(report: any) => import('./results.mjs').Count} [counter] reads the report of a test runner, written to
 *   `reportOf(name)`; a step without one counts as one, passed or failed
 * @property {string[]} [needs] a command without which the step cannot run; if it fails, the step is skipped and says so
 * @property {Record<string, string>} [env]
 * @property {number} [minutes] after which it is ended; 5 if not given
 */

const reportOf = (name) => join(reports, `${name.replaceAll(' ', '-')}.json`);

/** @returns {Step} */
const vitest = (name, ...args) => ({
  name,
  command: [
    'vitest',
    'run',
    ...args,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportOf(name)}`,
  ],
  counter: countVitest,
});

/** @returns {Step} */
const playwright = (name, minutes, ...args) => ({
  name,
  command: [
    'playwright',
    'test',
    ...args,
    '--reporter=list,json',
    `--output=test-results/${name.replaceAll(' ', '-')}`,
  ],
  counter: countPlaywright,
  env: { PLAYWRIGHT_JSON_OUTPUT_NAME: reportOf(name) },
  minutes,
});

const prepare = { name: 'prepare', command: ['wxt', 'prepare'] };
const chrome = { name: 'build chrome', command: ['wxt', 'build'] };
const sizes = { name: 'sizes', command: ['node', 'scripts/sizes.mjs'] };
const firefox = { name: 'build firefox', command: ['wxt', 'build', '-b', 'firefox', '--mv3'] };

/** @type {Step} Not a dependency: it is fetched when there is a network, and skipped when there is none. */
const webExt = {
  name: 'web-ext lint',
  needs: ['npx', '--yes', 'web-ext@10.7.0', '--version'],
  command: ['npx', '--yes', 'web-ext@10.7.0', 'lint', '--source-dir', '.output/firefox-mv3'],
};

/**
 * Stages follow each other; the lanes of a stage run side by side, since two cores are the least to be expected.
 * @type {Record<'test' | 'test:long', Step[][][]>}
 */
const STAGES = {
  test: [
    [[prepare]],
    [
      [
        { name: 'types', command: ['tsc', '--noEmit'] },
        { name: 'purity of lib', command: ['tsc', '-p', 'tsconfig.lib.json'] },
        { name: 'lint', command: ['oxlint', '--type-aware', '--deny-warnings', '.'] },
        { name: 'format', command: ['prettier', '--check', '--log-level=warn', '.'] },
        { name: 'unused code', command: ['knip'] },
        chrome,
        sizes,
        firefox,
        webExt,
      ],
      [vitest('unit')],
      [vitest('unit in browser', '-c', 'vitest.browser.config.ts')],
    ],
    [[playwright('e2e', 10, '--grep-invert=@long')]],
  ],
  'test:long': [
    [[prepare]],
    [[chrome], [firefox]],
    [[{ ...vitest('unit long', '-c', 'vitest.long.config.ts'), minutes: 30 }]],
    [[playwright('e2e long', 60, '--grep=@long')]],
  ],
};

/** What only the tests need, by command and Debian package. */
const ALWAYS = {
  Xvfb: 'xvfb',
  xdotool: 'xdotool',
  'redis-server': 'redis-server',
  pg_ctlcluster: 'postgresql',
};
const EXTRA = { test: ALWAYS, 'test:long': { ...ALWAYS, 'firefox-esr': 'firefox-esr' } };

// ---- Running them ----

/** The running children. Each leads a process group, so that what it started ends with it. */
const children = new Set();

function end(child) {
  try {
    if (windows) child.kill();
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It ended by itself meanwhile.
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    for (const child of children) end(child);
    process.exit(130);
  });
}

/** Runs a command to its end, without input. @returns {Promise<{ status: number | null, output: string }>} */
function run([program, ...args], { extra = {}, minutes = 5 } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      env: { ...env, ...extra },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: windows,
      detached: !windows,
    });
    children.add(child);
    let output = '';
    const take = (data) => (output += data);
    child.stdout.setEncoding('utf8').on('data', take);
    child.stderr.setEncoding('utf8').on('data', take);
    const limit = setTimeout(() => {
      output += `\nEnded after ${minutes} minutes.\n`;
      end(child);
    }, minutes * 60_000);
    const finish = (status) => {
      clearTimeout(limit);
      children.delete(child);
      resolve({ status, output });
    };
    child.on('error', (error) => {
      output += `${error.message}\n`;
      finish(1);
    });
    child.on('close', finish);
  });
}

/** One line for a step; of a failed one the output stands before it. */
function tell(name, ok, since, output, note = '') {
  const seconds = ((Date.now() - since) / 1000).toFixed(1);
  if (!ok) console.log(stripVTControlCharacters(output).trimEnd());
  console.log(`[${name}] ${ok ? 'ok' : 'FAILED'} ${seconds}s${note}`);
}

/** @param {Step} step @returns {Promise<{ passed: number, failed: number }>} */
async function runStep(step) {
  const since = Date.now();
  if (step.needs && (await run(step.needs)).status !== 0) {
    console.log(`[${step.name}] skipped: \`${step.needs.join(' ')}\` does not run here`);
    return { passed: 0, failed: 0 };
  }
  const { status, output } = await run(step.command, { extra: step.env, minutes: step.minutes });
  if (!step.counter) {
    tell(step.name, status === 0, since, output);
    return { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1 };
  }
  const count = countTests(step.counter, reportOf(step.name), status);
  const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : '';
  tell(
    step.name,
    count.failed === 0,
    since,
    output,
    `, ${count.passed} passed, ${count.failed} failed${skipped}`,
  );
  return count;
}

/** Runs all stages, also after a failure, and ends with one line that adds everything up. */
async function test(which) {
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });
  const since = Date.now();
  let passed = 0;
  let failed = prepareBrowser(EXTRA[which]) ? 0 : 1;
  for (const stage of STAGES[which]) {
    const lanes = stage.map(async (lane) => {
      for (const step of lane) {
        const count = await runStep(step);
        passed += count.passed;
        failed += count.failed;
      }
    });
    await Promise.all(lanes);
  }
  console.log(`[${which}] ${failed === 0 ? 'ok' : 'FAILED'} ${((Date.now() - since) / 1000).toFixed(1)}s`);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

/** Builds, then runs a script that uses what was built, in the person's terminal. */
async function buildAndRun(script, args) {
  prepareBrowser({});
  const since = Date.now();
  const { status, output } = await run(chrome.command);
  tell(chrome.name, status === 0, since, output);
  if (status !== 0) process.exit(1);
  const child = spawn('node', [join(root, 'scripts', script), ...args], {
    cwd: root,
    env,
    stdio: 'inherit',
  });
  child.on('close', (status) => (process.exitCode = status ?? 1));
}

// ---- Setting up ----

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const bringsItsOwn = process.platform === 'linux' && process.arch === 'x64';
  if (major >= 23 || (major === 22 && minor >= 18) || (bringsItsOwn && major >= 20)) return;
  const needed = bringsItsOwn ? 'Node 20' : 'Node 22.18';
  console.error(
    `${needed} or newer is needed, and this is ${process.versions.node}: get one from https://nodejs.org.`,
  );
  process.exit(1);
}

/** `npm ci`, if the lock file or the platform is another than at the last time. */
async function installPackages() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .update(`${process.platform} ${process.arch}`)
    .digest('hex');
  const stamp = join(modules, '.onceover-stamp');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  const since = Date.now();
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm'];
  // No package here needs an install script.
  const options = ['--ignore-scripts', '--no-audit', '--no-fund'];
  const { status, output } = await run([...npm, 'ci', ...options], { minutes: 15 });
  tell('packages', status === 0, since, output);
  if (status !== 0) process.exit(1);
  writeFileSync(stamp, wanted);
}

/** Whether there is a Chromium now. */
function prepareBrowser(extra) {
  const since = Date.now();
  try {
    ensureChromium({ extra });
    if (Date.now() - since > 2000) tell('browser', true, since, '');
    return true;
  } catch (error) {
    tell('browser', false, since, error.message);
    return false;
  }
}

const [task, ...args] = process.argv.slice(2);
const SCRIPTS = { start: 'start.ts', screens: 'screens.ts' };
if (!Object.hasOwn(STAGES, task ?? '') && !Object.hasOwn(SCRIPTS, task ?? '')) {
  console.error(`Usage: node scripts/run.mjs ${Object.keys({ ...SCRIPTS, ...STAGES }).join(' | ')}`);
  process.exit(2);
}
checkNode();
await installPackages();
if (Object.hasOwn(SCRIPTS, task)) await buildAndRun(SCRIPTS[task], args);
else await test(task);
