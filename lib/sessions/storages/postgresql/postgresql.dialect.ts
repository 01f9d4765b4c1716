import type { SqlDialect } from '../sql/sql.dialect.js';

/** Stands still for the time of a transaction, so that an index can be used. */
const NOW = 'floor(extract(epoch from now()) * 1000)::bigint';

export const postgresqlDialect: SqlDialect = {
  types: {
    key: 'text COLLATE "C"',
    text: 'text',
    longText: 'text',
    flag: 'boolean',
    number: 'bigint',
  },
  /** The official storage writes one time in seconds, the other in milliseconds. */
  format: { timeUnits: { expires: 1000, refreshTokenExpires: 1 }, flag: (value) => value },
  now: NOW,
  orReplace: (columns) =>
    `ON CONFLICT (id) DO UPDATE SET ${columns.map((name) => `${name} = excluded.${name}`).join(', ')}`,
  orIgnore: 'ON CONFLICT DO NOTHING',
  isDuplicate: () => false,
  quote: (name) => `"${name.replaceAll('"', '""')}"`,
  placeholder: (index) => `$${index}`,
  cells: (columns) => `json_build_array(${columns.join(', ')})::text AS cells`,
  // In no order, and waits for nobody: a row that is locked is being written.
  deleteSome: ({ name }, condition, limit) =>
    `DELETE FROM ${name} WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM ${name} WHERE ${condition} LIMIT ${limit} FOR UPDATE SKIP LOCKED))`,
  lease: (table) => `WITH leased AS (
      INSERT INTO ${table} AS stored
        (kind, id, owner, lease_end, expires, changed_at, data, version)
      VALUES ($1, $2, $3, ${NOW} + $4, ${NOW} + $5, ${NOW}, '', 0)
      ON CONFLICT (kind, id) DO UPDATE SET
        data = CASE WHEN stored.expires <= ${NOW} THEN '' ELSE stored.data END,
        state = NULL, owner = excluded.owner, lease_end = excluded.lease_end,
        expires = excluded.expires, changed_at = excluded.changed_at
      WHERE stored.expires <= ${NOW} OR stored.lease_end <= ${NOW} AND stored.state IS NULL
      RETURNING owner, state, data)
    SELECT json_build_array(owner, state, data)::text AS cells FROM leased UNION ALL
    SELECT json_build_array(owner, state, data)::text FROM ${table}
      WHERE kind = $1 AND id = $2 AND NOT EXISTS (SELECT FROM leased)`,
};
