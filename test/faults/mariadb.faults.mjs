import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';

import { fillDisk } from './disk.mjs';
import { databaseAt, placeName } from './places.mjs';
import { SERVER_ACCOUNT } from './servers.mjs';

/** Runs statements as the server's administrator. */
export async function onMariadb(servers, ...statements) {
  const connection = await createConnection(servers.url('mysql'));
  try {
    for (const statement of statements) await connection.query(statement);
  } finally {
    await connection.end();
  }
}

export const MARIADB_FAULTS = [
  {
    title: "full: no room for its database's files",
    // So many deliveries that there is need for another page.
    pace: 30,
    lasts: 6_000,
    mustFail: true,
    async createPlace(servers) {
      const name = placeName();
      await onMariadb(servers, `CREATE DATABASE ${name}`);
      const folder = join(servers.dataOf('mysql'), 'data', name);
      servers.mount(folder, '4m', SERVER_ACCOUNT);
      return { engine: 'mysql', folder, parameters: [databaseAt(servers.url('mysql'), name)] };
    },
    inflict: async ({ folder }) => fillDisk(folder),
  },
  {
    title: 'read-only: read_only, for a user without rights over it',
    lasts: 3_000,
    mustFail: true,
    async createPlace(servers) {
      const name = placeName();
      await onMariadb(
        servers,
        `CREATE DATABASE ${name}`,
        `CREATE USER ${name}@'%'`,
        `GRANT ALL ON ${name}.* TO ${name}@'%'`,
      );
      return { engine: 'mysql', parameters: [databaseAt(servers.url('mysql'), name, name)] };
    },
    async inflict(_place, servers) {
      await onMariadb(servers, 'SET GLOBAL read_only = 1');
      return () => onMariadb(servers, 'SET GLOBAL read_only = 0');
    },
  },
];
