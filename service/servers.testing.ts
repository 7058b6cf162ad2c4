import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

// Private servers of Debian's packages, on free ports of the loopback, in temporary folders. They end with the process that started them.

export interface TestServer {
  readonly url: string;
  readonly port: number;
  /** Sends a signal to the server itself. */
  signal(name: NodeJS.Signals): void;
  /** Starts it again on the same port after it was killed; a Redis is empty then. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Whether a program of a server is there. Under CI it has to be. */
export function hasServer(name: 'redis' | 'postgres'): boolean {
  const found = name === 'redis' ? onPath('redis-server') : postgresFolder();
  if (found !== undefined) return true;
  const debian = name === 'redis' ? 'redis-server' : 'postgresql';
  const advice = `${debian} is not installed, so what needs it is not tested. On Debian: sudo apt-get install ${debian}`;
  if (process.env['CI'] === 'true') throw new Error(advice);
  console.error(advice);
  return false;
}

/** An empty Redis. @param settings further words of its command line */
export async function startRedis(settings: readonly string[] = []): Promise<TestServer> {
  const program = onPath('redis-server') ?? 'redis-server';
  const folder = mkdtempSync(join(tmpdir(), 'onceover-redis-'));
  const port = await freePort();
  const words = [
    '--bind',
    '127.0.0.1',
    '--port',
    String(port),
    '--save',
    '',
    '--appendonly',
    'no',
    '--dir',
    folder,
  ];
  return start(`redis://127.0.0.1:${port}`, port, folder, 'SIGTERM', () =>
    guarded([program, ...words, ...settings], {}),
  );
}

/** An empty PostgreSQL; its user `onceover` may do everything. @param settings lines for its configuration */
export async function startPostgres(settings: readonly string[] = []): Promise<TestServer> {
  const bin = postgresFolder();
  if (bin === undefined) throw new Error('There is no postgresql.');
  const folder = mkdtempSync(join(tmpdir(), 'onceover-postgres-'));
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  const owner = ownerOfPostgres();
  if (owner !== undefined) {
    // PostgreSQL refuses to run as root.
    chmodSync(folder, 0o711);
    chownSync(data, owner.uid, owner.gid);
  }
  const as =
    owner === undefined ? [] : ['setpriv', `--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--clear-groups'];
  const env = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8' };
  const made = spawnSync(
    [...as, join(bin, 'initdb')][0]!,
    [
      ...as,
      join(bin, 'initdb'),
      '-D',
      data,
      '-U',
      'onceover',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--no-sync',
    ].slice(1),
    { env, cwd: '/', encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const port = await freePort();
  const words = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', ''];
  const options = settings.flatMap((setting) => ['-c', setting]);
  return start(`postgres://onceover@127.0.0.1:${port}/postgres`, port, folder, 'SIGINT', () =>
    guarded([...as, join(bin, 'postgres'), ...words, ...options], env),
  );
}

async function start(
  url: string,
  port: number,
  folder: string,
  stopSignal: NodeJS.Signals,
  run: () => Promise<Guarded>,
): Promise<TestServer> {
  let server = await run();
  await accepts(port, server);
  const signal = (name: NodeJS.Signals) => process.kill(server.pid, name);
  return {
    url,
    port,
    signal,
    async restart() {
      server.child.stdin?.end();
      await ended(server.child);
      for (let tries = 0; ; tries++) {
        server = await run();
        try {
          return await accepts(port, server);
        } catch (error) {
          // Processes of a PostgreSQL that was killed hold its memory a little longer.
          if (tries === 100) throw error;
          server.child.stdin?.end();
          await ended(server.child);
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      }
    },
    async stop() {
      try {
        signal('SIGCONT');
        signal(stopSignal);
      } catch {
        // It was killed already.
      }
      server.child.stdin?.end();
      await ended(server.child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Guarded {
  readonly child: ChildProcess;
  /** Of the server itself. */
  readonly pid: number;
}

/** Runs a server beside a shell that ends it when this process is gone: then its standard input ends. */
async function guarded(words: readonly string[], env: NodeJS.ProcessEnv): Promise<Guarded> {
  const guard =
    '"$@" >/dev/null 2>&1 </dev/null & echo $!; exec 1>&-; read -r _; kill -KILL $! 2>/dev/null; wait';
  const child = spawn('sh', ['-c', guard, 'sh', ...words], {
    stdio: ['pipe', 'pipe', 'ignore'],
    cwd: '/',
    env: { ...(Object.keys(env).length === 0 ? process.env : env) },
  });
  child.stdin.on('error', () => {});
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, pid: Number(line.toString()) };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A process that ended and that nobody asked for yet is no server.
    return !existsSync(`/proc/${pid}/stat`) || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

async function accepts(port: number, { pid }: Guarded): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (isOpen) return;
    if (!isRunning(pid)) break;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`The server on port ${port} did not start.`);
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function onPath(command: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, command))
    .find((path) => existsSync(path));
}

/** The folder of the newest server: Debian keeps it off the PATH. */
function postgresFolder(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const found = versions
    .map((version) => join(debian, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')));
  return found ?? onPath('initdb')?.replace(/\/initdb$/, '');
}

/** As whom PostgreSQL runs, where this process is root. */
function ownerOfPostgres(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const line = readFileSync('/etc/passwd', 'utf8').match(/^(?:postgres|nobody):[^:]*:(\d+):(\d+)/m);
  return line === null ? { uid: 65534, gid: 65534 } : { uid: Number(line[1]), gid: Number(line[2]) };
}
