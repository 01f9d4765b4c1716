import { MissingRequiredArgument } from '../../../core/core.errors.js';
import type { Clock } from '../../../core/time/clock.js';
import { runStepsAtOnce } from '../sql/sql.dialect.js';
import type {
  SqlConnection,
  SqlResult,
  SqlRun,
  SqlStatement,
  SqlSteps,
  SqlValue,
} from '../sql/sql.dialect.js';
import { SqliteFile } from './sqlite-file.js';
import { textOrNull } from './sqlite.driver.js';
import type { SqliteDatabase, SqliteValue } from './sqlite.driver.js';

/** One storage's use of a file that others may share: its waits and leases follow its own clock. */
export class SqliteConnection implements SqlConnection {
  #file: SqliteFile | undefined;

  /** @throws {MissingRequiredArgument} when it is no name of a file */
  constructor(
    readonly filename: string,
    private readonly clock: Clock,
  ) {
    if (typeof filename === 'string' && filename !== '') return;
    throw new MissingRequiredArgument(
      `SQLite storage needs a file name, such as "data/sessions.db".${adviceAbout(filename)}`,
    );
  }

  /** False when the file is yet to be made. */
  get exists(): boolean {
    return this.#opened.exists;
  }

  /** @see SqliteFile.read */
  read<T>(work: (database: SqliteDatabase) => T): T | Promise<T> {
    return this.#opened.read(this.clock, work);
  }

  /** @see SqliteFile.write */
  write<T>(work: (database: SqliteDatabase) => T): Promise<T> {
    return this.#opened.write(this.clock, work);
  }

  /** What it is for goes without saying: a message names the file. */
  async run(_: string, sql: string, values?: readonly SqlValue[]): Promise<SqlResult> {
    const work = (database: SqliteDatabase): SqlResult => this.#sent(database, { sql, values });
    return sql.startsWith('SELECT') ? this.read(work) : this.write(work);
  }

  series<T>(what: string, work: (run: SqlRun) => Promise<T>): Promise<T> {
    return work((sql, values) => this.run(what, sql, values));
  }

  async look<T>(_: string, steps: () => SqlSteps<T>): Promise<T> {
    return this.read((database) =>
      runStepsAtOnce(steps(), (statement) => this.#sent(database, statement)),
    );
  }

  migrate(_: string, steps: () => SqlSteps<void>): Promise<void> {
    return this.write((database) => {
      // The file remembers it: reads wait for no writer.
      database.exec('PRAGMA journal_mode = WAL');
      // Holds the write lock from the start.
      database.exec('BEGIN IMMEDIATE');
      try {
        runStepsAtOnce(steps(), (statement) => this.#sent(database, statement));
        database.exec('COMMIT');
      } catch (error) {
        if (database.inTransaction) database.exec('ROLLBACK');
        throw error;
      }
    });
  }

  /** The file is closed once no other storage of this process uses it. */
  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }

  get #opened(): SqliteFile {
    return (this.#file ??= SqliteFile.at(this.filename));
  }

  #sent(database: SqliteDatabase, { sql, values }: SqlStatement): SqlResult {
    const isSelect = sql.startsWith('SELECT');
    if (!values && !isSelect) {
      database.exec(sql);
      return { rows: [], changes: 0 };
    }
    // When its turn has come: a write may have waited for the file.
    const parameters = [this.clock.now().getTime(), ...(values ?? []).map(parameterOf)];
    const statement = database.prepare(sql);
    if (!isSelect) return { rows: [], changes: statement.run(parameters).changes };
    return { rows: statement.all(parameters).map(([cells]) => ({ cells })), changes: 0 };
  }
}

/** As the driver takes it: it ends the process over a boolean. */
function parameterOf(value: SqlValue): SqliteValue {
  return typeof value === 'number' ? value : textOrNull(value);
}

/**
 * An open database, which the official storage takes. The file of one cannot be opened beside it:
 * when another copy of SQLite in the process closes a file, the operating system drops the locks of
 * both.
 * @see https://sqlite.org/howtocorrupt.html
 */
function adviceAbout(given: unknown): string {
  if (typeof given !== 'object' || given === null) return '';
  // `sqlite3` calls it one way, `better-sqlite3` the other.
  const { filename, name } = given as { readonly filename?: unknown; readonly name?: unknown };
  const path = [filename, name].find((one) => typeof one === 'string' && one !== '');
  return (
    ' It was given an object: an open database cannot be used, nor its file beside it. ' +
    `Close the database and pass ${path === undefined ? 'the name of its file' : JSON.stringify(path)}.`
  );
}
