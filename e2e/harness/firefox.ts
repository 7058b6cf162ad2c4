// Drives Firefox with the extension over WebDriver BiDi, on Node's own WebSocket: Playwright cannot launch Debian's
// Firefox ESR, and no driver program is needed.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const BUILD = resolve(import.meta.dirname, '../../.output/firefox-mv3');
const ADDON = 'onceover@example.com';
/** Firefox draws a random one for each profile; here it is known beforehand. */
const UUID = '11111111-2222-4333-8444-555555555555';

const PREFERENCES: Record<string, string | number | boolean> = {
  'extensions.webextensions.uuids': JSON.stringify({ [ADDON]: UUID }),
  // Optional permissions are granted by the click that asks for them, without a prompt nobody could answer here.
  'extensions.webextOptionalPermissionPrompts': false,
  // The background page really dies when it is idle, after 2 s.
  'extensions.background.idle.timeout': 2000,
  'app.normandy.enabled': false,
  'app.update.enabled': false,
  'browser.aboutwelcome.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'toolkit.telemetry.enabled': false,
  'remote.log.level': 'Info',
};

interface Answer {
  id?: number;
  type: string;
  result?: unknown;
  error?: string;
  message?: string;
}

/** One Firefox with the Firefox build installed as a temporary add-on. */
export class Firefox {
  private readonly profile = mkdtempSync(join(tmpdir(), 'onceover-firefox-'));
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private process: ChildProcess | undefined;
  private socket: WebSocket | undefined;
  private number = 0;

  static async launch(build = BUILD): Promise<Firefox> {
    const firefox = new Firefox();
    try {
      await firefox.start();
      await firefox.send('session.new', { capabilities: {} });
      await firefox.send('webExtension.install', { extensionData: { type: 'path', path: build } });
    } catch (error) {
      await firefox.dispose();
      throw error;
    }
    return firefox;
  }

  private async start(): Promise<void> {
    const lines = Object.entries(PREFERENCES).map(
      ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
    );
    writeFileSync(join(this.profile, 'user.js'), lines.join('\n'));
    // The switch for system access lets BiDi into the pages of the extension.
    const switches = [
      '--headless',
      '--no-remote',
      '--remote-debugging-port',
      '0',
      '--remote-allow-system-access',
    ];
    const child = spawn('firefox-esr', [...switches, '--profile', this.profile], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, HOME: this.profile },
    });
    this.process = child;
    const address = await new Promise<string>((found, reject) => {
      let said = '';
      const read = (data: Buffer): void => {
        said += data.toString();
        const match = /WebDriver BiDi listening on (ws:\S+)/.exec(said);
        if (match?.[1]) found(match[1]);
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.once('error', reject);
      child.once('exit', () => reject(new Error(`Firefox ended: ${said}`)));
    });
    const socket = new WebSocket(`${address}/session`);
    this.socket = socket;
    await new Promise<void>((open, reject) => {
      socket.addEventListener('open', () => open());
      socket.addEventListener('error', () => reject(new Error(`No connection to Firefox at ${address}.`)));
    });
    socket.addEventListener('message', ({ data }) => {
      const answer = JSON.parse(String(data)) as Answer;
      if (answer.id !== undefined) this.waiting.get(answer.id)?.(answer);
    });
  }

  private send<T>(method: string, params: object = {}): Promise<T> {
    const id = ++this.number;
    return new Promise((done, reject) => {
      this.waiting.set(id, (answer) => {
        this.waiting.delete(id);
        if (answer.type === 'error') reject(new Error(`${method}: ${answer.error}: ${answer.message}`));
        else done(answer.result as T);
      });
      this.socket?.send(JSON.stringify({ id, method, params }));
    });
  }

  /** The address of a file of the extension. */
  url(path: string): string {
    return `moz-extension://${UUID}/${path}`;
  }

  /** Opens an address in a tab of its own and gives the tab's handle. */
  async open(url: string): Promise<string> {
    const { context } = await this.send<{ context: string }>('browsingContext.create', { type: 'tab' });
    await this.send('browsingContext.navigate', { context, url, wait: 'complete' });
    return context;
  }

  /** The value of an expression in a tab, awaited; it must be text, a number, a boolean or null. */
  async evaluate<T>(context: string, expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.send<{
      result?: { value?: T };
      exceptionDetails?: { text: string };
    }>('script.evaluate', { expression, target: { context }, awaitPromise: true, resultOwnership: 'none' });
    if (exceptionDetails) throw new Error(`${exceptionDetails.text} in ${expression}`);
    return result?.value as T;
  }

  /** A real click in the middle of the element. */
  async click(context: string, selector: string): Promise<void> {
    const { nodes } = await this.send<{ nodes: { sharedId: string }[] }>('browsingContext.locateNodes', {
      context,
      locator: { type: 'css', value: selector },
    });
    const [node] = nodes;
    if (!node) throw new Error(`There is no ${selector}.`);
    const origin = { type: 'element', element: { sharedId: node.sharedId } };
    const actions = [
      { type: 'pointerMove', x: 0, y: 0, origin },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ];
    await this.send('input.performActions', {
      context,
      actions: [{ type: 'pointer', id: 'mouse', actions }],
    });
  }

  async dispose(): Promise<void> {
    this.socket?.close();
    const { process } = this;
    if (process && process.exitCode === null && process.pid !== undefined) {
      const ended = new Promise((done) => process.once('exit', done));
      process.kill('SIGKILL');
      await ended;
    }
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
