import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

const port = process.env.SHOPWRIGHT_POSTGRES_PORT ?? '5490';
const ours = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
const url = process.env.POSTGRES_URL ?? ours;

/**
 * Listens on this machine alone and trusts whoever asks there. Nothing is synced to disk: that is
 * for tests.
 */
export const postgres = {
  id: 'postgres',
  name: 'PostgreSQL',
  variable: 'POSTGRES_URL',
  url,
  isOurs: url === ours,
  program: 'postgres',
  debianPackages: ['postgresql'],
  prepare({ folder, run }) {
    if (existsSync(join(folder, 'PG_VERSION'))) return;
    run([
      'initdb',
      '--pgdata',
      folder,
      '--username=postgres',
      '--auth=trust',
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
    ]);
  },
  command: ({ folder }) => [
    'postgres',
    ...['-D', folder, '-h', '127.0.0.1', '-p', port],
    ...['-c', 'unix_socket_directories=', '-c', 'fsync=off', '-c', 'max_connections=200'],
  ],
  // The polite signal waits until the last client has left.
  stopSignal: 'SIGINT',
  async answers() {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000 });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return true;
    } catch {
      return false;
    }
  },
};
