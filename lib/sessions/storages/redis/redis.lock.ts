import { Lock } from '../../coordination/lock.js';
import { scriptOf } from './redis.connection.js';
import type { RedisConnection } from './redis.connection.js';
import type { RedisKeys } from './redis-keys.js';

const RENEW = scriptOf(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])`);
const RELEASE = scriptOf(`
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end`);

/** Holds names as keys that expire. The server's clock counts. */
export class RedisLock extends Lock {
  constructor(
    private readonly connection: RedisConnection,
    private readonly keys: RedisKeys,
  ) {
    super();
  }

  take(name: string, holder: string, leaseMs: number): Promise<boolean> {
    return this.connection.run('take a lock', async (server) => {
      return (
        (await server.send('SET', this.keys.lock(name), holder, 'NX', 'PX', wholeMs(leaseMs))) !==
        null
      );
    });
  }

  renew(name: string, holder: string, leaseMs: number): Promise<boolean> {
    return this.connection.run('renew a lock', async (server) => {
      return (await server.run(RENEW, [this.keys.lock(name)], [holder, wholeMs(leaseMs)])) === 1;
    });
  }

  async release(name: string, holder: string): Promise<void> {
    await this.connection.run('release a lock', (server) =>
      server.run(RELEASE, [this.keys.lock(name)], [holder]),
    );
  }
}

/** As the server takes it: a positive number. */
function wholeMs(ms: number): string {
  return String(Math.max(1, Math.ceil(ms)));
}
