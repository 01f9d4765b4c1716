import { codeOf } from '../connection/optional-driver.js';
import { MOST_IDS } from '../sql/sql.dialect.js';
import type { SqlDialect } from '../sql/sql.dialect.js';

/** How many ids a statement may take: few lengths, so that few statements are prepared. */
const LIST_LENGTHS = [1, 4, 16, MOST_IDS];

/** How statements are written for MySQL and MariaDB. */
export const mysqlDialect: SqlDialect = {
  names: { engine: 'MySQL', longest: 64, unit: 'characters' },
  /** Times in whole seconds, flags as 0 and 1. */
  format: { timeUnits: { expires: 1000, refreshTokenExpires: 1000 }, flag: Number },
  // The server's own function for that fails in the hour when clocks are put back in autumn.
  now: "(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000)",
  orReplace: (columns) =>
    `ON DUPLICATE KEY UPDATE ${columns.map((name) => `${name} = VALUES(${name})`).join(', ')}`,
  // INSERT IGNORE would ignore other errors as well.
  orIgnore: '',
  isDuplicate: (error) => codeOf(error) === 'ER_DUP_ENTRY',
  isConflict: (error) => codeOf(error) === 'ER_LOCK_DEADLOCK',
  quote: (name) => `\`${name.replaceAll('`', '``')}\``,
  placeholder: () => '?',
  cells: (columns) => `CAST(JSON_ARRAY(${columns.join(', ')}) AS CHAR) AS cells`,
  // The first id is repeated until the list has a length that there is a statement for.
  overIds: (verb) => {
    const statements = LIST_LENGTHS.map((length) => {
      const placeholders = Array<string>(length).fill('?').join(', ');
      return { length, sql: `${verb} WHERE id IN (${placeholders})` };
    });
    return (ids) => {
      const { length, sql } = statements.find(({ length }) => length >= ids.length)!;
      return { sql, values: [...ids, ...Array<string>(length - ids.length).fill(ids[0]!)] };
    };
  },
  deleteSome: ({ name }, condition, limit) =>
    `DELETE FROM ${name} WHERE ${condition} ORDER BY expires LIMIT ${limit}`,
};
