// Sessions in Redis beside the official storage, each under a prefix of its own: microseconds a
// call of one process takes, with one call in flight and with 16. To store a session the official
// storage makes three trips to the server, ours one. Starts the server by itself: see the README.
import { randomUUID } from 'node:crypto';
import { createClient } from 'redis';
import { RedisSessionStorage as Official } from '@shopify/shopify-app-session-storage-redis';
import { redis } from '../scripts/services/redis.mjs';
import { start } from '../scripts/services/server.mjs';
import { RedisSessionStorage as Ours } from '../dist/sessions/storages/redis/index.js';
import { Comparison } from './storages.mjs';

/** How many times faster than the official storage, with one call in flight. */
const LEAST = { 'store new': 1.8 };

await start(redis);
const prefixes = ['ours', 'official'].map((side) => `shopwright-bench-${side}-${randomUUID()}`);
const [ours, official] = [Ours, Official].map(
  (Storage, index) => new Storage(redis.url, { sessionKeyPrefix: prefixes[index] }),
);
try {
  await Promise.all([ours.ready, official.ready]);
  const comparison = new Comparison({ ours, official });
  await comparison.fill();
  for (const what of ['store new', 'store', 'load'])
    await comparison.measure(what, { inFlight: 1, least: LEAST[what] });
  for (const what of ['store new', 'store', 'load'])
    await comparison.measure(what, { inFlight: 16 });
} finally {
  await Promise.all([ours.close(), official.disconnect()]);
  const admin = createClient({ url: redis.url });
  await admin.connect();
  for (const prefix of prefixes)
    for await (const keys of admin.scanIterator({ MATCH: `${prefix}*`, COUNT: 1000 }))
      if (keys.length) await admin.del(keys);
  await admin.close();
}
