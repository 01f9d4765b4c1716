// Sessions in SQLite: microseconds per call of one process beside the official storage's, in the
// same run, then how long the event loop stands still while four processes write. Ends with 1 when
// a ratio or a limit is missed.
import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { Session } from '../dist/sessions/index.js';
import { SqliteSessionStorage } from '../dist/sessions/storages/sqlite/index.js';
import { Comparison } from './storages.mjs';

const WRITERS = 4;
const WRITES = 2_500;
const LIMIT_MS = 100;
const SESSIONS = 500;
/** How many times faster than the official storage. */
const LEAST_LOAD = 8;
const LEAST_STORE = 20;

const session = (id) =>
  new Session({
    id,
    shop: 'bench.myshopify.com',
    state: '',
    isOnline: false,
    scope: 'read_products',
    accessToken: 'x'.repeat(38),
  });

/** The official storage is slow to write: it gets fewer calls, or its rounds would take minutes. */
async function oneProcess(folder) {
  const { SQLiteSessionStorage } = await import('@shopify/shopify-app-session-storage-sqlite');
  const ours = new SqliteSessionStorage(join(folder, 'ours.db'));
  const official = new SQLiteSessionStorage(join(folder, 'official.db'));
  await official.ready;
  const comparison = new Comparison({ ours, official, sessions: SESSIONS });
  await comparison.fill();
  await comparison.measure('store', {
    least: LEAST_STORE,
    calls: [500, 20],
    warmUp: [20 * SESSIONS, SESSIONS],
  });
  await comparison.measure('load', {
    least: LEAST_LOAD,
    calls: [1_000, 100],
    warmUp: [20 * SESSIONS, SESSIONS],
  });
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
    const batch = Array.from({ length: 10 }, (_, offset) =>
      storage.storeSession(session(`${writer}-${index + offset}`)),
    );
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
  console.log(
    `event loop:      blocked for ${longest.toFixed(1)} ms at most (limit ${LIMIT_MS} ms)`,
  );
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
