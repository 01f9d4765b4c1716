import { resolve } from 'node:path';

import type { Clock } from '../../../core/clock.js';
import { SessionStorageError } from '../../sessions.errors.js';
import { loadDriver } from './sqlite.driver.js';
import type { SqliteDatabase } from './sqlite.driver.js';

/** The driver waits for a lock while the event loop stands still: no longer than this, in milliseconds. */
const BLOCKING_WAIT = 50;
/** A busy file is tried again for this long, in milliseconds. */
const PATIENCE = 5_000;
const LONGEST_PAUSE = 60;
/** After a call that took longer than this, in milliseconds, the event loop gets its turn before the next. */
const LONG_CALL = 5;
const IN_MEMORY = ':memory:';

const shared = new Map<string, SqliteConnection>();

/** One open file. Within a process a file is opened once, whoever uses it: connections beside each other would only wait for one another. */
export class SqliteConnection {
  /** The connection to a file, opened on first use. Each caller closes it once. */
  static to(filename: string, clock: Clock): SqliteConnection {
    const path = filename === IN_MEMORY ? filename : resolve(filename);
    const connection = (path !== IN_MEMORY && shared.get(path)) || new SqliteConnection(path, clock);
    connection.#users++;
    if (path !== IN_MEMORY) shared.set(path, connection);
    return connection;
  }

  #users = 0;
  #opening: Promise<SqliteDatabase> | undefined;
  #lastWrite: Promise<unknown> = Promise.resolve();
  /** How long the last call kept the event loop, in milliseconds. */
  #lastCall = 0;

  private constructor(
    private readonly path: string,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs `work`, which is synchronous and may run more than once: again for as long as the file is locked by another process.
   * @throws {SessionStorageError} when it fails otherwise, or the file stays locked
   */
  async read<T>(work: (database: SqliteDatabase) => T): Promise<T> {
    const database = await this.#database();
    return this.#patiently(() => work(database));
  }

  /** The same for what changes the file, one after the other, so that a write that had to wait cannot overtake a later one. */
  write<T>(work: (database: SqliteDatabase) => T): Promise<T> {
    const written = this.#lastWrite.then(() => this.read(work));
    this.#lastWrite = written.then(() => this.#breathe()).catch(() => {});
    return written;
  }

  /** Several writes in a row that each wait for a lock would add up to one long standstill. */
  async #breathe(): Promise<void> {
    if (this.#lastCall > LONG_CALL) await this.clock.sleep(0);
  }

  /** Closes the file when its last user is gone, after what is under way. */
  async close(): Promise<void> {
    if (--this.#users > 0) return;
    shared.delete(this.path);
    await this.#lastWrite;
    const database = await this.#opening?.catch(() => undefined);
    database?.close();
  }

  #database(): Promise<SqliteDatabase> {
    // A failure is not kept: what could not be opened now may be there at the next call.
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #open(): Promise<SqliteDatabase> {
    const Driver = await loadDriver();
    return this.#patiently(() => {
      const database = new Driver(this.path, { timeout: BLOCKING_WAIT });
      try {
        database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
        return database;
      } catch (error) {
        database.close();
        throw error;
      }
    });
  }

  async #patiently<T>(work: () => T): Promise<T> {
    const deadline = this.clock.now().getTime() + PATIENCE;
    for (;;) {
      const start = this.clock.now().getTime();
      try {
        return work();
      } catch (cause) {
        if (!isBusy(cause)) throw new SessionStorageError(`SQLite could not use ${this.path}: ${messageOf(cause)}.`, { cause });
        if (this.clock.now().getTime() >= deadline) {
          throw new SessionStorageError(`SQLite could not use ${this.path}: it stayed locked for ${PATIENCE} ms.`, { cause });
        }
      } finally {
        this.#lastCall = this.clock.now().getTime() - start;
      }
      await this.clock.sleep(1 + Math.random() * LONGEST_PAUSE);
    }
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

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && /^SQLITE_(?:BUSY|LOCKED)/.test(error.code);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
