// Sessions in SQLite: microseconds per call of one process beside the official storage's, in the same run, then how long the event loop
// stands still while four processes write. Ends with 1 when a ratio or a limit is missed.
import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { Session } from '../dist/sessions/index.js';
import { SqliteSessionStorage } from '../dist/sessions/storages/sqlite/index.js';

const WRITERS = 4;
const WRITES = 2_500;
const LIMIT_MS = 100;
const SESSIONS = 500;
const ROUNDS = 61;
/** How many times faster than the official storage, in the same run. */
const LEAST_LOAD = 8;
const LEAST_STORE = 20;

const session = (id) =>
  new Session({ id, shop: 'bench.myshopify.com', state: '', isOnline: false, scope: 'read_products', accessToken: 'x'.repeat(38) });

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

async function microsecondsPerCall(calls, call) {
  const start = performance.now();
  for (let index = 0; index < calls; index++) await call(index);
  return ((performance.now() - start) * 1000) / calls;
}

const store = (storage, calls) => microsecondsPerCall(calls, (index) => storage.storeSession(session(`one-${index % SESSIONS}`)));
const load = (storage, calls) => microsecondsPerCall(calls, (index) => storage.loadSession(`one-${index % SESSIONS}`));

/** In rounds that alternate, so that a busy machine disturbs both alike. */
async function oneProcess(folder) {
  const { SQLiteSessionStorage } = await import('@shopify/shopify-app-session-storage-sqlite');
  const { Session: OfficialSession } = await import('@shopify/shopify-api');
  const ours = new SqliteSessionStorage(join(folder, 'ours.db'));
  const official = new SQLiteSessionStorage(join(folder, 'official.db'));
  await Promise.all([ours.ready, official.ready]);
  const officialOne = {
    storeSession: (params) => official.storeSession(new OfficialSession(params)),
    loadSession: (id) => official.loadSession(id),
  };
  for (const { name, measure, calls, officialCalls, least } of [
    { name: 'store', measure: store, calls: 500, officialCalls: 20, least: LEAST_STORE },
    { name: 'load', measure: load, calls: 1_000, officialCalls: 100, least: LEAST_LOAD },
  ]) {
    // Each session once, and the compiler has done its work.
    await measure(ours, 20 * SESSIONS);
    await measure(officialOne, SESSIONS);
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push([await measure(ours, calls), await measure(officialOne, officialCalls)]);
    const [our, theirs] = [0, 1].map((side) => median(rounds.map((times) => times[side])));
    const ratio = median(rounds.map(([own, others]) => others / own));
    console.log(
      `${`a ${name}:`.padEnd(17)}${our.toFixed(1)} µs, the official storage ${theirs.toFixed(1)} µs: ${ratio.toFixed(1)} times (at least ${least})`,
    );
    if (ratio < least) process.exitCode = 1;
  }
  await ours.close();
}

/** Runs in a child: writes and reports the longest time between two turns of the event loop. */
async function write(file, writer) {
  const storage = new SqliteSessionStorage(file);
  await storage.ready;
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  let lost = 0;
  for (let index = 0; index < WRITES; index += 10) {
    const batch = Array.from({ length: 10 }, (_, offset) => storage.storeSession(session(`${writer}-${index + offset}`)));
    lost += (await Promise.allSettled(batch)).filter(({ status }) => status === 'rejected').length;
    await new Promise((resolve) => setImmediate(resolve));
  }
  delay.disable();
  await storage.close();
  process.send({ longestBlock: delay.max / 1e6, lost });
}

async function fourProcesses(file) {
  const start = performance.now();
  const script = fileURLToPath(import.meta.url);
  const reports = await Promise.all(
    Array.from(
      { length: WRITERS },
      (_, writer) =>
        new Promise((resolve, reject) =>
          fork(script, [file, String(writer)])
            .once('message', resolve)
            .once('error', reject),
        ),
    ),
  );
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const longest = Math.max(...reports.map(({ longestBlock }) => longestBlock));
  const lost = reports.reduce((sum, report) => sum + report.lost, 0);
  console.log(`${WRITERS} processes:     ${WRITERS * WRITES} writes in ${seconds} s, ${lost} lost`);
  console.log(`event loop:      blocked for ${longest.toFixed(1)} ms at most (limit ${LIMIT_MS} ms)`);
  if (lost > 0 || longest > LIMIT_MS) process.exitCode = 1;
}

const [file, writer] = process.argv.slice(2);
if (file) {
  await write(file, writer);
} else {
  const folder = await mkdtemp(join(tmpdir(), 'shopwright-bench-'));
  try {
    await oneProcess(folder);
    await fourProcesses(join(folder, 'four.db'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
