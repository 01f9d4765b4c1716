import { LRUCache } from 'lru-cache';

import { systemClock } from '../../../core/time/clock.js';
import type { Clock } from '../../../core/time/clock.js';
import type { RedisServer, RedisTarget } from '../../../core/redis/redis.connection.js';
import type { RedisClientLike } from '../../../core/redis/redis.driver.js';
import { MissingRequiredArgument } from '../../../core/core.errors.js';
import { SESSION_TABLES } from '../../../core/vendor.js';
import type { Session } from '../../session.js';
import { SessionStorageError } from '../../sessions.errors.js';
import { SessionStorage } from '../../session.storage.js';
import { coordinationOver } from '../../coordination/coordination-stores.js';
import type { CoordinationStores } from '../../coordination/coordination-stores.js';
import type { RecordStore } from '../../coordination/record.store.js';
import { RedisDatabase } from './redis-database.js';
import { RedisKeys } from './redis-keys.js';
import { RedisRecordStore } from './redis-record.store.js';
import { migrate, missingMigrations } from './redis.migrations.js';
import {
  correctList,
  entryOf,
  listedKeys,
  pagesOf,
  recordsAt,
  sessionIn,
  sessionKeys,
  writeOf,
} from './session-records.js';
import type { SessionRecord, SessionWrite } from './session-records.js';
import { DELETE, STORE } from './session-scripts.js';

/**
 * Every option but these is one of the driver's `createClient`, such as `socket` or `name`; beside
 * a client there can be none.
 */
export interface RedisSessionStorageOptions {
  /** @default the one the official storage uses, whose data is read as it is */
  readonly sessionKeyPrefix?: string | undefined;
  /** Told when the connection fails. @default nobody: the calls say what is wrong */
  readonly onError?: ((error: Error) => void) | undefined;
  /** @default the system's clock */
  readonly clock?: Clock | undefined;
  readonly socket?: object | undefined;
  /** Taken, and without effect, as in the official storage. */
  readonly migratorOptions?: unknown;
  readonly [clientOption: string]: unknown;
}

/** How many sessions are deleted at a time: the server does nothing else meanwhile. */
const DELETED_AT_ONCE = 100;
/**
 * The last of the characters of a list that are looked at before the server is asked to search it.
 */
