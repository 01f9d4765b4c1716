import { SESSION_TABLES } from '../../../core/vendor.js';
import { SessionStorageError } from '../../sessions.errors.js';
import { LEGACY_USER_COLUMN, checkIsOfSessions } from '../sql/official-tables.js';
import type { OfficialRecord } from '../sql/official-tables.js';
import { SESSION_COLUMNS } from '../sql/session-row.js';
import type { SessionColumn } from '../sql/session-row.js';
import { quoted } from './mysql.driver.js';
import type { Column, TableEditor } from './table-editor.js';

/**
 * As the official storage has them, without its limits: 255 characters where there is no key, and
 * the year 2038.
 */
export const SESSION_TYPES: Readonly<Record<SessionColumn, string>> = {
  id: 'varchar(255) NOT NULL',
  shop: 'varchar(255) NOT NULL',
  state: 'text NOT NULL',
  isOnline: 'tinyint NOT NULL',
  expires: 'bigint',
  scope: 'text',
  accessToken: 'text',
  userId: 'bigint',
  firstName: 'text',
  lastName: 'text',
  email: 'text',
  accountOwner: 'tinyint',
  locale: 'text',
  collaborator: 'tinyint',
  emailVerified: 'tinyint',
  refreshToken: 'text',
  refreshTokenExpires: 'bigint',
};

/** What a column may be found as, by the first letters of the type it is to have. */
const CONVERTIBLE: Readonly<Record<string, RegExp>> = {
  varchar: /^(?:var)?char\b/,
  text: /^(?:(?:var)?char\b|(?:tiny|medium)?text$)/,
  bigint: /^(?:big)?int\b/,
  tinyint: /^tinyint\b/,
};

/**
 * What the official storage has done to a table of this shape; where the names are missing it would
 * do it again.
 */
const OFFICIAL_MIGRATIONS = [
  'migrateScopeFieldToVarchar1024',
  'addRefreshTokenFields',
  'addUserInfoColumns',
];

/**
 * Makes the table of sessions, or brings one of any official layout to the shape above. @throws
 * {SessionStorageError} when the table is no such thing
 */
export async function createOrUpgrade(editor: TableEditor, table: string): Promise<void> {
  const columns = await editor.columnsOf(table);
  if (columns.size === 0) return editor.create(table, SESSION_TYPES, 'PRIMARY KEY (id)');
  checkIsOfSessions(table, columns);
  const changes = await Promise.all(
    SESSION_COLUMNS.map((column) => changeOf(editor, table, column, columns.get(column))),
  );
  // In one statement: the table is rewritten once. Old row formats have no room for keys of four
  // bytes a character.
  await editor.run(
    `ALTER TABLE ${quoted(table)} ${changes.join(', ')}, ENGINE=InnoDB, ROW_FORMAT=DYNAMIC`,
  );
  if (columns.has(LEGACY_USER_COLUMN)) await moveUserIds(editor, quoted(table));
}

/** Notes the official storage's own migrations as done. */
export async function recordOfficialMigrations(
  editor: TableEditor,
  names: OfficialRecord,
): Promise<void> {
  const record = names.migrationDBIdentifier ?? SESSION_TABLES.migrations;
  const column = names.migrationNameColumnName ?? 'migration_name';
  await editor.create(record, { [column]: 'varchar(255) NOT NULL PRIMARY KEY' });
  for (const name of OFFICIAL_MIGRATIONS)
    await editor.run(`INSERT IGNORE INTO ${quoted(record)} (${quoted(column)}) VALUES (?)`, [name]);
}

async function changeOf(
  editor: TableEditor,
  table: string,
  name: SessionColumn,
  found: Column | undefined,
): Promise<string> {
  const definition = `${quoted(name)} ${await editor.definitionOf(SESSION_TYPES[name])}`;
  if (found === undefined) return `ADD COLUMN ${definition}`;
  const [type] = SESSION_TYPES[name].split(/\W/, 1);
  if (CONVERTIBLE[type!]?.test(found.type)) return `MODIFY COLUMN ${definition}`;
  throw new SessionStorageError(
    `The table ${table} is no table of sessions: its column ${name} is of type ${found.type}, not ${type}.`,
  );
}

/** May be interrupted anywhere, and begun again. */
async function moveUserIds(editor: TableEditor, table: string): Promise<void> {
  await editor.run(
    `UPDATE ${table} SET userId = CAST(${LEGACY_USER_COLUMN} AS UNSIGNED) WHERE userId IS NULL AND ${LEGACY_USER_COLUMN} REGEXP '^[0-9]{1,18}$'`,
  );
  await editor.run(`ALTER TABLE ${table} DROP COLUMN ${LEGACY_USER_COLUMN}`);
}
