import { existsSync } from 'node:fs';

import type { Clock } from '../../../core/time/clock.js';
import type { Session } from '../../session.js';
import { SessionStorageError } from '../../sessions.errors.js';
import { SqlSessionStorage } from '../sql/sql-session.storage.js';
import type { SqlStorageOptions } from '../sql/sql-session.storage.js';
import { IN_MEMORY } from './sqlite-file.js';
import { SqliteConnection } from './sqlite.connection.js';
import type { SqliteFileDatabase } from './sqlite.connection.js';
import { sqliteDialect } from './sqlite.dialect.js';
import { textOrNull } from './sqlite.driver.js';
import { editSqlite } from './sqlite.migrations.js';

export interface SqliteSessionStorageOptions extends SqlStorageOptions {
  /** Waits between attempts on a locked file, and ends leases. @default the system's clock */
  readonly clock?: Clock | undefined;
}

/**
 * Keeps sessions in one SQLite file, which several processes of one machine may share. Needs the
 * optional dependency `libsql`.
 *
 * The file is opened, and brought to the current shape, on first use; what fails then is tried
 * again by the next call. It is opened anew after it could not be read or written, so that a disk
 * that was read-only is used once it can be written. Times are kept in whole seconds. Every method
 * throws {@link SessionStorageError} when the file cannot be used and {@link MissingDriverError}
 * without `libsql`.
 * @example new SqliteSessionStorage('data/sessions.db')
 */
export class SqliteSessionStorage extends SqlSessionStorage<SqliteFileDatabase> {
  // Without the parameter for the clock, which would cost a fifth of it.
  readonly #load = `${this.sql.select} WHERE id = ?`;

  /** @param filename path of the file, or `:memory:` */
  constructor(
    private readonly filename: string,
    options: SqliteSessionStorageOptions = {},
  ) {
    super(
      {
        dialect: sqliteDialect,
        edit: editSqlite,
        connect: (...opening) => new SqliteConnection(filename, ...opening),
      },
      options,
    );
  }

  /** By itself: the file is in this process, and there is no trip to be shared. */
  override async loadSession(id: string): Promise<Session | undefined> {
    const parameters = [textOrNull(id)];
    const row = await this.run('load a session', ({ database }) =>
      database.read((file) => file.prepare(this.#load).get(parameters)),
    );
    return row && this.sessionIn(JSON.parse(String(row[0])) as unknown[]);
  }

  override async verify(): Promise<void> {
    if (this.filename !== IN_MEMORY && !existsSync(this.filename))
      throw new SessionStorageError(
        `There is no file ${this.filename}. It is made on first use: await storage.ready.`,
      );
    await super.verify();
  }

  protected override get place(): string {
    return `The SQLite file ${this.filename}`;
  }
}
