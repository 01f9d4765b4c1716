import type { Session } from '../../session.js';
import {
  SESSION_COLUMNS,
  SESSION_COLUMN_TYPES,
  cellsOf,
  sessionInCells,
} from '../sql/session-row.js';
import type { Cell, SessionColumn } from '../sql/session-row.js';
import type { Row } from '../table/row-table.js';

/** The columns are those of the official SQL storages; times and flags are the client's own. */
const FORMAT = {
  timeUnits: { expires: 1, refreshTokenExpires: 1 },
  flag: (value: boolean): boolean => value,
};
/** Those of a user, whom not all sessions have. */
const FLAGS = ['accountOwner', 'collaborator', 'emailVerified'] as const;
/** Texts of a user. The official storage has turned null into "null", and stored them so. */
const NAMES: readonly string[] = ['firstName', 'lastName', 'email', 'locale'];

/**
 * The row of the official model: null for what is not set, '' for a missing token.
 * @param required flags that must not be null
 */
export function rowOf(session: Session, required: ReadonlySet<string>): Row {
  const cells = cellsOf(session, FORMAT);
  return Object.fromEntries(
    SESSION_COLUMNS.map((column, index) => [column, valueOf(column, cells[index]!, required)]),
  );
}

/** The way back. */
export function sessionIn(row: Row): Session {
  const cells = SESSION_COLUMNS.map((column) => {
    const value = row[column];
    if (value instanceof Date || typeof value === 'bigint') return Number(value);
    const none = column === 'accessToken' ? '' : NAMES.includes(column) ? 'null' : null;
    return value === none ? null : value;
  });
  return sessionInCells(cells, FORMAT);
}

/** Which flags a call was refused for having no value. */
export function requiredFlagsIn(message: string): string[] {
  return FLAGS.filter((flag) => new RegExp(`\\b${flag}\\b\`? must not be null`).test(message));
}

function valueOf(column: SessionColumn, cell: Cell, required: ReadonlySet<string>): unknown {
  if (column === 'accessToken') return cell ?? '';
  const isEmpty = cell === '' && (column === 'scope' || column === 'refreshToken');
  if (cell === null || isEmpty) return required.has(column) ? false : null;
  if (SESSION_COLUMN_TYPES[column] !== 'number') return cell;
  return column === 'userId' ? BigInt(cell) : new Date(Number(cell));
}
