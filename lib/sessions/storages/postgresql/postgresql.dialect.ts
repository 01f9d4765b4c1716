import { codeOf } from '../connection/optional-driver.js';
import { CONFLICT_CLAUSES } from '../sql/sql.dialect.js';
import type { SqlDialect, SqlStatement } from '../sql/sql.dialect.js';
import { SESSION_COLUMNS, SESSION_COLUMN_TYPES } from '../sql/session-row.js';
import type { Cell } from '../sql/session-row.js';
import type { ColumnTypes } from '../sql/sql.migrations.js';

/** Stands still for the time of a transaction, so that an index can be used. */
const NOW = "floor(date_part('epoch', now()) * 1000)::bigint";

const TEXT = /^(?:text|character varying(?:\(\d+\))?)$/;

/** The types of columns, each with those that are as good. */
export const POSTGRESQL_TYPES: ColumnTypes = {
  key: ['text COLLATE "C"', TEXT],
  text: ['text', TEXT],
  longText: ['text', TEXT],
  flag: ['boolean', /^boolean$/],
  number: ['bigint', /^(?:bigint|integer)$/],
};

/** How statements are written for PostgreSQL. */
export const postgresqlDialect: SqlDialect = {
  ...CONFLICT_CLAUSES,
  names: { engine: 'PostgreSQL', longest: 63, unit: 'bytes' },
  /** The official storage writes one time in seconds, the other in milliseconds. */
  format: { timeUnits: { expires: 1000, refreshTokenExpires: 1 }, flag: (value) => value },
  now: NOW,
  storeAll,
  // A deadlock, and a serialization failure where transactions are serializable by default.
  isConflict: (error) => /^(?:40P01|40001)$/.test(String(codeOf(error))),
  isRejected: (error) => /^2[23]/.test(String(codeOf(error))),
  placeholder: (index) => `$${index}`,
  cells: (columns) => `json_build_array(${columns.join(', ')})::text AS cells`,
  overIds: (verb) => {
    const [one, some] = [`${verb} WHERE id = $1`, `${verb} WHERE id = ANY($1::text[])`];
    return (ids) =>
      ids.length === 1 ? { sql: one, values: [ids[0]!] } : { sql: some, values: [ids] };
  },
  // Locks rows in the order in which sessions are stored, so that neither waits for the other.
  deleteIds: (table) => {
    const sql = `DELETE FROM ${table} WHERE id = ANY(ARRAY(
      SELECT id FROM ${table} WHERE id = ANY($1::text[]) ORDER BY id COLLATE "C" FOR UPDATE))`;
    return (ids) => ({ sql, values: [ids] });
  },
  // In no order, and waits for nobody: a row that is locked is being written.
  deleteSome: ({ name }, condition, limit) =>
    `DELETE FROM ${name} WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM ${name} WHERE ${condition} LIMIT ${limit} FOR UPDATE SKIP LOCKED))`,
  lease: (table) => `INSERT INTO ${table} AS stored
      (kind, id, owner, lease_end, expires, changed_at, data, version)
    VALUES ($1, $2, $3, ${NOW} + $4, ${NOW} + $5, ${NOW}, '', 0)
    ON CONFLICT (kind, id) DO UPDATE SET
      data = CASE WHEN stored.expires <= ${NOW} THEN '' ELSE stored.data END,
      state = NULL, owner = excluded.owner, lease_end = excluded.lease_end,
      expires = excluded.expires, changed_at = excluded.changed_at
    WHERE stored.expires <= ${NOW} OR stored.lease_end <= ${NOW} AND stored.state IS NULL
    RETURNING json_build_array(owner, state, data)::text AS cells`,
};

/** As lists, one per column, the server would plan the statement anew each time. */
function storeAll(
  table: string,
  columns: readonly string[],
): (rows: readonly Cell[][]) => SqlStatement {
  const record = SESSION_COLUMNS.map((column, index) => {
    const [type] = POSTGRESQL_TYPES[SESSION_COLUMN_TYPES[column]][0].split(' ', 1);
    return `${columns[index]} ${type}`;
  });
  const sql = `INSERT INTO ${table} (${columns.join(', ')})
    SELECT * FROM json_to_recordset($1) AS session (${record.join(', ')})
    ${CONFLICT_CLAUSES.orReplace(columns.slice(1))}`;
  return (rows) => ({ sql, values: [recordsOf(rows)] });
}

/**
 * Sessions as one parameter, ordered by id, so that two processes that store the same never wait
 * for each other.
 */
function recordsOf(rows: readonly Cell[][]): string {
  const last = [...new Map(rows.map((row) => [row[0], row])).values()];
  const ordered = last.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  // What is not there is null to the server, which need not read it then.
  const entries = ordered.map((row) =>
    SESSION_COLUMNS.map((column, index) => [column, row[index]]).filter(
      ([, cell]) => cell !== null,
    ),
  );
  return JSON.stringify(entries.map((entries) => Object.fromEntries(entries) as unknown));
}
