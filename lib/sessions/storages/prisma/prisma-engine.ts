import { MissingRequiredArgument } from '../../../core/core.errors.js';
import { systemClock } from '../../../core/time/clock.js';
import type { Clock } from '../../../core/time/clock.js';
import { recordDigest } from '../../coordination/coordination-stores.js';
import type { RecordStore } from '../../coordination/record.store.js';
import type { SessionStorageError } from '../../sessions.errors.js';
import type { RecordCalls } from '../connection/engine-record.store.js';
import type { EngineTables, StorageEngine } from '../connection/engine-session.storage.js';
import type { Reached } from '../connection/engine.connection.js';
import { tableRecords } from '../table/table-record.store.js';
import type { RecordTable } from '../table/table-record.store.js';
import { tableSessions } from '../table/table-sessions.js';
import { databaseOf, errorFor, isDuplicate, isMisfit, modelOf } from './prisma.driver.js';
import type { PrismaModel } from './prisma.driver.js';
import { MissingSessionTableError } from './prisma.errors.js';
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

/** The app's tables: open when that of the sessions can be read. */
export class PrismaEngine implements StorageEngine<PrismaModel> {
  readonly clock: Clock;
  readonly place = 'The Prisma client';
  readonly remedy = 'Add it to its schema and migrate.';
  readonly errorFor: (what: string, cause: unknown) => SessionStorageError = errorFor;
  readonly #model: PrismaModel;
  readonly #recordModel: PrismaModel | undefined;
  readonly #tables: EngineTables;
  /** Flags whose columns the schema does not let be null. */
  readonly #required = new Set<string>();

  /** @throws {MissingRequiredArgument} when it is no client, or has no such model */
  constructor(
    private readonly client: object,
    private readonly options: PrismaSessionStorageOptions,
  ) {
    const { tableName = 'session', recordTableName = 'appRecord', clock = systemClock } = options;
    if (typeof client !== 'object' || client === null)
      throw new MissingRequiredArgument('Prisma storage needs a Prisma client.');
    const model = modelOf(client, tableName);
    if (!model) {
      throw new MissingRequiredArgument(
        `The Prisma client does not have a ${tableName} table: tableName is the client's property, such as "session" for the model Session.`,
      );
    }
    this.clock = clock;
    this.#model = model;
    this.#recordModel = modelOf(client, recordTableName);
    const sessions = tableSessions({
      sessions: model,
      rowOf: (session) => rowOf(session, this.#required),
      sessionIn,
      isRepeated: (error) => isDuplicate(error) || this.#hasLearnt(error),
    });
    // Without their model records are never called.
    this.#tables = { sessions, records: recordsIn(this.#recordModel ?? model, clock) };
  }

  /** Calls of records need no table of sessions. Null when the client lacks their model. */
  get recordCalls(): RecordCalls | null {
    if (!this.#recordModel) return null;
    return {
      run: async (what, work) => {
        try {
          return await work(this.#tables);
        } catch (cause) {
          throw errorFor(what, cause);
        }
      },
    };
  }

  /** Without effect on the client, which is the app's. */
  async reach(): Promise<Reached<PrismaModel>> {
    return { server: this.#model };
  }

  async prepare(): Promise<EngineTables> {
    const { connectionRetries = 2, connectionRetryIntervalMs = 5_000 } = this.options;
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#look();
        return this.#tables;
      } catch (error) {
        if (attempt >= connectionRetries) throw error;
      }
      await this.clock.sleep(connectionRetryIntervalMs);
    }
  }

  async missing(): Promise<string[]> {
    await this.#look();
    const { recordTableName } = this.options;
    await this.#recordModel?.findFirst({ select: { key: true } }).catch((cause: unknown) => {
      throw errorFor(`read the table of ${recordTableName ?? 'appRecord'}`, cause);
    });
    return this.#recordModel || recordTableName === undefined
      ? []
      : [`a model for ${recordTableName}`];
  }

  /** @throws {MissingSessionTableError} when the table, or a column, cannot be read now */
  async #look(): Promise<void> {
    try {
      await this.#model.findFirst({ select: { id: true } });
    } catch (cause) {
      throw new MissingSessionTableError(
        `The table of the Prisma model "${this.options.tableName ?? 'session'}" could not be read. Has its migration been run, and is the database there?`,
        { cause },
      );
    }
    await checkColumns(this.#model, databaseOf(this.client)).catch((cause: unknown) => {
      throw cause instanceof MissingSessionTableError
        ? cause
        : errorFor('read the columns of the sessions', cause);
    });
  }

  /** Whether the schema asks for more than was known. */
  #hasLearnt(error: unknown): boolean {
    const known = this.#required.size;
    if (isMisfit(error))
      for (const flag of requiredFlagsIn(error.message)) this.#required.add(flag);
    return this.#required.size > known;
  }
}

/** This machine's clock counts: Prisma cannot ask every database for its time. */
function recordsIn(records: PrismaModel, clock: Clock): RecordStore {
  const table: RecordTable = {
    records,
    now: async () => clock.now(),
    // A digest: there are databases that ignore case, or cut texts off.
    keyOf: ({ kind, id }) => ({ key: recordDigest(kind, id) }),
    // In the order that the database gives ids.
    pageOf: (kind, after) => ({
      where: { kind, ...(after !== undefined && { id: { gt: after } }) },
      orderBy: { id: 'asc' },
    }),
    isDuplicate,
  };
  return tableRecords(table, clock);
}
