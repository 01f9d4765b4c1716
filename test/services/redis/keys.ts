import { createClient } from 'redis';

import { RedisSessionStorage } from '../../../lib/sessions/storages/redis/redis-session.storage.js';
import type { RedisSessionStorageOptions } from '../../../lib/sessions/storages/redis/redis-session.storage.js';
import { StoragePlace } from '../storage.engine.js';
import type { StorageEngine } from '../storage.engine.js';

export const URL_OF_REDIS = process.env['REDIS_URL']!;

/** Keys with a prefix of their own for one test, with what was opened over them. */
export class TestKeys extends StoragePlace<RedisSessionStorage> {
  readonly parameters = [URL_OF_REDIS, { sessionKeyPrefix: this.name }];
  readonly client = createClient({ url: URL_OF_REDIS });

  static async create(): Promise<TestKeys> {
    const keys = new TestKeys();
    keys.client.on('error', () => {});
    await keys.client.connect();
    return keys;
  }

  open(options?: RedisSessionStorageOptions): RedisSessionStorage {
    return this.keep(
      new RedisSessionStorage(URL_OF_REDIS, { sessionKeyPrefix: this.name, ...options }),
    );
  }

  /** The key that the official storage gives a name. */
  at(name: string): string {
    return `${this.name}_${name}`;
  }

  async put(name: string, value: unknown): Promise<void> {
    await this.client.set(this.at(name), JSON.stringify(value));
  }

  /** What is stored under a name; `null` when nothing is. */
  async got(name: string): Promise<unknown> {
    return JSON.parse((await this.client.get(this.at(name))) ?? 'null') as unknown;
  }

  /** The keys that begin so, in order. */
  async beginningWith(start: string): Promise<string[]> {
    const found: string[] = [];
    for await (const keys of this.client.scanIterator({ MATCH: `${start}*`, COUNT: 1000 }))
      found.push(...keys);
    return found.sort();
  }

  async drop(): Promise<void> {
    await this.close();
    const left = await this.beginningWith(this.name);
    if (left.length > 0) await this.client.del(left);
    this.client.destroy();
  }
}

export const REDIS: StorageEngine<TestKeys> = {
  name: 'Redis',
  server: 'redis',
  createPlace: TestKeys.create,
};
