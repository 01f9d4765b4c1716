import { textDigest } from '../crypto/text-digest.js';
import { setTimer } from '../time/clock.js';
import type { Clock } from '../time/clock.js';
import { loadDriver, reasonOf } from './redis.driver.js';
import type { OwnRedisClient, RedisClientLike } from './redis.driver.js';

/**
 * A URL opens a client of the toolkit's own; an app's client is used as it is, and never closed.
 */
export type RedisTarget =
  | { readonly kind: 'client'; readonly client: RedisClientLike }
  | {
      readonly kind: 'url';
      readonly url: string;
      /** Further options of the driver's `createClient`. */
      readonly clientOptions?: { readonly socket?: object | undefined } | undefined;
      /** Called when the connection fails. @default nothing: the calls fail with the reason */
      readonly onError?: ((error: Error) => void) | undefined;
    };

/** How a Redis server is reached. */
interface RedisConnectionOptions {
  readonly clock: Clock;
  /** How long to wait for the server, in milliseconds. */
  readonly timeouts: { readonly connection: number; readonly answer: number };
  /**
   * Whether to reconnect an app's client that was closed; false leaves that to the app.
   * @default false
   */
  readonly reopensClient?: boolean | undefined;
}

/** The server cannot be used. `step` says what failed, `cause` holds the driver's error. */
export class RedisConnectionError extends Error {
  constructor(
    readonly step: 'driver' | 'options' | 'connection',
    cause: unknown,
  ) {
    super(step === 'driver' ? MISSING_DRIVER : reasonOf(cause), { cause });
  }
}

const MISSING_DRIVER = 'the driver "redis" could not be loaded. Run: npm install redis';

/** A server that has been reached. */
export interface RedisServer {
  send(...command: string[]): Promise<unknown>;
  run(script: RedisScript, keys: readonly string[], values: readonly string[]): Promise<unknown>;
}

/** A script that the server runs atomically, and identifies by its digest. */
export class RedisScript {
  #sha1: string | undefined;

  constructor(readonly text: string) {}

  /** Computed on first use. */
  async digest(): Promise<string> {
    return (this.#sha1 ??= await textDigest('SHA-1', this.text));
  }

  /** The digest, once it has been computed. */
  get sha1(): string | undefined {
    return this.#sha1;
  }
}

interface Connected {
  readonly client: RedisClientLike;
  readonly server: RedisServer;
}

/**
 * The connection to one server. It is opened on first use, and again after it was lost. A client of
 * the toolkit's own never keeps the process alive: each call has a timer.
 */
export class RedisConnection {
  #opening: Promise<Connected> | undefined;
  readonly #connecting = new Set<RedisClientLike>();
  /** Not used again once its client has lost the server. */
  #current: Connected | undefined;

  constructor(
    private readonly target: RedisTarget,
    private readonly options: RedisConnectionOptions,
  ) {}

  /** The server, when it has been reached, and is not known to be lost. */
  get current(): RedisServer | undefined {
    const current = this.#current;
    const isKept = this.target.kind === 'client' && !this.options.reopensClient;
    return current && (isKept || current.client.isOpen) ? current.server : undefined;
  }

  /** Connects if necessary. A failure is not kept: the next call tries again. */
  async open(): Promise<RedisServer> {
    if (this.current) return this.current;
    const opening = (this.#opening ??= this.#connect()
      .then((connected) => {
        if (this.#opening === opening) this.#current = connected;
        return connected;
      })
      .finally(() => {
        if (this.#opening === opening) this.#opening = undefined;
      }));
    return (await opening).server;
  }

  /**
   * Closes the connection, if its client is the toolkit's own: after the outstanding replies,
   * without waiting for a server that has not answered yet. A later call opens another.
   */
  async close(): Promise<void> {
    const [current, opening] = [this.#current, this.#opening];
    this.#current = this.#opening = undefined;
    for (const client of this.#connecting) this.#abandon(client);
    for (const connected of [current, await opening?.catch(() => undefined)])
      if (connected) await this.#leave(connected.client);
  }

  async #connect(): Promise<Connected> {
    const { target } = this;
    const client = target.kind === 'client' ? target.client : await this.#create(target);
    // Without a listener a lost connection would end the process; the calls fail with the reason.
    if (client.listenerCount('error') === 0) client.on('error', () => {});
    if (!client.isOpen) {
      this.#connecting.add(client);
      const { connection } = this.options.timeouts;
      await failingAt('connection', () =>
        this.#inTime(client, connection, () => client.connect()),
      ).finally(() => this.#connecting.delete(client));
    }
    return { client, server: this.#serverOf(client) };
  }

  async #create(target: RedisTarget & { readonly kind: 'url' }): Promise<OwnRedisClient> {
    const { url, clientOptions = {}, onError } = target;
    const { createClient } = await failingAt('driver', loadDriver);
    return failingAt('options', async () => {
      const client = createClient({
        ...clientOptions,
        url,
        disableOfflineQueue: true,
        // The driver would reconnect for ever, which keeps the process alive, and delay calls until
        // then. Here the next call connects.
        socket: {
          connectTimeout: this.options.timeouts.connection,
          ...clientOptions.socket,
          reconnectStrategy: false,
        },
      });
      if (onError) client.on('error', onError);
      client.unref();
      return client;
    });
  }

  #serverOf(client: RedisClientLike): RedisServer {
    const send = (...command: string[]): Promise<unknown> =>
      this.#inTime(client, this.options.timeouts.answer, (options) =>
        client.sendCommand(command, options),
      );
    return {
      send,
      run: async (script, keys, values) => {
        const rest = [String(keys.length), ...keys, ...values];
        const sha1 = script.sha1 ?? (await script.digest());
        return send('EVALSHA', sha1, ...rest).catch((error: unknown) => {
          if (error instanceof Error && error.message.startsWith('NOSCRIPT'))
            return send('EVAL', script.text, ...rest);
          throw error;
        });
      },
    };
  }

  /** Rejects when there is no reply in time. */
  #inTime<T>(
    client: RedisClientLike,
    ms: number,
    ask: (options?: { abortSignal: AbortSignal }) => Promise<T>,
  ): Promise<T> {
    // An app's client may queue commands until its server is back. Commands that have timed out
    // must not be sent then.
    const unsent = client.isReady === false ? new AbortController() : undefined;
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        reject(new Error(`no answer within ${ms} ms`));
        unsent?.abort();
        this.#abandon(client);
      };
      // In two halves: a process that was suspended first reads what has arrived.
      let cancel = setTimer(this.options.clock, ms / 2, () => {
        cancel = setTimer(this.options.clock, ms / 2, giveUp);
      });
      ask(unsent && { abortSignal: unsent.signal }).then(
        (answer) => {
          cancel();
          resolve(answer);
        },
        (error: unknown) => {
          cancel();
          reject(error);
        },
      );
    });
  }

  async #leave(client: RedisClientLike): Promise<void> {
    const own = this.#ownOf(client);
    const { answer } = this.options.timeouts;
    if (own?.isOpen)
      await this.#inTime(own, answer, () => own.close()).catch(() => this.#abandon(own));
  }

  #abandon(client: RedisClientLike): void {
    const own = this.#ownOf(client);
    if (own?.isOpen) own.destroy();
  }

  /** The client, if the connection has opened it. */
  #ownOf(client: RedisClientLike): OwnRedisClient | undefined {
    return this.target.kind === 'url' ? (client as OwnRedisClient) : undefined;
  }
}

async function failingAt<T>(
  step: RedisConnectionError['step'],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new RedisConnectionError(step, cause);
  }
}
