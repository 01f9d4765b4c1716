import { existsSync } from 'node:fs';

import { MissingRequiredArgument } from '../../../core/core.errors.js';
import { SessionStorageError } from '../../sessions.errors.js';
import type { StorageEngine } from '../connection/engine-session.storage.js';
import { sqlTables } from '../sql/sql-engine.js';
import type { SqlStorageOptions } from '../sql/sql-engine.js';
import type { SqlDatabase, SqlResult, SqlValue } from '../sql/sql.dialect.js';
import { IN_MEMORY, SqliteFile } from './sqlite-file.js';
import { sqliteDialect } from './sqlite.dialect.js';
import { textOrNull } from './sqlite.driver.js';
import type { SqliteDatabase } from './sqlite.driver.js';
import { editSqlite } from './sqlite.migrations.js';

/** One storage's use of a file that others may share: its waits and leases follow its own clock. */
export function sqliteEngine(
  filename: string,
  options: SqlStorageOptions,
): StorageEngine<SqlDatabase> {
  if (typeof filename !== 'string' || filename === '')
    throw new MissingRequiredArgument(
      `SQLite storage needs a file name, such as "data/sessions.db".${adviceAbout(filename)}`,
    );
  const tables = sqlTables(sqliteDialect, editSqlite, options);
  const { clock } = tables;

  function sent(database: SqliteDatabase, sql: string, values?: readonly SqlValue[]): SqlResult {
    const isSelect = sql.startsWith('SELECT');
    if (!values && !isSelect) {
      database.exec(sql);
      return { rows: [], changes: 0 };
    }
    // When its turn has come: a write may have waited for the file.
    const given = (values ?? []).map((one) => (typeof one === 'number' ? one : textOrNull(one)));
    const parameters = [clock.now().getTime(), ...given];
    const statement = database.prepare(sql);
    if (!isSelect) return { rows: [], changes: statement.run(parameters).changes };
    return { rows: statement.all(parameters).map(([cells]) => ({ cells })), changes: 0 };
  }

  return {
    ...tables,
    place: `The SQLite file ${filename}`,
    async reach() {
      const file = SqliteFile.at(filename);
      const server: SqlDatabase = {
        run: async (sql, values) => {
          const work = (database: SqliteDatabase): SqlResult => sent(database, sql, values);
          return sql.startsWith('SELECT') ? file.read(clock, work) : file.write(clock, work);
        },
        // Without the parameter for the clock, which would cost a fifth of it.
        read: (sql, id) => {
          const parameters = [textOrNull(id)];
          return file.read(clock, (database) => database.prepare(sql).get(parameters)?.[0]);
        },
        migrate: (work) =>
          file.transaction(clock, (database) =>
            work(async (sql, values) => sent(database, sql, values)),
          ),
      };
      return { server, close: (callsOver) => callsOver.then(() => file.close()) };
    },
    /** What fails for another reason than the file says so itself. */
    errorFor: (what, cause) =>
      new SessionStorageError(`SQLite could not ${what}: ${String(cause)}.`, { cause }),
    async missing(database) {
      if (filename === IN_MEMORY || existsSync(filename)) return tables.missing(database);
      throw new SessionStorageError(
        `There is no file ${filename}. It is made on first use: await storage.ready.`,
      );
    },
  };
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
