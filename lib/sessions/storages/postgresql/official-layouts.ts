import { SESSION_TABLES } from '../../../core/vendor.js';
import { SessionStorageError } from '../../sessions.errors.js';
import { LEGACY_USER_COLUMN, checkIsOfSessions } from '../sql/official-tables.js';
import type { OfficialRecord } from '../sql/official-tables.js';
import { SESSION_COLUMNS } from '../sql/session-row.js';
import type { SessionColumn } from '../sql/session-row.js';
import { quoted } from './postgresql.driver.js';
import type { TableEditor } from './table-editor.js';

/** As the official storage has them, without its limits: 255 characters, and the year 2038. */
export const SESSION_TYPES: Readonly<Record<SessionColumn, string>> = {
  id: 'text COLLATE "C" NOT NULL PRIMARY KEY',
  shop: 'text NOT NULL',
  state: 'text NOT NULL',
  isOnline: 'boolean NOT NULL',
  expires: 'bigint',
  scope: 'text',
  accessToken: 'text',
  userId: 'bigint',
  firstName: 'text',
  lastName: 'text',
  email: 'text',
  accountOwner: 'boolean',
  locale: 'text',
  collaborator: 'boolean',
  emailVerified: 'boolean',
  refreshToken: 'text',
  refreshTokenExpires: 'bigint',
};

/** What a column may be found as, by the type it is to have. */
const CONVERTIBLE: Readonly<Record<string, RegExp>> = {
  text: /^(?:text|character varying(?:\(\d+\))?)$/,
  bigint: /^(?:bigint|integer)$/,
  boolean: /^boolean$/,
};

/**
 * Names of columns that the oldest official storage wrote without quotes, so that PostgreSQL folded
 * them.
 */
const FOLDED: readonly (readonly [found: string, name: string])[] = [
  ['isonline', 'isOnline'],
  ['accesstoken', 'accessToken'],
  ['onlineaccessinfo', 'onlineAccessInfo'],
];
/** The columns of its table, all of them: a table with one more or one less is somebody else's. */
const OLDEST_COLUMNS = 'accesstoken,expires,id,isonline,onlineaccessinfo,scope,shop,state';

/**
 * What the official storage has done to a table of this shape; where the names are missing it would
 * do it again.
 */
const OFFICIAL_MIGRATIONS = [
  'migrateScopeFieldToVarchar1024',
  'migrateToCaseSensitivity',
  'migrateToRefreshTokens',
  'addUserInfoColumns',
];

/**
 * Makes the table of sessions, or brings one of any official layout to the shape above. @throws
 * {SessionStorageError} when the table is no such thing
 */
export async function createOrUpgrade(editor: TableEditor, table: string): Promise<void> {
  if ((await editor.columnsOf(table)).size === 0) await editor.create(table, SESSION_TYPES);
  else await upgrade(editor, table);
  // Rows are rewritten with each new token: beside the old one, if there is room, and then no index
  // is touched.
  await editor.run(`ALTER TABLE ${editor.nameOf(table)} SET (fillfactor = 60)`);
  const folded = foldedName(table);
  if (folded !== table) await takeOver(editor, folded, table);
}

/**
 * Notes the official storage's own migrations as done. Its names are unquoted, and therefore
 * folded.
 */
export async function recordOfficialMigrations(
  editor: TableEditor,
  names: OfficialRecord,
): Promise<void> {
  const record = foldedName(names.migrationDBIdentifier ?? SESSION_TABLES.migrations);
  const column = foldedName(names.migrationNameColumnName ?? 'migration_name');
  if ((await editor.columnsOf(record)).size === 0)
    await editor.create(record, { [column]: 'varchar(255) NOT NULL PRIMARY KEY' });
  await editor.run(
    `INSERT INTO ${editor.nameOf(record)} (${quoted(column)}) SELECT name FROM unnest($1::text[]) AS name
     WHERE name NOT IN (SELECT ${quoted(column)} FROM ${editor.nameOf(record)})`,
    [OFFICIAL_MIGRATIONS],
  );
}

async function upgrade(editor: TableEditor, table: string): Promise<void> {
  const name = editor.nameOf(table);
  const before = await editor.columnsOf(table);
  for (const [found, column] of FOLDED) {
    if (before.has(found) && !before.has(column))
      await editor.run(`ALTER TABLE ${name} RENAME COLUMN ${found} TO ${quoted(column)}`);
  }
  const columns = await editor.columnsOf(table);
  checkIsOfSessions(table, columns);
  // In one statement: the table is rewritten once.
  await editor.run(
    `ALTER TABLE ${name} ${SESSION_COLUMNS.map((column) => changeOf(table, column, columns.get(column))).join(', ')}`,
  );
  if (!columns.has(LEGACY_USER_COLUMN)) return;
  const legacy = quoted(LEGACY_USER_COLUMN);
  await editor.run(
    `UPDATE ${name} SET "userId" = coalesce("userId", ${userIdIn(legacy)}) WHERE ${legacy} IS NOT NULL`,
  );
  await editor.run(`ALTER TABLE ${name} DROP COLUMN ${legacy}`);
}

function changeOf(table: string, column: SessionColumn, found: string | undefined): string {
  const definition = SESSION_TYPES[column];
  const type = definition.split(' ', 1)[0]!;
  if (found === undefined) return `ADD COLUMN ${quoted(column)} ${definition}`;
  if (!CONVERTIBLE[type]?.test(found)) {
    throw new SessionStorageError(
      `The table ${table} is no table of sessions: its column ${column} is of type ${found}, not ${type}.`,
    );
  }
  return `ALTER COLUMN ${quoted(column)} TYPE ${definition.split(' NOT NULL', 1)[0]}`;
}

/**
 * A table name with capitals was folded by the oldest official storage: its rows move here, and
 * that table goes, as its successors had it.
 */
async function takeOver(editor: TableEditor, folded: string, table: string): Promise<void> {
  const columns = [...(await editor.columnsOf(folded)).keys()].sort().join(',');
  if (columns !== OLDEST_COLUMNS) return;
  await editor.run(
    `INSERT INTO ${editor.nameOf(table)} (id, shop, state, "isOnline", scope, expires, "accessToken", "userId")
     SELECT id, shop, state, isonline, scope, expires, accesstoken, ${userIdIn('onlineaccessinfo')} FROM ${editor.nameOf(folded)}
     ON CONFLICT (id) DO NOTHING`,
  );
  await editor.run(`DROP TABLE ${editor.nameOf(folded)}`);
}

function userIdIn(column: string): string {
  return `CASE WHEN ${column}::text ~ '^[0-9]{1,18}$' THEN ${column}::text::bigint END`;
}

/** As PostgreSQL folds a name without quotes. */
function foldedName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
