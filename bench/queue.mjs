// Deliveries that wait in a queue: how long the platform waits for an answer while handlers take
// 2 s. One process receives and handles 200 deliveries a second for 30 s, over Redis, then over
// PostgreSQL, beside a bare server. Starts the servers by itself: see the README. Ends with 1 when a limit is exceeded.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { postgres } from '../scripts/services/postgres.mjs';
import { redis } from '../scripts/services/redis.mjs';
import { start } from '../scripts/services/server.mjs';
import { signedWebhook } from '../dist/dev-store/index.js';

const RATE = Number(process.env.RATE ?? 200);
const SECONDS = Number(process.env.SECONDS ?? 30);
const HANDLER_MS = 2_000;
/** Of the answers, in milliseconds. */
const MOST_P99 = 100;
/** Seconds of the same load before it is measured. */
const WARM_UP = 3;
/** Says how busy the machine is. */
const BARE = 'bare';
const APP = { apiKey: 'bench-api-key', apiSecretKey: 'bench-api-secret-0123456789' };

if (process.send && process.argv[2] === BARE) await runBare();
else if (process.send) await runApp(JSON.parse(process.argv[2]));
else await measureAll();

/** The app, in a process of its own. */
async function runApp(connection) {
  const { createServer } = await import('node:http');
  const { platformApp } = await import('../dist/integrations/express/index.js');
  const { bullmqQueue } = await import('../dist/webhooks/queue/bullmq/index.js');
  const { default: express } = await import('express');
  let handled = 0;
  const shopify = platformApp({
    api: {
      ...APP,
      scopes: ['write_products'],
      apiVersion: '2026-07',
      hostName: 'app.example.com',
      logger: { level: 1, log: (_severity, line) => console.error(line) },
    },
    webhooks: {
      queue: bullmqQueue({
        connection,
        name: `bench-${randomUUID()}`,
        // All that arrive while one is handled, and some more.
        concurrency: RATE * (HANDLER_MS / 1_000) * 1.2,
      }),
      PRODUCTS_CREATE: async () => {
        await sleep(HANDLER_MS);
        handled++;
      },
    },
  });
  const server = createServer(express().use(shopify.routes()));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.on('message', () => process.send({ handled, cpu: process.cpuUsage() }));
  process.on('disconnect', () => process.exit());
  process.send({ port: server.address().port });
}

/** A server that reads a body and answers. */
async function runBare() {
  const { createServer } = await import('node:http');
  const server = createServer((req, res) => req.resume().on('end', () => res.end()));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.on('disconnect', () => process.exit());
  process.send({ port: server.address().port });
}

async function measureAll() {
  for (const service of [redis, postgres]) {
    await start(service);
    await measure(service);
  }
}

async function measure({ name, url }) {
  const bare = await startProcess(BARE);
  const app = await startProcess(JSON.stringify(url));
  await answerTime(app);
  const answers = [];
  const bareAnswers = [];
  const begin = performance.now();
  for (let sent = 0; sent < RATE * (WARM_UP + SECONDS); sent++) {
    await sleep(begin + (sent * 1_000) / RATE - performance.now());
    answers.push(answerTime(app));
    bareAnswers.push(answerTime(bare));
  }
  const expected = answers.length + 1;
  const times = sorted((await Promise.all(answers)).slice(RATE * WARM_UP));
  const bareTimes = sorted((await Promise.all(bareAnswers)).slice(RATE * WARM_UP));
  let [handled, cpu] = [0];
  for (let waited = 0; handled < expected && waited < 60_000; waited += 500) {
    await sleep(500);
    app.child.send('count');
    [{ handled, cpu }] = await once(app.child, 'message');
  }
  for (const { child, agent } of [app, bare]) {
    child.disconnect();
    agent.destroy();
  }
  const isGood = at(times, 0.99) < MOST_P99 && handled === expected;
  console.log(
    `${name}: ${RATE} deliveries/s for ${SECONDS} s, handlers take ${HANDLER_MS} ms: answered after p50 ${at(times, 0.5)} ms, p99 ${at(times, 0.99)} ms (limit ${MOST_P99}; a bare server beside it ${at(bareTimes, 0.5)} and ${at(bareTimes, 0.99)} ms); ${handled} of ${expected} handled, ${((cpu.user + cpu.system) / 1_000 / expected).toFixed(1)} ms of processor time each: ${isGood ? 'ok' : 'BAD'}`,
  );
  if (!isGood) process.exitCode = 1;
}

async function startProcess(argument) {
  const child = fork(fileURLToPath(import.meta.url), [argument]);
  const [{ port }] = await once(child, 'message');
  return { child, port, agent: new Agent({ keepAlive: true }) };
}

function sorted(times) {
  return times.sort((one, other) => one - other);
}

function at(times, share) {
  return Number(times[Math.floor((times.length - 1) * share)].toFixed(1));
}

/** Milliseconds until a delivery of its own was answered with 200. */
function answerTime({ port, agent }) {
  const { headers, body } = signedWebhook({
    secret: APP.apiSecretKey,
    shop: 'bench.myshopify.com',
    topic: 'PRODUCTS_CREATE',
    payload: { id: 1, title: 'x'.repeat(1_000) },
  });
  const begin = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request({
      port,
      host: '127.0.0.1',
      path: '/webhooks',
      method: 'POST',
      headers,
      agent,
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      if (response.statusCode !== 200) reject(new Error(`Answered with ${response.statusCode}.`));
      response.resume().on('end', () => resolve(performance.now() - begin));
    });
    sent.end(body);
  });
}
