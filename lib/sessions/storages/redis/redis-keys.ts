import { SHOP_DOMAINS } from '../../../core/vendor.js';

/**
 * Ids whose key, in the official layout, is that of a shop's list or of the record of migrations.
 */
const RESERVED = new RegExp(
  `^(?:migrations|[^_]*\\.(?:${SHOP_DOMAINS.join('|').replaceAll('.', '\\.')}))$`,
  'i',
);

/**
 * Names of keys. Those with an underscore are the official storage's, sessions and lists of a
 * shop's sessions alike; ours have a colon, so that no session id can meet them.
 */
export class RedisKeys {
  /** The official storage's record of its migrations. */
  readonly officialMigrations: string;
  readonly migrations: string;
  /** Before the shop. */
  readonly lists: string;

  constructor(private readonly prefix: string) {
    this.lists = `${prefix}_`;
    this.officialMigrations = `${prefix}_migrations`;
    this.migrations = `${prefix}:migrations`;
  }

  session(id: string): string {
    return RESERVED.test(id) ? `${this.prefix}:session:${id}` : `${this.prefix}_${id}`;
  }

  /** The way back; undefined for a key that can be no session's. */
  idIn(key: string): string | undefined {
    const start = [`${this.prefix}:session:`, `${this.prefix}_`].find((start) =>
      key.startsWith(start),
    );
    const id = start && key.slice(start.length);
    return id !== undefined && this.session(id) === key ? id : undefined;
  }

  list(shop: string): string {
    return `${this.lists}${shop}`;
  }

  record(kind: string, id: string): string {
    return `${this.prefix}:record:${kind}:${id}`;
  }

  /** Of the ids of a kind's records. */
  index(kind: string): string {
    return `${this.prefix}:records:${kind}`;
  }

  /** Matches all keys of sessions, and keys of storages whose prefix goes on after ours. */
  get pattern(): string {
    return `${this.prefix.replace(/[\\*?[\]]/g, '\\$&')}[_:]*`;
  }
}
