import { systemClock } from '../../../core/time/clock.js';
import type { Clock } from '../../../core/time/clock.js';
import { MissingRequiredArgument } from '../../../core/core.errors.js';
import type { Session } from '../../session.js';
import { SessionStorageError } from '../../sessions.errors.js';
import { SessionStorage } from '../../session.storage.js';
import type { SessionPage } from '../../session.storage.js';
import { coordinationOver } from '../../coordination/coordination-stores.js';
import type { CoordinationStores } from '../../coordination/coordination-stores.js';
import type { RecordStore } from '../../coordination/record.store.js';
import { LazyPromise } from '../../../core/concurrency/lazy-promise.js';
import { pageLimit } from '../connection/page-limit.js';
import { PrismaRecordStore } from './prisma-record.store.js';
import { explained, isDuplicate, isMisfit, modelOf } from './prisma.driver.js';
import type { PrismaModel } from './prisma.driver.js';
import { MissingSessionStorageError, MissingSessionTableError } from './prisma.errors.js';
import { requiredFlagsIn, rowOf, sessionIn } from './session-row.js';

export interface PrismaSessionStorageOptions {
  /**
   * Name of the client's property, which is that of the model in lower camel case. @default
   * 'session'
   */
  readonly tableName?: string | undefined;
  /** How often the table is looked for before its absence is an error. @default 2 */
  readonly connectionRetries?: number | undefined;
  /** Milliseconds between two looks. @default 5,000 */
  readonly connectionRetryIntervalMs?: number | undefined;
  /**
   * The same of the model that keeps locks, installations and deliveries. When it is given,
   * {@link PrismaSessionStorage.verify} fails without that model. @default 'appRecord'
   */
  readonly recordTableName?: string | undefined;
  /** Ends leases, and waits. @default the system's clock */
  readonly clock?: Clock | undefined;
}

/**
 * Keeps sessions behind a Prisma client of the app's own, of version 6 or 7, which is never closed
 * here. Its schema needs the official model `Session`, with `refreshToken String?` and
 * `refreshTokenExpires DateTime?`; tables are made by the app's own migrations.
 *
 * With this model as well, locks, installations and webhook deliveries are kept for all processes
 * that share the database. Where texts are short by default, as in MySQL, `data` needs `@db.Text`.
 * The clocks of these processes have to agree within a second or two.
 * ```prisma
 * model AppRecord {
 *   key         String    @id
 *   kind        String
 *   id          String
 *   owner       String?
 *   state       String?
 *   data        String
 *   version     Int
 *   changedAt   DateTime
 *   leaseEndsAt DateTime?
 *   expiresAt   DateTime?
 *
 *   @@index([kind, id])
 *   @@index([expiresAt])
 * }
 * ```
 * Every method throws {@link SessionStorageError} when the database cannot be used, and
 * {@link MissingSessionTableError} without its table.
 * @example new PrismaSessionStorage(new PrismaClient({ adapter }))
 */
export class PrismaSessionStorage extends SessionStorage {
  /** Undefined when the client lacks the model of {@link records}. */
  override readonly companions: CoordinationStores | undefined;
  /** What the companions are kept in. */
  readonly records: RecordStore | undefined;
  readonly #sessions: PrismaModel;
  readonly #tableName: string;
  readonly #attempts: number;
  readonly #interval: number;
  readonly #clock: Clock;
  readonly #recordTable: { readonly name: string; readonly isRequired: boolean };
  readonly #recordModel: PrismaModel | undefined;
  /** Flags whose columns the schema does not let be null. */
  readonly #required = new Set<string>();
  readonly #table = new LazyPromise(() => this.#poll());
  #isUnready = false;

  /** @throws {MissingRequiredArgument} when it is no client, or has no such model */
  constructor(client: object, options: PrismaSessionStorageOptions = {}) {
    super();
    const {
      tableName = 'session',
      connectionRetries = 2,
      connectionRetryIntervalMs = 5_000,
      recordTableName,
      clock = systemClock,
    } = options;
    if (typeof client !== 'object' || client === null)
      throw new MissingRequiredArgument('Prisma storage needs a Prisma client.');
    const sessions = modelOf(client, tableName);
    if (!sessions) {
      throw new MissingRequiredArgument(
        `The Prisma client does not have a ${tableName} table: tableName is the client's property, such as "session" for the model Session.`,
      );
    }
    this.#sessions = sessions;
    this.#tableName = tableName;
    this.#attempts = connectionRetries;
    this.#interval = connectionRetryIntervalMs;
    this.#clock = clock;
    const name = recordTableName ?? 'appRecord';
    this.#recordTable = { name, isRequired: recordTableName !== undefined };
    this.#recordModel = modelOf(client, name);
    this.records = this.#recordModel && new PrismaRecordStore(this.#recordModel, clock);
    this.companions = this.records && coordinationOver(this.records);
  }

  /**
   * Resolves when the table can be read. A failure is not kept: the next call looks again. @throws
   * {MissingSessionTableError}
   */
  get ready(): Promise<void> {
    return this.#table.get();
  }

