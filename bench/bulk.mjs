// A bulk query whose result is larger than any heap: how much memory reading it takes, and how fast
// it goes. The store is a process of its own.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { DevStore } from '../dist/dev-store/index.js';
import { MemorySessionStorage, Session, platformApp } from '../dist/integrations/express/index.js';

const SHOP = 'bench.myshopify.com';
const API = { apiKey: 'bench-key', apiSecretKey: 'bench-secret-0123456789' };
const APP_URL = 'https://app.example.com';
const MEGABYTE = 1024 * 1024;
const SIZE_MB = Number(process.env.SIZE_MB ?? 2048);
const LIMIT_MB = 64;

/**
 * Runs in a child: a store that answers every bulk query with gigabytes, made as they are fetched.
 */
async function serve() {
  const store = await DevStore.open({ shops: [SHOP], apps: [{ ...API, appUrl: APP_URL }] });
  const shop = store.shop();
  const line = (number) =>
    `${JSON.stringify({ id: `gid://shopify/Product/${number}`, title: `Größe ${number} 🎉`, descriptionHtml: 'x'.repeat(number % 400), tags: ['a', 'b'] })}\n`;
  const piece = Buffer.from(Array.from({ length: 256 }, (_, number) => line(number)).join(''));
  const pieces = Math.ceil((SIZE_MB * MEGABYTE) / piece.length);
  shop.serveBulkFile({
    size: pieces * piece.length,
    async *open() {
      for (let made = 0; made < pieces; made++) yield piece;
    },
  });
  process.send({
    origin: shop.origin,
    accessToken: shop.install(API.apiKey, { scopes: ['read_products'] }),
    rows: pieces * 256,
  });
  process.once('disconnect', () => void store.close());
}

async function read({ origin, accessToken, rows }) {
  const sessionStorage = new MemorySessionStorage();
  await sessionStorage.storeSession(
    new Session({ id: `offline_${SHOP}`, shop: SHOP, state: '', isOnline: false, accessToken }),
  );
  const app = platformApp({
    api: {
      ...API,
      apiVersion: '2026-07',
      hostName: new URL(APP_URL).host,
      hostScheme: 'https',
      shopOrigin: () => origin,
    },
    auth: { path: '/auth', callbackPath: '/auth/callback' },
    webhooks: { path: '/webhooks' },
    sessionStorage,
  });
  await app.ready();
  const { admin } = await app.api.clients.forShop(SHOP);

  globalThis.gc?.();
  const before = process.memoryUsage();
  const peak = { ...before };
  const start = performance.now();
  let read = 0;
  for await (const row of admin.bulk.query(
    '{ products { edges { node { id title descriptionHtml tags } } } }',
  )) {
    if (row.id !== undefined && ++read % 500 !== 0) continue;
    const now = process.memoryUsage();
    for (const kind of Object.keys(peak)) peak[kind] = Math.max(peak[kind], now[kind]);
  }
  const seconds = (performance.now() - start) / 1000;
  await app.close();

  const growth = (kind) => (peak[kind] - before[kind]) / MEGABYTE;
  console.log(
    `${SIZE_MB} MB of JSON lines, ${read} rows (${read === rows ? 'all' : `of ${rows}`}) in ${seconds.toFixed(1)} s`,
  );
  console.log(
    `throughput:           ${(SIZE_MB / seconds).toFixed(0)} MB/s, ${Math.round(read / seconds)} rows/s`,
  );
  console.log(`peak heap growth:     ${growth('heapUsed').toFixed(1)} MB (limit ${LIMIT_MB})`);
  console.log(
    `peak growth outside:  ${growth('external').toFixed(1)} MB of buffers, ${growth('rss').toFixed(1)} MB resident`,
  );
  if (read !== rows || growth('heapUsed') >= LIMIT_MB) process.exitCode = 1;
}

if (process.argv[2] === 'serve') await serve();
else {
  const store = fork(fileURLToPath(import.meta.url), ['serve']);
  const [description] = await once(store, 'message');
  await read(description);
  store.disconnect();
}
