import { existsSync } from 'node:fs';

import { MissingRequiredArgument } from '../../../core/core.errors.js';
import { SessionStorageError } from '../../sessions.errors.js';
import type { Reached } from '../connection/engine.connection.js';
import { SqlEngine } from '../sql/sql-engine.js';
import type { SqlStorageOptions } from '../sql/sql-engine.js';
import type { SqlDatabase, SqlResult, SqlValue } from '../sql/sql.dialect.js';
import { IN_MEMORY, SqliteFile } from './sqlite-file.js';
import { sqliteDialect } from './sqlite.dialect.js';
import { textOrNull } from './sqlite.driver.js';
import type { SqliteDatabase, SqliteValue } from './sqlite.driver.js';
import { editSqlite } from './sqlite.migrations.js';

/** One storage's use of a file that others may share: its waits and leases follow its own clock. */
export class SqliteEngine extends SqlEngine {
  /** @throws {MissingRequiredArgument} when it is no name of a file */
  constructor(
    private readonly filename: string,
    options: SqlStorageOptions,
  ) {
    super(sqliteDialect, editSqlite, options);
    if (typeof filename === 'string' && filename !== '') return;
    throw new MissingRequiredArgument(
      `SQLite storage needs a file name, such as "data/sessions.db".${adviceAbout(filename)}`,
    );
  }

  override get place(): string {
    return `The SQLite file ${this.filename}`;
  }

  async reach(): Promise<Reached<SqlDatabase>> {
    const { clock } = this;
    const file = SqliteFile.at(this.filename);
    const server: SqlDatabase = {
      run: async (sql, values) => {
        const work = (database: SqliteDatabase): SqlResult => this.#sent(database, sql, values);
        return sql.startsWith('SELECT') ? file.read(clock, work) : file.write(clock, work);
      },
      // Without the parameter for the clock, which would cost a fifth of it.
      read: (sql, id) => {
        const parameters = [textOrNull(id)];
        return file.read(clock, (database) => database.prepare(sql).get(parameters)?.[0]);
      },
      migrate: (work) =>
        file.transaction(clock, (database) =>
          work(async (sql, values) => this.#sent(database, sql, values)),
        ),
    };
    const close = (callsOver: Promise<void>): Promise<void> => callsOver.then(() => file.close());
    return { server, close };
  }

  /** What fails for another reason than the file says so itself. */
  errorFor(what: string, cause: unknown): SessionStorageError {
    return new SessionStorageError(`SQLite could not ${what}: ${String(cause)}.`, { cause });
  }

  override async missing(database: SqlDatabase): Promise<readonly string[]> {
    if (this.filename === IN_MEMORY || existsSync(this.filename)) return super.missing(database);
    throw new SessionStorageError(
      `There is no file ${this.filename}. It is made on first use: await storage.ready.`,
    );
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
