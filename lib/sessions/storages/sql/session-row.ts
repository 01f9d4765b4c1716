import { Session } from '../../session.js';
import { propertiesOf } from '../../session-properties.js';
import type { PropertyValue } from '../../session-properties.js';
import { checkStorable } from '../../session.storage.js';

/** The columns of the official SQL storages, in the order ours write them. */
export const SESSION_COLUMNS = [
  'id',
  'shop',
  'state',
  'isOnline',
  'expires',
  'scope',
  'accessToken',
  'userId',
  'firstName',
  'lastName',
  'email',
  'accountOwner',
  'locale',
  'collaborator',
  'emailVerified',
  'refreshToken',
  'refreshTokenExpires',
] as const;

export type SessionColumn = (typeof SESSION_COLUMNS)[number];
export type Cell = string | number | boolean | null;

const FLAGS: ReadonlySet<SessionColumn> = new Set([
  'isOnline',
  'accountOwner',
  'collaborator',
  'emailVerified',
]);

/** Where engines differ: how the official storage of an engine writes a row. */
export interface RowFormat {
  /** How many milliseconds the unit of each time column is: 1,000 for seconds. */
  readonly timeUnits: { readonly expires: number; readonly refreshTokenExpires: number };
  /** How a flag is written. */
  readonly flag: (value: boolean) => Cell;
}

/**
 * A session as the values of {@link SESSION_COLUMNS}: times in the engine's units, rounded down;
 * what is not set as null.
 */
export function cellsOf(session: Session, { timeUnits, flag }: RowFormat): Cell[] {
  checkStorable(session);
  const properties = new Map<string, PropertyValue>(propertiesOf(session, true));
  return SESSION_COLUMNS.map((name) => {
    const value = properties.get(name);
    if (value === undefined) return null;
    if (name === 'expires' || name === 'refreshTokenExpires')
      return Math.floor(Number(value) / timeUnits[name]);
    if (FLAGS.has(name)) return flag(Boolean(value));
    return name === 'userId' ? Number(value) : String(value);
  });
}

/** The way back, from a row by column name. Drivers may hand out whole numbers as texts. */
export function sessionInRow(
  row: Readonly<Record<string, unknown>>,
  format: Pick<RowFormat, 'timeUnits'>,
): Session {
  return sessionInCells(
    SESSION_COLUMNS.map((name) => row[name]),
    format,
  );
}

/** The same from the values of {@link SESSION_COLUMNS}. */
export function sessionInCells(
  cells: readonly unknown[],
  { timeUnits }: Pick<RowFormat, 'timeUnits'>,
): Session {
  const entries: [string, unknown][] = [];
  for (const [index, name] of SESSION_COLUMNS.entries()) {
    const value = cells[index];
    // Most columns of most sessions are empty, and this runs for every request.
    if (value === null || value === undefined) continue;
    const isTime = name === 'expires' || name === 'refreshTokenExpires';
    entries.push([name, isTime ? Number(value) * timeUnits[name] : value]);
  }
  return Session.fromPropertyArray(entries, true);
}

/**
 * Rows of {@link SESSION_COLUMNS} put to the ids that were asked for. Each caller gets a session of
 * its own, also of those who asked for the same.
 */
export function sessionsFor(
  ids: readonly string[],
  rows: readonly (readonly unknown[])[],
  sessionIn: (row: readonly unknown[]) => Session,
): (Session | undefined)[] {
  const byId = new Map(rows.map((row) => [row[0], row]));
  return ids.map((id) => {
    const row = byId.get(id);
    return row && sessionIn(row);
  });
}
