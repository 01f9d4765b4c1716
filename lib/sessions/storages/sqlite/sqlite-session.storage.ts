import { systemClock } from '../../../core/time/clock.js';
import type { Clock } from '../../../core/time/clock.js';
import { MissingRequiredArgument } from '../../../core/core.errors.js';
import { SESSION_TABLES } from '../../../core/vendor.js';
import type { Session } from '../../session.js';
import { SessionStorageError } from '../../sessions.errors.js';
import type { CoordinationStores } from '../../coordination/coordination-stores.js';
import { SESSION_COLUMNS, cellsOf, sessionInCells } from '../sql/session-row.js';
import type { Cell } from '../sql/session-row.js';
import { TableSessionStorage } from '../sql/table-session.storage.js';
import { SqliteInstallationStore } from './sqlite-installation.store.js';
import { SqliteWebhookInbox } from './sqlite-webhook.inbox.js';
import { SqliteConnection } from './sqlite.connection.js';
import type { SqliteRow, SqliteValue } from './sqlite.driver.js';
import { SqliteLock } from './sqlite.lock.js';
import { migrate, missingIn, quoted } from './sqlite.migrations.js';

export interface SqliteSessionStorageOptions {
  /** @default the name the official storage uses, whose data is read as it is */
  readonly sessionTableName?: string | undefined;
  /** Waits between attempts on a locked file, and ends leases. @default the system's clock */
  readonly clock?: Clock | undefined;
}

/** Times in whole seconds, flags as 0 and 1. */
const FORMAT = { timeUnits: { expires: 1000, refreshTokenExpires: 1000 }, flag: Number };

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
export class SqliteSessionStorage extends TableSessionStorage<SqliteConnection> {
  /** In tables of the same file. */
  override readonly companions: CoordinationStores;
  readonly #filename: string;
  readonly #name: string;
  readonly #clock: Clock;
  readonly #sql: ReturnType<typeof statementsOver>;
  #connection: SqliteConnection | undefined;
  /** Known once the tables are there: a load need not wait a turn for it. */
  #migrated: SqliteConnection | undefined;

