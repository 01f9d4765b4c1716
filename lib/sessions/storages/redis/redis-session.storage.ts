import type { RedisServer, RedisTarget } from '../../../core/redis/redis.connection.js';
import type { RedisClientLike } from '../../../core/redis/redis.driver.js';
import { MissingRequiredArgument } from '../../../core/core.errors.js';
import { systemClock } from '../../../core/time/clock.js';
import type { Clock } from '../../../core/time/clock.js';
import { SESSION_TABLES } from '../../../core/vendor.js';
import { coordinationOver } from '../../coordination/coordination-stores.js';
import type { CoordinationStores } from '../../coordination/coordination-stores.js';
import type { RecordStore } from '../../coordination/record.store.js';
import { checkStorable } from '../../session.js';
import type { Session } from '../../session.js';
import type { SessionPage } from '../../session.storage.js';
import { SessionStorageError } from '../../sessions.errors.js';
import { EngineSessionStorage } from '../connection/engine-session.storage.js';
import { serverUrl } from '../connection/server-url.js';
import { pageLimit } from '../connection/page-limit.js';
import { RedisDatabase } from './redis-database.js';
import { RedisKeys } from './redis-keys.js';
import { RedisRecordStore } from './redis-record.store.js';
import { migrate, missingMigrations } from './redis.migrations.js';
import { RedisSessions, pagesOf, parsed } from './redis-sessions.js';

/** How often a session is read again when others store it at the same time. */
const ATTEMPTS = 10;
/** How many sessions are looked at, at a time. */
const PAGE = 500;

/**
 * Every option but these is one of the driver's `createClient`, such as `socket` or `name`; beside
 * a client there can be none.
 */
export interface RedisSessionStorageOptions {
  /** @default the one the official storage uses, whose data is read as it is */
  readonly sessionKeyPrefix?: string | undefined;
  /** Called when the connection fails. @default nothing: the calls fail with the reason */
  readonly onError?: ((error: Error) => void) | undefined;
  /** @default the system's clock */
  readonly clock?: Clock | undefined;
  readonly socket?: object | undefined;
  /** Taken, and without effect, as in the official storage. */
  readonly migratorOptions?: unknown;
  readonly [clientOption: string]: unknown;
}

/**
 * Keeps sessions in Redis, for any number of processes. Needs the optional dependency `redis`. Not
 * for a cluster.
 *
 * It connects, and brings its keys to the current shape, on first use; what fails then, and a
 * connection that is lost, is tried again by the next call. Every method throws
 * {@link SessionStorageError} when the server cannot be used, within seconds, and
 * {@link MissingDriverError} without `redis`. Sessions never expire by themselves; to list them, or
 * delete expired ones, looks at every key of the server.
 * @example new RedisSessionStorage('rediss://user:password@redis.example.com/0')
 */
export class RedisSessionStorage extends EngineSessionStorage<RedisServer, RedisSessions> {
  /**
   * The same for a server whose parts are known. `host` may have a port; `db` is the number of the
   * database.
   */
  static withCredentials(
    host: string,
    db: number,
    username: string,
    password: string,
    options: RedisSessionStorageOptions = {},
  ): RedisSessionStorage {
    const url = serverUrl('redis', host, String(db), username, password);
    return new RedisSessionStorage(url, options);
  }

  override readonly companions: CoordinationStores;
  /** What the companions are kept in. */
  readonly records: RecordStore;
  readonly #keys: RedisKeys;

  /**
   * @param server `redis://…` or `rediss://…`; or a client of the driver, connected or not, which
   * is left open
   * @throws {MissingRequiredArgument} when it is no such thing, or a client with options of the
   * driver
   */
  constructor(server: string | URL | RedisClientLike, options: RedisSessionStorageOptions = {}) {
    const { sessionKeyPrefix = SESSION_TABLES.sessions, clock = systemClock, ...rest } = options;
    const keys = new RedisKeys(sessionKeyPrefix);
    const prepare = async (reached: RedisServer): Promise<RedisSessions> => {
      const sessions = new RedisSessions(reached, keys);
      await migrate(sessions, keys);
      return sessions;
    };
    const preparation = { what: 'be prepared', run: prepare };
    super(new RedisDatabase(targetOf(server, rest), clock, preparation));
    this.#keys = keys;
    this.records = new RedisRecordStore(this.connection, keys, clock);
    this.companions = coordinationOver(this.records);
  }

