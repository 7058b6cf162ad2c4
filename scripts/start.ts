// `npm start`: opens Chromium with the built extension on the practice site, or on the site of `--url`. Without a
// display, or with `--headless`, a demonstration round is driven instead.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startDemo, type Demo } from '../demo/server.mjs';
import { findChromium } from './browser.mjs';
import { demonstrate } from './demonstrate.ts';
import { writeProfile } from './profile.mjs';

const root = resolve(import.meta.dirname, '..');
const build = join(root, '.output', 'chrome-mv3');
const folder = join(root, '.round');
/** The practice site keeps its port, so that a round can be compared with the one of yesterday. */
const PORT = 8042;

function options(): { url: string | undefined; headless: boolean } {
  try {
    const { values } = parseArgs({ options: { url: { type: 'string' }, headless: { type: 'boolean' } } });
    if (values.url !== undefined && !/^https?:$/.test(URL.parse(values.url)?.protocol ?? '')) {
      throw new Error(`${values.url} is no http or https address.`);
    }
    return { url: values.url, headless: values.headless ?? false };
  } catch (error) {
    console.error(`${(error as Error).message}\nUsage: npm start -- [--url URL] [--headless]`);
    return process.exit(2);
  }
}

async function startSite(): Promise<Demo> {
  try {
    return await startDemo({ port: PORT });
  } catch {
    const demo = await startDemo();
    console.log(`Port ${PORT} is taken, so the practice site has another one this time.`);
    return demo;
  }
}

/** Opens the browser for a person and waits until it is closed. */
async function open(url: string): Promise<void> {
  let chromium: string;
  try {
    chromium = findChromium();
  } catch (error) {
    console.log(`${(error as Error).message}
Or load the extension into a browser of your own:
  1. open chrome://extensions and switch on "Developer mode"
  2. press "Load unpacked"
  3. choose ${build}
and open ${url}. Ctrl+C ends the practice site.`);
    return new Promise(() => {});
  }
  const profile = join(folder, 'profile');
  // The first time, the button is put into the toolbar.
  if (!existsSync(profile)) writeProfile(profile, build, { grant: 'none' });
  const switches = [
    `--user-data-dir=${profile}`,
    '--no-first-run',
    '--no-default-browser-check',
    `--disable-extensions-except=${build}`,
    `--load-extension=${build}`,
    // Chromium has no sandbox for root.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ];
  console.log(`Opening ${url}
Press the Onceover button in the toolbar and start a round on this site.
The profile stays in ${profile}; close the browser or press Ctrl+C to end.`);
  const browser = spawn(chromium, [...switches, url], { stdio: 'ignore' });
  process.once('SIGINT', () => browser.kill());
  process.once('SIGTERM', () => browser.kill());
  await new Promise<void>((closed, failed) => {
    browser.once('error', failed);
    browser.once('exit', () => closed());
  });
}

const { url, headless } = options();
const display = process.platform !== 'linux' || Boolean(process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY);
if (headless || !display) {
  if (url !== undefined) {
    console.error('The demonstration walks through the practice site; --url needs a display.');
    process.exit(2);
  }
  if (!headless) console.log('There is no display, so a demonstration round is driven instead.');
  process.exitCode = (await demonstrate(folder)) ? 0 : 1;
} else if (url === undefined) {
  const demo = await startSite();
  await open(demo.url);
  await demo.close();
} else {
  await open(url);
}
