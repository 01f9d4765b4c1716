import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

import { fillDisk } from './disk.mjs';
import { databaseAt, placeName } from './places.mjs';
import { SERVER_ACCOUNT } from './servers.mjs';

/** Runs statements as the server's administrator. */
export async function onPostgres(servers, ...statements) {
  const client = new pg.Client({ connectionString: servers.url('postgres') });
  client.on('error', () => {});
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

const reload = 'SELECT pg_reload_conf()';

export const POSTGRESQL_FAULTS = [
  {
    title: 'full: no room in its tablespace',
    // So many deliveries that there is need for another page.
    pace: 30,
    lasts: 3_000,
    mustFail: true,
    async createPlace(servers) {
      const name = placeName();
      const folder = join(servers.folder, name);
      mkdirSync(folder);
      // The template takes half of it.
      servers.mount(folder, '20m', SERVER_ACCOUNT);
      await onPostgres(
        servers,
        `CREATE TABLESPACE ${name} LOCATION '${folder}'`,
        `CREATE DATABASE ${name} TABLESPACE ${name}`,
      );
      return {
        engine: 'postgres',
        folder,
        parameters: [databaseAt(servers.url('postgres'), name)],
      };
    },
    inflict: async ({ folder }) => fillDisk(folder),
  },
  {
    title: 'read-only: default_transaction_read_only',
    lasts: 3_000,
    mustFail: true,
    async inflict(_place, servers) {
      await onPostgres(servers, 'ALTER SYSTEM SET default_transaction_read_only = on', reload);
      return () => onPostgres(servers, 'ALTER SYSTEM RESET default_transaction_read_only', reload);
    },
  },
];
