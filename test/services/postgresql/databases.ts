import pg from 'pg';

import { PostgreSQLSessionStorage } from '../../../lib/sessions/storages/postgresql/postgresql-session.storage.js';
import type { PostgreSQLSessionStorageOptions } from '../../../lib/sessions/storages/postgresql/postgresql-session.storage.js';
import { StoragePlace } from '../storage.engine.js';
import type { StorageEngine } from '../storage.engine.js';

/** Where the official storage keeps sessions unless told otherwise. */
export const TABLE = 'shopify_sessions';

/** The table as the official PostgreSQL storage leaves it. */
export const officialTable = (name = `"${TABLE}"`): string => `CREATE TABLE ${name} (
  "id" varchar(255) NOT NULL PRIMARY KEY, "shop" varchar(255) NOT NULL, "state" varchar(255) NOT NULL, "isOnline" boolean NOT NULL,
  "scope" varchar(1024), "expires" integer, "accessToken" varchar(255), "refreshToken" varchar(255), "refreshTokenExpires" bigint,
  "userId" bigint, "firstName" varchar(255), "lastName" varchar(255), "email" varchar(255), "accountOwner" boolean,
  "locale" varchar(255), "collaborator" boolean, "emailVerified" boolean)`;

/** The table of its first version, with names that PostgreSQL folds. */
export const oldestTable = (name: string = TABLE): string => `CREATE TABLE ${name} (
  id varchar(255) NOT NULL PRIMARY KEY, shop varchar(255) NOT NULL, state varchar(255) NOT NULL, isOnline boolean NOT NULL,
  scope varchar(255), expires integer, onlineAccessInfo varchar(255), accessToken varchar(255))`;

const URL_OF_SERVER = process.env['POSTGRES_URL']!;

export function urlOf(database: string): URL {
  const url = new URL(URL_OF_SERVER);
  url.pathname = encodeURIComponent(database);
  return url;
}

/** A database for one test, or for one file, with what was opened in it. */
export class TestDatabase extends StoragePlace<PostgreSQLSessionStorage> {
  readonly url = urlOf(this.name);
  readonly parameters = [this.url.href];
  #pool: pg.Pool | undefined;

  static async create(): Promise<TestDatabase> {
    const database = new TestDatabase();
    await onServer(`CREATE DATABASE "${database.name}"`);
    return database;
  }

  open(
    options?: PostgreSQLSessionStorageOptions,
    url: string | URL = this.url,
  ): PostgreSQLSessionStorage {
    return this.keep(new PostgreSQLSessionStorage(url, options));
  }

  async rows(sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    if (!this.#pool) {
      this.#pool = new pg.Pool({ connectionString: this.url.href, max: 1 });
      this.#pool.on('error', () => {});
    }
    return (await this.#pool.query<Record<string, unknown>>(sql, values)).rows;
  }

  async column(sql: string, values: unknown[] = []): Promise<unknown[]> {
    return (await this.rows(sql, values)).flatMap((row) => Object.values(row));
  }

  /** Types of a table's columns by name. */
  async types(table: string = TABLE, schema = 'public'): Promise<Record<string, unknown>> {
    const sql =
      'SELECT column_name, data_type FROM information_schema.columns WHERE table_name = $1 AND table_schema = $2';
    const rows = await this.rows(sql, [table, schema]);
    return Object.fromEntries(rows.map(({ column_name: name, data_type: type }) => [name, type]));
  }

  /**
   * Ends every connection to the database but this one's own, as an administrator or a failover
   * does.
   */
  async cutConnections(): Promise<void> {
    await this.rows(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
  }

  async drop(): Promise<void> {
    await this.close();
    await this.#pool?.end();
    await onServer(`DROP DATABASE "${this.name}" WITH (FORCE)`);
  }
}

/** Runs statements in the database that is always there. */
export async function onServer(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: URL_OF_SERVER });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

export const POSTGRESQL: StorageEngine<TestDatabase> = {
  name: 'PostgreSQL',
  server: 'postgres',
  createPlace: TestDatabase.create,
};
