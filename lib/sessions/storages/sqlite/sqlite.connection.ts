import type { Clock } from '../../../core/time/clock.js';
import type { SqlConnection, SqlResult, SqlRun, SqlValue } from '../sql/sql.dialect.js';
import { SqliteFile } from './sqlite-file.js';
import { textOrNull } from './sqlite.driver.js';
import type { SqliteDatabase, SqliteValue } from './sqlite.driver.js';

/** One storage's use of a file that others may share: its waits and leases follow its own clock. */
export class SqliteConnection implements SqlConnection {
  /** The connection to a file, opened on first use. Each caller closes it once. */
  static to(filename: string, clock: Clock): SqliteConnection {
    return new SqliteConnection(SqliteFile.at(filename), clock);
  }

  private constructor(
    private readonly file: SqliteFile,
    private readonly clock: Clock,
  ) {}

  /** False when the file is yet to be made. */
  get exists(): boolean {
    return this.file.exists;
  }

  /** @see SqliteFile.read */
  read<T>(work: (database: SqliteDatabase) => T): T | Promise<T> {
    return this.file.read(this.clock, work);
  }

  /** @see SqliteFile.write */
  write<T>(work: (database: SqliteDatabase) => T): Promise<T> {
    return this.file.write(this.clock, work);
  }

  /**
   * Runs a statement of the dialect: what it selects, or how many rows it changes. What it is for
   * goes without saying: a message names the file.
   */
  async run(_: string, sql: string, values: readonly SqlValue[]): Promise<SqlResult> {
    const parameters: SqliteValue[] = [null, ...values.map(parameterOf)];
    const isSelect = sql.startsWith('SELECT');
    const work = (database: SqliteDatabase): SqlResult => {
      // When its turn has come: a write may have waited for the file.
      parameters[0] = this.clock.now().getTime();
      const statement = database.prepare(sql);
      if (!isSelect) return { rows: [], changes: statement.run(parameters).changes };
      return { rows: statement.all(parameters).map(([cells]) => ({ cells })), changes: 0 };
    };
    return isSelect ? this.read(work) : this.write(work);
  }

  series<T>(what: string, work: (run: SqlRun) => Promise<T>): Promise<T> {
    return work((sql, values = []) => this.run(what, sql, values));
  }

  /** @see SqliteFile.close */
  close(): Promise<void> {
    return this.file.close();
  }
}

/** Runs `work` as a whole or not at all, holding the write lock from the start. */
export function inTransaction(database: SqliteDatabase, work: () => void): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    work();
    database.exec('COMMIT');
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** As the driver takes it: it ends the process over a boolean. */
function parameterOf(value: SqlValue): SqliteValue {
  return typeof value === 'number' ? value : textOrNull(value);
}
