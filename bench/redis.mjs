// Sessions in Redis beside the official storage, in the same run, each under a prefix of its own: microseconds a call of one process takes with
// 16 calls in flight, and with one; for sessions that are new, are stored again, are loaded. Rounds are interleaved and compared one by one, so
// that a busy machine disturbs both alike. Ends with 1 when a ratio is missed. Needs the server of `npm run services redis`, or the one REDIS_URL
// names.
import { randomUUID } from 'node:crypto';
import { createClient } from 'redis';
import { Session as OfficialSession } from '@shopify/shopify-api';
import { RedisSessionStorage as Official } from '@shopify/shopify-app-session-storage-redis';
import { redis } from '../scripts/services/redis.mjs';
import { start } from '../scripts/services/server.mjs';
import { Session } from '../dist/sessions/index.js';
import { RedisSessionStorage as Ours } from '../dist/sessions/storages/redis/index.js';

const ROUNDS = 31;
/** Calls of one side of a round. */
const CALLS = 800;
/** How many times faster than the official storage, which makes three trips to the server where ours makes one. */
const LEAST = { 'store, new': { 1: 1.8 } };

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

function paramsOf(name) {
  const inAnHour = new Date(Date.now() + 3_600_000);
  return {
    id: `offline_shop-${name}.myshopify.com`,
    shop: `shop-${name}.myshopify.com`,
    state: '123456789012345',
    isOnline: false,
    scope: 'read_products,write_products,read_orders',
    accessToken: `shpat_${randomUUID()}`,
    expires: inAnHour,
    refreshToken: `shprt_${randomUUID()}`,
    refreshTokenExpires: inAnHour,
  };
}

/** Microseconds per call while so many are in flight. */
async function measure(inFlight, call) {
  let next = 0;
  const worker = async () => {
    while (next < CALLS) await call(next++);
  };
  const before = performance.now();
  await Promise.all(Array.from({ length: inFlight }, worker));
  return ((performance.now() - before) * 1000) / CALLS;
}

/** Stores sessions nobody has seen, stores them again, loads them. */
async function roundOf({ storage, Class }, inFlight) {
  const round = randomUUID();
  const sessions = Array.from({ length: CALLS }, (_, index) => new Class(paramsOf(`${round}-${index}`)));
  const store = (index) => storage.storeSession(sessions[index]);
  return {
    'store, new': await measure(inFlight, store),
    'store, again': await measure(inFlight, store),
    load: await measure(inFlight, (index) => storage.loadSession(sessions[index].id)),
  };
}

async function compare(sides, inFlight) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push([await roundOf(sides[0], inFlight), await roundOf(sides[1], inFlight)]);
  for (const what of Object.keys(rounds[0][0])) {
    const [mine, theirs] = [0, 1].map((side) => median(rounds.map((round) => round[side][what])));
    const ratio = median(rounds.map(([mine, theirs]) => theirs[what] / mine[what]));
    const least = LEAST[what]?.[inFlight];
    const limit = least ? `(at least ${least})` : '';
    console.log(
      `${what.padEnd(12)} ${String(inFlight).padStart(2)} in flight: ${mine.toFixed(1)} µs, the official ${theirs.toFixed(1)} µs: ${ratio.toFixed(2)} times ${limit}`,
    );
    if (least && ratio < least) process.exitCode = 1;
  }
}

await start(redis);
const prefixes = ['ours', 'official'].map((side) => `shopwright-bench-${side}-${randomUUID()}`);
const [ours, official] = [Ours, Official].map((Storage, index) => new Storage(redis.url, { sessionKeyPrefix: prefixes[index] }));
try {
  await Promise.all([ours.ready, official.ready]);
  const sides = [
    { storage: ours, Class: Session },
    { storage: official, Class: OfficialSession },
  ];
  for (const inFlight of [16, 1]) await compare(sides, inFlight);
} finally {
  await Promise.all([ours.close(), official.disconnect()]);
  const admin = createClient({ url: redis.url });
  await admin.connect();
  for (const prefix of prefixes)
    for await (const keys of admin.scanIterator({ MATCH: `${prefix}*`, COUNT: 1000 })) if (keys.length) await admin.del(keys);
  await admin.close();
}