  loadSession(id: string): Promise<Session | undefined> {
    return this.run('load a session', async (sessions) => {
      const record = await sessions.at(this.#keys.session(String(id)));
      // One with another id lies there for a storage whose prefix goes on after ours.
      return record?.session.id === String(id) ? record.session : undefined;
    });
  }

  storeSession(session: Session): Promise<boolean> {
    return this.run('store a session', async (sessions) => {
      checkStorable(session);
      await sessions.store(session);
      return true;
    });
  }

  override replaceSession(session: Session, previous: Session): Promise<boolean> {
    return this.run('replace a session', async (sessions) => {
      checkStorable(session);
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const stored = await sessions.at(this.#keys.session(session.id));
        if (!stored || !hasTokensOf(stored.session, previous)) return false;
        if (await sessions.replace(session, stored.text)) return true;
      }
      throw new SessionStorageError(
        'A session could not be replaced: others stored it all the time.',
      );
    });
  }

  deleteSession(id: string): Promise<boolean> {
    return this.deleteSessions([id]);
  }

  deleteSessions(ids: string[]): Promise<boolean> {
    const deleted = ids.map((id) => ({ key: this.#keys.session(String(id)), text: '' }));
    return this.run('delete sessions', async (sessions) => {
      await sessions.remove(deleted);
      return true;
    });
  }

  override deleteExpiredSessions(moment: Date): Promise<number> {
    return this.run('delete expired sessions', async (sessions) => {
      let count = 0;
      for (const page of pagesOf(await sessions.keysOfSessions(), PAGE)) {
        const expired = (await sessions.recordsAt(page)).filter(
          ({ session: { isOnline, expires } }) => isOnline && expires && expires < moment,
        );
        // Not those that have been renewed since.
        count += await sessions.remove(expired);
      }
      return count;
    });
  }

  findSessionsByShop(shop: string): Promise<Session[]> {
    return this.run("find a shop's sessions", async (sessions) => {
      const list = this.#keys.list(String(shop));
      const entries = parsed(await sessions.server.send('GET', list));
      // May hold a key twice, or one whose session is gone; or is no list.
      const listed = Array.isArray(entries)
        ? entries.filter((entry) => typeof entry === 'string')
        : [];
      const records = (await sessions.recordsAt([...new Set(listed)])).filter(
        ({ session }) => session.shop === String(shop),
      );
      const found = new Set(records.map(({ key }) => key));
      const wrong = listed.filter((key) => !found.delete(key));
      await sessions.correctList(list, wrong);
      return records.map(({ session }) => session);
    });
  }

  /** In the order of the ids' UTF-8 bytes. */
  override listSessions({ after, limit }: SessionPage): Promise<Session[]> {
    const count = pageLimit(limit);
    return this.run('list sessions', async (sessions) => {
      const ids = (await sessions.keysOfSessions()).map((key) =>
        Buffer.from(this.#keys.idIn(key)!),
      );
      const start = after === undefined ? undefined : Buffer.from(after);
      const following = start ? ids.filter((id) => Buffer.compare(id, start) > 0) : ids;
      const keys = following.sort(Buffer.compare).map((id) => this.#keys.session(String(id)));
      const found: Session[] = [];
      // Some keys turn out to be lists.
      for (const page of pagesOf(keys, Math.max(count, 1))) {
        if (found.length >= count) break;
        found.push(...(await sessions.recordsAt(page)).map(({ session }) => session));
      }
      return found.slice(0, count);
    });
  }

  protected readonly place = 'Redis';

  protected missing(): Promise<string[]> {
    return this.connection.inspect('be verified', (server) =>
      missingMigrations(server, this.#keys),
    );
  }
}

function hasTokensOf(stored: Session, { accessToken, refreshToken }: Session): boolean {
  return (
    (stored.accessToken ?? '') === (accessToken ?? '') &&
    (stored.refreshToken ?? '') === (refreshToken ?? '')
  );
}

function targetOf(
  server: string | URL | RedisClientLike,
  options: RedisSessionStorageOptions,
): RedisTarget {
  const { onError, migratorOptions: _, ...clientOptions } = options;
  if (typeof server === 'string' || server instanceof URL) {
    if (URL.canParse(server) && /^rediss?:$/.test(new URL(server).protocol))
      return { kind: 'url', url: new URL(server).href, clientOptions, onError };
  } else if (typeof server?.sendCommand === 'function') {
    const [option] = Object.keys(clientOptions);
    if (option === undefined) return { kind: 'client', client: server };
    throw new MissingRequiredArgument(
      `Redis storage takes a client with its own options: "${option}" belongs in createClient().`,
    );
  }
  throw new MissingRequiredArgument(
    'Redis storage needs a URL, such as "redis://localhost:6379", or a client of the driver.',
  );
}
