import { MissingRequiredArgument } from '../../../core/core.errors.js';
import { systemClock } from '../../../core/time/clock.js';
import type { Clock } from '../../../core/time/clock.js';
import { SESSION_TABLES } from '../../../core/vendor.js';
import type { StorageEngine } from '../connection/engine-session.storage.js';
import { sqlRecords } from './sql-record.store.js';
import { sqlSessions } from './sql-sessions.js';
import { migrate, missingIn, recordTableName } from './sql.migrations.js';
import type { EditTables, OfficialRecord } from './sql.migrations.js';
import type { SqlDatabase, SqlDialect } from './sql.dialect.js';

/** Options of every storage over SQL. */
export interface SqlStorageOptions {
  /** @default the name the official storage uses, whose data is read as it is */
  readonly sessionTableName?: string | undefined;
  /** Where the official storage has noted what it did to the table. */
  readonly migratorOptions?: OfficialRecord | undefined;
  /** Ends what leases and waits there are. @default the system's clock */
  readonly clock?: Clock | undefined;
}

/** Keeps sessions as rows of a table, and everything else in a table beside it. */
export function sqlTables(
  dialect: SqlDialect,
  edit: EditTables,
  { clock = systemClock, migratorOptions = {}, sessionTableName }: SqlStorageOptions,
): Omit<StorageEngine<SqlDatabase>, 'reach' | 'errorFor'> {
  const table = checkedTableName(dialect, sessionTableName ?? SESSION_TABLES.sessions);
  return {
    clock,
    place: `The table ${table}`,
    preparing: `set up the table ${table}`,
    async prepare(database) {
      await migrate(database, edit, table, migratorOptions);
      const [sessions, records] = [table, recordTableName(table)].map(dialect.quote);
      return {
        sessions: sqlSessions(database, dialect, sessions!, clock),
        records: sqlRecords(database.run, dialect, records!, clock),
      };
    },
    missing: async ({ run }) => missingIn(await edit(run, table, false), table),
  };
}

function checkedTableName({ names }: SqlDialect, given: string): string {
  const name = String(given);
  if (!names) return name;
  const longest = names.longest - recordTableName('').length;
  const length = names.unit === 'bytes' ? Buffer.byteLength(name) : name.length;
  if (length > 0 && length <= longest) return name;
  throw new MissingRequiredArgument(
    `${names.engine} storage needs a sessionTableName of 1 to ${longest} ${names.unit}; it has ${length}.`,
  );
}
