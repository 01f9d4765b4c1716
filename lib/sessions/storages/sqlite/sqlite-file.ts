import { existsSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { messageOf } from '../../../core/error-message.js';
import type { Clock } from '../../../core/time/clock.js';
import { SessionStorageError } from '../../sessions.errors.js';
import { codeOf } from '../connection/optional-driver.js';
import { loadDriver } from './sqlite.driver.js';
import type {
  DriverDatabase,
  SqliteDatabase,
  SqliteDriver,
  SqliteStatement,
} from './sqlite.driver.js';

/** Milliseconds that the driver may wait for a lock: the event loop stands still meanwhile. */
const BLOCKING_WAIT = 50;
/** A busy file is tried again for this long, in milliseconds. */
const TIMEOUT_MS = 5_000;
const LONGEST_PAUSE = 60;
/** After a call of more milliseconds the event loop gets its turn before the next. */
const LONG_CALL = 5;
/** The name of a database that is no file. */
export const IN_MEMORY = ':memory:';

const shared = new Map<string, SqliteFile>();

/**
 * One open file. Within a process a file is opened once, whoever uses it: connections beside each
 * other would only wait for one another. Each call comes with the clock of its caller.
 */
export class SqliteFile {
  /** The file at a path, opened on first use. Each caller closes it once. */
  static at(filename: string): SqliteFile {
    const path = filename === IN_MEMORY ? filename : resolve(filename);
    const file = (path !== IN_MEMORY && shared.get(path)) || new SqliteFile(path);
    file.#users++;
    if (path !== IN_MEMORY) shared.set(path, file);
    return file;
  }

  #users = 0;
  #driver: SqliteDriver | undefined;
  #database: SqliteDatabase | undefined;
  #lastWrite: Promise<unknown> = Promise.resolve();
  /** While a transaction may have changed what it will undo. */
  #isInTransaction = false;

  private constructor(private readonly path: string) {}

  /**
   * Runs `work`, which may run more than once: again for as long as the file is locked by another
   * process. Each text it prepares is prepared once and kept.
   * @throws {SessionStorageError} when it fails otherwise, or the file stays locked
   */
  read<T>(clock: Clock, work: (database: SqliteDatabase) => T): T | Promise<T> {
    try {
      // Nearly always the file is open and free, and a promise would cost as much as everything
      // else around the driver.
      if (this.#database && !this.#isInTransaction) return work(this.#database);
    } catch {
      // What is wrong comes up again below.
    }
    const turn = this.#isInTransaction ? this.#lastWrite : Promise.resolve();
    return turn.then(() => this.#run(clock, work));
  }

  /**
   * The same for what changes the file, one after the other, so that a later write cannot overtake
   * one that had to wait.
   */
  write<T>(clock: Clock, work: (database: SqliteDatabase) => T | Promise<T>): Promise<T> {
    // Now, not when its turn comes: else each write of a queue would wait for the same lock as long
    // again as the one before it.
    const deadline = millisecondsOf(clock) + TIMEOUT_MS;
    let start = deadline;
    const timed = (database: SqliteDatabase): T | Promise<T> => {
      start = millisecondsOf(clock);
      return work(database);
    };
    const written = this.#lastWrite.then(() => this.#run(clock, timed, deadline));
    // Several writes in a row that each wait for a lock would add up to one long standstill.
    const breath = (): unknown =>
      millisecondsOf(clock) - start > LONG_CALL ? clock.sleep(0) : undefined;
    this.#lastWrite = written.then(breath, breath).catch(() => {});
    return written;
  }

  /** Writes as a whole or not at all. Nobody else writes meanwhile, and reads wait for it. */
  transaction(clock: Clock, work: (database: SqliteDatabase) => Promise<void>): Promise<void> {
    return this.write(clock, async (database) => {
      // The file remembers it: reads wait for no writer.
      database.exec('PRAGMA journal_mode = WAL');
      // Holds the write lock from the start.
      database.exec('BEGIN IMMEDIATE');
      this.#isInTransaction = true;
      try {
        await work(database);
        database.exec('COMMIT');
      } catch (error) {
        if (database.inTransaction) database.exec('ROLLBACK');
        throw error;
      } finally {
        this.#isInTransaction = false;
      }
    });
  }

  /**
   * Waits for what was to be written by now, and closes the file when its last user is gone. Calls
   * of the one who closes it are over.
   */
  async close(): Promise<void> {
    await this.#lastWrite;
    if (--this.#users > 0) return;
    shared.delete(this.path);
    this.#database?.close();
    this.#database = undefined;
  }

  /** Tries at least once, and last after the deadline: by default 5 s after the first attempt. */
  async #run<T>(
    clock: Clock,
    work: (database: SqliteDatabase) => T | Promise<T>,
    deadline?: number,
  ): Promise<T> {
    const Driver = (this.#driver ??= await loadDriver());
    for (let end = deadline; ; await clock.sleep(1 + Math.random() * LONGEST_PAUSE)) {
      try {
        return await this.#use(Driver, work);
      } catch (cause) {
        const now = millisecondsOf(clock);
        end ??= now + TIMEOUT_MS;
        if (isBusy(cause) && now < end) continue;
        const told = messageOf(cause);
        const reason = isBusy(cause) ? `it stayed locked for ${TIMEOUT_MS} ms` : told;
        throw new SessionStorageError(`SQLite could not use ${this.path}: ${reason}.`, { cause });
      }
    }
  }

  /**
   * A connection that has lost its file, or cannot write it, is not kept: SQLite opens a file that
   * cannot be written for reading only, and stays with that when it can. A call over a connection
   * from before is repeated over a new one. Whatever else fails is the call's own.
   */
  async #use<T>(
    Driver: SqliteDriver,
    work: (database: SqliteDatabase) => T | Promise<T>,
  ): Promise<T> {
    const kept = this.#database;
    const database = (this.#database ??= this.#open(Driver));
    try {
      return await work(database);
    } catch (error) {
      // A database in memory ends with its connection.
      if (!isUnusable(error) || this.path === IN_MEMORY) throw error;
      this.#database = undefined;
      database.close();
      if (!kept) throw error;
    }
    return this.#use(Driver, work);
  }

  #open(Driver: SqliteDriver): SqliteDatabase {
    if (this.path !== IN_MEMORY) createPrivately(this.path);
    const database = new Driver(this.path, { timeout: BLOCKING_WAIT });
    try {
      database.exec('PRAGMA synchronous = NORMAL');
      if (existsSync(`${this.path}-shm`)) checkWritable(database);
      return preparingOnce(database);
    } catch (error) {
      database.close();
      throw error;
    }
  }
}

function millisecondsOf(clock: Clock): number {
  return clock.now().getTime();
}

/** The same database, which prepares each text once and answers with rows as lists. */
function preparingOnce(database: DriverDatabase): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  const prepareAnew = database.prepare.bind(database);
  const prepare = (sql: string): SqliteStatement => {
    const known = statements.get(sql);
    if (known) return known;
    const made = prepareAnew(sql);
    // One that answers with nothing cannot be told how.
    const statement = made.reader ? made.raw() : made;
    statements.set(sql, statement);
    return statement;
  };
  return Object.assign(database, { prepare });
}

/**
 * Beside a file that is in use, or was when its process was killed, lies an index that all
 * connections of a process share. On a read-only disk it is mapped for reading only, and stays so
 * for later connections until the driver's statements have been garbage-collected. So the file is
 * not used at all then.
 * @throws the driver's error when it is read-only
 */
function checkWritable(database: SqliteDatabase): void {
  try {
    // A transaction that writes nothing may begin on any disk.
    database.exec('BEGIN IMMEDIATE; PRAGMA user_version = 0; ROLLBACK');
  } catch (error) {
    // Somebody is writing.
    if (!isBusy(error)) throw error;
  }
}

/**
 * Tokens are for the owner's eyes: SQLite would make the file readable for everybody. Those beside
 * it get the same mode.
 */
function createPrivately(path: string): void {
  try {
    // Never opens a file that is there: closing it again would drop the locks that others in this
    // process hold on it.
    writeFileSync(path, '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

function isBusy(error: unknown): boolean {
  return /^SQLITE_(?:BUSY|LOCKED)/.test(String(codeOf(error)));
}

/** True when it is the connection, or the file behind it, that failed. */
function isUnusable(error: unknown): boolean {
  return /^SQLITE_(?:READONLY|CANTOPEN|IOERR|CORRUPT|NOTADB)/.test(String(codeOf(error)));
}
