// A server over the built package under a steady load of everything an app gets, for as long as it
// is told: what it does a second, how long its answers take, how late its event loop is, and
// whether its memory grows. Ends with 1 when an answer has another status than it must have, or
// when the heap clearly grows faster than the limit.
import { once } from 'node:events';
import { connect } from 'node:net';
import { createHistogram } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import {
  DevStore,
  base64Host,
  signedQuery,
  signedSessionToken,
  signedWebhook,
} from '../dist/dev-store/index.js';
import { APP, startServer } from './soak.server.mjs';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '3' }, rate: { type: 'string', default: '100' } },
});
const MINUTES = Number(values.minutes);
/** Requests a second. */
const RATE = Number(values.rate);
const SHOPS = Array.from({ length: 20 }, (_, index) => `soak-${index}.myshopify.com`);
/** Milliseconds between two batches of requests, and between two looks at the server. */
const BATCH = 20;
const LOOK = 5_000;
/**
 * The most that the heap may grow in the second half, in KB a minute; what the samples cannot tell
 * from it is let pass.
 */
const SLOPE_LIMIT = 500;
/**
 * Requests that wait for an answer at once: where the machine cannot keep up with the rate, fewer
 * are sent.
 */
const IN_FLIGHT = 32;
/** How long a stalled upload stays: longer than the toolkit waits for one. */
const STALL = 12_000;
const STALLED_BYTES = Buffer.alloc(1_000_000, 'x');

const devStore = await DevStore.open({
  shops: SHOPS,
  apps: [{ apiKey: APP.apiKey, apiSecretKey: APP.apiSecretKey, appUrl: `https://${APP.hostName}` }],
  limits: { rest: 'off', graphql: 'off' },
});
for (const shop of SHOPS) devStore.shop(shop).install(APP.apiKey, { scopes: ['write_products'] });
const server = startServer(
  Object.fromEntries(SHOPS.map((shop) => [shop, devStore.shopOrigin(shop)])),
);
server.on('exit', () => process.exit(1));
const [port] = await once(server, 'message');
const url = `http://127.0.0.1:${port}`;

const latency = { now: createHistogram(), all: createHistogram() };
/** How many answers of each kind and status came, and which of them must not have. */
const counted = new Map();
const wrong = new Map();
let answers = 0;
let inFlight = 0;

const anyShop = () => SHOPS[Math.floor(Math.random() * SHOPS.length)];
const delivery = (secret) =>
  signedWebhook({
    secret,
    shop: anyShop(),
    topic: 'products/create',
    payload: { id: 1, text: 'x'.repeat(Math.random() * 20_000) },
  });
const post = ({ headers, body }) => fetch(`${url}/webhooks`, { method: 'POST', headers, body });
const tokenOf = (secret, shop = anyShop()) =>
  signedSessionToken({ apiKey: APP.apiKey, secret, shop });
const call = (token) => fetch(`${url}/api/shop`, { headers: { authorization: `Bearer ${token}` } });

/** Each kind of request: its share, the status it must be answered with, and how it is sent. */
const KINDS = [
  ['delivery', 30, 200, () => post(delivery(APP.apiSecretKey))],
  ['delivered twice', 5, 200, () => twice(delivery(APP.apiSecretKey))],
  ['forged delivery', 15, 401, () => post(delivery('another secret'))],
  ['session token', 30, 200, () => call(tokenOf(APP.apiSecretKey))],
  ['forged token', 5, 401, () => call(tokenOf('another secret'))],
  ['embedded page', 13, 200, () => page()],
  ['stalled upload', 1, undefined, () => upload(STALL)],
  ['cut upload', 1, undefined, () => upload(100)],
];
const SHARES = KINDS.flatMap((kind) => Array.from({ length: kind[1] }, () => kind));

async function twice(signed) {
  const [first, second] = await Promise.all([post(signed), post(signed)]);
  await first.arrayBuffer();
  return first.status === 200 ? second : first;
}

function page() {
  const shop = anyShop();
  const query = signedQuery(
    { shop, host: base64Host(shop), embedded: '1', timestamp: `${Math.floor(Date.now() / 1000)}` },
    APP.apiSecretKey,
  );
  return fetch(`${url}/?${query}`, {
    redirect: 'manual',
    headers: { accept: 'text/html', 'sec-fetch-dest': 'iframe' },
  });
}

/**
 * Begins a body of 5 MB, on our path or one of the app's, sends some of it, and hangs up after
 * `ms`.
 */
