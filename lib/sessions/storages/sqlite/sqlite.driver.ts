import { isWorkers } from '../../../core/time/clock.js';
import { MissingDriverError, SessionStorageError } from '../../sessions.errors.js';
import { loadOptional } from '../connection/optional-driver.js';

/** What may be bound. The driver ends the process over anything else, booleans included. */
type SqliteValue = string | number | null;
/** The values of the columns in the order they were asked for. */
type SqliteRow = readonly SqliteValue[];

/** The part of a prepared statement that we use. Parameters go in as one list. */
export interface SqliteStatement {
  /** `changes`: how many rows were written or deleted. */
  run(parameters: readonly SqliteValue[]): { readonly changes: number };
  get(parameters: readonly SqliteValue[]): SqliteRow | undefined;
  all(parameters: readonly SqliteValue[]): SqliteRow[];
}

/** The part of an open database that we use. Everything is synchronous. */
export interface SqliteDatabase {
  readonly inTransaction: boolean;
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
  close(): unknown;
}

/**
 * As the driver opens it: rows are objects until a statement is told otherwise, which takes it
 * twice as long.
 */
export interface DriverDatabase extends SqliteDatabase {
  prepare(sql: string): SqliteStatement & { readonly reader: boolean; raw(): SqliteStatement };
}

/** The part of `libsql` that is used. */
export interface SqliteDriver {
  new (filename: string, options: { timeout: number }): DriverDatabase;
}

/** @throws {MissingDriverError} when it is not installed for this platform, and on Workers */
export async function loadDriver(): Promise<SqliteDriver> {
  if (isWorkers())
    throw new MissingDriverError(
      'SQLite storage needs a file and a native driver, and Workers have neither. Pass a storage that is reached over the network as "sessionStorage".',
    );
  return loadOptional<SqliteDriver>(
    'SQLite',
    'libsql',
    async () => (await import('libsql')) as never,
  );
}

/** @throws {SessionStorageError} for a text that SQLite would cut off */
export function textOrNull(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  // The driver makes 1.0 of a number in a column of texts.
  const text = String(value);
  if (text.includes('\0'))
    throw new SessionStorageError('SQLite keeps no text with a NUL character in it.');
  return text;
}
