import { MissingDriverError } from '../../sessions.errors.js';

/** The part of a node-redis client that we use: one of the app's own may be passed. */
export interface RedisClientLike {
  /** False before `connect()`, and once it has given its server up. */
  readonly isOpen: boolean;
  readonly isReady?: boolean | undefined;
  connect(): Promise<unknown>;
  sendCommand(args: string[], options?: { abortSignal: AbortSignal }): Promise<unknown>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  listenerCount(event: 'error'): number;
}

/** A client that is ours to close. */
export interface OwnRedisClient extends RedisClientLike {
  close(): Promise<unknown>;
  destroy(): void;
  unref(): void;
}

interface RedisDriver {
  createClient(options: object): OwnRedisClient;
}

/**
 * Loads the driver, which is an optional dependency.
 * @throws {MissingDriverError} when it is not installed
 */
export async function loadDriver(): Promise<RedisDriver> {
  try {
    return (await import('redis')) as unknown as RedisDriver;
  } catch (cause) {
    throw new MissingDriverError(
      'Redis storage needs the driver "redis", which could not be loaded. Run: npm install redis',
      { cause },
    );
  }
}

/**
 * What the server says may repeat what it was sent: of its errors the name alone, such as `NOAUTH`.
 */
export function reasonOf(error: unknown): string {
  const { message = '', code = 'unknown error' } = (error ?? {}) as {
    readonly message?: unknown;
    readonly code?: unknown;
  };
  const [, name] = /^([A-Z]{3,})(?: |$)/.exec(String(message)) ?? [];
  // Of several addresses that were tried there is no message, but a code.
  return (name ?? String(message || code)).replace(/\.$/, '');
}
