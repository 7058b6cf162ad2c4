// A real `onceover serve` on loopback, over as many runs as a test needs: it can be killed, and comes back at the same address.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const PROGRAM = join(import.meta.dirname, '../../cli/onceover.cjs');

export class Service {
  readonly token = 'token-of-the-test';
  address = '';
  /** Lines of its log: one for each request. */
  readonly log: string[] = [];
  private readonly folder = mkdtempSync(join(tmpdir(), 'onceover-service-'));
  private child: ChildProcess | undefined;

  async start(): Promise<void> {
    const port = this.address === '' ? '0' : new URL(this.address).port;
    const store = `sqlite:${join(this.folder, 'service.sqlite')}`;
    const child = spawn(process.execPath, [PROGRAM, 'serve', '--json', '--port', port, '--store', store], {
      env: { ...process.env, ONCEOVER_TOKEN: this.token },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    createInterface({ input: child.stderr }).on('line', (line) => this.log.push(line));
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    this.address = (JSON.parse(line) as { address: string }).address;
  }

  /** As if its power was cut. */
  async kill(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async dispose(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Asks it as a crawler would. */
  async ask(path: string, body?: unknown): Promise<Response> {
    return fetch(this.address + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { Authorization: `Bearer ${this.token}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  /** Fingerprints that a namespace holds in its rounds. */
  async holds(ns: string): Promise<string[]> {
    const described = await this.ask(`/v1/ns/${ns}`);
    if (!described.ok) return [];
    const { rounds } = (await described.json()) as { rounds: { round: string }[] };
    const texts = await Promise.all(
      rounds.map(async ({ round }) => (await this.ask(`/v1/ns/${ns}/export?round=${round}`)).text()),
    );
    return texts.flatMap((text) =>
      [...text.matchAll(/"url_fp":"([0-9a-f]{32})"/g)].map(([, fp]) => fp ?? ''),
    );
  }
}
