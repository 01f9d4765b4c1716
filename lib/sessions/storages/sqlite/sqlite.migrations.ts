import { VALUE, cellsIn, statements } from '../sql/sql.dialect.js';
import type { EditTables } from '../sql/sql.migrations.js';
import { sqliteDialect } from './sqlite.dialect.js';

const { quote, cells } = sqliteDialect;

const { columns } = statements(sqliteDialect, {
  columns: `SELECT ${cells(['name', 'type'])} FROM pragma_table_info(${VALUE})`,
});

/** Changes the tables of a SQLite file. */
export const editSqlite: EditTables = async (run) => ({
  dialect: sqliteDialect,
  run,
  /** As in the official storage. SQLite enforces neither types nor lengths. */
  types: {
    key: ['varchar(255)'],
    text: ['varchar(255)'],
    longText: ['text'],
    flag: ['integer'],
    number: ['integer'],
  },
  expiryIndex: { columns: ['expires'], condition: 'isOnline = 1' },
  nameOf: quote,
  columnsOf: async (table) => new Map(cellsIn(await run(columns, [table])) as [string, string][]),
  // A key of several columns would be a second tree beside the one with the rows.
  optionsOf: ({ key }) => (key.length > 1 ? 'WITHOUT ROWID' : ''),
  alter: (table, changes) =>
    changes
      .filter(({ exists }) => !exists)
      .map(({ column, type }) => `ALTER TABLE ${quote(table)} ADD COLUMN ${column} ${type}`),
  index: async (table, name, { columns, condition }) => {
    await run(
      `CREATE INDEX IF NOT EXISTS ${quote(`${table}_${name}`)}
        ON ${quote(table)} (${columns.map(quote).join(', ')})
        ${condition === undefined ? '' : `WHERE ${condition}`}`,
    );
  },
  numberIn: (expression) => `CAST(${expression} AS integer)`,
});