async function upload(ms) {
  const { headers } = delivery('another secret');
  const path = Math.random() < 0.5 ? '/webhooks' : '/uploads';
  const lines = Object.entries({ ...headers, 'Content-Length': 5_000_000 }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const socket = connect(port, '127.0.0.1');
  socket.resume().on('error', () => {});
  socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\n${lines.join('')}\r\n`);
  socket.write(STALLED_BYTES);
  setTimeout(() => socket.destroy(), ms).unref();
}

async function send([kind, , expected, request]) {
  const start = performance.now();
  let status;
  inFlight++;
  try {
    const response = await request();
    await response?.arrayBuffer();
    status = response?.status;
  } catch (error) {
    status = error.cause?.code ?? error.message;
  } finally {
    inFlight--;
  }
  const name = `${kind}: ${status ?? 'sent'}`;
  counted.set(name, (counted.get(name) ?? 0) + 1);
  if (status !== expected) wrong.set(name, (wrong.get(name) ?? 0) + 1);
  if (status === undefined) return;
  answers++;
  const micros = Math.max(1, Math.round((performance.now() - start) * 1000));
  latency.now.record(micros);
  latency.all.record(micros);
}

/** The slope of a line through the points, and its standard error. */
function leastSquares(points) {
  const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
  const [x, y] = [mean(points.map(([at]) => at)), mean(points.map(([, value]) => value))];
  const spread = points.reduce((sum, [at]) => sum + (at - x) ** 2, 0);
  const slope = points.reduce((sum, [at, value]) => sum + (at - x) * (value - y), 0) / spread;
  const rest = points.reduce((sum, [at, value]) => sum + (value - y - slope * (at - x)) ** 2, 0);
  return { slope, error: Math.sqrt(rest / Math.max(1, points.length - 2) / spread) };
}

const MB = 1024 * 1024;
const ms = (histogram, share) => (histogram.percentile(share) / 1000).toFixed(1);
const memory = [];
let worst = 0;

async function look(elapsed, rate, histogram) {
  server.send('look');
  const [{ p99, max, heap, rss }] = await once(server, 'message');
  memory.push([elapsed / 60_000, heap / 1024]);
  worst = Math.max(worst, max);
  console.log(
    `${(elapsed / 1000).toFixed(0).padStart(5)} s  ${rate.toFixed(0)} requests/s, p50 ${ms(histogram, 50)} ms, p99 ${ms(histogram, 99)} ms; ` +
      `event loop p99 ${p99.toFixed(1)} ms, max ${max.toFixed(1)} ms; heap ${(heap / MB).toFixed(1)} MB, RSS ${(rss / MB).toFixed(0)} MB`,
  );
}

// From here on every shop has the app.
for (const shop of SHOPS)
  await call(tokenOf(APP.apiSecretKey, shop)).then((response) => response.arrayBuffer());

const start = performance.now();
let sent = 0;
const timer = setInterval(() => {
  const due = ((performance.now() - start) / 1000) * RATE;
  if (inFlight >= IN_FLIGHT) sent = due;
  for (; sent < due && inFlight < IN_FLIGHT; sent++)
    void send(SHARES[Math.floor(Math.random() * SHARES.length)]);
}, BATCH);
for (let last = 0, at = start; performance.now() - start < MINUTES * 60_000;) {
  await new Promise((resolve) => setTimeout(resolve, LOOK));
  const now = performance.now();
  await look(now - start, ((answers - last) * 1000) / (now - at), latency.now);
  [last, at] = [answers, now];
  latency.now.reset();
}
clearInterval(timer);
const seconds = (performance.now() - start) / 1000;

const { slope, error } = leastSquares(memory.slice(Math.floor(memory.length / 2)));
const grows = slope - 2 * error > SLOPE_LIMIT;
console.log(
  `\n${answers} answers in ${seconds.toFixed(0)} s: ${(answers / seconds).toFixed(0)} requests/s, p50 ${ms(latency.all, 50)} ms, p99 ${ms(latency.all, 99)} ms; event loop at most ${worst.toFixed(1)} ms late`,
);
for (const [name, count] of [...counted].sort())
  console.log(`  ${String(count).padStart(7)}  ${name}${wrong.has(name) ? '  WRONG' : ''}`);
console.log(
  `heap in the second half: ${slope.toFixed(0)} KB/min, give or take ${(2 * error).toFixed(0)} (limit ${SLOPE_LIMIT})${grows ? '  GROWS' : ''}`,
);
server.removeAllListeners('exit').disconnect();
await devStore.close();
process.exit(grows || wrong.size > 0 ? 1 : 0);
