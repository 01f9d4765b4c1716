import { MissingRequiredArgument } from '../../../core/core.errors.js';
import { systemClock } from '../../../core/time/clock.js';
import type { Clock } from '../../../core/time/clock.js';
import { SESSION_TABLES } from '../../../core/vendor.js';
import type { SessionStorageError } from '../../sessions.errors.js';
import type { EngineTables, StorageEngine } from '../connection/engine-session.storage.js';
import type { Reached } from '../connection/engine.connection.js';
import { sqlRecords } from './sql-record.store.js';
import { sqlSessions } from './sql-sessions.js';
import { migrate, missingIn, recordTableName } from './sql.migrations.js';
import type { OfficialRecord } from './sql.migrations.js';
import type { SqlDatabase, SqlDialect } from './sql.dialect.js';
import type { EditTables } from './table-editor.js';

/** Options of every storage over SQL. */
export interface SqlStorageOptions {
  /** @default the name the official storage uses, whose data is read as it is */
  readonly sessionTableName?: string | undefined;
  /** Where the official storage has noted what it did to the table. */
  readonly migratorOptions?: OfficialRecord | undefined;
  /** @default the system's clock */
  readonly clock?: Clock | undefined;
}

/** Keeps sessions as rows of a table, and everything else in a table beside it. */
export abstract class SqlEngine implements StorageEngine<SqlDatabase> {
  readonly clock: Clock;
  readonly preparing: string;
  readonly #table: string;
  readonly #official: OfficialRecord;

  /** @throws {MissingRequiredArgument} unless the record table's name has place beside it */
  constructor(
    protected readonly dialect: SqlDialect,
    private readonly edit: EditTables,
    options: SqlStorageOptions,
  ) {
    this.clock = options.clock ?? systemClock;
    this.#official = options.migratorOptions ?? {};
    this.#table = checkedTableName(dialect, options.sessionTableName ?? SESSION_TABLES.sessions);
    this.preparing = `set up the table ${this.#table}`;
  }

  get place(): string {
    return `The table ${this.#table}`;
  }

  abstract reach(): Promise<Reached<SqlDatabase>>;
  abstract errorFor(what: string, cause: unknown): SessionStorageError;

  async prepare(database: SqlDatabase): Promise<EngineTables> {
    const { dialect, clock } = this;
    await migrate(database, this.edit, this.#table, this.#official);
    const [sessions, records] = [this.#table, recordTableName(this.#table)].map(dialect.quote);
    return {
      sessions: sqlSessions(database, dialect, sessions!, clock),
      records: sqlRecords(database.run, dialect, records!, clock),
    };
  }

  async missing({ run }: SqlDatabase): Promise<readonly string[]> {
    return missingIn(await this.edit(run, this.#table, false), this.#table);
  }
}

/** @throws {MissingRequiredArgument} unless the record table's name has place beside it */
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
