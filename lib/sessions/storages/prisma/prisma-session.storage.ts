import { systemClock } from '../../../core/time/clock.js';
import type { Clock } from '../../../core/time/clock.js';
import { MissingRequiredArgument } from '../../../core/core.errors.js';
import type { Session } from '../../session.js';
import { SessionStorageError } from '../../sessions.errors.js';
import { coordinationOver } from '../../coordination/coordination-stores.js';
import type { CoordinationStores } from '../../coordination/coordination-stores.js';
import type { RecordStore } from '../../coordination/record.store.js';
import { LazyPromise } from '../../../core/concurrency/lazy-promise.js';
import type { Row } from '../table/row-table.js';
import { TableSessionStorage } from '../table/table-session.storage.js';
import { PrismaRecordStore } from './prisma-record.store.js';
import { databaseOf, explained, isDuplicate, isMisfit, modelOf } from './prisma.driver.js';
import type { PrismaModel } from './prisma.driver.js';
import { MissingSessionStorageError, MissingSessionTableError } from './prisma.errors.js';
import { checkColumns } from './session-columns.js';
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
export class PrismaSessionStorage extends TableSessionStorage {
  /** Undefined when the client lacks the model of {@link records}. */
  override readonly companions: CoordinationStores | undefined;
  /** What the companions are kept in. */
  readonly records: RecordStore | undefined;
  readonly #sessions: PrismaModel;
  readonly #tableName: string;
  readonly #database: string;
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
    super(isDuplicate);
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
    this.#database = databaseOf(client);
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

  protected async run<T>(what: string, work: (sessions: PrismaModel) => Promise<T>): Promise<T> {
    if (this.#isUnready)
      throw new MissingSessionStorageError(
        'The session storage is not ready: its table could not be read.',
      );
    await this.#table.get();
    return explained(what, () => work(this.#sessions));
  }

  protected rowOf(session: Session): Row {
    return rowOf(session, this.#required);
  }

  protected readonly sessionIn = sessionIn;

  /** Again if the schema asks for more than is known. */
  protected override async write<T>(session: Session, write: (row: Row) => Promise<T>): Promise<T> {
    try {
      return await super.write(session, write);
    } catch (error) {
      const required = isMisfit(error)
        ? requiredFlagsIn(error.message).filter((flag) => !this.#required.has(flag))
        : [];
      if (required.length === 0) throw error;
      for (const flag of required) this.#required.add(flag);
      return this.write(session, write);
    }
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
    await explained('read the columns of the sessions', () =>
      checkColumns(this.#sessions, this.#database),
    );
  }
}
