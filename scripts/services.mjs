// Starts the servers that `npm run test:services` needs and prints how to reach them; what runs already is left alone.
// `npm run services -- stop` stops what was started here.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './install.mjs';
import { redis } from './services/redis.mjs';

const SERVICES = [redis];
const PATIENCE_MS = 10_000;
const folder = join(ROOT, '.cache', 'services');

function isInstalled(binary) {
  return spawnSync(binary, ['--version'], { stdio: 'ignore' }).status === 0;
}

function install({ name, debianPackage }) {
  if (process.platform !== 'linux' || process.getuid() !== 0 || !isInstalled('apt-get')) {
    throw new Error(`${name} is not installed: install it (on Debian the package ${debianPackage}), or run docker compose up -d.`);
  }
  console.log(`Installing ${debianPackage} (once) …`);
  // In this run level the package does not start a server of its own.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', debianPackage]]) {
    const { status } = spawnSync('apt-get', ['-qq', ...args], { stdio: ['ignore', 'ignore', 'inherit'], env });
    if (status !== 0) throw new Error(`apt-get ${args[0]} failed with exit code ${status}.`);
  }
}

async function start(service) {
  const { name, binary, isOurs, args, answers } = service;
  if (await answers()) return 'runs already';
  if (!isOurs) throw new Error(`${name} does not answer where the environment says it is.`);
  if (!isInstalled(binary)) install(service);
  mkdirSync(folder, { recursive: true });
  const logFile = join(folder, `${binary}.log`);
  const log = openSync(logFile, 'a');
  spawn(binary, args({ folder, pidFile: pidFileOf(service) }), { detached: true, stdio: ['ignore', log, log] }).unref();
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end;) {
    if (await answers()) return 'started';
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${name} does not answer; see ${logFile}.`);
}

async function stop(service) {
  const pidFile = pidFileOf(service);
  if (!existsSync(pidFile)) return 'was not started here';
  const pid = Number(readFileSync(pidFile, 'utf8'));
  rmSync(pidFile, { force: true });
  // The number of a server that has died may be another process's by now.
  if (!(await service.answers())) return 'did not run';
  process.kill(pid);
  return 'stopped';
}

function pidFileOf({ binary }) {
  return join(folder, `${binary}.pid`);
}

const actions = { start, stop };
const [action = 'start'] = process.argv.slice(2);
if (!(action in actions)) throw new Error(`Say "start" or "stop", not "${action}".`);
for (const service of SERVICES) {
  try {
    console.log(`${service.name} ${await actions[action](service)}`);
    if (action === 'start') for (const variable of Object.entries(service.variables)) console.log(variable.join('='));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
