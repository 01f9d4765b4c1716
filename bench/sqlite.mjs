// Sessions in SQLite: microseconds per call of one process, then how long the event loop stands still while four processes write.
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

const session = (id) =>
  new Session({ id, shop: 'bench.myshopify.com', state: '', isOnline: false, scope: 'read_products', accessToken: 'x'.repeat(38) });

async function microsecondsPerCall(calls, call) {
  const start = performance.now();
  for (let index = 0; index < calls; index++) await call(index);
  return (((performance.now() - start) * 1000) / calls).toFixed(1);
}

async function oneProcess(file) {
  const storage = new SqliteSessionStorage(file);
  await storage.ready;
  const store = await microsecondsPerCall(20_000, (index) => storage.storeSession(session(`one-${index % 1000}`)));
  const load = await microsecondsPerCall(20_000, (index) => storage.loadSession(`one-${index % 1000}`));
  await storage.close();
  console.log(`one process:     ${store} µs a store, ${load} µs a load`);
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
    await oneProcess(join(folder, 'one.db'));
    await fourProcesses(join(folder, 'four.db'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
