// Sessions in PostgreSQL beside the official storage, in the same run, each in a database of its own: microseconds a call of one process takes
// with 16 calls in flight, and with one. Rounds are interleaved and compared one by one, so that a busy machine disturbs both alike. Ends with
// 1 when a ratio is missed. Needs the server of `npm run services postgres`, or the one POSTGRES_URL names.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { PostgreSQLSessionStorage as Official } from '@shopify/shopify-app-session-storage-postgresql';
import { postgres } from '../scripts/services/postgres.mjs';
import { start } from '../scripts/services/server.mjs';
import { Session } from '../dist/sessions/index.js';
import { PostgreSQLSessionStorage as Ours } from '../dist/sessions/storages/postgresql/index.js';

/** So many that the server looks for them by their index. */
const SESSIONS = 10_000;
const ROUNDS = 31;
/** Calls of one side of a round; and before the rounds, so that the compiler has done its work. */
const CALLS = 800;
const WARM_UP = 20_000;
/** How many times faster than the official storage, with so many calls in flight. */
const LEAST = { load: { 16: 2.5 }, store: { 16: 2.3 } };

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const id = (index) => `offline_shop-${index % SESSIONS}.myshopify.com`;

/** @param generation how often its tokens were renewed */
function session(index, generation) {
  const inAnHour = new Date(Date.now() + 3_600_000 * generation);
  return new Session({
    id: id(index),
    shop: `shop-${index % SESSIONS}.myshopify.com`,
    state: '123456789012345',
    isOnline: false,
    scope: 'read_products,write_products,read_orders',
    accessToken: `shpat_${randomUUID()}`,
    expires: inAnHour,
    refreshToken: `shprt_${randomUUID()}`,
    refreshTokenExpires: inAnHour,
  });
}

/** Microseconds per call while so many are in flight. */
async function measure(inFlight, call, calls = CALLS) {
  let next = 0;
  const worker = async () => {
    while (next < calls) await call(next++);
  };
  const before = performance.now();
  await Promise.all(Array.from({ length: inFlight }, worker));
  return ((performance.now() - before) * 1000) / calls;
}

const GENERATIONS = [1, 2].map((generation) => Array.from({ length: SESSIONS }, (_, index) => session(index, generation)));
let stored = 0;
/** Each gets new tokens in its turn. */
const nextToStore = () => GENERATIONS[Math.floor(stored / SESSIONS) % 2][stored++ % SESSIONS];

const CALL_OF = {
  load: (storage) => (index) => storage.loadSession(id(index)),
  store: (storage) => () => storage.storeSession(nextToStore()),
};

async function compare(ours, official, what, inFlight) {
  const sides = [ours, official].map(CALL_OF[what]);
  for (const side of sides) await measure(inFlight, side, WARM_UP);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push([await measure(inFlight, sides[0]), await measure(inFlight, sides[1])]);
  const [mine, theirs] = [0, 1].map((side) => median(rounds.map((round) => round[side])));
  const ratio = median(rounds.map(([mine, theirs]) => theirs / mine));
  const least = LEAST[what][inFlight];
  const limit = least ? `(at least ${least})` : '';
  console.log(
    `${what.padEnd(5)} ${String(inFlight).padStart(2)} in flight: ${mine.toFixed(1)} µs, the official ${theirs.toFixed(1)} µs: ${ratio.toFixed(2)} times ${limit}`,
  );
  if (least && ratio < least) process.exitCode = 1;
}

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
  for (const storage of [ours, official]) await Promise.all(GENERATIONS[0].map((session) => storage.storeSession(session)));
  for (const inFlight of [16, 1]) for (const what of ['load', 'store']) await compare(ours, official, what, inFlight);
} finally {
  await Promise.all([ours.close(), official.disconnect()]);
  for (const database of databases) await admin.query(`DROP DATABASE "${database}" WITH (FORCE)`);
  await admin.end();
}