  /** @param filename path of the file, or `:memory:` */
  constructor(filename: string, options: SqliteSessionStorageOptions = {}) {
    const { sessionTableName = SESSION_TABLES.sessions, clock = systemClock } = options;
    super(clock);
    if (typeof filename !== 'string' || filename === '') {
      throw new MissingRequiredArgument(
        'SQLite storage needs a file name, such as "data/sessions.db".',
      );
    }
    this.#filename = filename;
    this.#name = sessionTableName;
    this.#clock = clock;
    this.#sql = statementsOver(quoted(this.#name));
    const open = (): Promise<SqliteConnection> => this.open();
    this.companions = {
      lock: new SqliteLock(open, this.#name, this.#clock),
      installations: new SqliteInstallationStore(open, this.#name),
      inbox: new SqliteWebhookInbox(open, this.#name, this.#clock),
    };
  }

  async storeSession(session: Session): Promise<boolean> {
    await this.#write(this.#sql.store, valuesOf(session));
    return true;
  }

  async loadSession(id: string): Promise<Session | undefined> {
    const parameters = [textOrNull(id)];
    const connection = this.#migrated ?? (await this.open());
    const row = await connection.read((database) =>
      database.prepare(this.#sql.load).get(parameters),
    );
    return row && sessionIn(row);
  }

  async deleteSessions(ids: string[]): Promise<boolean> {
    await this.#write(this.#sql.delete, [JSON.stringify(ids)]);
    return true;
  }

  findSessionsByShop(shop: string): Promise<Session[]> {
    return this.#find(this.#sql.findByShop, [textOrNull(shop)]);
  }

  override async replaceSession(session: Session, previous: Session): Promise<boolean> {
    const tokens = [previous.accessToken, previous.refreshToken].map(
      (token) => textOrNull(token) ?? '',
    );
    return (await this.#write(this.#sql.replace, [...valuesOf(session), ...tokens])) === 1;
  }

  override listSessions({
    after,
    limit,
  }: {
    readonly after?: string | undefined;
    readonly limit: number;
  }): Promise<Session[]> {
    return this.#find(this.#sql.list, [after ?? '', textOrNull(after), limit]);
  }

  protected override get place(): string {
    return `The SQLite file ${this.#filename}`;
  }

  protected override async migrate(): Promise<SqliteConnection> {
    const connection = this.#opened();
    await connection.write((database) => migrate(database, this.#name));
    // Unless it was closed meanwhile.
    if (this.#connection === connection) this.#migrated = connection;
    return connection;
  }

  protected override deleteExpired(moment: Date, limit: number): Promise<number> {
    return this.#write(this.#sql.deleteExpired, [moment.getTime() / 1000, limit]);
  }

  protected override async missing(): Promise<string[]> {
    const connection = this.#opened();
    if (!connection.exists)
      throw new SessionStorageError(
        `There is no file ${this.#filename}. It is made on first use: await storage.ready.`,
      );
    return connection.read((database) => missingIn(database, this.#name));
  }

  /** The file is closed once no other storage of this process uses it. */
  protected override async release(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    this.#migrated = undefined;
    await connection?.close();
  }

  async #find(sql: string, parameters: readonly SqliteValue[]): Promise<Session[]> {
    const connection = await this.open();
    const rows = await connection.read((database) => database.prepare(sql).all(parameters));
    return rows.map(sessionIn);
  }

  /** Answers with how many rows it changed. */
  async #write(sql: string, parameters: readonly SqliteValue[]): Promise<number> {
    const connection = await this.open();
    const { changes } = await connection.write((database) => database.prepare(sql).run(parameters));
    return changes;
  }

  /** The file as it is. */
  #opened(): SqliteConnection {
    this.#connection ??= SqliteConnection.to(this.#filename, this.#clock);
    return this.#connection;
  }
}

function statementsOver(table: string) {
  const names = SESSION_COLUMNS.join(', ');
  // The driver hands out one text faster than a value for each column.
  const session = `json_array(${names})`;
  const placeholders = SESSION_COLUMNS.map((_, index) => `?${index + 1}`);
  const sets = SESSION_COLUMNS.map((name, index) => `${name} = ${placeholders[index]}`).join(', ');
  const [accessToken, refreshToken] = [
    `?${SESSION_COLUMNS.length + 1}`,
    `?${SESSION_COLUMNS.length + 2}`,
  ];
  return {
    store: `INSERT INTO ${table} (${names}) VALUES (${placeholders.join(', ')}) ON CONFLICT (id) DO UPDATE SET ${sets}`,
    load: `SELECT ${session} FROM ${table} WHERE id = ?`,
    delete: `DELETE FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`,
    findByShop: `SELECT ${session} FROM ${table} WHERE shop = ?`,
    replace: `UPDATE ${table} SET ${sets} WHERE id = ?1 AND coalesce(accessToken, '') = ${accessToken} AND coalesce(refreshToken, '') = ${refreshToken}`,
    deleteExpired: `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE isOnline = 1 AND expires > 0 AND expires < ? LIMIT ?)`,
    // From the first text there is on; the second parameter is null then, and keeps out the session
    // the page before ended with else.
    list: `SELECT ${session} FROM ${table} WHERE id >= ? AND id IS NOT ? ORDER BY id LIMIT ?`,
  };
}

/** The session in the columns' order, as the driver takes it. */
function valuesOf(session: Session): SqliteValue[] {
  return cellsOf(session, FORMAT).map((cell) =>
    typeof cell === 'string' ? textOrNull(cell) : numberOrNull(cell),
  );
}

function sessionIn([cells]: SqliteRow): Session {
  return sessionInCells(JSON.parse(String(cells)) as Cell[], FORMAT);
}

/** The driver ends the process over a boolean. */
function numberOrNull(cell: Exclude<Cell, string>): number | null {
  return cell === null ? null : Number(cell);
}

/** @throws {SessionStorageError} for a text that SQLite would cut off */
function textOrNull(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  // The driver makes 1.0 of a number in a column of texts.
  const text = String(value);
  if (text.includes('\0'))
    throw new SessionStorageError('SQLite keeps no text with a NUL character in it.');
  return text;
}
