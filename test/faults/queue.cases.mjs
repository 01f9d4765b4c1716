import { setTimeout as sleep } from 'node:timers/promises';

import { AppProcess } from './app.process.mjs';
import { Ledger } from './ledger.mjs';
import { Load } from './load.mjs';
import { askForDeadLetters, deliver, replayDeadLetters } from './platform.requests.mjs';
import { expect, expectEqual } from './report.mjs';

const SHOP = 'queue.myshopify.com';
/** Longer than what becomes of a delivery whose process was killed, in milliseconds. */
const PATIENCE = 90_000;
/** The platform waits no longer for its answer. */
const PLATFORM_WAITS = 5_000;
/** How long the server is gone. */
const OUTAGE = 10_000;
const CONCURRENCY = 5;
const KILLS = 12;

/** What becomes of deliveries that are stored in a queue. The server stays, but for the last. */
const ALONE = [
  {
    title: 'queue: one delivery sent 50 times to three processes',
    outcome: 'its handlers run once',
    run: sentOften,
  },
  {
    title: 'queue: a worker killed every second',
    outcome: 'each delivery handled; no more repeated than ran, none that was recorded',
    run: killed,
  },
  {
    title: 'queue: ordered by shop, worked by three processes, two of which are killed',
    outcome: 'each delivery handled, those of a shop in the order of their events, one at a time',
    run: ordered,
  },
  {
    title: 'queue: a delivery that kills its process',
    outcome: 'a dead letter after three attempts, the hook once, the others handled, replay works',
    run: poisoned,
  },
  {
    title: 'queue: SIGTERM under load, beside a second process',
    outcome: 'the process ends by itself, each delivery handled once',
    run: ended,
  },
];
const OUTAGES = [
  {
    title: `queue: its server stopped for ${OUTAGE / 1000} s under load`,
    outcome: '503 in time meanwhile; then, without a restart, each delivery handled once',
    run: withoutServer,
  },
];

export const QUEUE_TITLES = [...ALONE, ...OUTAGES].map(({ title }) => title);

/** @param world.storing the engine that the sessions of the apps are in */
export async function queueCases(world) {
  const { report, engine } = world;
  if (!engine.createQueue) return;
  const runAll = (cases) =>
    Promise.all(
      cases.map(({ run, ...row }) =>
        report.case({ engine: engine.name, ...row }, async () => {
          const apps = new Apps(await setupOf(world, row.title));
          try {
            return await run(apps, world);
          } finally {
            await apps.kill();
          }
        }),
      ),
    );
  await runAll(ALONE);
  await runAll(OUTAGES);
}

async function setupOf({ engine, servers, storing }, title) {
  const file = `${engine.name}-${title.replaceAll(/\W+/g, '-')}`;
  return {
    ledger: new Ledger(`${servers.folder}/${file}.jsonl`),
    place: await storing.createPlace(servers),
    queue: { ...(await engine.createQueue(servers)), concurrency: CONCURRENCY },
  };
}

/** The processes of an app of one case. */
class Apps {
  #running = [];

  constructor({ ledger, place, queue }) {
    this.ledger = ledger;
    this.setup = { place, ledgerFile: ledger.file };
    this.queue = queue;
  }

  async start({ queue = {}, ...setup } = {}) {
    const app = await AppProcess.start({
      ...this.setup,
      ...setup,
      queue: { ...this.queue, ...queue },
    });
    this.#running.push(app);
    return app;
  }

  /** A process that only receives. */
  receiver() {
    return this.start({ queue: { worker: false } });
  }

