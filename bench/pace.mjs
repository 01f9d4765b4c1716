// How well calls keep within the platform's limits, over HTTP, against a simulated store: ours
// beside the incumbent, in the same run. `rest` is the bucket sped up, `standard` the one of the
// standard plan (80 s), `redis` ten workers in three processes that share one bucket (needs
// `npm run services` in the folder above). Names of parts as arguments run those alone. Ends with 1
// when a limit is missed.
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { redis as redisService } from '../scripts/services/redis.mjs';
import { nodeOf } from '../test/package/nodes.mjs';
import { npmInstall } from '../test/package/programs.mjs';

const SCRIPT = fileURLToPath(import.meta.url);
const HERE = fileURLToPath(new URL('.', import.meta.url));
const KEYS = { apiKey: 'bench', apiSecretKey: 'bench-secret' };
const HOST_NAME = 'app.example.com';
const VERSION = '2026-07';
const SHOP = 'bench.myshopify.com';

/** The toolkit's number for that severity. */
const WARNINGS = 1;

const CALLS = 200;
const CONCURRENCY = 20;
/**
 * A busy machine makes a round longer, never shorter: the shortest one counts for the time, every
 * one for the rejected replies.
 */
const ROUNDS = 3;
/** The most the incumbent does by itself. */
const TRIES = 4;

const WORKERS = [4, 3, 3];
const CALLS_PER_WORKER = 40;
/** Two points for the connection and one for each product. */
const QUERY = 'query Products { products(first: 5) { nodes { id } } }';

let missed = 0;

function check(what, holds) {
  console.log(`  ${holds ? 'held  ' : 'MISSED'} ${what}`);
  if (!holds) missed++;
}

async function openStore(limits) {
  const { DevStore } = await import('../dist/dev-store/index.js');
  const app = { ...KEYS, appUrl: `https://${HOST_NAME}` };
  const store = await DevStore.open({ shops: [SHOP], apps: [app], limits });
  return {
    store,
    session: {
      shop: SHOP,
      accessToken: store.shop().install(KEYS.apiKey, { scopes: ['read_products'] }),
    },
  };
}

/** Our app's own clients, without a host. */
async function createOurs(options) {
  const { platformApi } = await import('../dist/integrations/api/index.js');
  return platformApi({
    ...KEYS,
    hostName: HOST_NAME,
    apiVersion: VERSION,
    logger: { level: WARNINGS, log: (_, line) => console.log(line) },
    ...options,
  });
}

async function createIncumbent() {
  await import('@shopify/shopify-api/adapters/node');
  const { Session, shopifyApi } = await import('@shopify/shopify-api');
  const common = {
    ...KEYS,
    scopes: [],
    hostName: HOST_NAME,
    isEmbeddedApp: true,
  };
  const api = shopifyApi({ ...common, apiVersion: VERSION, logger: { log: () => {} } });
  const caller = (session) => {
    const client = new api.clients.Rest({
      session: new Session({ ...session, id: '1', state: '', isOnline: false }),
    });
    return () => client.get({ path: 'shop', tries: TRIES });
  };
  return { caller, close: () => {} };
}

function restOf(app) {
  return {
    caller: (session) => () => new app.clients.Rest({ session }).get({ path: 'shop' }),
    close: () => app.close(),
  };
}

/** What a client throws when it gives up on a call that the platform keeps refusing. */
const REFUSED = new Set(['HttpMaxRetriesError', 'HttpThrottlingError']);

/**
 * Makes calls, so many at a time; answers how many succeeded and how many seconds that took.
 * @throws what fails for another reason than the limit
 */
