import { MissingRequiredArgument } from '../../../core/core.errors.js';
import type { Clock } from '../../../core/time/clock.js';
import { SessionStorageError } from '../../sessions.errors.js';
import { EngineConnection } from '../connection/engine.connection.js';
import type { Preparation, Reached } from '../connection/engine.connection.js';
import type { SqlDatabase, SqlResult, SqlRun, SqlValue } from '../sql/sql.dialect.js';
import { SqliteFile } from './sqlite-file.js';
import { textOrNull } from './sqlite.driver.js';
import type { SqliteDatabase, SqliteValue } from './sqlite.driver.js';

/** A file, for one storage. */
export interface SqliteFileDatabase extends SqlDatabase {
  /** @see SqliteFile.read */
  read<T>(work: (database: SqliteDatabase) => T): T | Promise<T>;
}

/** One storage's use of a file that others may share: its waits and leases follow its own clock. */
export class SqliteConnection<Engine> extends EngineConnection<SqliteFileDatabase, Engine> {
  /** @throws {MissingRequiredArgument} when it is no name of a file */
  constructor(
    private readonly filename: string,
    clock: Clock,
    preparation: Preparation<SqliteFileDatabase, Engine>,
  ) {
    super(clock, preparation);
    if (typeof filename === 'string' && filename !== '') return;
    throw new MissingRequiredArgument(
      `SQLite storage needs a file name, such as "data/sessions.db".${adviceAbout(filename)}`,
    );
  }

  protected async reach(): Promise<Reached<SqliteFileDatabase>> {
    const { clock } = this;
    const file = SqliteFile.at(this.filename);
    const runOn =
      (database: SqliteDatabase): SqlRun =>
      async (sql, values) =>
        this.#sent(database, sql, values);
    const server: SqliteFileDatabase = {
      read: (work) => file.read(clock, work),
      run: async (sql, values) => {
        const work = (database: SqliteDatabase): SqlResult => this.#sent(database, sql, values);
        return sql.startsWith('SELECT') ? file.read(clock, work) : file.write(clock, work);
      },
      migrate: (work) => file.transaction(clock, (database) => work(runOn(database))),
    };
    const close = async (callsOver: Promise<void>): Promise<void> => {
      await callsOver;
      await file.close();
    };
    return { server, close };
  }

  /** What fails for another reason than the file says so itself. */
  protected errorFor(what: string, cause: unknown): SessionStorageError {
    return new SessionStorageError(`SQLite could not ${what}: ${String(cause)}.`, { cause });
  }

  #sent(database: SqliteDatabase, sql: string, values?: readonly SqlValue[]): SqlResult {
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
