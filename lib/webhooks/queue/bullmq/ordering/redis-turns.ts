import type { BullmqQueue, BullmqRedisClient } from '../bullmq.driver.js';
import { TurnList } from './turn-list.js';

/**
 * A sorted set for each shop. The score of what has been taken is the lowest that there is, so that
 * it stays first; what nobody waits for any more leaves no key behind. Beside it, since when those
 * are missing that have no job; what joins, perhaps once more, is not.
 */
const COMMANDS = {
  shopwrightJoinTurns: `
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('ZADD', KEYS[1], 'NX', ARGV[2], ARGV[1])`,
  shopwrightTakeTurn: `
redis.call('ZADD', KEYS[1], 'NX', ARGV[2], ARGV[1])
local first = redis.call('ZRANGE', KEYS[1], 0, 0)[1]
if first == ARGV[1] then redis.call('ZADD', KEYS[1], 'XX', '-inf', first) end
return first`,
  shopwrightLeaveTurns: `
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[2], ARGV[1])
local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
if first[1] == nil or first[2] == '-inf' then return '' end
return first[1]`,
  shopwrightMissTurn: `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSETNX', KEYS[2], ARGV[1], now)
redis.call('EXPIRE', KEYS[2], ARGV[2])
return now - tonumber(redis.call('HGET', KEYS[2], ARGV[1]))`,
};

/** How long what is missing is remembered, in seconds: much longer than its shop waits for it. */
const MISSED = 3_600;

/** The turns of shops in Redis, beside the keys of the queue. */
export class RedisTurns extends TurnList {
  private constructor(
    private readonly client: BullmqRedisClient,
    private readonly queue: BullmqQueue,
  ) {
    super();
  }

  /** @param queue that has been opened */
  static async of(queue: BullmqQueue): Promise<RedisTurns> {
    const client = await queue.backend!.client!;
    for (const [name, lua] of Object.entries(COMMANDS))
      client.defineCommand(name, { numberOfKeys: 2, lua });
    return new RedisTurns(client, queue);
  }

  async join(shop: string, id: string, at: number): Promise<void> {
    await this.#run('shopwrightJoinTurns', shop, id, at);
  }

  async take(shop: string, id: string, at: number): Promise<string> {
    return String(await this.#run('shopwrightTakeTurn', shop, id, at));
  }

  async leave(shop: string, id: string): Promise<string | undefined> {
    return String(await this.#run('shopwrightLeaveTurns', shop, id)) || undefined;
  }

  async missedFor(shop: string, id: string): Promise<number> {
    return Number(await this.#run('shopwrightMissTurn', shop, id, MISSED));
  }

  async first(shop: string): Promise<string | undefined> {
    const [first] = await this.client.zrange(this.#keyOf(shop), 0, 0);
    return first;
  }

  #run(command: keyof typeof COMMANDS, shop: string, ...args: unknown[]): Promise<unknown> {
    const keys = [this.#keyOf(shop), this.queue.toKey(`missing-turns:${shop}`)];
    return this.client.runCommand(command, [...keys, ...args.map(String)]);
  }

  #keyOf(shop: string): string {
    return this.queue.toKey(`turns:${shop}`);
  }
}
