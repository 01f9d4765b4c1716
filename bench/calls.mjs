// What a call costs in this process, against a `fetch` that answers at once: ours beside the
// incumbents', in the same run. Then what it costs a fresh process to import a client. Rounds are
// short and interleaved, and of each side the tenth that was disturbed least is compared: a busy
// machine makes a round longer, never shorter. Names of parts (`rest`, `graphql`, `import`) as
// arguments run those alone. Ends with 1 when a ratio is missed.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { nodeOf } from '../test/package/nodes.mjs';
import { npmInstall, run } from '../test/package/programs.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const SHOP = 'bench.myshopify.com';
const SESSION = { shop: SHOP, accessToken: 'shpat_0123456789abcdef0123456789abcdef' };
const VERSION = '2026-07';
/** Products in a list: about 9 kB and 219 kB. */
const SIZES = [3, 66];
const ROUNDS = 121;
/**
 * How long one side of a round runs, about, in microseconds; and how long it runs before, so that
 * the compiler has done its work.
 */
const ROUND_TIME = 5000;
const WARM_UP = 500_000;
const IMPORTS = 15;
/** Garbage is collected on the main thread, in the round that made it. */
const NODE_FLAGS = ['--expose-gc', '--single-threaded-gc'];

const DESCRIPTION =
  `<p>A small player with one very \\"big\\" idea: video. It plays shows, films, podcasts and music, and it fits into every pocket.</p>` +
  `<p>The larger and brighter display shows an amazing picture. It comes in six colours and in two sizes, with a cable and a pair of ` +
  `earphones in the box, and it runs for a whole day of music, or five hours of video, before it wants to be charged again.</p>`;

/**
 * A product as the platform's REST interface writes it; its ids have more digits than a number
 * holds.
 */
function product(index) {
  const id = (offset) => `${9007199254740993n + BigInt(index * 100 + offset) * 2n}`;
  const gid = (type, offset) => `"admin_graphql_api_id":"gid://shopify/${type}/${id(offset)}"`;
  const dates = '"created_at":"2026-01-02T03:04:05-05:00","updated_at":"2026-06-07T08:09:10-04:00"';
  const variant = (offset) =>
    `{"id":${id(offset)},"product_id":${id(0)},"title":"Size ${offset}","price":"199.00","position":${offset},"inventory_policy":"deny",` +
    `"compare_at_price":null,"option1":"Size ${offset}","option2":null,"option3":null,${dates},"taxable":true,"barcode":"1234_pink",` +
    `"fulfillment_service":"manual","grams":567,"inventory_management":"shopify","requires_shipping":true,"sku":"IPOD2008PINK",` +
    `"weight":1.25,"weight_unit":"lb","inventory_item_id":${id(offset + 10)},"inventory_quantity":10,"old_inventory_quantity":10,` +
    `${gid('ProductVariant', offset)},"image_id":${id(30)}}`;
  const image =
    `{"id":${id(30)},"alt":null,"position":1,"product_id":${id(0)},${dates},${gid('ProductImage', 30)},"width":123,"height":456,` +
    `"src":"https://cdn.shopify.com/s/files/1/0005/4838/0009/products/ipod-nano.png?v=1767225600","variant_ids":[${id(1)},${id(2)}]}`;
  return (
    `{"id":${id(0)},"title":"IPod Nano - 8GB ${index}","body_html":"${DESCRIPTION}",` +
    `"vendor":"Apple","product_type":"Cult Products",${dates},"handle":"ipod-nano-${index}","published_at":"2026-01-02T03:04:05-05:00",` +
    `"template_suffix":null,"published_scope":"web","tags":"Emotive, Flash Memory, MP3, Music","status":"active",${gid('Product', 0)},` +
    `"variants":[${[1, 2, 3].map(variant).join(',')}],"options":[{"id":${id(20)},"product_id":${id(0)},"name":"Size","position":1,` +
    `"values":["Size 1","Size 2","Size 3"]}],"images":[${image}],"image":null}`
  );
}

