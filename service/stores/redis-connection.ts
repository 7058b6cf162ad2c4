import { createHash } from 'node:crypto';
import { createClient, createCluster, ErrorReply, RESP_TYPES } from '@redis/client';
import { StoreDownError, StoreOpenError } from '../store.ts';

/** After so long without an answer the connection is given up. */
const PATIENCE = 5_000;
const LEAST_VERSION = [7, 0] as const;

type Argument = string | Buffer;

interface Client {
  send(key: string, words: readonly Argument[], asBuffers: boolean): Promise<unknown>;
  destroy(): void;
}

/** What a server says of itself. */
export interface ServerFacts {
  readonly isCluster: boolean;
  /** Members up to which a set of numbers is an array; undefined where the server does not tell. */
  readonly intsetLimit: number | undefined;
}

/**
 * A connection to one Redis or to a Redis Cluster. A command is sent once: what was on its way when the connection broke is an error,
 * never sent again. While there is no connection every command fails at once.
 */
export class RedisConnection {
  /** Without user and password. */
  readonly name: string;
  readonly #url: URL;
  #isCluster = false;
  #client: Client | undefined;
  #opening: Promise<void> | undefined;
  #isClosed = false;

  readonly #patience: number;

  private constructor(url: URL, patience: number) {
    this.#url = url;
    this.#patience = patience;
    this.name = `${url.protocol}//${url.host}${url.pathname.replace(/^\/$/, '')}`;
  }

  /** @param patience ms until a command is given up, and the connection with it @throws {StoreOpenError} that says what to do */
  static async open(
    url: URL,
    patience = PATIENCE,
  ): Promise<{ connection: RedisConnection; facts: ServerFacts }> {
    const connection = new RedisConnection(url, patience);
    try {
      connection.#client = await connection.#connect();
      const facts = await connection.#facts();
      if (facts.isCluster) {
        connection.#client.destroy();
        connection.#isCluster = true;
        connection.#client = await connection.#connect();
      }
      return { connection, facts };
    } catch (error) {
      connection.close();
      throw openError(connection.name, url, error);
    }
  }

