import type { Session } from '../../session.js';
import { SESSION_COLUMNS, cellsOf, sessionInCells } from '../sql/session-row.js';
import type { Cell, SessionColumn } from '../sql/session-row.js';
import { SESSION_TYPES } from './official-layouts.js';
import { prepared, quoted } from './postgresql.driver.js';
import type { PostgreSQLQuery, PostgreSQLResult } from './postgresql.driver.js';

/** The official storage writes one time in seconds, the other in milliseconds. */
const FORMAT = {
  timeUnits: { expires: 1000, refreshTokenExpires: 1 },
  flag: (value: boolean): boolean => value,
};

/** The statements over one table of sessions. */
export type SessionStatements = ReturnType<typeof statementsOver>;

/** @param table its name, as it is */
export function statementsOver(table: string) {
  const name = quoted(table);
  const columns = SESSION_COLUMNS.map(quoted);
  const rest = columns.slice(1);
  // As one text: the driver describes and takes apart seventeen columns of a row more slowly than
  // JSON is parsed.
  const select = (condition: string): PostgreSQLQuery =>
    prepared(
      `SELECT json_build_array(${columns.join(', ')})::text AS session FROM ${name} WHERE ${condition}`,
    );
  const deleting = (rows: string): PostgreSQLQuery =>
    prepared(`DELETE FROM ${name} WHERE id = ANY(ARRAY(SELECT id FROM ${name} WHERE ${rows}))`);
  const record = SESSION_COLUMNS.map(
    (column) => `${quoted(column)} ${SESSION_TYPES[column].split(' ', 1)[0]}`,
  );
  return {
    /**
     * Takes any number of sessions, of different ids. As lists, one per column, the server would
     * plan the statement anew each time.
     */
    store:
      prepared(`INSERT INTO ${name} (${columns.join(', ')}) SELECT * FROM json_to_recordset($1) AS session (${record.join(', ')})
      ON CONFLICT (id) DO UPDATE SET ${rest.map((column) => `${column} = excluded.${column}`).join(', ')}`),
    load: select('id = $1'),
    loadMany: select('id = ANY($1::text[])'),
    findByShop: select('shop = $1'),
    list: select('id >= $1 AND id IS DISTINCT FROM $2 ORDER BY id LIMIT $3'),
    /**
     * Waits for rows in the order in which sessions are stored, so that neither waits for the
     * other.
     */
    delete: deleting('id = ANY($1::text[]) ORDER BY id COLLATE "C" FOR UPDATE'),
    /** Waits for nobody: a row that is locked is being stored. */
    deleteExpired: deleting(
      '"isOnline" AND expires > 0 AND expires < $1 LIMIT $2 FOR UPDATE SKIP LOCKED',
    ),
    replace:
      prepared(`UPDATE ${name} SET ${rest.map((column, index) => `${column} = $${index + 2}`).join(', ')} WHERE id = $1
      AND coalesce("accessToken", '') = $${columns.length + 1} AND coalesce("refreshToken", '') = $${columns.length + 2}`),
  };
}

/** A session as parameters, in the columns' order. */
export function valuesOf(session: Session): Cell[] {
  return cellsOf(session, FORMAT);
}

/**
 * Sessions as one parameter. Of those with one id the last; ordered by id, so that two processes
 * that store the same never wait for each other.
 */
export function recordsOf(rows: readonly Cell[][]): string {
  const ordered = [...new Map(rows.map((row) => [row[0], row])).values()].sort(([a], [b]) =>
    String(a) < String(b) ? -1 : 1,
  );
  return JSON.stringify(ordered.map(recordOf));
}

/** What is not there is null to the server, which need not read it then. */
function recordOf(row: readonly Cell[]): Partial<Record<SessionColumn, Cell>> {
  const record: Partial<Record<SessionColumn, Cell>> = {};
  for (const [index, column] of SESSION_COLUMNS.entries())
    if (row[index] !== null) record[column] = row[index]!;
  return record;
}

/** What the selecting statements answer: rows of values in the columns' order. */
export function rowsIn({ rows }: PostgreSQLResult): (readonly unknown[])[] {
  return rows.map(({ session }) => JSON.parse(String(session)) as unknown[]);
}

export function sessionIn(row: readonly unknown[]): Session {
  return sessionInCells(row, FORMAT);
}
