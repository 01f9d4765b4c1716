import { RedisConnection, RedisConnectionError } from '../../../core/redis/redis.connection.js';
import type { RedisServer, RedisTarget } from '../../../core/redis/redis.connection.js';
import { reasonOf } from '../../../core/redis/redis.driver.js';
import type { Clock } from '../../../core/time/clock.js';
import { MissingDriverError, SessionStorageError } from '../../sessions.errors.js';
import { EngineConnection } from '../connection/engine.connection.js';
import type { Preparation, Reached } from '../connection/engine.connection.js';

/** Milliseconds. */
const TIMEOUTS = { connection: 5_000, answer: 5_000 };

/** The Redis that a storage keeps its keys in. */
export class RedisDatabase<Engine> extends EngineConnection<RedisServer, Engine> {
  constructor(
    private readonly target: RedisTarget,
    clock: Clock,
    preparation: Preparation<RedisServer, Engine>,
  ) {
    super(clock, preparation);
  }

  protected async reach(): Promise<Reached<RedisServer>> {
    const connection = new RedisConnection(this.target, {
      clock: this.clock,
      timeouts: TIMEOUTS,
      reopensClient: true,
    });
    return {
      server: await connection.open(),
      close: () => connection.close(),
      isLost: () => connection.current === undefined,
    };
  }

  protected errorFor(what: string, cause: unknown): SessionStorageError {
    const place = placeOf(this.target);
    if (!(cause instanceof RedisConnectionError))
      return new SessionStorageError(`${place} could not ${what}: ${reasonOf(cause)}.`, {
        cause,
      });
    if (cause.step === 'driver')
      return new MissingDriverError(`Redis storage cannot be used: ${cause.message}`, { cause });
    const verb = cause.step === 'options' ? 'be used' : 'be reached';
    return new SessionStorageError(`${place} could not ${verb}: ${cause.message}.`, {
      cause: cause.cause,
    });
  }
}

/** Where the server is, without credentials. */
function placeOf(target: RedisTarget): string {
  if (target.kind === 'client') return 'Redis of the given client';
  const { host, pathname } = new URL(target.url);
  return `Redis at ${host}${pathname}`;
}
