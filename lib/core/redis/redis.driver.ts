/**
 * The part of a node-redis client (`createClient`, not a cluster) that the toolkit uses: an app may
 * pass its own client.
 */
export interface RedisClientLike {
  /** False before `connect()`, and once the client has given up reconnecting. */
  readonly isOpen: boolean;
  readonly isReady?: boolean | undefined;
  connect(): Promise<unknown>;
  sendCommand(args: string[], options?: { abortSignal: AbortSignal }): Promise<unknown>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  listenerCount(event: 'error'): number;
}

/** A client that the toolkit has created, and closes. */
export interface OwnRedisClient extends RedisClientLike {
  close(): Promise<unknown>;
  destroy(): void;
  unref(): void;
}

interface RedisDriver {
  createClient(options: object): OwnRedisClient;
}

/** Not a literal in the import below: bundlers for browsers would look for the driver. */
const DRIVER: string = 'redis';

/** Loads the optional dependency `redis`. @throws the module loader's error without it */
export async function loadDriver(): Promise<RedisDriver> {
  return (await import(/* @vite-ignore */ /* webpackIgnore: true */ DRIVER)) as RedisDriver;
}

/**
 * Why a call failed. A server's message may repeat its input, so of a server's error only the name
 * is used, such as `NOAUTH`.
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
