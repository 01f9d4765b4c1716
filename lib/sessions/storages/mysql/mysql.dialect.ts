import type { SqlDialect } from '../sql/sql.dialect.js';
import { codeOf } from '../connection/optional-driver.js';

export const mysqlDialect: SqlDialect = {
  types: {
    key: 'varchar(255)',
    text: 'text',
    longText: 'mediumtext',
    flag: 'tinyint',
    number: 'bigint',
  },
  /** Times in whole seconds, flags as 0 and 1. */
  format: { timeUnits: { expires: 1000, refreshTokenExpires: 1000 }, flag: Number },
  // The server's own function for that fails in the hour when clocks are put back in autumn.
  now: "(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000)",
  orReplace: (columns) =>
    `ON DUPLICATE KEY UPDATE ${columns.map((name) => `${name} = VALUES(${name})`).join(', ')}`,
  // INSERT IGNORE would ignore other errors as well.
  orIgnore: '',
  isDuplicate: (error) => codeOf(error) === 'ER_DUP_ENTRY',
  quote: (name) => `\`${name.replaceAll('`', '``')}\``,
  placeholder: () => '?',
  cells: (columns) => `CAST(JSON_ARRAY(${columns.join(', ')}) AS CHAR) AS cells`,
  deleteSome: ({ name }, condition, limit) =>
    `DELETE FROM ${name} WHERE ${condition} ORDER BY expires LIMIT ${limit}`,
};
