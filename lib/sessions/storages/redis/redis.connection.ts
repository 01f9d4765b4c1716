import { createHash } from 'node:crypto';

import { setTimer } from '../../../core/time/clock.js';
import type { Clock } from '../../../core/time/clock.js';
import { SessionStorageError } from '../../sessions.errors.js';
import { InFlightCalls, closeAfter } from '../connection/in-flight-calls.js';
import { loadDriver, reasonOf } from './redis.driver.js';
import type { OwnRedisClient, RedisClientLike } from './redis.driver.js';

/** Longer than this no call waits for the server, in milliseconds. */
const PATIENCE = 5_000;

/** A URL opens a client of our own; a client is used as it is, and left open. */
export type RedisTarget = { readonly client: RedisClientLike } | RedisAddress;

export interface RedisAddress {
  readonly url: URL;
  /** Of the driver. */
  readonly clientOptions: { readonly socket?: object | undefined };
  readonly onError?: ((error: Error) => void) | undefined;
}

/** A program that the server runs as one step. */
export interface RedisScript {
  readonly text: string;
  /** By which the server knows it. */
  readonly sha1: string;
}

export function scriptOf(text: string): RedisScript {
  return { text, sha1: createHash('sha1').update(text).digest('hex') };
}

/** A server that has been reached. */
export interface RedisServer {
  send(...command: string[]): Promise<unknown>;
  run(script: RedisScript, keys: readonly string[], values: readonly string[]): Promise<unknown>;
}

interface Connected {
  readonly client: RedisClientLike;
  readonly server: RedisServer;
}

/**
 * The way to one server: connects, and runs `prepare`, on first use, and again when the connection
 * was lost. A connection of our own never keeps the process alive: whoever waits for an answer has
 * a timer.
 */
export class RedisConnection {
  readonly #place: string;
  readonly #calls = new InFlightCalls();
  #opening: Promise<Connected> | undefined;
  /** Not used again once its client has lost the server. */
  #current: Connected | undefined;

  /** @param prepare runs once per connection, before anything else */
  constructor(
    private readonly target: RedisTarget,
    private readonly clock: Clock,
    private readonly prepare: (server: RedisServer) => Promise<void>,
  ) {
    this.#place =
      'url' in target
        ? `Redis at ${target.url.host}${target.url.pathname}`
        : 'Redis of the given client';
  }

  /**
   * Does `work` once the server is reached and prepared. @throws {SessionStorageError} that says
   * what could not be done, and where
   */
  run<T>(what: string, work: (server: RedisServer) => Promise<T>): Promise<T> {
    return this.#calls.add(this.#run(what, work));
  }

  /** The same with nothing prepared: to look at what is there. */
  async inspect<T>(what: string, work: (server: RedisServer) => Promise<T>): Promise<T> {
    const { client, server } = await this.#connect();
    return this.#explained(what, () => work(server)).finally(() => this.#leave(client));
  }

  /** Resolves when the server is reached and prepared. */
  async open(): Promise<void> {
    await this.#open();
  }

  /**
   * Closes a client of our own, after the calls that are under way, and waits for that five seconds
   * at most. A later call opens another.
   */
  close(): Promise<void> {
    const [current, opening] = [this.#current, this.#opening];
    this.#current = this.#opening = undefined;
    const leave = async (): Promise<void> => {
      for (const connected of [current, await opening?.catch(() => undefined)])
        if (connected) await this.#leave(connected.client);
    };
    return closeAfter(this.#calls.over(), leave, this.clock);
  }

  async #run<T>(what: string, work: (server: RedisServer) => Promise<T>): Promise<T> {
    const { server } = this.#current?.client.isOpen ? this.#current : await this.#open();
    return this.#explained(what, () => work(server));
  }

  #open(): Promise<Connected> {
    if (this.#current?.client.isOpen) return Promise.resolve(this.#current);
    // A failure is not kept: the server may be there at the next call.
    const opening = (this.#opening ??= this.#prepareOnce()
      .then((connected) => {
        if (this.#opening === opening) this.#current = connected;
        return connected;
      })
      .finally(() => {
        if (this.#opening === opening) this.#opening = undefined;
      }));
    return opening;
  }

  async #prepareOnce(): Promise<Connected> {
    const connected = await this.#connect();
    try {
      await this.#explained('be prepared', () => this.prepare(connected.server));
      return connected;
    } catch (error) {
      await this.#leave(connected.client);
      throw error;
    }
  }

  async #connect(): Promise<Connected> {
    const client = 'client' in this.target ? this.target.client : await this.#create(this.target);
    // Without a listener a lost connection would end the process; the calls say what is wrong.
    if (client.listenerCount('error') === 0) client.on('error', () => {});
    await this.#explained('be reached', async () => {
      if (!client.isOpen) await this.#inTime(client, () => client.connect());
    });
    return { client, server: this.#serverOf(client) };
  }

  async #create({ url, clientOptions, onError = () => {} }: RedisAddress): Promise<OwnRedisClient> {
    const { createClient } = await loadDriver();
    return this.#explained('be used', async () => {
      // The driver would look for a lost server for ever, which keeps the process alive, and let
      // calls wait meanwhile; here the next call looks.
      const socket = {
        connectTimeout: PATIENCE,
        ...clientOptions.socket,
        reconnectStrategy: false,
      };
      const client = createClient({
        ...clientOptions,
        url: url.href,
        disableOfflineQueue: true,
        socket,
      });
      client.on('error', onError);
      client.unref();
      return client;
    });
  }

  #serverOf(client: RedisClientLike): RedisServer {
    const send = (...command: string[]): Promise<unknown> =>
      this.#inTime(client, (options) => client.sendCommand(command, options));
    return {
      send,
      run: async (script, keys, values) => {
        const rest = [String(keys.length), ...keys, ...values];
        return send('EVALSHA', script.sha1, ...rest).catch((error: unknown) => {
          if (error instanceof Error && error.message.startsWith('NOSCRIPT'))
            return send('EVAL', script.text, ...rest);
          throw error;
        });
      },
    };
  }

  /** Fails when there is no answer in time. */
  #inTime<T>(
    client: RedisClientLike,
    ask: (options?: { abortSignal: AbortSignal }) => Promise<T>,
  ): Promise<T> {
    // A client of the app may keep commands until its server is back: ones that nobody waits for
    // any more must not be sent then.
    const unsent = client.isReady === false ? new AbortController() : undefined;
    return new Promise((resolve, reject) => {
      const cancel = setTimer(this.clock, PATIENCE, () => {
        reject(new Error(`no answer within ${PATIENCE} ms`));
        unsent?.abort();
        this.#abandon(client);
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
    const own = this.#own(client);
    if (own?.isOpen) await this.#inTime(own, () => own.close()).catch(() => this.#abandon(own));
  }

  #abandon(client: RedisClientLike): void {
    const own = this.#own(client);
    if (own?.isOpen) own.destroy();
  }

  /** The client, if it is ours to close. */
  #own(client: RedisClientLike): OwnRedisClient | undefined {
    return 'url' in this.target ? (client as OwnRedisClient) : undefined;
  }

  async #explained<T>(what: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      if (cause instanceof SessionStorageError) throw cause;
      throw new SessionStorageError(`${this.#place} could not ${what}: ${reasonOf(cause)}.`, {
        cause,
      });
    }
  }
}
