import { systemClock } from '../../../core/time/clock.js';
import type { Clock } from '../../../core/time/clock.js';
import { MissingRequiredArgument } from '../../../core/core.errors.js';
import type { Session } from '../../session.js';
import { coordinationOver } from '../../coordination/coordination-stores.js';
import type { CoordinationStores } from '../../coordination/coordination-stores.js';
import type { RecordStore } from '../../coordination/record.store.js';
import type { EngineCalls } from '../connection/engine.connection.js';
import type { Row } from '../table/row-table.js';
import type { RecordTable } from '../table/table-record.store.js';
import { TableSessionStorage } from '../table/table-session.storage.js';
import type { SessionTable } from '../table/table-session.storage.js';
import { PrismaRecordStore } from './prisma-record.store.js';
import { PrismaConnection } from './prisma.connection.js';
import { databaseOf, errorFor, isDuplicate, isMisfit, modelOf } from './prisma.driver.js';
import type { PrismaModel } from './prisma.driver.js';
import { MissingSessionStorageError } from './prisma.errors.js';
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
export class PrismaSessionStorage extends TableSessionStorage<SessionTable, SessionTable> {
  /** Undefined when the client lacks the model of {@link records}. */
  override readonly companions: CoordinationStores | undefined;
  /** What the companions are kept in. */
  readonly records: RecordStore | undefined;
  readonly #sessions: PrismaConnection;
  readonly #records: { readonly name: string; readonly model: PrismaModel | undefined };
  readonly #needsRecords: boolean;
  /** Flags whose columns the schema does not let be null. */
  readonly #required = new Set<string>();
  #isUnready = false;

  /** @throws {MissingRequiredArgument} when it is no client, or has no such model */
  constructor(client: object, options: PrismaSessionStorageOptions = {}) {
    const { tableName: name = 'session', recordTableName, clock = systemClock } = options;
    if (typeof client !== 'object' || client === null)
      throw new MissingRequiredArgument('Prisma storage needs a Prisma client.');
    const model = modelOf(client, name);
    if (!model) {
      throw new MissingRequiredArgument(
        `The Prisma client does not have a ${name} table: tableName is the client's property, such as "session" for the model Session.`,
      );
    }
    const { connectionRetries: attempts = 2, connectionRetryIntervalMs: intervalMs = 5_000 } =
      options;
    const sessions = { model, name, database: databaseOf(client) };
    const connection = new PrismaConnection(sessions, { attempts, intervalMs }, clock);
    super(connection, isDuplicate);
    this.#sessions = connection;
    const recordName = recordTableName ?? 'appRecord';
    const records = modelOf(client, recordName);
    this.#records = { name: recordName, model: records };
    this.#needsRecords = recordTableName !== undefined;
    this.records = records && recordsIn(records, clock);
    this.companions = this.records && coordinationOver(this.records);
  }

  /**
   * Looks again whether the table can be read. While it cannot, the methods throw
   * {@link MissingSessionStorageError} at once.
   */
  async isReady(): Promise<boolean> {
    // What was found before is forgotten; nobody waits for that.
    void this.connection.close();
    this.#isUnready = false;
    try {
      await this.ready;
    } catch {
      this.#isUnready = true;
    }
    return !this.#isUnready;
  }

  protected readonly place = 'The Prisma client';

  protected override readonly remedy = 'Add it to its schema and migrate.';

  protected async missing(): Promise<string[]> {
    await this.#sessions.look();
    const { name, model } = this.#records;
    await model?.findFirst({ select: { key: true } }).catch((cause: unknown) => {
      throw errorFor(`read the table of ${name}`, cause);
    });
    return model || !this.#needsRecords ? [] : [`a model for ${name}`];
  }

  protected override async run<T>(
    what: string,
    work: (tables: SessionTable) => T | Promise<T>,
  ): Promise<T> {
    if (!this.#isUnready) return super.run(what, work);
    throw new MissingSessionStorageError(
      'The session storage is not ready: its table could not be read.',
    );
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
}

/** They need no table of sessions. */
function recordsIn(model: PrismaModel, clock: Clock): RecordStore {
  const table: RecordTable = { records: model, now: async () => clock.now() };
  const calls: EngineCalls<RecordTable> = {
    run: async (what, work) => {
      try {
        return await work(table);
      } catch (cause) {
        throw errorFor(what, cause);
      }
    },
  };
  return new PrismaRecordStore(calls, isDuplicate, clock);
}
