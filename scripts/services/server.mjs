import { spawn, spawnSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { find } from './debian.mjs';

const PATIENCE_MS = 60_000;
// Below the temporary folder, where also an account without rights gets at its data.
const base = join(tmpdir(), `shopwright-services-${process.getuid?.() ?? 0}`);
// PostgreSQL and MariaDB refuse to run as root, and no server for tests needs to.
const NOBODY = 'nobody';

/**
 * Starts a server unless it answers already; resolves when it is ready for work. @throws {Error}
 * what is missing, or where the log is
 */
export async function start(service) {
  const { id, name, program, isOurs, variable } = service;
  if (await service.answers()) return 'runs already';
  if (!isOurs) throw new Error(`${name} does not answer where ${variable} says it is.`);
  if (!find(program)) throw new Error(`${name} is not installed: ${program} is missing.`);
  const folder = join(base, id);
  mkdirSync(folder, { recursive: true });
  const account = accountFor(folder);
  const logFile = join(base, `${id}.log`);
  const log = openSync(logFile, 'a');
  const run = (args, options) =>
    runIn(logFile, args, { cwd: folder, stdio: ['ignore', log, log], ...account, ...options });
  service.prepare?.({ folder, run });
  const [command, ...args] = service.command({ folder });
  const server = spawn(find(command) ?? command, args, {
    cwd: folder,
    stdio: ['ignore', log, log],
    ...account,
    detached: true,
  });
  let failure;
  server
    .once('error', (error) => (failure = error.message))
    .once('exit', (code) => (failure = `exit code ${code}`));
  server.unref();
  // Looked at in the end, too: to build another server may have kept this process from looking.
  const end = Date.now() + PATIENCE_MS;
  do {
    await sleep(100);
    if (!(await service.answers())) continue;
    // Another run may have been faster: then ours finds the port taken and ends.
    await sleep(100);
    if (failure) return 'runs already';
    writeFileSync(pidFileOf(service), String(server.pid));
    return 'started';
  } while (Date.now() < end && !failure);
  if (await service.answers()) return 'runs already';
  throw new Error(`${name} does not answer (${failure ?? 'too slow'}); see ${logFile}.`);
}

/** Stops a server that was started here, and resolves when it has ended. */
export async function stop(service) {
  const pidFile = pidFileOf(service);
  if (!existsSync(pidFile)) return 'was not started here';
  const pid = Number(readFileSync(pidFile, 'utf8'));
  rmSync(pidFile, { force: true });
  // The number of a server that has died may be another process's by now.
  if (!(await service.answers())) return 'did not run';
  process.kill(pid, service.stopSignal ?? 'SIGTERM');
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(20))
    if (!isAlive(pid)) return 'stopped';
  throw new Error(`${service.name} (process ${pid}) does not stop.`);
}

function pidFileOf({ id }) {
  return join(base, `${id}.pid`);
}

/** Who the server runs as, and owns its folder. */
function accountFor(folder) {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ['-u', '-g'].map((flag) =>
    Number(spawnSync('id', [flag, NOBODY], { encoding: 'utf8' }).stdout),
  );
  chownSync(folder, uid, gid);
  return { uid, gid };
}

function runIn(logFile, [program, ...args], options) {
  const { status, error } = spawnSync(find(program) ?? program, args, options);
  if (status !== 0)
    throw new Error(
      `${program} failed (${error?.message ?? `exit code ${status}`}); see ${logFile}.`,
    );
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    // In containers whose first process reaps nobody, a process that has ended keeps its number.
    return !/^\d+ \(.*\) Z/.test(
      existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '',
    );
  } catch {
    return false;
  }
}
