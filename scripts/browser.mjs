// Finds the Chromium that tests and `npm start` use, and installs it where that is possible.
// Built-ins of Node 20 only: this runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

const ADVICE =
  'Install Chromium (Debian: `apt-get install chromium`; elsewhere: `npx playwright install chromium`), or set CHROME_PATH to a Chromium or Chrome for Testing.';

/** Newest first, also where the numbers have different lengths (chromium-999, chromium-1187). */
const newestFirst = (a, b) => b.localeCompare(a, 'en', { numeric: true });

/** The folders inside `folder` whose name starts with `prefix`. */
function versions(folder, prefix) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix))
    .sort(newestFirst)
    .map((name) => join(folder, name));
}

/** Where Playwright and Puppeteer keep the browsers they download. */
function downloaded() {
  const home = homedir();
  const cache = {
    darwin: join(home, 'Library', 'Caches'),
    win32: process.env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'),
  }[process.platform];
  const playwright =
    process.env.PLAYWRIGHT_BROWSERS_PATH ?? join(cache ?? join(home, '.cache'), 'ms-playwright');
  const puppeteer = process.env.PUPPETEER_CACHE_DIR ?? join(home, '.cache', 'puppeteer');
  const app = (folder, name) => join(folder, `${name}.app`, 'Contents', 'MacOS', name);
  const testing = 'Google Chrome for Testing';
  return [...versions(playwright, 'chromium-'), ...versions(join(puppeteer, 'chrome'), '')].flatMap((dir) => [
    join(dir, 'chrome-linux', 'chrome'),
    join(dir, 'chrome-linux64', 'chrome'),
    app(join(dir, 'chrome-mac'), 'Chromium'),
    ...['chrome-mac', 'chrome-mac-x64', 'chrome-mac-arm64'].map((folder) => app(join(dir, folder), testing)),
    join(dir, 'chrome-win', 'chrome.exe'),
    join(dir, 'chrome-win64', 'chrome.exe'),
  ]);
}

/** Chromium and Chrome for Testing only: branded Chrome (from 137) and Edge ignore `--load-extension`. */
function candidates() {
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .flatMap((dir) => ['chromium', 'chromium-browser', 'chrome-for-testing'].map((name) => join(dir, name)));
  const usual = {
    darwin: ['/Applications/Chromium.app/Contents/MacOS/Chromium'],
    win32: [join(process.env.LOCALAPPDATA ?? '', 'Chromium', 'Application', 'chrome.exe')],
  }[process.platform] ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/snap/bin/chromium'];
  return [...onPath, ...usual, ...downloaded()];
}

function lookForChromium() {
  const given = process.env.CHROME_PATH;
  if (given) {
    if (!existsSync(given)) throw new Error(`CHROME_PATH names ${given}, which does not exist. ${ADVICE}`);
    return given;
  }
  return candidates().find((path) => existsSync(path));
}

/**
 * The executable of a Chromium that loads unpacked extensions: CHROME_PATH, else the usual places, else the
 * browsers that Playwright or Puppeteer downloaded.
 * @throws an Error that says what to install.
 */
export function findChromium() {
  const found = lookForChromium();
  if (!found) throw new Error(`No Chromium was found. ${ADVICE}`);
  return found;
}

/** Whether `command` can be run from PATH. */
export function onPath(command) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .some((dir) => dir !== '' && existsSync(join(dir, command)));
}

/** Whether Chinese can be drawn; without such a font it shows as boxes. Only Linux may lack one. */
function hasChineseFont() {
  if (process.platform !== 'linux') return true;
  const list = spawnSync('fc-list', [':lang=zh', 'family'], { encoding: 'utf8' });
  return list.status === 0 && list.stdout.trim() !== '';
}

const isDebian = () =>
  existsSync('/etc/os-release') &&
  /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8')) &&
  onPath('apt-get');

/** Installs Debian packages; true if it worked. What apt says is shown only when it fails. */
function aptInstall(packages) {
  const apt = (...args) =>
    spawnSync('apt-get', ['-y', '-q', ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
    });
  apt('update'); // A failing mirror need not matter: the lists may be there already.
  const done = apt('install', '--no-install-recommends', ...packages);
  if (done.status !== 0) process.stderr.write(`${done.stdout}${done.stderr}`);
  return done.status === 0;
}

/**
 * Makes sure of a Chromium and a Chinese font; `extra` names further Debian packages by the command they bring,
 * for example `{ Xvfb: 'xvfb' }`. As root on Debian what is missing is installed. Elsewhere a missing font or extra is
 * told in one sentence and the rest goes on; a missing Chromium throws that sentence.
 * @returns {string} the executable
 */
export function ensureChromium({ extra = {} } = {}) {
  const missing = [
    ...(lookForChromium() ? [] : ['chromium']),
    ...(hasChineseFont() ? [] : ['fonts-wqy-zenhei']),
    ...Object.entries(extra)
      .filter(([command]) => !onPath(command))
      .map(([, name]) => name),
  ];
  if (missing.length > 0) {
    const mayInstall = isDebian() && process.getuid?.() === 0;
    if (!mayInstall || !aptInstall(missing)) {
      console.error(
        `Not installed: ${missing.join(', ')}. On Debian: sudo apt-get install ${missing.join(' ')}`,
      );
    }
  }
  return findChromium();
}