  /**
   * Looks again whether the table can be read. While it cannot, the methods throw
   * {@link MissingSessionStorageError} at once.
   */
  async isReady(): Promise<boolean> {
    this.#table.forget();
    this.#isUnready = false;
    try {
      await this.#table.get();
    } catch {
      this.#isUnready = true;
    }
    return !this.#isUnready;
  }

  async storeSession(session: Session): Promise<boolean> {
    await this.#run('store a session', async (sessions) => {
      const store = (): Promise<unknown> =>
        this.#written(session, (row) =>
          sessions.upsert({ where: { id: session.id }, create: row, update: row }),
        );
      // Of two that find no session and make one, the second finds the id taken: by then there is
      // one to update.
      await store().catch((error: unknown) =>
        isDuplicate(error) ? store() : Promise.reject(error),
      );
    });
    return true;
  }

  loadSession(id: string): Promise<Session | undefined> {
    return this.#run('load a session', async (sessions) => {
      const row = await sessions.findUnique({ where: { id: String(id) } });
      // There are databases that take ids for the same which differ in case.
      return row?.['id'] === String(id) ? sessionIn(row) : undefined;
    });
  }

  deleteSession(id: string): Promise<boolean> {
    return this.deleteSessions([id]);
  }

  async deleteSessions(ids: string[]): Promise<boolean> {
    await this.#run('delete sessions', (sessions) =>
      sessions.deleteMany({ where: { id: { in: ids.map(String) } } }),
    );
    return true;
  }

  findSessionsByShop(shop: string): Promise<Session[]> {
    return this.#run("find a shop's sessions", async (sessions) => {
      return (await sessions.findMany({ where: { shop: String(shop) } })).map(sessionIn);
    });
  }

  override replaceSession(session: Session, previous: Session): Promise<boolean> {
    const tokens = {
      accessToken: previous.accessToken ?? '',
      refreshToken: previous.refreshToken || null,
    };
    return this.#run('replace a session', async (sessions) => {
      const { count } = await this.#written(session, (row) =>
        sessions.updateMany({ where: { id: session.id, ...tokens }, data: row }),
      );
      return count === 1;
    });
  }

  override deleteExpiredSessions(moment: Date): Promise<number> {
    return this.#run('delete expired sessions', async (sessions) => {
      return (await sessions.deleteMany({ where: { isOnline: true, expires: { lt: moment } } }))
        .count;
    });
  }

  /** In the order that the database gives ids. */
  override listSessions({ after, limit }: SessionPage): Promise<Session[]> {
    const where = after === undefined ? {} : { id: { gt: String(after) } };
    return this.#run('list sessions', async (sessions) => {
      return (
        await sessions.findMany({ where, orderBy: { id: 'asc' }, take: pageLimit(limit) })
      ).map(sessionIn);
    });
  }

  override async verify(): Promise<void> {
    await this.#look();
    const { name, isRequired } = this.#recordTable;
    const model = this.#recordModel;
    if (model)
      await explained(`read the table of ${name}`, () =>
        model.findFirst({ select: { key: true } }),
      );
    else if (isRequired)
      throw new SessionStorageError(
        `The Prisma client has no model for: ${name}. Add it to its schema and migrate.`,
      );
  }

  /** Without effect: the client is the app's. */
  override async close(): Promise<void> {}

  /** The same as {@link close}, by the name the official storages have. */
  disconnect(): Promise<void> {
    return this.close();
  }

  /** Writes the session's row, again if the schema asks for more than is known. */
  async #written<T>(
    session: Session,
    write: (row: Readonly<Record<string, unknown>>) => Promise<T>,
  ): Promise<T> {
    try {
      return await write(rowOf(session, this.#required));
    } catch (error) {
      const required = isMisfit(error)
        ? requiredFlagsIn(error.message).filter((flag) => !this.#required.has(flag))
        : [];
      if (required.length === 0) throw error;
      for (const flag of required) this.#required.add(flag);
      return this.#written(session, write);
    }
  }

  async #run<T>(what: string, work: (sessions: PrismaModel) => Promise<T>): Promise<T> {
    if (this.#isUnready)
      throw new MissingSessionStorageError(
        'The session storage is not ready: its table could not be read.',
      );
    await this.#table.get();
    return explained(what, () => work(this.#sessions));
  }

  async #poll(): Promise<void> {
    for (let attempt = 1; attempt < this.#attempts; attempt++) {
      const isThere = await this.#look().then(
        () => true,
        () => false,
      );
      if (isThere) return;
      await this.#clock.sleep(this.#interval);
    }
    await this.#look();
  }

  async #look(): Promise<void> {
    try {
      await this.#sessions.findFirst({ select: { id: true } });
    } catch (cause) {
      throw new MissingSessionTableError(
        `The table of the Prisma model "${this.#tableName}" could not be read. Has its migration been run, and is the database there?`,
        { cause },
      );
    }
  }
}
