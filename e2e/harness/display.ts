// A screen of its own (Xvfb) with a mouse and a keyboard (xdotool), for what only a real window has: the toolbar button
// and Chromium's own prompts.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';

export class Display {
  /** What DISPLAY must be, for example `:99`. */
  readonly name: string;
  private readonly server: ChildProcess;

  private constructor(name: string, server: ChildProcess) {
    this.name = name;
    this.server = server;
  }

  /** Starts a screen of 1280 × 900 on a free number. */
  static async start(): Promise<Display> {
    const args = ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'];
    const server = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
    const number = await new Promise<string>((ready, failed) => {
      server.once('error', () => failed(new Error('Xvfb is needed: apt-get install xvfb xdotool')));
      server.once('exit', () => failed(new Error('Xvfb ended at once.')));
      server.stdio[3]?.once('data', (data: Buffer) => ready(data.toString().trim()));
    });
    return new Display(`:${number}`, server);
  }

  /** Switches that make the browser's window fill the screen; give them to the browser that is shown here. */
  static readonly WINDOW = ['--window-position=0,0', '--window-size=1280,900'];

  /** Clicks on the extension's button in the toolbar, the only one that is pinned. */
  clickToolbarButton(): void {
    this.run('mousemove', '1130', '63', 'click', '1');
  }

  /** Presses keys, by their X names, one after the other. */
  press(...keys: string[]): void {
    this.run('key', '--delay', '60', ...keys);
  }

  private run(...args: string[]): void {
    execFileSync('xdotool', args, { env: { ...process.env, DISPLAY: this.name } });
  }

  close(): void {
    this.server.kill();
  }
}
