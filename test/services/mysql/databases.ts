import { createConnection } from 'mysql2/promise';
import type { Connection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';

import { MySQLSessionStorage } from '../../../lib/sessions/storages/mysql/mysql-session.storage.js';
import type { MySQLSessionStorageOptions } from '../../../lib/sessions/storages/mysql/mysql-session.storage.js';
import { StoragePlace } from '../storage.engine.js';
import type { StorageEngine } from '../storage.engine.js';

/** As the official storage creates it today, and after its migrations. */
export const OFFICIAL_TABLE = `CREATE TABLE shopify_sessions (
  id varchar(255) NOT NULL PRIMARY KEY, shop varchar(255) NOT NULL, state varchar(255) NOT NULL, isOnline tinyint NOT NULL,
  scope varchar(1024), expires integer, accessToken varchar(255), refreshToken varchar(255), refreshTokenExpires integer, userId BIGINT,
  firstName varchar(255), lastName varchar(255), email varchar(255), accountOwner tinyint, locale varchar(255), collaborator tinyint,
  emailVerified tinyint)`;
/** As its versions before 4.1 created it. */
export const LEGACY_TABLE = `CREATE TABLE shopify_sessions (
  id varchar(255) NOT NULL PRIMARY KEY, shop varchar(255) NOT NULL, state varchar(255) NOT NULL, isOnline tinyint NOT NULL,
  scope varchar(255), expires integer, onlineAccessInfo varchar(255), accessToken varchar(255))`;

export const SERVER = new URL(process.env['MYSQL_URL']!);

/** A database for one test, or for one file, with what was opened in it. */
export class TestDatabase extends StoragePlace<MySQLSessionStorage> {
  readonly parameters = [this.url()];
  #connection: Connection | undefined;

  static async create(): Promise<TestDatabase> {
    const database = new TestDatabase();
    await onServer(`CREATE DATABASE \`${database.name}\``);
    return database;
  }

  url(parameters = ''): string {
    const url = new URL(SERVER);
    url.pathname = encodeURIComponent(this.name);
    url.search = parameters;
    return url.href;
  }

  open(options?: MySQLSessionStorageOptions, url = this.url()): MySQLSessionStorage {
    return this.keep(new MySQLSessionStorage(url, options));
  }

  /** Runs a statement; answers no rows where the server has none to answer. */
  async rows(sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    this.#connection ??= await createConnection(this.url());
    const [rows] = await this.#connection.query<RowDataPacket[] | ResultSetHeader>(sql, values);
    return Array.isArray(rows) ? rows.map((row) => ({ ...row })) : [];
  }

  async drop(): Promise<void> {
    await this.close();
    await this.#connection?.end();
    await onServer(`DROP DATABASE \`${this.name}\``);
  }
}

async function onServer(statement: string): Promise<void> {
  const connection = await createConnection(SERVER.href);
  try {
    await connection.query(statement);
  } finally {
    await connection.end();
  }
}

export const MYSQL: StorageEngine<TestDatabase> = {
  name: 'MySQL',
  server: 'mysql',
  createPlace: TestDatabase.create,
};
