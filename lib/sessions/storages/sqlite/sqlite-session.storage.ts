import { systemClock } from '../../../core/time/clock.js';
import type { Clock } from '../../../core/time/clock.js';
import { MissingRequiredArgument } from '../../../core/core.errors.js';
import { SESSION_TABLES } from '../../../core/vendor.js';
import type { Session } from '../../session.js';
import { SessionStorageError } from '../../sessions.errors.js';
import { SqlSessionStorage } from '../sql/sql-session.storage.js';
import { SqliteConnection } from './sqlite.connection.js';
import { sqliteDialect } from './sqlite.dialect.js';
import { textOrNull } from './sqlite.driver.js';
import { migrate, missingIn } from './sqlite.migrations.js';

export interface SqliteSessionStorageOptions {
  /** @default the name the official storage uses, whose data is read as it is */
  readonly sessionTableName?: string | undefined;
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
export class SqliteSessionStorage extends SqlSessionStorage<SqliteConnection> {
  readonly #filename: string;
  readonly #clock: Clock;
  readonly #load: string;
  readonly #delete: string;
  #connection: SqliteConnection | undefined;
  /** Known once the tables are there: a load need not wait a turn for it. */
  #migrated: SqliteConnection | undefined;

  /** @param filename path of the file, or `:memory:` */
  constructor(filename: string, options: SqliteSessionStorageOptions = {}) {
    const { sessionTableName = SESSION_TABLES.sessions, clock = systemClock } = options;
    super(sqliteDialect, sessionTableName, clock);
    if (typeof filename !== 'string' || filename === '') {
      throw new MissingRequiredArgument(
        'SQLite storage needs a file name, such as "data/sessions.db".',
      );
    }
    this.#filename = filename;
    this.#clock = clock;
    const table = sqliteDialect.quote(sessionTableName);
    // Without the parameter for the clock, which would cost a fifth of it.
    this.#load = `${this.sql.select} WHERE id = ?`;
    this.#delete = `DELETE FROM ${table} WHERE id IN (SELECT value FROM json_each(?2))`;
  }

  async loadSession(id: string): Promise<Session | undefined> {
    const connection = this.#migrated ?? (await this.open());
    const parameters = [textOrNull(id)];
    const row = await connection.read((database) => database.prepare(this.#load).get(parameters));
    return row && this.sessionIn(JSON.parse(String(row[0])) as unknown[]);
  }

  async deleteSessions(ids: string[]): Promise<boolean> {
    await this.run('delete sessions', this.#delete, [JSON.stringify(ids)]);
    return true;
  }

  protected override get place(): string {
    return `The SQLite file ${this.#filename}`;
  }

  protected override async migrate(): Promise<SqliteConnection> {
    const connection = this.#opened();
    await connection.write((database) => migrate(database, this.table));
    // Unless it was closed meanwhile.
    if (this.#connection === connection) this.#migrated = connection;
    return connection;
  }

  protected override async missing(): Promise<string[]> {
    const connection = this.#opened();
    if (!connection.exists)
      throw new SessionStorageError(
        `There is no file ${this.#filename}. It is made on first use: await storage.ready.`,
      );
    return connection.read((database) => missingIn(database, this.table));
  }

  /** The file is closed once no other storage of this process uses it. */
  protected override async release(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    this.#migrated = undefined;
    await connection?.close();
  }

  /** The file as it is. */
  #opened(): SqliteConnection {
    this.#connection ??= SqliteConnection.to(this.#filename, this.#clock);
    return this.#connection;
  }
}
