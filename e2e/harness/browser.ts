// Runs the shipped build in a real Chromium: launch, stop the worker, kill the browser, open the same profile again.
import { constants, cpSync, mkdtempSync, readlinkSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium, type BrowserContext, type CDPSession, type Page } from '@playwright/test';
import { findChromium } from '../../scripts/browser.mjs';
import { extensionId, writeProfile } from '../../scripts/profile.mjs';

/** The folder `wxt build` writes, or a copy of it that a build under way does not change (ONCEOVER_BUILD). */
export const BUILD = resolve(
  process.env.ONCEOVER_BUILD ?? join(import.meta.dirname, '../../.output/chrome-mv3'),
);

export interface LaunchOptions {
  /**
   * Which optional permissions are agreed to beforehand. `click`: granted without a prompt when the product asks for
   * them; `sites`: the hosts from the start, so that the popup knows the site before it asks for the rest; `start`:
   * everything from the start; `none`: a fresh profile, where Chromium would show its prompt.
   */
  grant?: 'none' | 'click' | 'sites' | 'start';
  /** Optional API permissions to agree to; webNavigation if not given. */
  apis?: string[];
  /** Match patterns to agree to, without a port; `http://127.0.0.1/*` if not given. */
  hosts?: string[];
  /** The browser's own language: what `browser.i18n` answers in. */
  language?: 'en' | 'zh-CN';
  colorScheme?: 'light' | 'dark';
  viewport?: { width: number; height: number } | null;
  /** Shows the window on this X display instead of none. */
  display?: string;
  /** Further switches for Chromium. */
  args?: string[];
  /** Playwright's own switches to leave out, for example `--disable-back-forward-cache`. */
  ignoreDefaultArgs?: string[];
  /** Leaves the page of the first run open; it is closed otherwise. */
  welcome?: boolean;
  /** Another folder than the shipped build. */
  build?: string;
  /** The folder of a profile to begin with a copy of, as {@link Browser.keep} left it. */
  from?: string;
}

/** Copies a profile without its locks; a file system that can shares the blocks. */
function copyProfile(from: string, to: string): void {
  const isKept = (path: string): boolean => !/Singleton\w*$/.test(path);
  cpSync(from, to, { recursive: true, filter: isKept, mode: constants.COPYFILE_FICLONE });
}

/** One profile with the extension in it, over as many runs of the browser as a test needs. */
export class Browser {
  readonly id: string;
  readonly profile: string;
  private readonly options: LaunchOptions;
  private running: BrowserContext | undefined;
  private control: CDPSession | undefined;

  private constructor(options: LaunchOptions) {
    this.options = options;
    this.id = extensionId(options.build ?? BUILD);
    this.profile = mkdtempSync(join(tmpdir(), 'onceover-profile-'));
  }

  /** Makes a fresh profile and starts the browser on it. */
  static async launch(options: LaunchOptions = {}): Promise<Browser> {
    const browser = new Browser(options);
    const { grant = 'click', apis, hosts, build = BUILD, from } = options;
    if (from !== undefined) copyProfile(from, browser.profile);
    writeProfile(browser.profile, build, { grant, ...(apis && { apis }), ...(hosts && { hosts }) });
    await browser.start();
    return browser;
  }

  /** Starts the browser on the profile: after {@link stop} or {@link kill}, with everything that was stored. */
  async start(): Promise<void> {
    const { build = BUILD, language = 'en', display, args = [], ignoreDefaultArgs } = this.options;
    const { colorScheme = 'light', viewport = { width: 1280, height: 800 } } = this.options;
    this.running = await chromium.launchPersistentContext(this.profile, {
      executablePath: findChromium(),
      headless: display === undefined,
      colorScheme,
      viewport,
      locale: language === 'en' ? 'en-US' : language,
      env: {
        ...process.env,
        LANGUAGE: language === 'en' ? 'en_US' : 'zh_CN',
        ...(display && { DISPLAY: display }),
      },
      ...(ignoreDefaultArgs && { ignoreDefaultArgs }),
      args: [
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '--disable-quic',
        '--disable-background-networking',
        `--lang=${language === 'en' ? 'en-US' : language}`,
        `--disable-extensions-except=${build}`,
        `--load-extension=${build}`,
        ...args,
      ],
    });
    // A page of the extension that runs none of its code, to give orders from.
    const page = this.running.pages()[0] ?? (await this.running.newPage());
    await page.goto(this.url('manifest.json'));
    this.control = await this.running.newCDPSession(page);
    await this.control.send('ServiceWorker.enable');
    if (!this.options.welcome) await this.closeWelcome(page);
  }

