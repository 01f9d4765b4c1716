import { setTimeout as sleep } from 'node:timers/promises';

import { AppProcess } from './app.process.mjs';
import { expectHandled } from './engine.cases.mjs';
import { Ledger } from './ledger.mjs';
import { Load } from './load.mjs';
import { deliver } from './platform.requests.mjs';
import { expect, expectEqual } from './report.mjs';

const HOSTS = [
  { host: 'express', name: 'Express' },
  { host: 'nest-express', name: 'Nest, Express' },
  { host: 'nest-fastify', name: 'Nest, Fastify' },
  { host: 'remix', name: 'Remix' },
];
const SHOP = 'shutdown.myshopify.com';
const DELIVERIES = ['one', 'two', 'three', 'four', 'five'];
/**
 * How long handlers run, how soon their senders leave, and how long the app waits for handlers in
 * the case that it is not long enough.
 */
const HANDLER = 8_000;
const SENDER = 1_000;
const LIMIT = 2_000;
/** On top of what an app has to wait for, in milliseconds. */
const MARGIN = 5_000;

/** What happens to work when an app is shut down, on every host. */
export function shutdownCases(world) {
  const cases = HOSTS.flatMap(({ host, name }) => [
    [
      {
        engine: name,
        title: `SIGTERM while ${HANDLER / 1000} s handlers run whose senders left`,
        outcome:
          'new deliveries 503, all handlers complete, then the process exits; nothing runs twice',
      },
      (setup) => drained({ ...setup, host }),
    ],
    [
      {
        engine: name,
        title: `SIGTERM while handlers run for longer than ${LIMIT / 1000} s, the limit`,
        outcome: 'the process exits at the limit, the next attempts run at once',
      },
      (setup) => cutOff({ ...setup, host }),
    ],
  ]);
  cases.push([
    {
      engine: 'Express',
      title: 'SIGTERM under load, beside a second process',
      outcome: 'the other process handles what it refuses, each delivery once',
    },
    rolled,
  ]);
  return Promise.all(
    cases.map(([row, run], index) =>
      world.report.case(row, async () => run(await setupOf(world, index))),
    ),
  );
}

async function setupOf({ engine, servers }, index) {
  const ledger = new Ledger(`${servers.folder}/shutdown-${index}.jsonl`);
  return { ledger, place: await engine.createPlace(servers) };
}

/** Handlers under way whose senders have hung up, when the app is asked to end. */
async function interrupted({ host, ledger, place, ms, ...setup }) {
  const app = await AppProcess.start({ host, place, ledgerFile: ledger.file, ...setup });
  const payload = { first: { ms } };
  const senders = DELIVERIES.map((webhookId) =>
    deliver(app, { shop: SHOP, webhookId, payload, hangUpAfter: SENDER }),
  );
  for (const { error } of await Promise.all(senders)) expectEqual('A sender', error, 'HUNG_UP');
  expectEqual(
    'Handlers that began',
    DELIVERIES.filter((id) => ledger.runs(id).first?.[0] === 1).length,
    DELIVERIES.length,
  );
  app.signal('SIGTERM');
  return { app, at: Date.now() };
}

async function drained({ host, ledger, place }) {
  const { app, at } = await interrupted({ host, ledger, place, ms: HANDLER });
  await sleep(500);
  const late = await deliver(app, { shop: SHOP, webhookId: 'late' });
  expectEqual('A delivery to an app that shuts down', late.status, 503);
  expect(Number(late.retryAfter) > 0 && late.error, `The answer says ${JSON.stringify(late)}.`);
  const took = await expectEnd(app, at, HANDLER + MARGIN);
  for (const id of DELIVERIES)
    expectEqual('Runs', ledger.runs(id), { first: [1, 1], second: [1, 1] });
  const orphans = ledger.read().filter(({ isDatabaseClosed }) => isDatabaseClosed);
  expectEqual("Handlers that ended after the app's database was closed", orphans.length, 0);

  const next = await AppProcess.start({ host, place, ledgerFile: ledger.file });
  for (const id of [...DELIVERIES, 'late'])
    expectEqual(
      'The next attempt',
      (await deliver(next, { shop: SHOP, webhookId: id })).status,
      200,
    );
  for (const id of [...DELIVERIES, 'late'])
    expectEqual('Runs after it', ledger.runs(id), { first: [1, 1], second: [1, 1] });
  await next.kill();
  return `the process ended after ${took} ms`;
}

async function cutOff({ host, ledger, place }) {
  const webhooks = { shutdownTimeout: LIMIT };
  const { app, at } = await interrupted({ host, ledger, place, ms: 60_000, webhooks, exits: true });
  const took = await expectEnd(app, at, LIMIT + MARGIN);
  expect(took >= LIMIT - 100, `The process ended after ${took} ms: it did not wait.`);
  const next = await AppProcess.start({ host, place, ledgerFile: ledger.file });
  for (const id of DELIVERIES) {
    const { status, ms } = await deliver(next, { shop: SHOP, webhookId: id });
    expectEqual('The next attempt', status, 200);
    expect(ms < 2_000, `The next attempt waited for ${ms} ms.`);
    expectEqual('Runs', ledger.runs(id), { first: [2, 1], second: [1, 1] });
  }
  await next.kill();
  return `the process ended after ${took} ms`;
}

async function rolled({ ledger, place }) {
  const start = () => AppProcess.start({ place, ledgerFile: ledger.file });
  const [old, next] = await Promise.all([start(), start()]);
  // The second attempt of a delivery, and what comes when the first process is gone, meets the
  // other.
  const load = new Load({
    name: 'rolled',
    appOf: (attempt) => (attempt > 0 || !old.isRunning ? next : old),
    payload: { first: { ms: 300 } },
  });
  try {
    return await rolledUnder(load, old, ledger);
  } finally {
    load.stop();
    await next.kill();
  }
}

async function rolledUnder(load, old, ledger) {
  await sleep(2_000);
  old.signal('SIGTERM');
  const took = await expectEnd(old, Date.now(), MARGIN);
  await sleep(1_000);
  await load.finish(40_000);
  expectEqual('Repeated deliveries', expectHandled(load, ledger), 0);
  const refused = new Set(load.refused.map(({ status, error }) => `${status} ${error}`));
  return `the process ended after ${took} ms; ${load.refused.length} of ${load.answers.length} attempts refused: ${[...refused].join(', ')}`;
}

/**
 * @returns after how many milliseconds the process ended @throws when that is too late, or it ended
 * otherwise than by what it was told
 */
async function expectEnd(app, since, within) {
  const force = setTimeout(() => void app.kill(), within);
  const { code, signal, errors } = await app.ended;
  clearTimeout(force);
  // Nest ends itself by the signal that it was given.
  expect(
    (code === 0 || signal === 'SIGTERM') && errors === '',
    `The process ended with ${signal ?? `exit code ${code}`}. ${errors}`,
  );
  return Date.now() - since;
}
