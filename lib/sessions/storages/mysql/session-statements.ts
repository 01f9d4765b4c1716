import type { Session } from '../../session.js';
import { SESSION_COLUMNS, cellsOf, sessionInCells } from '../sql/session-row.js';
import { quoted } from './mysql.driver.js';
import type { MySQLValue } from './mysql.driver.js';
import type { MySQLResult } from './mysql-exchange.js';

/** Times in whole seconds, flags as 0 and 1. */
const FORMAT = { timeUnits: { expires: 1000, refreshTokenExpires: 1000 }, flag: Number };

/** How many ids a statement takes at most. */
export const MOST_IDS = 100;
/** Few, so that few statements are prepared. */
const LIST_LENGTHS = [1, 4, 16, MOST_IDS];

/** The statements over one table of sessions. */
export type SessionStatements = ReturnType<typeof statementsOver>;

/** @param table its name, as it is */
export function statementsOver(table: string) {
  const name = quoted(table);
  const columns = SESSION_COLUMNS.join(', ');
  const rest = SESSION_COLUMNS.slice(1);
  // As one text: the driver describes and takes apart seventeen columns of a row more slowly than
  // JSON is parsed.
  const select = (condition: string): string =>
    `SELECT CAST(JSON_ARRAY(${columns}) AS CHAR) AS session FROM ${name} WHERE ${condition}`;
  return {
    store: `INSERT INTO ${name} (${columns}) VALUES (${placeholders(SESSION_COLUMNS.length)})
      ON DUPLICATE KEY UPDATE ${rest.map((column) => `${column} = VALUES(${column})`).join(', ')}`,
    /** By the number of ids. */
    load: new Map(
      LIST_LENGTHS.map((length) => [length, select(`id IN (${placeholders(length)})`)]),
    ),
    findByShop: select('shop = ?'),
    // The second parameter is null for the first page, and keeps out the session the page before
    // ended with else.
    list: (limit: number): string =>
      `${select('id >= ? AND NOT id <=> ?')} ORDER BY id LIMIT ${Math.max(0, Math.trunc(limit))}`,
    delete: new Map(
      LIST_LENGTHS.map((length) => [
        length,
        `DELETE FROM ${name} WHERE id IN (${placeholders(length)})`,
      ]),
    ),
    deleteExpired: (limit: number): string =>
      `DELETE FROM ${name} WHERE isOnline = 1 AND expires > 0 AND expires < ? ORDER BY expires LIMIT ${limit}`,
    replace: `UPDATE ${name} SET ${rest.map((column) => `${column} = ?`).join(', ')}
      WHERE id = ? AND coalesce(accessToken, '') = ? AND coalesce(refreshToken, '') = ?`,
  };
}

/** A session as parameters, in the columns' order. */
export function valuesOf(session: Session): MySQLValue[] {
  return cellsOf(session, FORMAT).map((cell) => (typeof cell === 'boolean' ? Number(cell) : cell));
}

/** What the selecting statements answer: the values of {@link SESSION_COLUMNS}, the id first. */
export function cellsIn({ rows }: MySQLResult): unknown[][] {
  return rows.map(({ session }) => JSON.parse(String(session)) as unknown[]);
}

export function sessionIn(cells: readonly unknown[]): Session {
  return sessionInCells(cells, FORMAT);
}

/**
 * One to a hundred ids, the first of them repeated until the list has a length that there is a
 * statement for.
 */
export function listOf(ids: readonly string[]): string[] {
  const list = [...ids];
  const length = LIST_LENGTHS.find((length) => length >= list.length) ?? list.length;
  while (list.length < length) list.push(ids[0]!);
  return list;
}

function placeholders(count: number): string {
  return Array<string>(count).fill('?').join(', ');
}
