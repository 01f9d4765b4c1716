// Sessions in MySQL or MariaDB beside the official storage, each in a database of its own: microseconds a call of one process takes, one after
// the other and with 16 calls in flight. Needs the server of `npm run services mysql`, or the one MYSQL_URL names.
import { randomUUID } from 'node:crypto';
import { MySQLSessionStorage as Official } from '@shopify/shopify-app-session-storage-mysql';
import { createConnection } from 'mysql2/promise';
import { mariadb } from '../scripts/services/mariadb.mjs';
import { start } from '../scripts/services/server.mjs';
import { MySQLSessionStorage as Ours } from '../dist/sessions/storages/mysql/index.js';
import { compare, fill } from './storages.mjs';

/** How many times faster than the official storage a load is, at least. */
const LEAST = 1.3;

await start(mariadb);
const admin = await createConnection(mariadb.url);
const databases = ['ours', 'official'].map((side) => `shopwright-bench-${side}-${randomUUID()}`);
for (const database of databases) await admin.query('CREATE DATABASE ??', [database]);
const [ourUrl, officialUrl] = databases.map((database) => {
  const url = new URL(mariadb.url);
  // The official storage connects to port 0 when the URL has none.
  url.port ||= '3306';
  url.pathname = database;
  return url;
});
const ours = new Ours(ourUrl);
const official = new Official(officialUrl);
try {
  await official.ready;
  for (const storage of [ours, official]) await fill(storage);
  for (const inFlight of [1, 16]) {
    await compare({ ours, official }, { what: 'load', inFlight, least: LEAST });
    await compare({ ours, official }, { what: 'store', inFlight });
  }
} finally {
  await Promise.all([ours.close(), official.disconnect()]);
  for (const database of databases) await admin.query('DROP DATABASE ??', [database]);
  await admin.end();
}
