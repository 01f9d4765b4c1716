import { randomUUID } from 'node:crypto';

import { DONE_FOR, WebhookInbox, digestOf } from '../../coordination/webhook.inbox.js';
import type { Claim, DeliveryKey } from '../../coordination/webhook.inbox.js';
import { scriptOf } from './redis.connection.js';
import type { RedisConnection, RedisScript } from './redis.connection.js';
import type { RedisKeys } from './redis-keys.js';

const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;
/** What has been said about a delivery last, and who may still say something. */
const IF_HELD = `
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then return 0 end`;

const CLAIM = scriptOf(`${NOW}
local token, ends, handled, done = unpack(redis.call('HMGET', KEYS[1], 'token', 'ends', 'handled', 'done'))
if done then return 'done' end
if ends and tonumber(ends) > now then return 'busy' end
redis.call('HSET', KEYS[1], 'token', ARGV[1], 'ends', now + ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3] + ARGV[2])
return handled or '[]'`);
const RENEW = scriptOf(`${IF_HELD}${NOW}
redis.call('HSET', KEYS[1], 'ends', now + ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3] + ARGV[2])
return 1`);
const COMPLETE = scriptOf(`${IF_HELD}
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'done', 1)
return redis.call('PEXPIRE', KEYS[1], ARGV[2])`);
const RELEASE = scriptOf(`${IF_HELD}
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'handled', ARGV[3])
return redis.call('PEXPIRE', KEYS[1], ARGV[2])`);

/**
 * Remembers deliveries as hashes that expire seven days after they were last touched. The server's
 * clock counts.
 */
export class RedisWebhookInbox extends WebhookInbox {
  constructor(
    private readonly connection: RedisConnection,
    private readonly keys: RedisKeys,
  ) {
    super();
  }

  async claim(key: DeliveryKey, leaseMs: number): Promise<Claim> {
    const token = randomUUID();
    const answer = String(
      await this.#run('claim a webhook delivery', CLAIM, key, [
        token,
        wholeMs(leaseMs),
        String(DONE_FOR),
      ]),
    );
    if (answer === 'done' || answer === 'busy') return { state: answer };
    return { state: 'claimed', token, handled: JSON.parse(answer) as string[] };
  }

  async renew(key: DeliveryKey, token: string, leaseMs: number): Promise<boolean> {
    return (
      (await this.#run('renew a claim', RENEW, key, [
        token,
        wholeMs(leaseMs),
        String(DONE_FOR),
      ])) === 1
    );
  }

  async complete(key: DeliveryKey, token: string): Promise<void> {
    await this.#run('note that a webhook delivery is done', COMPLETE, key, [
      token,
      String(DONE_FOR),
    ]);
  }

  async release(key: DeliveryKey, token: string, handled: readonly string[]): Promise<void> {
    await this.#run('release a webhook delivery', RELEASE, key, [
      token,
      String(DONE_FOR),
      JSON.stringify(handled),
    ]);
  }

  #run(
    what: string,
    script: RedisScript,
    key: DeliveryKey,
    values: readonly string[],
  ): Promise<unknown> {
    return this.connection.run(what, (server) =>
      server.run(script, [this.keys.delivery(digestOf(key))], values),
    );
  }
}

function wholeMs(ms: number): string {
  return String(Math.ceil(ms));
}