const listOf = (count) => Array.from({ length: count }, (_, index) => product(index)).join(',');
const undisturbed = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 10)];
const kB = (text) => `${Math.round(Buffer.byteLength(text) / 1000)} kB`.padStart(6);

const COST = {
  requestedQueryCost: 12,
  actualQueryCost: 10,
  throttleStatus: { maximumAvailable: 20_000, currentlyAvailable: 19_990, restoreRate: 1000 },
};
const ANSWERS = {
  rest: (count) => `{"products":[${listOf(count)}]}`,
  graphql: (count) =>
    `{"data":{"products":{"nodes":[${listOf(count)}]}},"extensions":{"cost":${JSON.stringify(COST)}}}`,
};

const QUERY =
  'query Products($first: Int!) { products(first: $first) { nodes { id title variants(first: 5) { nodes { id price } } } } }';
const VARIABLES = { first: 50 };
const LIST = { path: 'products', query: { limit: 250 } };
const APP = {
  apiKey: 'key',
  apiSecretKey: 'secret',
  apiVersion: VERSION,
  logger: { log: () => {} },
};

/** The clients of our app. */
async function clientsOfApp() {
  const { platformApi } = await import('../dist/integrations/api/index.js');
  return platformApi({ ...APP, hostName: 'app.example.com' }).clients;
}

/** What one would write without a client. It reads ids as numbers, with digits lost. */
async function bareFetch({ method }) {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    'x-shopify-access-token': SESSION.accessToken,
  };
  const url = `https://${SHOP}/admin/api/${VERSION}/products.json?limit=250`;
  return async () => {
    const body =
      method === 'POST' ? { body: JSON.stringify({ query: QUERY, variables: VARIABLES }) } : {};
    const response = await fetch(url, { method, headers, ...body });
    const read = JSON.parse(await response.text());
    return method === 'POST' ? read.data : read;
  };
}

/**
 * What is called, by part and side; the first of each part is what the others are compared with.
 */
const SIDES = {
  rest: {
    async incumbent() {
      await import('@shopify/shopify-api/adapters/node');
      const { Session, shopifyApi } = await import('@shopify/shopify-api');
      const api = shopifyApi({
        ...APP,
        scopes: [],
        hostName: 'app.example.com',
        isEmbeddedApp: true,
      });
      const session = new Session({ ...SESSION, id: '1', state: '', isOnline: false });
      return async () => (await new api.clients.Rest({ session }).get(LIST)).body;
    },
    bare: () => bareFetch({ method: 'GET' }),
    async ours() {
      const { Rest } = await clientsOfApp();
      return async () => (await new Rest({ session: SESSION }).get(LIST)).body;
    },
  },
  graphql: {
    bare: () => bareFetch({ method: 'POST' }),
    async app() {
      const { Graphql } = await clientsOfApp();
      return async () =>
        (await new Graphql({ session: SESSION }).request(QUERY, { variables: VARIABLES })).data;
    },
    async standalone() {
      const { createAdminApiClient } = await import('../dist/graphql-client/index.js');
      const options = { storeDomain: SHOP, apiVersion: VERSION, accessToken: SESSION.accessToken };
      return async () =>
        (await createAdminApiClient(options).request(QUERY, { variables: VARIABLES })).data;
    },
  },
};

let answer = '';
const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'x-request-id': '0f2c0d1e-6a7b-4c3d-9e8f-0123456789ab-1767225600',
  'x-shopify-shop-api-call-limit': '1/40',
};
// In place before anything is imported: the incumbent keeps the one it finds.
globalThis.fetch = async () => new Response(answer, { headers: HEADERS });

/**
 * Processor time rather than time on the clock: what else the machine does at the moment does not
 * count.
 */
async function microsecondsPerCall(call, calls) {
  globalThis.gc({ type: 'minor' });
  const start = process.cpuUsage();
  for (let index = 0; index < calls; index++) await call();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / calls;
}

let missed = 0;

