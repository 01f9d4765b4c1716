// What a request costs the server's processor when any part of it is twice as long: at most 2.5
// times as much, on every host. Every surface of `test/hostile/corpus.mjs`, every part of
// `doubling.parts.mjs`; beside it, what the bare engine of the host makes of the same request.
// `--host <name>` measures one. Ends with 1 beyond the limit, unless the engine alone explains it.
import { Agent, request as send } from 'node:http';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { CORPUS, OWN_PATHS, ROUTE_HOSTS, ROUTE_PATHS } from '../test/hostile/corpus.mjs';
import { Host } from '../test/hostile/host.mjs';
import { Random } from '../test/hostile/random.mjs';
import { PARTS, sizeOf } from './doubling.parts.mjs';

const LIMIT = 2.5;
const BARE = fileURLToPath(new URL('./doubling.bare.mjs', import.meta.url));
/** Of a side: requests in a batch, and batches of which the median counts. */
const REQUESTS = 12;
const BATCHES = 3;
/** What looks too much is measured anew with more batches: a busy machine is no defect. */
const AGAIN = [7, 15];
const WARM_UP = 300;

const { values: options } = parseArgs({ options: { host: { type: 'string' } } });
const rows = [];
for (const name of options.host ? [options.host] : Object.keys(CORPUS))
  rows.push(...(await measureHost(name)));
console.table(rows);
const missed = rows.filter(({ verdict }) => verdict !== 'ok' && verdict !== 'the engine');
console.log(
  missed.length === 0
    ? `Every doubling costs at most ${LIMIT} times as much.`
    : `${missed.length} doublings cost too much.`,
);
process.exit(missed.length === 0 ? 0 : 1);

/** The worst surface of a host for each part. */
async function measureHost(name) {
  const [host, bare] = [await new Host(name).open(), await new Host(name).open(BARE)];
  const surfaces = CORPUS[name].map((row) => ({ row, make: maker(name, row) }));
  try {
    for (const side of [host, bare])
      for (const { make } of surfaces) await batch(side, () => make(), WARM_UP / surfaces.length);
    const found = [];
    for (const part of Object.keys(PARTS)) {
      const measured = [];
      for (const { row, make } of surfaces) {
        const size = sizeOf(part, name);
        const long = (times) => PARTS[part][1](make(), size * times);
        if (long(1))
          measured.push({ surface: row.surface, long, ...(await doubled(host, long, BATCHES)) });
      }
      const worst = await worstOf(host, measured);
      if (!worst) continue;
      const engine = await doubled(bare, worst.long, AGAIN[0]);
      found.push({ host: name, part, surface: worst.surface, ...shown({ ...worst, engine }) });
    }
    console.log(
      `${name}: the worst is ${Math.max(...found.map(({ ratio }) => ratio)).toFixed(2)} times`,
    );
    return found;
  } finally {
    host.close();
    bare.close();
  }
}

function maker(name, row) {
  const random = new Random(1);
  const paths = ROUTE_HOSTS.includes(name) ? ROUTE_PATHS : OWN_PATHS;
  return () => row.make({ random, paths, issued: () => {} });
}

/** The worst of all, measured anew as long as it is too much to be believed at once. */
async function worstOf(host, measured) {
  const sorted = () => measured.sort((a, b) => b.ratio - a.ratio);
  for (let [worst] = sorted(); worst && worst.ratio > LIMIT && !worst.isSure; [worst] = sorted()) {
    for (const batches of AGAIN)
      if (worst.ratio > LIMIT) Object.assign(worst, await doubled(host, worst.long, batches));
    worst.isSure = true;
  }
  return measured[0];
}

/** Both sides in turn, so that whatever else the machine does falls on both. */
async function doubled(host, long, batches) {
  const [once, twice] = [[], []];
  for (let at = 0; at < batches; at++) {
    once.push(await batch(host, () => long(1), REQUESTS));
    twice.push(await batch(host, () => long(2), REQUESTS));
  }
  const [single, double] = [median(once), median(twice)];
  return { single, double, ratio: double / single };
}

/** What is our own, without what the engine takes, grows by itself no faster than the limit. */
function shown({ single, double, ratio, engine }) {
  const isEngine =
    ratio > LIMIT &&
    double - engine.double <= LIMIT * Math.max(single - engine.single, 0) + 0.1 * engine.double;
  const verdict = ratio <= LIMIT ? 'ok' : isEngine ? 'the engine' : 'TOO MUCH';
  const rounded = (number) => Math.round(number * 100) / 100;
  return {
    µs: Math.round(single),
    'µs, doubled': Math.round(double),
    ratio: rounded(ratio),
    'of the engine': rounded(engine.ratio),
    verdict,
  };
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** Microseconds of the server's processor for a request. */
async function batch(host, make, count) {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const requests = Array.from({ length: Math.ceil(count) }, make);
  const before = await host.processorTime();
  await Promise.all(requests.map((request) => answered(host.port, agent, request)));
  const after = await host.processorTime();
  agent.destroy();
  return (after - before) / requests.length;
}

function answered(port, agent, { method, path, query, headers, body }) {
  const target =
    path +
    (query.length > 0 ? `?${query.map(([name, value]) => `${name}=${value}`).join('&')}` : '');
  const lines = [
    ['Host', 'app.example.com'],
    ...headers,
    ...(body ? [['Content-Length', String(body.length)]] : []),
  ];
  return new Promise((resolve, reject) => {
    const asked = send(
      {
        host: '127.0.0.1',
        port,
        agent,
        method,
        path: target,
        headers: lines.flat(),
        maxHeaderSize: 1_000_000,
      },
      (response) => {
        if (response.statusCode === 431)
          reject(new Error(`The request is too long to be measured: ${target.slice(0, 80)}`));
        response.resume().once('end', resolve);
      },
    );
    // An engine may refuse a body, and close the connection, before it has read it.
    asked
      .on('error', (error) =>
        ['EPIPE', 'ECONNRESET'].includes(error.code) ? resolve() : reject(error),
      )
      .end(body);
  });
}
