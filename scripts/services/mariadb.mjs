import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';

const DATABASE = 'shopwright';
const port = process.env.SHOPWRIGHT_MYSQL_PORT ?? '3390';
const ours = `mysql://root@127.0.0.1:${port}/${DATABASE}`;
const url = process.env.MYSQL_URL ?? ours;

/**
 * Listens on this machine alone and trusts whoever asks there. Text compares without regard to
 * case, as most servers are set up.
 */
export const mariadb = {
  id: 'mysql',
  name: 'MariaDB',
  variable: 'MYSQL_URL',
  url,
  isOurs: url === ours,
  program: 'mariadbd',
  debianPackages: ['mariadb-server-core', 'mariadb-client'],
  prepare({ folder, run }) {
    writeFileSync(
      join(folder, 'init.sql'),
      `CREATE DATABASE IF NOT EXISTS ${DATABASE};
`,
    );
    if (existsSync(join(folder, 'data', 'mysql'))) return;
    const trusting = '--auth-root-authentication-method=normal';
    run([
      'mariadb-install-db',
      '--no-defaults',
      `--datadir=${join(folder, 'data')}`,
      trusting,
      '--skip-test-db',
    ]);
  },
  command: ({ folder }) => [
    'mariadbd',
    '--no-defaults',
    ...[
      `--datadir=${join(folder, 'data')}`,
      `--socket=${join(folder, 'socket')}`,
      `--init-file=${join(folder, 'init.sql')}`,
    ],
    ...[
      '--bind-address=127.0.0.1',
      `--port=${port}`,
      '--skip-name-resolve',
      '--innodb-flush-log-at-trx-commit=2',
    ],
    ...['--character-set-server=utf8mb4', '--collation-server=utf8mb4_general_ci'],
  ],
  async answers() {
    try {
      const connection = await createConnection({ uri: url, connectTimeout: 1000 });
      await connection.end();
      return true;
    } catch {
      return false;
    }
  },
};
