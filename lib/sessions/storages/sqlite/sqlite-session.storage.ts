import { systemClock } from '../../../core/clock.js';
import type { Clock } from '../../../core/clock.js';
import { MissingRequiredArgument } from '../../../core/core.errors.js';
import { SESSION_TABLES } from '../../../core/vendor.js';
import { propertiesOf } from '../../session.properties.js';
import type { PropertyValue } from '../../session.properties.js';
import { Session } from '../../session.js';
import { SessionStorageError } from '../../sessions.errors.js';
import { SessionStorage } from '../../session.storage.js';
import { COLUMNS, migrate, quoted } from './session.table.js';
import { SqliteConnection } from './sqlite.connection.js';
import type { SqliteDatabase, SqliteRow, SqliteStatement, SqliteValue } from './sqlite.driver.js';

export interface SqliteSessionStorageOptions {
  /** @default the name the official storage uses, whose data is read as it is */
  readonly sessionTableName?: string | undefined;
  /** Waits between attempts on a locked file. @default the system's clock */
  readonly clock?: Clock | undefined;
}

/** An open file with the statements of one table. */
interface OpenTable {
  readonly connection: SqliteConnection;
  readonly store: SqliteStatement;
  readonly load: SqliteStatement;
  readonly delete: SqliteStatement;
  readonly findByShop: SqliteStatement;
}

const NAMES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];
const TIMES: ReadonlySet<string> = new Set(['expires', 'refreshTokenExpires']);

/**
 * Keeps sessions in one SQLite file, which several processes of one machine may share. Needs the optional dependency `libsql`.
 *
 * The file is opened, and brought to the current shape, on first use; what fails then is tried again by the next call. Times are kept in
 * whole seconds. Every method throws {@link SessionStorageError} when the file cannot be used and {@link MissingDriverError} without `libsql`.
 * @example new SqliteSessionStorage('data/sessions.db')
 */
export class SqliteSessionStorage extends SessionStorage {
  readonly #filename: string;
  readonly #name: string;
  readonly #clock: Clock;
  #table: Promise<OpenTable> | undefined;

  /** @param filename path of the file, or `:memory:` */
  constructor(filename: string, options: SqliteSessionStorageOptions = {}) {
    super();
    if (typeof filename !== 'string' || filename === '') {
      throw new MissingRequiredArgument('SQLite storage needs a file name, such as "data/sessions.db".');
    }
    this.#filename = filename;
    this.#name = options.sessionTableName ?? SESSION_TABLES.sessions;
    this.#clock = options.clock ?? systemClock;
  }

  /** Resolves when the file is open and its tables are there; opens it if need be. */
  get ready(): Promise<void> {
    return this.#open().then(() => {});
  }

  async storeSession(session: Session): Promise<boolean> {
    const values = valuesOf(session);
    const { connection, store } = await this.#open();
    await connection.write(() => store.run(values));
    return true;
  }

  async loadSession(id: string): Promise<Session | undefined> {
    const parameters = [textOrNull(id)];
    const { connection, load } = await this.#open();
    const row = await connection.read(() => load.get(parameters));
    return row && sessionIn(row);
  }

  deleteSession(id: string): Promise<boolean> {
    return this.deleteSessions([id]);
  }

  async deleteSessions(ids: string[]): Promise<boolean> {
    const table = await this.#open();
    await table.connection.write(() => table.delete.run([JSON.stringify(ids)]));
    return true;
  }

  async findSessionsByShop(shop: string): Promise<Session[]> {
    const parameters = [textOrNull(shop)];
    const { connection, findByShop } = await this.#open();
    const rows = await connection.read(() => findByShop.all(parameters));
    return rows.map(sessionIn);
  }

  /** Closes the file once no other storage of this process uses it. A later call opens it again. */
  override async close(): Promise<void> {
    const table = this.#table;
    this.#table = undefined;
    await (await table?.catch(() => undefined))?.connection.close();
  }

  #open(): Promise<OpenTable> {
    this.#table ??= this.#prepare().catch((error: unknown) => {
      this.#table = undefined;
      throw error;
    });
    return this.#table;
  }

  async #prepare(): Promise<OpenTable> {
    const connection = SqliteConnection.to(this.#filename, this.#clock);
    try {
      await connection.write((database) => migrate(database, this.#name));
      return await connection.read((database) => ({ connection, ...statementsFor(database, quoted(this.#name)) }));
    } catch (error) {
      await connection.close();
      throw error;
    }
  }
}

function statementsFor(database: SqliteDatabase, table: string): Omit<OpenTable, 'connection'> {
  const updates = NAMES.map((name) => `${name} = excluded.${name}`);
  return {
    store: database.prepare(
      `INSERT INTO ${table} (${NAMES.join(', ')}) VALUES (${NAMES.map(() => '?').join(', ')}) ON CONFLICT (id) DO UPDATE SET ${updates.join(', ')}`,
    ),
    load: database.prepare(`SELECT ${NAMES.join(', ')} FROM ${table} WHERE id = ?`),
    delete: database.prepare(`DELETE FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`),
    findByShop: database.prepare(`SELECT ${NAMES.join(', ')} FROM ${table} WHERE shop = ?`),
  };
}

/** What a session is in the columns' order: times in seconds, flags as 0 and 1, what is not set as NULL. */
function valuesOf(session: Session): SqliteValue[] {
  const properties = new Map<string, PropertyValue>(propertiesOf(session, true));
  return NAMES.map((name) => {
    const value = properties.get(name);
    if (value === undefined || !COLUMNS[name].startsWith('integer')) return textOrNull(value);
    return TIMES.has(name) ? Math.floor(Number(value) / 1000) : Number(value);
  });
}

function sessionIn(row: SqliteRow): Session {
  const entries = NAMES.map((name) => [name, inMilliseconds(name, row[name])] as const);
  return Session.fromPropertyArray(entries, true);
}

function inMilliseconds(name: string, value: SqliteValue | undefined): SqliteValue | undefined {
  return TIMES.has(name) && value ? Number(value) * 1000 : value;
}

/** @throws {SessionStorageError} for a text that SQLite would cut off */
function textOrNull(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  // The driver makes 1.0 of a number in a column of texts.
  const text = String(value);
  if (text.includes('\0')) throw new SessionStorageError('SQLite keeps no text with a NUL character in it.');
  return text;
}
