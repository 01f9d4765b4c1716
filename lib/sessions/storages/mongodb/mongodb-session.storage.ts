import { systemClock } from '../../../core/time/clock.js';
import type { Clock } from '../../../core/time/clock.js';
import { MissingRequiredArgument } from '../../../core/core.errors.js';
import { SESSION_TABLES } from '../../../core/vendor.js';
import type { Session } from '../../session.js';
import { SessionStorageError } from '../../sessions.errors.js';
import { SessionStorage } from '../../session.storage.js';
import type { SessionPage } from '../../session.storage.js';
import { coordinationOver } from '../../coordination/coordination-stores.js';
import type { CoordinationStores } from '../../coordination/coordination-stores.js';
import type { RecordStore } from '../../coordination/record.store.js';
import { pageLimit } from '../connection/page-limit.js';
import { MongoDBRecordStore } from './mongodb-record.store.js';
import { MongoConnection } from './mongodb.connection.js';
import { isDuplicate } from './mongodb.driver.js';
import type { MongoClientLike, MongoCollection } from './mongodb.driver.js';
import { hasUniqueIds, migrate, missingMigrations } from './mongodb.migrations.js';
import type { CollectionNames } from './mongodb.migrations.js';
import { documentOf, sessionIn, withTokensOf } from './session-document.js';

export interface MongoDBSessionStorageOptions {
  /** @default the name the official storage uses, whose data is read as it is */
  readonly sessionCollectionName?: string | undefined;
  /**
   * Options of the driver's `MongoClient`, such as `tlsCAFile`. They come before what the URL says.
   * Without effect beside a client.
   */
  readonly clientOptions?: Readonly<Record<string, unknown>> | undefined;
  /** @default the system's clock */
  readonly clock?: Clock | undefined;
}

/**
 * Keeps sessions in a MongoDB database, for any number of processes. Needs the optional dependency
 * `mongodb`.
 *
 * It connects, and brings its collections to the current shape, on first use; what fails then is
 * tried again by the next call. A lost connection is repaired. Every method throws
 * {@link SessionStorageError} when the server cannot be used, within seconds (with a client that is
 * given, within the limits of that one), and {@link MissingDriverError} without `mongodb`. Close it
 * when the process is to end.
 * @example new MongoDBSessionStorage('mongodb://user:password@db.example.com/', 'my-app')
 */
export class MongoDBSessionStorage extends SessionStorage {
  /** The same for a server whose parts are known. `host` may have a port. */
  static withCredentials(
    host: string,
    dbName: string,
    username: string,
    password: string,
    options: MongoDBSessionStorageOptions = {},
  ): MongoDBSessionStorage {
    return new MongoDBSessionStorage(
      `mongodb://${encodeURIComponent(username)}:${encodeURIComponent(password)}@${host}/`,
      dbName,
      options,
    );
  }

  override readonly companions: CoordinationStores;
  /** What the companions are kept in. */
  readonly records: RecordStore;
  readonly #connection: MongoConnection;
  readonly #names: CollectionNames;

  /**
   * @param server `mongodb://…` or `mongodb+srv://…`, with several hosts and options if need be; or
   * a client of the driver, which is left open
   * @throws {MissingRequiredArgument} when one of the two is missing or no such thing
   */
  constructor(
    server: string | URL | MongoClientLike,
    dbName: string,
    options: MongoDBSessionStorageOptions = {},
  ) {
    super();
    const {
      sessionCollectionName = SESSION_TABLES.sessions,
      clientOptions,
      clock = systemClock,
    } = options;
    if (typeof dbName !== 'string' || dbName === '')
      throw new MissingRequiredArgument('MongoDB storage needs the name of a database.');
    this.#names = {
      sessions: sessionCollectionName,
      records: `${sessionCollectionName}_records`,
    };
    const target = { server: serverOf(server), database: dbName, clientOptions };
    this.#connection = new MongoConnection(
      target,
      (database) => migrate(database, this.#names, clock),
      clock,
    );
    this.records = new MongoDBRecordStore(this.#connection, this.#names.records, clock);
    this.companions = coordinationOver(this.records);
  }