const GLANCE = '4095';
/** How often a session is read again that others store meanwhile. */
const ATTEMPTS = 10;

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
export class RedisSessionStorage extends SessionStorage {
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
    const [user, secret] = [username, password].map(encodeURIComponent);
    return new RedisSessionStorage(`redis://${user}:${secret}@${host}/${db}`, options);
  }

  override readonly companions: CoordinationStores;
  /** What the companions are kept in. */
  readonly records: RecordStore;
  readonly #keys: RedisKeys;
  readonly #database: RedisDatabase;
  /** Keys of sessions that were stored from here, with those of their lists. */
  readonly #stored = new LRUCache<string, string>({ max: 10_000 });

  /**
   * @param server `redis://…` or `rediss://…`; or a client of the driver, connected or not, which
   * is left open
   * @throws {MissingRequiredArgument} when it is no such thing, or a client with options of the
   * driver
   */
  constructor(server: string | URL | RedisClientLike, options: RedisSessionStorageOptions = {}) {
    super();
    const { sessionKeyPrefix = SESSION_TABLES.sessions, clock = systemClock, ...rest } = options;
    this.#keys = new RedisKeys(sessionKeyPrefix);
    this.#database = new RedisDatabase(targetOf(server, rest), clock, (reached) =>
      migrate(reached, this.#keys),
    );
    this.records = new RedisRecordStore(this.#database, this.#keys, clock);
    this.companions = coordinationOver(this.records);
  }

  /** Resolves when the server is reached and the keys have their shape; connects if need be. */
  get ready(): Promise<void> {
    return this.#database.open();
  }

  async storeSession(session: Session): Promise<boolean> {
    return this.#run('store a session', (server) => {
      const write = writeOf(this.#keys, session);
      return this.#stored.get(write.key) === write.list
        ? this.#storeAgain(server, write)
        : this.#store(server, write);
    });
  }

  loadSession(id: string): Promise<Session | undefined> {
    return this.#run('load a session', async (server) => {
      const session = sessionIn(await server.send('GET', this.#keys.session(String(id))));
      // One with another id lies there for a storage whose prefix goes on after ours.
      return session?.id === String(id) ? session : undefined;
    });
  }

  deleteSession(id: string): Promise<boolean> {
    return this.deleteSessions([id]);
  }

  async deleteSessions(ids: string[]): Promise<boolean> {
    await this.#run('delete sessions', (server) =>
      this.#delete(
        server,
        ids.map((id) => ({ key: this.#keys.session(String(id)), text: '' })),
      ),
    );
    return true;
  }

  findSessionsByShop(shop: string): Promise<Session[]> {
    return this.#run("find a shop's sessions", async (server) => {
      const list = this.#keys.list(String(shop));
      const listed = await listedKeys(server, list);
      const records = (await recordsAt(server, this.#keys, [...new Set(listed)])).filter(
        ({ session }) => session.shop === shop,
      );
      const found = new Set(records.map(({ key }) => key));
      const wrong = listed.filter((key) => !found.delete(key));
      if (wrong.length > 0) await correctList(server, this.#keys, list, wrong);
      return records.map(({ session }) => session);
    });
  }

  override replaceSession(session: Session, previous: Session): Promise<boolean> {
    return this.#run('replace a session', async (server) => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const text = await server.send('GET', this.#keys.session(session.id));
        const stored = sessionIn(text);
        if (!stored || !hasTokensOf(stored, previous)) return false;
        if (await this.#store(server, writeOf(this.#keys, session), String(text))) return true;
      }
      throw new SessionStorageError(
        'A session could not be replaced: others stored it all the time.',
      );
    });
  }

  override deleteExpiredSessions(moment: Date): Promise<number> {
    return this.#run('delete expired sessions', async (server) => {
      let count = 0;
      for (const page of pagesOf(await sessionKeys(server, this.#keys), DELETED_AT_ONCE)) {
        const records = await recordsAt(server, this.#keys, page);
        const expired = records.filter(
          ({ session: { isOnline, expires } }) => isOnline && expires && expires < moment,
        );
        // Not those that have been renewed since.
        count += await this.#delete(server, expired);
      }
      return count;
    });
  }

  override listSessions({
    after,
    limit,
  }: {
    readonly after?: string | undefined;
    readonly limit: number;
  }): Promise<Session[]> {
    return this.#run('list sessions', async (server) => {
      const following = inOrder(
        (await sessionKeys(server, this.#keys)).map((key) => this.#keys.idIn(key) ?? ''),
        after,
      );
      const sessions: Session[] = [];
      // Some keys turn out to be lists.
      for (const page of pagesOf(following, Math.max(limit, 1))) {
        if (sessions.length >= limit) break;
        const records = await recordsAt(
          server,
          this.#keys,
          page.map((id) => this.#keys.session(id)),
        );
        sessions.push(...records.map(({ session }) => session));
      }
      return sessions.slice(0, limit);
    });
  }

  override async verify(): Promise<void> {
    const missing = await this.#database.inspect('be verified', (server) =>
      missingMigrations(server, this.#keys),
    );
    if (missing.length === 0) return;
    throw new SessionStorageError(
      `The sessions in Redis lack these migrations: ${missing.join(', ')}. The storage's first use runs them; await its "ready".`,
    );
  }

  /**
   * Closes the connection, unless a client was given, after the calls under way (five seconds at
   * most). A later call opens another.
   */
  override close(): Promise<void> {
    return this.#database.close();
  }

  /** The same as {@link close}, by the name the official storages have. */
  disconnect(): Promise<void> {
    return this.close();
  }

  /**
   * What was stored and listed from here before most likely still is: to write it, and to glance at
   * its list in the same trip, costs the server less than the script. That one searches the whole
   * list where the glance does not find the session: it is listed in the end, and a list that has
   * it stays as it is.
   */
  async #storeAgain(server: RedisServer, write: SessionWrite): Promise<boolean> {
    const { key, list, text } = write;
    const [, glimpse] = await Promise.all([
      server.send('SET', key, text),
      server.send('GETRANGE', list, '0', GLANCE),
    ]);
    // Unless another has stored or deleted it since, and has listed it or not.
    if (!String(glimpse).includes(entryOf(key))) await this.#store(server, write, text);
    return true;
  }

  /**
   * @param expected what must be there as yet, or '' for anything. Answers false when it is not.
   */
  async #store(
    server: RedisServer,
    { key, list, text, shop }: SessionWrite,
    expected = '',
  ): Promise<boolean> {
    const answer = await server.run(
      STORE,
      [key, list],
      [this.#keys.lists, text, shop, entryOf(key), expected],
    );
    if (answer === -1) {
      throw new SessionStorageError(
        'A session has an id that is the name of a shop: its key is in use for something else.',
      );
    }
    this.#stored.set(key, list);
    return answer === 1;
  }

  /**
   * @param sessions with '' as their text, to delete them whatever they are. Answers how many there
   * were.
   */
  async #delete(
    server: RedisServer,
    sessions: readonly Pick<SessionRecord, 'key' | 'text'>[],
  ): Promise<number> {
    let count = 0;
    for (const page of pagesOf(sessions, DELETED_AT_ONCE)) {
      const keys = page.map(({ key }) => key);
      for (const key of keys) this.#stored.delete(key);
      const values = page.flatMap(({ key, text }) => [entryOf(key), text]);
      count += Number(await server.run(DELETE, keys, [this.#keys.lists, ...values]));
    }
    return count;
  }

  #run<T>(what: string, work: (server: RedisServer) => Promise<T>): Promise<T> {
    return this.#database.run(what, work);
  }
}

function hasTokensOf(stored: Session, { accessToken, refreshToken }: Session): boolean {
  return (
    (stored.accessToken ?? '') === (accessToken ?? '') &&
    (stored.refreshToken ?? '') === (refreshToken ?? '')
  );
}

/** The ids after this one, in the order of their UTF-8 bytes. */
function inOrder(ids: readonly string[], after: string | undefined): string[] {
  const bytes = ids.map((id) => Buffer.from(id));
  const start = after === undefined ? undefined : Buffer.from(after);
  const following = start ? bytes.filter((id) => Buffer.compare(id, start) > 0) : bytes;
  return following.sort((a, b) => Buffer.compare(a, b)).map(String);
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