  async kill() {
    await Promise.all(this.#running.map((app) => app.kill()));
  }
}

/** How often the last handler has come to its end, by delivery. */
function endsIn(ledger) {
  const ends = new Map();
  for (const { what, key, name } of ledger.read())
    if (what === 'end' && name === 'second') ends.set(key, (ends.get(key) ?? 0) + 1);
  return ends;
}

async function expectAllHandled(ledger, ids) {
  const lost = () => {
    const ends = endsIn(ledger);
    return ids.filter((id) => !ends.has(id));
  };
  await until(() => lost().length === 0);
  expectEqual('Deliveries that were lost', lost(), []);
}

/** Waits for what is to become true, or until it is too late. */
async function until(isSo) {
  for (let waited = 0; waited < PATIENCE && !(await isSo()); waited += 100) await sleep(100);
}

/** Delivers until it is accepted: a busy machine may take too long to store it. */
async function accepted(app, webhookId, payload, event = {}) {
  for (let attempt = 0; attempt < 20; attempt++) {
    const { status } = await deliver(app, { shop: SHOP, webhookId, payload, ...event });
    if (status === 200) return;
    expectEqual('An answer that is no success', status, 503);
    await sleep(1_000);
  }
  expect(false, `${webhookId} was never accepted.`);
}

async function sentOften(apps) {
  const three = await Promise.all([apps.start(), apps.start(), apps.start()]);
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, at) =>
      deliver(three[at % 3], { shop: SHOP, webhookId: 'often', payload: { first: { ms: 200 } } }),
    ),
  );
  expectEqual('Answers', [...new Set(answers.map(({ status }) => status))], [200]);
  await expectAllHandled(apps.ledger, ['often']);
  await sleep(2_000);
  expectEqual('Runs', apps.ledger.runs('often'), { first: [1, 1], second: [1, 1] });
}

/** @param world.deliveries how many, with kills until all are handled. @default a few, and kills */
async function killed(apps, { deliveries }) {
  const worker = () => apps.start({ queue: { lockDuration: 15_000 } });
  const [web, ...workers] = await Promise.all([apps.receiver(), worker(), worker()]);
  const ids = Array.from({ length: deliveries ?? 300 }, (_, at) => `killed ${at}`);
  const payload = { first: { ms: 400 }, second: { ms: 400 } };
  const sending = Promise.all(ids.map((webhookId) => accepted(web, webhookId, payload)));
  const isWorked = () => endsIn(apps.ledger).size < ids.length;
  let kills = 0;
  for (; deliveries === undefined ? kills < KILLS : isWorked(); kills++) {
    await sleep(1_000);
    const at = kills % workers.length;
    await workers[at].kill();
    workers[at] = await worker();
  }
  await sending;
  await expectAllHandled(apps.ledger, ids);
  let repeated = 0;
  const begun = new Set();
  for (const { what, key, name } of apps.ledger.read()) {
    if (what !== 'start') continue;
    const run = `${key} ${name}`;
    if (begun.has(run)) repeated++;
    // That the second has begun says that the end of the first was recorded.
    expect(
      name === 'second' || !begun.has(`${key} second`),
      `A handler of ${key} ran again after its end was recorded.`,
    );
    begun.add(run);
  }
  expect(repeated > 0, 'No handler was interrupted: the kills had no effect.');
  expect(repeated <= kills * CONCURRENCY, `${repeated} runs were repeated.`);
  return `${repeated} runs of ${2 * ids.length} were repeated, after ${kills} kills`;
}

async function ordered(apps) {
  const queue = { ordering: 'shop', lockDuration: 5_000 };
  const web = await apps.start({ queue: { ...queue, worker: false } });
  const shops = Array.from({ length: 6 }, (_, at) => `ordered-${at}.myshopify.com`);
  const places = Array.from({ length: 12 }, (_, at) => at);
  const idOf = (shop, at) => `${shop} ${String(at).padStart(2, '0')}`;
  const payload = { first: { ms: 100 }, second: { ms: 100 } };
  // The last comes first, so that the order of arrival is another one.
  for (const at of places.toReversed())
    for (const shop of shops) {
      const triggeredAt = `2026-07-01T12:00:00.0000${String(at).padStart(2, '0')}000Z`;
      await accepted(web, idOf(shop, at), payload, { shop, triggeredAt });
    }
  const workers = await Promise.all([1, 2, 3].map(() => apps.start({ queue })));
  for (const worker of workers.slice(1)) {
    await sleep(1_000);
    await worker.kill();
  }
  await apps.start({ queue });
  await expectAllHandled(
    apps.ledger,
    shops.flatMap((shop) => places.map((at) => idOf(shop, at))),
  );
  for (const shop of shops) {
    // What was interrupted begins again, and ends before the next begins.
    const entries = apps.ledger.read().filter(({ key }) => key?.startsWith(shop));
    const inOrder = entries.every(({ key }, index) => index === 0 || entries[index - 1].key <= key);
    expect(inOrder, `${shop}: ${entries.map(({ what, key }) => `${what} ${key}`).join(', ')}`);
  }
}

