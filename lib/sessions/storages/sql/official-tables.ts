import { SessionStorageError } from '../../sessions.errors.js';
import type { SessionColumn } from './session-row.js';

/** Where an official SQL storage has noted what it did to its table. */
export interface OfficialRecord {
  /** @default the name it has there */
  readonly migrationDBIdentifier?: string | undefined;
  /** @default migration_name */
  readonly migrationNameColumnName?: string | undefined;
}

/** Held the user's id alone, before there were columns for the user. */
export const LEGACY_USER_COLUMN = 'onlineAccessInfo';

/** Every official table of sessions has had these. */
const REQUIRED: readonly SessionColumn[] = ['id', 'shop', 'state', 'isOnline'];

/** @throws {SessionStorageError} for a table that is somebody else's */
export function checkIsOfSessions(table: string, columns: { has(column: string): boolean }): void {
  const missing = REQUIRED.filter((column) => !columns.has(column));
  if (missing.length === 0) return;
  throw new SessionStorageError(
    `The table ${table} is no table of sessions: it has no column ${missing.join(', ')}.`,
  );
}