async function makeCalls(call) {
  const start = performance.now();
  let left = CALLS;
  let succeeded = 0;
  const worker = async () => {
    while (left-- > 0) {
      await call().then(
        () => succeeded++,
        (error) => {
          if (!REFUSED.has(error.constructor.name)) throw error;
        },
      );
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return { succeeded, seconds: (performance.now() - start) / 1000 };
}

async function restAt(restoreRate, rounds) {
  const limit = { capacity: 40, restoreRate };
  const least = (CALLS - limit.capacity) / restoreRate;
  console.log(
    `REST, 40 calls and ${restoreRate} a second: ${CALLS} GETs, ${CONCURRENCY} at a time; at least ${least.toFixed(3)} s`,
  );
  await restRound('incumbent', limit);
  const outcomes = [];
  for (let round = 0; round < rounds; round++) outcomes.push(await restRound('ours', limit));
  const rejected = Math.max(...outcomes.map((outcome) => outcome.rejected));
  const ratio = Math.min(...outcomes.map(({ seconds }) => seconds)) / least;
  check(
    `all ${CALLS} succeed`,
    outcomes.every(({ succeeded }) => succeeded === CALLS),
  );
  check(`at most 1 rejected reply (${rejected})`, rejected <= 1);
  check(`at most 1.01 of the least time (${ratio.toFixed(4)})`, ratio <= 1.01);
}

/** Calls to the shop of the present round. */
let shopFetch;
const overHttp = globalThis.fetch;
// Once and for all: the incumbent keeps the `fetch` it finds when it is loaded, and with it the
// store of the first round.
globalThis.fetch = async (input, init) => {
  const { hostname } = new URL(input instanceof Request ? input.url : input);
  // The store itself fetches from an address of this machine.
  return hostname === SHOP ? shopFetch(input, init) : overHttp(input, init);
};

/** One side against a store of its own. */
async function restRound(name, limit) {
  const { store, session } = await openStore({ rest: limit });
  let rejected = 0;
  shopFetch = async (input, init) => {
    const response = await store.fetch(input, init);
    if (response.status === 429) rejected++;
    return response;
  };
  const client = await (name === 'ours' ? createOurs().then(restOf) : createIncumbent());
  try {
    const { succeeded, seconds } = await makeCalls(client.caller(session));
    console.log(
      `  ${name.padEnd(10)} ${succeeded} succeeded, ${rejected} replies were a 429, ${seconds.toFixed(3)} s`,
    );
    return { succeeded, rejected, seconds };
  } finally {
    await client.close();
    await store.close();
  }
}

/**
 * Runs in a child: so many workers, each with its calls one after another. Reports each worker's
 * seconds and what the store throttled.
 */
async function work({ workers, shopOrigin, session }) {
  let throttled = 0;
  const app = await createOurs({
    pacing: { redis: redisService.url },
    shopOrigin: () => shopOrigin,
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      if ((await response.clone().text()).includes('"THROTTLED"')) throttled++;
      return response;
    },
  });
  const start = performance.now();
  const worker = async () => {
    for (let call = 0; call < CALLS_PER_WORKER; call++)
      await new app.clients.Graphql({ session }).request(QUERY);
    return (performance.now() - start) / 1000;
  };
  const seconds = await Promise.all(Array.from({ length: workers }, worker));
  await app.close();
  process.send({ seconds, throttled });
}

async function redis() {
  if (!(await redisService.answers()))
    throw new Error('Redis does not answer. Start it with: npm run services');
  const limit = { capacity: 1000, restoreRate: 50 };
  const { store, session } = await openStore({ graphql: limit });
  try {
    const children = WORKERS.map((workers) => {
      const child = fork(SCRIPT, ['child'], { stdio: 'inherit' });
      child.send({ workers, shopOrigin: store.shopOrigin(SHOP), session });
      return once(child, 'message').then(([report]) => report);
    });
    const reports = await Promise.all(children);
    const calls = CALLS_PER_WORKER * WORKERS.reduce((sum, workers) => sum + workers);
    const least = (calls * 7 - limit.capacity) / limit.restoreRate;
    const seconds = reports.flatMap((report) => report.seconds).toSorted((a, b) => a - b);
    const throttled = reports.reduce((sum, report) => sum + report.throttled, 0);
    const [median, slowest] = [seconds[seconds.length >> 1], seconds.at(-1)];
    console.log(
      `GraphQL, 1000 points and 50 a second: ${calls} queries, 10 workers in 3 processes; at least ${least.toFixed(3)} s`,
    );
    console.log(`  workers took ${seconds.map((one) => one.toFixed(1)).join(', ')} s`);
    check(`less than 1 % throttled (${throttled} of ${calls})`, throttled < calls / 100);
    check(
      `the slowest worker takes at most twice the median (${(slowest / median).toFixed(3)})`,
      slowest <= 2 * median,
    );
  } finally {
    await store.close();
  }
}

const PARTS = { rest: () => restAt(50, ROUNDS), standard: () => restAt(2, 1), redis };
const wanted = process.argv.slice(2);

// The incumbent asks for Node 22.
if (wanted[0] === 'child') {
  const [task] = await once(process, 'message');
  await work(task);
  process.disconnect();
} else if (Number(process.versions.node.split('.')[0]) < 22) {
  const node = await nodeOf('24', fileURLToPath(new URL('../.cache/package', import.meta.url)));
  if (!node)
    throw new Error(
      'The incumbent needs Node 22 or later, and there is no package of it for this machine: run this with one.',
    );
  const [code] = await once(spawn(node, [SCRIPT, ...wanted], { stdio: 'inherit' }), 'exit');
  process.exitCode = code ?? 1;
} else {
  if (!existsSync(`${HERE}node_modules/@shopify/shopify-api`)) await npmInstall(HERE);
  for (const [name, part] of Object.entries(PARTS))
    if (wanted.length === 0 || wanted.includes(name)) await part();
  if (missed > 0) process.exitCode = 1;
}