async function poisoned(apps) {
  // The poison is begun three times, each after the lock of the one before.
  const queue = { attempts: 3, lockDuration: 8_000 };
  const web = await apps.receiver();
  let isOver = false;
  const keepWorking = async () => {
    while (!isOver) {
      const worker = await apps.start({ queue }).catch(() => undefined);
      await worker?.ended;
    }
  };
  const ids = Array.from({ length: 20 }, (_, at) => `beside ${at}`);
  await accepted(web, 'poison', { first: { kills: true } });
  for (const id of ids) await accepted(web, id, { first: { ms: 100 } });
  const working = keepWorking();
  const deadLetters = async () => (await askForDeadLetters(web)) ?? {};
  await until(async () => (await deadLetters())[0] !== undefined);
  isOver = true;
  const { 0: letter, 1: other } = await deadLetters();
  expectEqual('The dead letter', [letter?.webhookId, letter?.attempts], ['poison', 3]);
  expectEqual('Another dead letter', other, undefined);
  await expectAllHandled(apps.ledger, ids);
  const dead = () => apps.ledger.read().filter(({ what }) => what === 'dead').length;
  expectEqual('Calls of onDeadLetter', dead(), 1);

  // A worker that has not changed would be killed by it again.
  await apps.kill();
  await working;
  const cured = await apps.start({ isCured: true, queue });
  expectEqual('Replays', (await replayDeadLetters(cured)).count, 1);
  await expectAllHandled(apps.ledger, ['poison']);
  expectEqual('Calls of onDeadLetter after the replay', dead(), 1);
}

async function ended(apps) {
  const [old, next] = await Promise.all([apps.start(), apps.start()]);
  const load = new Load({
    name: 'ended',
    pace: 20,
    appOf: (attempt) => (attempt > 0 || !old.isRunning ? next : old),
    payload: { first: { ms: 300 } },
  });
  try {
    await sleep(2_000);
    old.signal('SIGTERM');
    const force = setTimeout(() => void old.kill(), 20_000);
    const { code, signal, errors } = await old.ended;
    clearTimeout(force);
    expect(
      code === 0 && errors === '',
      `The process ended with ${signal ?? `exit code ${code}`}. ${errors}`,
    );
    await sleep(1_000);
    await load.finish(20_000);
    await expectAllHandled(apps.ledger, load.deliveries);
    expectOnce(apps.ledger);
    return `${load.deliveries.length} deliveries`;
  } finally {
    load.stop();
  }
}

async function withoutServer(apps, { engine, servers }) {
  const two = await Promise.all([apps.start(), apps.start()]);
  const load = new Load({
    name: 'stopped',
    pace: 20,
    appOf: (attempt) => two[attempt % 2],
    payload: { first: { ms: 200 } },
  });
  try {
    await sleep(2_000);
    await servers.stop(engine.server);
    const startAgain = servers.toBeUndone(() => servers.start(engine.server));
    await sleep(OUTAGE);
    await startAgain();
    await sleep(2_000);
    await load.finish(40_000);
    const refused = [...new Set(load.refused.map(({ status, error }) => `${status} ${error}`))];
    expectEqual('Answers meanwhile', refused, ['503 queue_unavailable']);
    expect(load.slowest < PLATFORM_WAITS, `An answer took ${load.slowest} ms.`);
    await expectAllHandled(apps.ledger, load.deliveries);
    expectOnce(apps.ledger);
    expect(
      two.every(({ isRunning }) => isRunning),
      'A process has ended.',
    );
    return `${load.refused.length} of ${load.answers.length} attempts refused, the slowest took ${load.slowest} ms`;
  } finally {
    load.stop();
  }
}

/** @throws when a delivery was handled twice */
function expectOnce(ledger) {
  const twice = [...endsIn(ledger)].filter(([, count]) => count > 1).map(([id]) => id);
  expectEqual('Deliveries that were handled twice', twice, []);
}
