import { Session } from '../../session.js';
import { propertiesOf } from '../../session-properties.js';
import type { PropertyValue } from '../../session-properties.js';

/** The columns of the official SQL storages, in the order ours write them. */
export const SESSION_COLUMN_TYPES = {
  id: 'key',
  shop: 'key',
  state: 'text',
  isOnline: 'flag',
  expires: 'number',
  scope: 'text',
  accessToken: 'text',
  userId: 'number',
  firstName: 'text',
  lastName: 'text',
  email: 'text',
  accountOwner: 'flag',
  locale: 'text',
  collaborator: 'flag',
  emailVerified: 'flag',
  refreshToken: 'text',
  refreshTokenExpires: 'number',
} as const;

/** A column of the table of sessions. */
export type SessionColumn = keyof typeof SESSION_COLUMN_TYPES;
/** The columns in the order of the table. */
export const SESSION_COLUMNS = Object.keys(SESSION_COLUMN_TYPES) as readonly SessionColumn[];
/** What a column holds. */
export type Cell = string | number | boolean | null;

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
  const properties = new Map<string, PropertyValue>(propertiesOf(session, true));
  return SESSION_COLUMNS.map((name) => {
    const value = properties.get(name);
    if (value === undefined) return null;
    if (name === 'expires' || name === 'refreshTokenExpires')
      return Math.floor(Number(value) / timeUnits[name]);
    const type = SESSION_COLUMN_TYPES[name];
    if (type === 'flag') return flag(Boolean(value));
    return type === 'number' ? Number(value) : String(value);
  });
}

/** The session in the values of {@link SESSION_COLUMNS}. Drivers may return numbers as texts. */
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