  /** Waits until the extension is installed, and closes the page it opens then. */
  private async closeWelcome(backstage: Page): Promise<void> {
    // Chromium may tell of the install twice, and the second time much later.
    await backstage.evaluate(async () => {
      const { settings } = await chrome.storage.local.get<{ settings?: object }>('settings');
      await chrome.storage.local.set({ settings: { ...settings, welcomed: true } });
    });
    await backstage
      .waitForFunction(
        async () => (await chrome.storage.session.get('installed'))['installed'] === true,
        undefined,
        {
          polling: 50,
          timeout: 5_000,
        },
      )
      // A browser that is started again has nothing to install.
      .catch(() => undefined);
    // By the browser's own list: Playwright knows a tab by its address only once that is loaded.
    await backstage.evaluate(async () => {
      const welcome = chrome.runtime.getURL('welcome.html');
      const tabs = await chrome.tabs.query({});
      const ids = tabs.flatMap(({ id, url, pendingUrl }) =>
        id !== undefined && (pendingUrl ?? url)?.startsWith(welcome) ? [id] : [],
      );
      await chrome.tabs.remove(ids);
    });
  }

  get context(): BrowserContext {
    if (!this.running) throw new Error('The browser is not running: call start() first.');
    return this.running;
  }

  /** The address of a file of the extension, for example `dashboard.html`. */
  url(path: string): string {
    return `chrome-extension://${this.id}/${path}`;
  }

  /** Opens a page of the extension, for example `dashboard.html#/pages`, in a tab of its own. */
  async open(path: string): Promise<Page> {
    const page = await this.context.newPage();
    await page.goto(this.url(path));
    return page;
  }

  /** The page of the extension that runs none of its code; `evaluate` there may call `chrome.*`. */
  get backstage(): Page {
    const page = this.context.pages().find((page) => page.url() === this.url('manifest.json'));
    if (!page) throw new Error('The backstage page was closed.');
    return page;
  }

  /** Stops the service worker, as Chromium does at any moment; the next event or message wakes it. */
  async stopWorker(): Promise<void> {
    await this.control?.send('ServiceWorker.stopAllWorkers');
  }

  /** Closes the browser as a person does. */
  async stop(): Promise<void> {
    await this.running?.close();
    this.running = undefined;
  }

  /** Closes the browser and leaves a copy of its profile in a folder. */
  async keep(folder: string): Promise<void> {
    await this.stop();
    // Whole or not at all.
    const partial = `${folder}.part`;
    rmSync(partial, { recursive: true, force: true });
    copyProfile(this.profile, partial);
    renameSync(partial, folder);
  }

  /** Ends the browser's main process at once (SIGKILL), as a crash or a power cut does. */
  async kill(): Promise<void> {
    const closed = new Promise<void>((done) => this.context.once('close', () => done()));
    process.kill(this.pid, 'SIGKILL');
    await closed;
    this.running = undefined;
  }

  /** Process id of the browser, from the lock it keeps on its profile (`host-pid`). */
  get pid(): number {
    const pid = Number(readlinkSync(join(this.profile, 'SingletonLock')).split('-').at(-1));
    if (!Number.isInteger(pid) || pid <= 1) throw new Error('The lock of the profile names no process.');
    return pid;
  }

  /** Closes the browser and deletes the profile. */
  async dispose(): Promise<void> {
    await this.stop();
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
