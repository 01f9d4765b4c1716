import type { RedisServer } from '../../../core/redis/redis.connection.js';
import { SHOP_DOMAINS } from '../../../core/vendor.js';

/** How many keys the server is asked to look at, or values to answer with, at a time. */
export const PAGE = 500;

/** Ids whose key is, in the official layout, a shop's list or the record of migrations. */
const RESERVED = new RegExp(
  `^(?:migrations|[^_]*\\.(?:${SHOP_DOMAINS.join('|').replaceAll('.', '\\.')}))$`,
  'i',
);

/**
 * Names of keys. Those with an underscore are the official storage's, sessions and lists of a
 * shop's sessions alike; ours have a colon, so that no session id can meet them.
 */
export function redisKeys(prefix: string) {
  const session = (id: string): string =>
    RESERVED.test(id) ? `${prefix}:session:${id}` : `${prefix}_${id}`;
  return {
    /** The official storage's record of its migrations. */
    officialMigrations: `${prefix}_migrations`,
    migrations: `${prefix}:migrations`,
    session,
    /** The way back; undefined for a key that can be no session's. */
    idIn(key: string): string | undefined {
      const starts = [`${prefix}:session:`, `${prefix}_`];
      const id = key.slice(starts.find((start) => key.startsWith(start))?.length ?? key.length);
      return session(id) === key ? id : undefined;
    },
    prefix,
    /** Before the shop. */
    lists: `${prefix}_`,
    list: (shop: string): string => `${prefix}_${shop}`,
    record: (kind: string, id: string): string => `${prefix}:record:${kind}:${id}`,
  };
}

/** The names of the keys of a storage. */
export type RedisKeys = ReturnType<typeof redisKeys>;

/**
 * The keys that begin with a text, in no order, some more than once. Never `KEYS`, for which a
 * server with many keys stands still.
 */
export async function* keysLike(server: RedisServer, start: string): AsyncGenerator<string[]> {
  const like = `${start.replace(/[\\*?[\]]/g, '\\$&')}*`;
  for (let cursor = ''; cursor !== '0';) {
    const reply = await server.send('SCAN', cursor || '0', 'MATCH', like, 'COUNT', `${PAGE}`);
    const [next, page] = reply as [unknown, unknown[]];
    yield page.map(String);
    cursor = String(next);
  }
}

/** The items in lists of at most `size`. */
export function pagesOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, page) =>
    items.slice(page * size, (page + 1) * size),
  );
}
