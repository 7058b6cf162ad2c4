import manifest from '../../package.json' with { type: 'json' };
import {
  createLog,
  defaultStore,
  LocalJournal,
  openStore,
  startService,
  storedToken,
  tokenProblem,
  type RunningService,
} from '../../service/index.ts';
import { EXIT, text, UsageError, type Command, type OptionValues } from '../command.ts';
import { POLICY_OPTIONS, readPolicy } from '../policy.ts';

const DEFAULT_PORT = 8321;

export const serve: Command = {
  name: 'serve',
  usage:
    '[--store URL] [--redis-prefix P] [--port N] [--listen ADDR] [--journal FILE] [--policy FILE] [--json]',
  summary: 'The fingerprint service: one memory for several inspectors and crawlers.',
  options: {
    store: {
      type: 'string',
      help: 'URL memory, sqlite:FILE, redis://HOST or postgres://HOST/DB; a file of your own where absent',
    },
    'redis-prefix': {
      type: 'string',
      help: 'P plain sets P:NS:ROUND:HH in Redis, which other tools can read',
    },
    port: { type: 'string', help: `N ${DEFAULT_PORT} where absent; 0 picks a free one` },
    listen: { type: 'string', help: 'ADDR 127.0.0.1 where absent; any other needs ONCEOVER_TOKEN' },
    journal: {
      type: 'string',
      help: 'FILE keeps marks while the store is away, of namespaces that chose it',
    },
    policy: POLICY_OPTIONS.policy,
    json: { type: 'boolean', help: 'print one line {"address","store","token"} when it accepts connections' },
  },
  async run(terminal, values, words) {
    if (words.length > 0) throw new UsageError(`"${words[0]}" is not expected. See onceover help serve.`);
    const port = readPort(values);
    const address = text(values, 'listen') ?? '127.0.0.1';
    const given = process.env['ONCEOVER_TOKEN'];
    const problem = given === undefined ? undefined : tokenProblem(given);
    if (problem !== undefined) throw new UsageError(problem);
    if (given === undefined && !isLoopback(address))
      throw new UsageError(
        `Others can reach ${address}: set ONCEOVER_TOKEN to a secret of your own, or listen on 127.0.0.1.`,
      );
    const { policy, version } = await readPolicy(terminal, values);
    const prefix = text(values, 'redis-prefix');
    const store = await openStore(
      text(values, 'store') ?? defaultStore(),
      prefix === undefined ? {} : { redisPrefix: prefix },
    );
    const { token, isNew } = given === undefined ? await storedToken(store) : { token: given, isNew: false };
    let service: RunningService;
    try {
      const file = text(values, 'journal');
      const journal = file === undefined ? undefined : await LocalJournal.open(store, file);
      service = await startService({
        store,
        keys: { policy, version },
        token,
        address,
        port,
        hosts: process.env['ONCEOVER_HOSTS']?.split(',').map((host) => host.trim()) ?? [],
        version: manifest.version,
        ...(journal && { journal }),
        log: createLog((line) => terminal.say(line)),
      });
    } catch (error) {
      await store.close();
      throw error;
    }
    const stopped = untilSignal().then(() => service.stop());
    if (values['json'] === true) {
      await terminal.write(`${JSON.stringify({ address: service.url, store: store.name, token })}\n`);
    } else {
      const kept = store.durable ? 'as at the first start (--json prints it)' : token;
      const shown = given === undefined ? (isNew ? token : kept) : 'the one in ONCEOVER_TOKEN';
      await terminal.write(
        [
          `address  ${service.url}`,
          `store    ${store.name}${store.durable ? '' : ' (answers as a new store after a loss)'}`,
          `token    ${shown}`,
          `policy   ${version}`,
          '',
          'To pair the extension: Dashboard, Options, Service; enter address and token, then Pair.',
          'Ctrl-C stops it; what it was asked by then is answered first.',
          '',
        ].join('\n'),
      );
    }
    await stopped;
    return EXIT.fine;
  },
};

function readPort(values: OptionValues): number {
  const value = text(values, 'port') ?? String(DEFAULT_PORT);
  if (!/^\d{1,5}$/.test(value) || Number(value) > 65535)
    throw new UsageError(`--port must be a number from 0 to 65535, not "${value}".`);
  return Number(value);
}

const isLoopback = (address: string): boolean =>
  /^127(?:\.\d{1,3}){3}$/.test(address) || address === '::1' || address === 'localhost';

/** The first signal stops the service, a second one the process. */
function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}