  /** @param key the first key of the command, which says where it goes in a cluster @throws {StoreDownError | ErrorReply} */
  async ask<T>(key: string, ...words: Argument[]): Promise<T> {
    return (await this.#send(key, words, false)) as T;
  }

  /** The same, and texts come as bytes. */
  async askBytes<T>(key: string, ...words: Argument[]): Promise<T> {
    return (await this.#send(key, words, true)) as T;
  }

  /** Runs a script; texts come as bytes. @param keys all on one node */
  async run<T>(script: Script, keys: readonly string[], words: readonly Argument[]): Promise<T> {
    const key = keys[0]!;
    const all = [String(keys.length), ...keys, ...words];
    try {
      return (await this.#send(key, ['EVALSHA', script.sha, ...all], true)) as T;
    } catch (error) {
      // A server that was started anew, or another node.
      if (!(error instanceof ErrorReply && error.message.startsWith('NOSCRIPT'))) throw error;
      return (await this.#send(key, ['EVAL', script.text, ...all], true)) as T;
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#client?.destroy();
    this.#client = undefined;
  }

  async #send(key: string, words: readonly Argument[], asBuffers: boolean): Promise<unknown> {
    const client = this.#client;
    if (client === undefined) {
      void this.#reopen();
      throw new StoreDownError(`Redis: no connection to ${this.name}`);
    }
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        // What it sends later would be taken for answers to other commands by nobody: the connection ends.
        if (this.#client === client) {
          client.destroy();
          this.#client = undefined;
          void this.#reopen();
        }
        reject(new StoreDownError(`Redis: no answer from ${this.name} in time`));
      }, this.#patience);
      timer.unref();
    });
    try {
      return await Promise.race([client.send(key, words, asBuffers), late]);
    } catch (error) {
      // What is wrong with the request itself is told as it is.
      if (error instanceof ErrorReply && /^(?:NOSCRIPT|BOUND|REUSED)/.test(error.message)) throw error;
      throw error instanceof StoreDownError
        ? error
        : new StoreDownError(`Redis: ${(error as Error).message}`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Tries until there is a connection again. */
  #reopen(): Promise<void> {
    return (this.#opening ??= (async () => {
      while (this.#client === undefined && !this.#isClosed) {
        try {
          const client = await this.#connect();
          if (this.#isClosed) client.destroy();
          else this.#client = client;
        } catch {
          await new Promise((resolve) => setTimeout(resolve, 200));
        }
      }
      this.#opening = undefined;
    })());
  }

  async #connect(): Promise<Client> {
    const { username, password, protocol } = this.#url;
    const url = `${protocol}//${this.#url.host}${this.#isCluster ? '' : this.#url.pathname}`;
    const options = {
      ...(username === '' ? {} : { username: decodeURIComponent(username) }),
      ...(password === '' ? {} : { password: decodeURIComponent(password) }),
      RESP: 2 as const,
      disableOfflineQueue: true,
      maintNotifications: 'disabled' as const,
      socket: {
        connectTimeout: PATIENCE,
        reconnectStrategy: (retries: number, cause: Error) =>
          this.#client === undefined ? cause : Math.min(1000, 20 * 2 ** retries),
        ...(protocol === 'rediss:' ? { tls: true as const, host: this.#url.hostname } : {}),
      },
    };
    if (this.#isCluster) {
      const { RESP, ...defaults } = options;
      const cluster = createCluster({ RESP, rootNodes: [{ url }], defaults });
      cluster.on('error', () => {});
      await within(cluster.connect(), () => cluster.destroy());
      return {
        send: (key, words, asBuffers) =>
          cluster.sendCommand(key, false, [...words], asBuffers ? AS_BUFFERS : undefined),
        destroy: () => cluster.destroy(),
      };
    }
    const client = createClient({ ...options, url });
    // Each command that meets it says so.
    client.on('error', () => {});
    await within(client.connect(), () => client.destroy());
    return {
      send: (_, words, asBuffers) => client.sendCommand(words, asBuffers ? AS_BUFFERS : undefined),
      destroy() {
        if (client.isOpen) client.destroy();
      },
    };
  }

  /** What has to be known of the server. @throws {StoreOpenError} where it is too old, or would drop marks when it is full */
  async #facts(): Promise<ServerFacts> {
    const info = await this.ask<string>('', 'INFO');
    const field = (name: string) => new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(info)?.[1];
    const version = field('redis_version') ?? '0';
    const [major = 0, minor = 0] = version.split('.').map(Number);
    if (major < LEAST_VERSION[0] || (major === LEAST_VERSION[0] && minor < LEAST_VERSION[1]))
      throw new StoreOpenError(
        `The Redis at ${this.name} is version ${version}, and ${LEAST_VERSION.join('.')} or newer is needed (Valkey is fine): update it.`,
      );
    const policy = field('maxmemory_policy') ?? 'noeviction';
    this.evicts = field('maxmemory') !== '0' && policy !== 'noeviction' ? policy : undefined;
    const limit = await this.ask<string[]>('', 'CONFIG', 'GET', 'set-max-intset-entries').catch(() => []);
    return {
      isCluster: field('cluster_enabled') === '1',
      intsetLimit: limit[1] === undefined ? undefined : Number(limit[1]),
    };
  }

  /** Its rule for dropping keys when it is full, where it has one. */
  evicts: string | undefined;
}

const AS_BUFFERS = { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } };

export interface Script {
  readonly text: string;
  readonly sha: string;
}

export const script = (text: string): Script => ({
  text,
  sha: createHash('sha1').update(text).digest('hex'),
});

async function within(work: Promise<unknown>, giveUp: () => void): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      giveUp();
      reject(new Error('no answer in time'));
    }, PATIENCE);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    // It may still fail after it was given up.
    work.catch(() => {});
  }
}

function openError(name: string, { protocol, username }: URL, error: unknown): StoreOpenError {
  if (error instanceof StoreOpenError) return error;
  const { message, code } = (error instanceof StoreDownError ? (error.cause ?? error) : error) as Error & {
    code?: string;
  };
  const text = `${code ?? ''} ${message}`;
  const advice = ADVICE.find(([pattern]) => pattern.test(text))?.[1](protocol, username) ?? message;
  return new StoreOpenError(`Redis at ${name}: ${advice}`, { cause: error });
}

const ADVICE: readonly (readonly [RegExp, (protocol: string, user: string) => string])[] = [
  [/ECONNREFUSED/, () => 'nothing listens there. Start it, or correct host and port in --store.'],
  [/ENOTFOUND|EAI_AGAIN/, () => 'there is no such host. Correct it in --store.'],
  [
    /WRONGPASS|invalid password|without any password/i,
    (_, user) =>
      `it does not take this ${user === '' ? 'password' : 'user and password'}. Write them as redis://USER:PASSWORD@HOST, with %40 for @.`,
  ],
  [
    /NOAUTH/,
    () => 'it asks for a password. Write it as redis://:PASSWORD@HOST or redis://USER:PASSWORD@HOST.',
  ],
  [
    /NOPERM|no permissions/i,
    () =>
      'the user may not do what is needed. Allow it ~onceover:* (or ~PREFIX:*) and +@read +@write +@scripting +info +ping +select +config|get +cluster.',
  ],
  [
    /certificate|self-signed|ERR_TLS|altname/i,
    () =>
      'its certificate is not trusted. Name the authority in NODE_EXTRA_CA_CERTS, and the host as the certificate does.',
  ],
  [
    /no answer in time|ETIMEDOUT|timeout|ECONNRESET|closed unexpectedly|wrong version number|EPROTO|ERR_SSL/i,
    (protocol) =>
      `it does not answer as Redis does. Check the port, and whether it speaks TLS: then it is rediss://, else redis:// (this was ${protocol}//).`,
  ],
];