function report(what, times, holds) {
  const [[reference, base], ...others] = Object.entries(times);
  const shown = [`${reference} ${undisturbed(base).toFixed(1).padStart(7)}`];
  for (const [name, all] of others) {
    const ratio = undisturbed(all) / undisturbed(base);
    const { said, wanted, held } = name === 'bare' ? free(ratio) : holds(ratio, name);
    shown.push(
      `${name} ${undisturbed(all).toFixed(1).padStart(7)} (${said}${wanted ? `, wanted ${wanted}: ${held ? 'held' : 'MISSED'}` : ''})`,
    );
    if (!held) missed++;
  }
  console.log(`${what.padEnd(20)} ${shown.join('  ')}`);
}

async function compare(part, title, holds) {
  const sides = {};
  for (const [side, make] of Object.entries(SIDES[part])) sides[side] = await make();
  for (const count of SIZES) {
    answer = ANSWERS[part](count);
    const read = new Set();
    const calls = {};
    for (const [side, call] of Object.entries(sides)) {
      if (part === 'graphql' || side !== 'bare') read.add(JSON.stringify(await call()));
      await microsecondsPerCall(call, Math.ceil(WARM_UP / (await microsecondsPerCall(call, 50))));
      calls[side] = Math.ceil(ROUND_TIME / (await microsecondsPerCall(call, 50)));
    }
    if (read.size > 1) throw new Error(`the sides of ${part} read different things`);
    const times = Object.fromEntries(Object.keys(sides).map((side) => [side, []]));
    for (let round = 0; round < ROUNDS; round++) {
      for (const [side, call] of Object.entries(sides))
        times[side].push(await microsecondsPerCall(call, calls[side]));
    }
    report(`${title} ${kB(answer)}, µs`, times, holds(count));
  }
}

const atLeast = (factor) => (ratio) => ({
  held: 1 / ratio >= factor,
  wanted: `≥ ${factor}`,
  said: `${(1 / ratio).toFixed(2)} times less`,
});
const atMost = (factor) => (ratio) => ({
  held: ratio <= factor,
  wanted: `≤ ${factor}`,
  said: `${ratio.toFixed(2)} times`,
});
const free = (ratio) => ({ held: true, said: `${ratio.toFixed(2)} times` });

async function importTime(specifier) {
  const program = `const start = performance.now(); await import(${JSON.stringify(specifier)}); console.log(performance.now() - start);`;
  return Number(await run(process.execPath, ['--input-type=module', '-e', program], { cwd: HERE }));
}

async function compareImports() {
  const specifiers = {
    incumbent: '@shopify/admin-api-client',
    ours: new URL('../dist/rest-client/index.js', import.meta.url).href,
  };
  const times = { incumbent: [], ours: [] };
  for (let round = -1; round < IMPORTS; round++) {
    for (const [name, specifier] of Object.entries(specifiers)) {
      const time = await importTime(specifier);
      if (round >= 0) times[name].push(time);
    }
  }
  report('import, cold, ms', times, atMost(1));
}

const PARTS = {
  rest: () => compare('rest', 'REST', () => atLeast(3.5)),
  // A client of an app also has a time limit and keeps the pace, which a bare fetch does not: a
  // microsecond, of some 30 beside a small reply.
  graphql: () =>
    compare(
      'graphql',
      'GraphQL',
      (count) => (ratio, side) => atMost(count === SIZES[0] && side === 'app' ? 1.15 : 1.1)(ratio),
    ),
  import: compareImports,
};

async function main(names) {
  if (!existsSync(`${HERE}node_modules/@shopify/shopify-api`)) await npmInstall(HERE);
  for (const [name, part] of Object.entries(PARTS))
    if (names.length === 0 || names.includes(name)) await part();
  if (missed > 0) process.exitCode = 1;
}

const wanted = process.argv.slice(2);
if (globalThis.gc) {
  await main(wanted);
} else {
  // The incumbents ask for Node 22.
  const node = await nodeOf('24', fileURLToPath(new URL('../.cache/package', import.meta.url)));
  if (!node)
    throw new Error(
      'The incumbents need Node 22 or later, and there is no package of Node 24 for this machine.',
    );
  const child = fork(fileURLToPath(import.meta.url), wanted, {
    execPath: node,
    execArgv: NODE_FLAGS,
  });
  const [code] = await once(child, 'exit');
  process.exitCode = code ?? 1;
}
