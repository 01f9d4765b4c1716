import { CONFLICT_CLAUSES } from '../sql/sql.dialect.js';
import type { SqlDialect } from '../sql/sql.dialect.js';

/** How statements are written for SQLite. */
export const sqliteDialect: SqlDialect = {
  ...CONFLICT_CLAUSES,
  /** Times in whole seconds, flags as 0 and 1. */
  format: { timeUnits: { expires: 1000, refreshTokenExpires: 1000 }, flag: Number },
  // The connection binds the clock's time as the first parameter of each statement.
  now: '?1',
  placeholder: (index) => `?${index + 1}`,
  cells: (columns) => `json_array(${columns.join(', ')}) AS cells`,
  overIds: (verb) => {
    const sql = `${verb} WHERE id IN (SELECT value FROM json_each(?2))`;
    return (ids) => ({ sql, values: [JSON.stringify(ids)] });
  },
  deleteSome: ({ name, key }, condition, limit) =>
    `DELETE FROM ${name} WHERE (${key.join(', ')}) IN
      (SELECT ${key.join(', ')} FROM ${name} WHERE ${condition} LIMIT ${limit})`,
};
