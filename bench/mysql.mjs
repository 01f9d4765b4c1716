// Sessions in MySQL or MariaDB beside the official storage, each in a database of its own:
// microseconds a call of one process takes, with 16 calls in flight and with one, which lasts
// little longer than a question to the server and its answer. Starts the server by itself: see the
// README.
import { randomUUID } from 'node:crypto';
import { MySQLSessionStorage as Official } from '@shopify/shopify-app-session-storage-mysql';
import { createConnection } from 'mysql2/promise';
import { mariadb } from '../scripts/services/mariadb.mjs';
import { start } from '../scripts/services/server.mjs';
import { MySQLSessionStorage as Ours } from '../dist/sessions/storages/mysql/index.js';
import { Comparison } from './storages.mjs';

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
  const comparison = new Comparison({ ours, official });
  await comparison.fill();
  await comparison.measure('load', { inFlight: 16, least: 1.3 });
  await comparison.measure('store', { inFlight: 16 });
  for (const what of ['load', 'store']) await comparison.measure(what, { inFlight: 1 });
} finally {
  await Promise.all([ours.close(), official.disconnect()]);
  for (const database of databases) await admin.query('DROP DATABASE ??', [database]);
  await admin.end();
}
