/** The part of a node-redis client that pacing uses. */
export interface RedisLike {
  readonly isOpen: boolean;
  connect(): Promise<unknown>;
  evalSha(sha1: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

interface OwnClient extends RedisLike {
  readonly isReady: boolean;
  close(): Promise<unknown>;
  destroy(): void;
  unref(): void;
}

/**
 * The way to Redis: loads the driver, which is an optional dependency, and connects when it is
 * needed, also after a connection was lost. A connection of its own never keeps the process alive:
 * whoever waits for an answer has a timer.
 */
export class RedisLink {
  #client: RedisLike | undefined;
  #own: OwnClient | undefined;
  #connecting: Promise<void> | undefined;
  #isClosed = false;

  constructor(private readonly redis: string | RedisLike) {}

  /**
   * True while there is a connection. A client of the app counts as one from its first use on: it
   * repairs, and closes, its own.
   */
  get isConnected(): boolean {
    return this.#client !== undefined && this.#own?.isOpen !== false;
  }

  /** @throws the reason why there is no connection; the next call tries again */
  connect(): Promise<void> {
    this.#connecting ??= this.#open().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  /** Runs a script by its digest, and sends it whole where the server does not know it. */
  async run(script: string, sha1: string, key: string, argument: string): Promise<unknown> {
    const client = this.#client;
    if (!client) throw new Error('not connected');
    const options = { keys: [key], arguments: [argument] };
    return client.evalSha(sha1, options).catch((error: unknown) => {
      if (error instanceof Error && error.message.startsWith('NOSCRIPT'))
        return client.eval(script, options);
      throw error;
    });
  }

  /** Closes the connection if it was made here, after the answers that are still to come. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#own?.isReady) await this.#own.close();
    else this.abandon();
  }

  /** Closes it without waiting for anything. */
  abandon(): void {
    if (this.#own?.isOpen) this.#own.destroy();
  }

  async #open(): Promise<void> {
    const client = typeof this.redis === 'string' ? await this.#create(this.redis) : this.redis;
    if (this.#isClosed) throw new Error('closed');
    if (!client.isOpen) await client.connect();
    this.#client = client;
  }

  async #create(url: string): Promise<OwnClient> {
    const { createClient } = await loadDriver();
    // A command that cannot be sent must fail, not wait: calls go on without Redis. The driver
    // would look for a lost server for ever, which keeps the process alive; here the next call
    // does.
    const client = createClient({
      url,
      disableOfflineQueue: true,
      socket: { reconnectStrategy: false },
    });
    // Without a listener a lost connection would end the process; the commands say what is wrong.
    client.on('error', () => {});
    client.unref();
    this.#own = client;
    return client;
  }
}

async function loadDriver(): Promise<typeof import('redis')> {
  try {
    return await import('redis');
  } catch (cause) {
    throw new Error('the driver "redis" could not be loaded. Run: npm install redis', { cause });
  }
}
