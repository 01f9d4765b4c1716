// Sessions in PostgreSQL beside the official storage, each in a database of its own: microseconds a
// call of one process takes, with 16 calls in flight and with one. Starts the server by itself: see
// the README.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { PostgreSQLSessionStorage as Official } from '@shopify/shopify-app-session-storage-postgresql';
import { postgres } from '../scripts/services/postgres.mjs';
import { start } from '../scripts/services/server.mjs';
import { PostgreSQLSessionStorage as Ours } from '../dist/sessions/storages/postgresql/index.js';
import { Comparison } from './storages.mjs';

/** So many that the server looks for them by their index. */
const SESSIONS = 10_000;
/** How many times faster than the official storage, with 16 calls in flight. */
const LEAST = { load: 2.5, store: 2.3 };
const WARM_UP = [20_000, 20_000];

await start(postgres);
const admin = new pg.Client({ connectionString: postgres.url });
await admin.connect();
const databases = ['ours', 'official'].map((side) => `shopwright-bench-${side}-${randomUUID()}`);
for (const database of databases) await admin.query(`CREATE DATABASE "${database}"`);
const [ourUrl, officialUrl] = databases.map((database) => {
  const url = new URL(postgres.url);
  url.pathname = database;
  return url;
});
const ours = new Ours(ourUrl);
const official = new Official(officialUrl);
try {
  await official.ready;
  const comparison = new Comparison({ ours, official, sessions: SESSIONS });
  await comparison.fill();
  for (const what of ['load', 'store'])
    await comparison.measure(what, { inFlight: 16, least: LEAST[what], warmUp: WARM_UP });
  for (const what of ['load', 'store']) await comparison.measure(what, { inFlight: 1 });
} finally {
  await Promise.all([ours.close(), official.disconnect()]);
  for (const database of databases) await admin.query(`DROP DATABASE "${database}" WITH (FORCE)`);
  await admin.end();
}
