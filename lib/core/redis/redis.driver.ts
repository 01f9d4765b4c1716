/**
 * The part of a node-redis client (`createClient`, no cluster) that is used: an app may pass one of
 * its own.
 */
export interface RedisClientLike {
  /** False before `connect()`, and once it has stopped looking for a lost server. */
  readonly isOpen: boolean;
  readonly isReady?: boolean | undefined;
  connect(): Promise<unknown>;
  sendCommand(args: string[], options?: { abortSignal: AbortSignal }): Promise<unknown>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  listenerCount(event: 'error'): number;
}

/** A client that was created here, and is closed here. */
export interface OwnRedisClient extends RedisClientLike {
  close(): Promise<unknown>;
  destroy(): void;
  unref(): void;
}

interface RedisDriver {
  createClient(options: object): OwnRedisClient;
}

/** Loads the optional dependency `redis`. @throws the module loader's error without it */
export async function loadDriver(): Promise<RedisDriver> {
  return (await import('redis')) as unknown as RedisDriver;
}

/**
 * Why a call failed. A server's message may repeat what it was sent: of it the error's name alone,
 * such as `NOAUTH`.
 */
export function reasonOf(error: unknown): string {
  const { message = '', code = 'unknown error' } = (error ?? {}) as {
    readonly message?: unknown;
    readonly code?: unknown;
  };
  const [, name] = /^([A-Z]{3,})(?: |$)/.exec(String(message)) ?? [];
  // When several addresses were tried there is no message, but a code.
  return (name ?? String(message || code)).replace(/\.$/, '');
}
