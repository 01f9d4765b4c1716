import { coordinationOver } from '../../coordination/coordination-stores.js';
import type { CoordinationStores } from '../../coordination/coordination-stores.js';
import type { RecordStore } from '../../coordination/record.store.js';
import { Session, checkStorable } from '../../session.js';
import { SessionStorage } from '../../session.storage.js';
import type { SessionPage } from '../../session.storage.js';
import { SessionStorageError } from '../../sessions.errors.js';
import { EngineConnection } from './engine.connection.js';
import type { Engine } from './engine.connection.js';
import { pageLimit } from './page-limit.js';

/** The sessions of an engine that is open: the methods of {@link SessionStorage} in short. */
export interface SessionTable {
  load(id: string): Promise<Session | undefined>;
  store(session: Session): Promise<unknown>;
  /** Replaces a session that still has both tokens of `previous`; false when there is none. */
  replace(session: Session, previous: Session): Promise<boolean>;
  delete(ids: readonly string[]): Promise<unknown>;
  ofShop(shop: string): Promise<Session[]>;
  page(after: string | undefined, limit: number): Promise<Session[]>;
  /** Deletes a portion at a time, and answers how many sessions it had. */
  deleteExpired(moment: Date): AsyncIterable<number>;
}

/** What an engine keeps, once it is open. */
export interface EngineTables {
  readonly sessions: SessionTable;
  readonly records: RecordStore;
}

/** Calls of the records of an engine, which is open then. */
export type RecordCalls = Pick<EngineConnection<unknown, Pick<EngineTables, 'records'>>, 'run'>;

/** An engine that sessions are kept in. */
export interface StorageEngine<Server> extends Engine<Server, EngineTables> {
  /** For messages, such as `The table sessions`. */
  readonly place: string;
  /** What adds what is missing. @default that it is added on first use */
  readonly remedy?: string;
  /** What a server that was reached, and is not prepared, is missing, in words. */
  missing(server: Server): Promise<readonly string[]>;
}

/**
 * A storage over an engine that is reached, and brought to the current shape, on first use; what
 * fails then, and a connection that is lost, is tried again by the next call. Every method throws
 * {@link SessionStorageError} when the engine cannot be used, for a server within seconds unless a
 * client of the app has longer limits, and {@link MissingDriverError} without its driver.
 */
export abstract class EngineSessionStorage<
  Records extends RecordStore | undefined = RecordStore,
> extends SessionStorage {
  override readonly hasTimeLimit = true;
  override readonly companions:
    CoordinationStores | (undefined extends Records ? undefined : never);
  /** What {@link companions} are kept in. */
  readonly records: Records;
  readonly #connection: EngineConnection<unknown, EngineTables>;

  /** @param calls of records: over the open engine unless given, null when it keeps none */
  constructor(
    private readonly engine: StorageEngine<unknown>,
    calls?: RecordCalls | null,
  ) {
    super();
    this.#connection = new EngineConnection(engine);
    const records = calls === null ? undefined : engineRecords(calls ?? this.#connection);
    this.records = records as unknown as Records;
    this.companions = (records && coordinationOver(records)) as CoordinationStores;
  }

  /** Resolves when the engine is reached and has everything it needs; opens it if need be. */
  get ready(): Promise<void> {
    return this.#connection.open();
  }

  /** Makes nothing: `ready` does. @throws {SessionStorageError} that names all that is missing */
  override async verify(): Promise<void> {
    const { place, remedy = 'Migrations are applied on first use: await storage.ready.' } =
      this.engine;
    const look = (server: unknown): Promise<readonly string[]> => this.engine.missing(server);
    const missing = await this.#connection.inspect('be verified', look);
    if (missing.length > 0)
      throw new SessionStorageError(`${place} lacks ${missing.join(', ')}. ${remedy}`);
  }

  /**
   * Closes what was opened here, not what was given, after the calls in flight. It waits for five
   * seconds at most: what is not answered by then ends by itself. A later call opens it anew.
   */
  override close(): Promise<void> {
    return this.#connection.close();
  }

  /** The same as {@link close}, by the name the official storages have. */
  disconnect(): Promise<void> {
    return this.close();
  }

  loadSession(id: string): Promise<Session | undefined> {
    return this.run('load a session', ({ sessions }) => sessions.load(String(id)));
  }

  async storeSession(session: Session): Promise<boolean> {
    const stored = this.#current(session);
    await this.run('store a session', ({ sessions }) => sessions.store(stored));
    return true;
  }

  override async replaceSession(session: Session, previous: Session): Promise<boolean> {
    const stored = this.#current(session);
    return this.run('replace a session', ({ sessions }) => sessions.replace(stored, previous));
  }

  deleteSession(id: string): Promise<boolean> {
    return this.deleteSessions([id]);
  }

  async deleteSessions(ids: string[]): Promise<boolean> {
    const deleted = ids.map(String);
    await this.run('delete sessions', ({ sessions }) => sessions.delete(deleted));
    return true;
  }

  findSessionsByShop(shop: string): Promise<Session[]> {
    return this.run("find a shop's sessions", ({ sessions }) => sessions.ofShop(String(shop)));
  }

  override listSessions({ after, limit }: SessionPage): Promise<Session[]> {
    const id = after === undefined ? undefined : String(after);
    return this.run('list sessions', ({ sessions }) => sessions.page(id, pageLimit(limit)));
  }

  /**
   * In portions, so that other calls wait no longer than for one of them. What is left when the
   * storage is closed is left to the next call.
   */
  override deleteExpiredSessions(moment: Date): Promise<number> {
    return this.run('delete expired sessions', async (tables) => {
      let count = 0;
      for await (const deleted of tables.sessions.deleteExpired(moment)) {
        count += deleted;
        if (this.#connection.current !== tables) break;
      }
      return count;
    });
  }

  /** @param what it does, for the error that says so when it fails */
  protected run<T>(what: string, work: (tables: EngineTables) => Promise<T>): Promise<T> {
    return this.#connection.run(what, work);
  }

  /** The session as it is now, not as it is when the engine is open. */
  #current(session: Session): Session {
    checkStorable(session);
    return this.#connection.current ? session : new Session(session);
  }
}

/** The records of an engine that is opened on first use. */
function engineRecords(calls: RecordCalls): RecordStore {
  const run = <T>(what: string, work: (records: RecordStore) => Promise<T>): Promise<T> =>
    calls.run(what, ({ records }) => work(records));
  return {
    get: (key) => run('read a record', (records) => records.get(key)),
    list(query) {
      const page = { ...query, limit: pageLimit(query.limit) };
      return run('list records', (records) => records.list(page));
    },
    put: (record) => run('write a record', (records) => records.put(record)),
    lease: (...terms) => run('lease a record', (records) => records.lease(...terms)),
    renew: (...terms) => run('renew a lease', (records) => records.renew(...terms)),
    end: (...terms) => run('end a lease', (records) => records.end(...terms)),
  };
}
