import { MissingRequiredArgument } from '../../../core/core.errors.js';
import { systemClock } from '../../../core/time/clock.js';
import type { Clock } from '../../../core/time/clock.js';
import { recordDigest } from '../../coordination/coordination-stores.js';
import type { RecordStore } from '../../coordination/record.store.js';
import { MissingSessionTableError } from '../../sessions.errors.js';
import type { RecordCalls, StorageEngine } from '../connection/engine-session.storage.js';
import { tableRecords } from '../table/table-record.store.js';
import type { RecordTable } from '../table/table-record.store.js';
import { tableSessions } from '../table/table-sessions.js';
import {
  databaseOf,
  errorFor,
  isDuplicate,
  isMisfit,
  modelOf,
  readColumns,
} from './prisma.driver.js';
import type { PrismaModel } from './prisma.driver.js';
import { checkColumns, requiredFlagsIn, rowOf, sessionIn } from './session-model.js';

/** Options of `PrismaSessionStorage`. */
export interface PrismaSessionStorageOptions {
  /** The client's property: the model's name in lower camel case. @default 'session' */
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

/** An engine whose records may be called while its table of sessions cannot be read. */
interface PrismaEngine extends StorageEngine<PrismaModel> {
  /** Null when the client lacks the model of records. */
  readonly recordCalls: RecordCalls | null;
}

/** The app's tables: open when that of the sessions can be read. */
export function prismaEngine(
  client: object,
  {
    tableName = 'session',
    recordTableName,
    connectionRetries = 2,
    connectionRetryIntervalMs = 5_000,
    clock = systemClock,
  }: PrismaSessionStorageOptions,
): PrismaEngine {
  if (typeof client !== 'object' || client === null)
    throw new MissingRequiredArgument('Prisma storage needs a Prisma client.');
  const model = modelOf(client, tableName);
  if (!model)
    throw new MissingRequiredArgument(
      `The Prisma client does not have a ${tableName} table: tableName is the client's property, such as "session" for the model Session.`,
    );
  const recordModel = modelOf(client, recordTableName ?? 'appRecord');
  /** Flags whose columns the schema does not let be null. */
  const required = new Set<string>();

  /** Whether the schema asks for more than was known. */
  function hasLearnt(error: unknown): boolean {
    const known = required.size;
    if (isMisfit(error)) for (const flag of requiredFlagsIn(error.message)) required.add(flag);
    return required.size > known;
  }

  /** @throws {MissingSessionTableError} when the table, or a column, cannot be read now */
  async function look(sessions: PrismaModel): Promise<void> {
    try {
      await readColumns(sessions, ['id']);
    } catch (cause) {
      throw new MissingSessionTableError(
        `The table of the Prisma model "${tableName}" could not be read. Has its migration been run, and is the database there?`,
        { cause },
      );
    }
    await checkColumns(sessions, databaseOf(client));
  }

  const tables = {
    sessions: tableSessions({
      sessions: model,
      rowOf: (session) => rowOf(session, required),
      sessionIn,
      isRepeated: (error) => isDuplicate(error) || hasLearnt(error),
    }),
    // Without their model records are never called.
    records: recordsIn(recordModel ?? model, clock),
  };
  return {
    clock,
    place: 'The Prisma client',
    preparing: 'read the columns of the sessions',
    remedy: 'Add it to its schema and migrate.',
    errorFor,
    recordCalls: recordModel
      ? {
          run: async (what, work) =>
            Promise.resolve(work(tables)).catch((cause: unknown) => {
              throw errorFor(what, cause);
            }),
        }
      : null,
    /** Without effect on the client, which is the app's. */
    reach: async () => ({ server: model }),
    async prepare(sessions) {
      for (let attempt = 1; ; attempt++) {
        try {
          await look(sessions);
          return tables;
        } catch (error) {
          if (attempt >= connectionRetries) throw error;
        }
        await clock.sleep(connectionRetryIntervalMs);
      }
    },
    async missing(sessions) {
      await look(sessions);
      if (recordModel)
        await readColumns(recordModel, ['key']).catch((cause: unknown) => {
          throw errorFor(`read the table of ${recordTableName ?? 'appRecord'}`, cause);
        });
      return recordModel || recordTableName === undefined ? [] : [`a model for ${recordTableName}`];
    },
  };
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