  /** Resolves when the server is reached and the collections are there; connects if need be. */
  get ready(): Promise<void> {
    return this.#connection.open();
  }

  async storeSession(session: Session): Promise<boolean> {
    const document = documentOf(session);
    await this.#run('store a session', async (sessions) => {
      const store = (): Promise<unknown> =>
        sessions.replaceOne({ id: String(session.id) }, document, { upsert: true });
      // Of two that find no session and make one, the second finds the id taken: by then there is
      // one to replace.
      await store().catch((error: unknown) =>
        isDuplicate(error) ? store() : Promise.reject(error),
      );
    });
    return true;
  }

  loadSession(id: string): Promise<Session | undefined> {
    return this.#run('load a session', async (sessions) => {
      const document = await sessions.findOne({ id: String(id) });
      return document ? sessionIn(document) : undefined;
    });
  }

  async deleteSession(id: string): Promise<boolean> {
    await this.#run('delete a session', (sessions) => sessions.deleteOne({ id: String(id) }));
    return true;
  }

  async deleteSessions(ids: string[]): Promise<boolean> {
    await this.#run('delete sessions', (sessions) =>
      sessions.deleteMany({ id: { $in: ids.map(String) } }),
    );
    return true;
  }

  findSessionsByShop(shop: string): Promise<Session[]> {
    return this.#run("find a shop's sessions", async (sessions) =>
      (await sessions.find({ shop: String(shop) }).toArray()).map(sessionIn),
    );
  }

  override replaceSession(session: Session, previous: Session): Promise<boolean> {
    return this.#run('replace a session', async (sessions) => {
      const { matchedCount } = await sessions.replaceOne(
        withTokensOf(previous),
        documentOf(session),
      );
      return matchedCount === 1;
    });
  }

  override deleteExpiredSessions(moment: Date): Promise<number> {
    return this.#run('delete expired sessions', async (sessions) => {
      const { deletedCount } = await sessions.deleteMany({
        isOnline: true,
        expires: { $lt: moment },
      });
      return deletedCount;
    });
  }

  override listSessions({ after, limit }: SessionPage): Promise<Session[]> {
    const count = pageLimit(limit);
    return this.#run('list sessions', async (sessions) => {
      // MongoDB takes 0 for no limit.
      if (count === 0) return [];
      const page = sessions
        .find(after === undefined ? {} : { id: { $gt: String(after) } })
        .sort({ id: 1 });
      return (await page.limit(count).toArray()).map(sessionIn);
    });
  }

  override async verify(): Promise<void> {
    const missing = await this.#connection.inspect('be verified', async (database) => {
      const steps = await missingMigrations(database, this.#names);
      return steps.length > 0 || (await hasUniqueIds(database, this.#names))
        ? steps
        : ['unique-ids'];
    });
    if (missing.length === 0) return;
    throw new SessionStorageError(
      `The collection ${this.#names.sessions} lacks these migrations: ${missing.join(', ')}. The storage's first use runs them; await its "ready".`,
    );
  }

  /**
   * Closes the connections, unless a client was given, after the calls under way (five seconds at
   * most). A later call opens others.
   */
  override close(): Promise<void> {
    return this.#connection.close();
  }

  /** The official storage's name for {@link MongoDBSessionStorage.close}. */
  disconnect(): Promise<void> {
    return this.close();
  }

  #run<T>(what: string, work: (sessions: MongoCollection) => Promise<T>): Promise<T> {
    return this.#connection.run(what, (database) =>
      work(database.collection(this.#names.sessions)),
    );
  }
}

function serverOf(server: string | URL | MongoClientLike): string | MongoClientLike {
  if (typeof server === 'string' || server instanceof URL) {
    const url = String(server);
    if (/^mongodb(?:\+srv)?:\/\/[^/]/.test(url)) return url;
  } else if (typeof server?.db === 'function') {
    return server;
  }
  throw new MissingRequiredArgument(
    'MongoDB storage needs a URL, such as "mongodb://localhost:27017/", or a client of the driver.',
  );
}
