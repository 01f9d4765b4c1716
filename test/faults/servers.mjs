import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, chmodSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { ROOT } from '../../scripts/install.mjs';
import { privileged } from './disk.mjs';

const run = promisify(execFile);
const SCRIPT = join(ROOT, 'scripts/services.mjs');
const PORTS = [
  'SHOPWRIGHT_REDIS_PORT',
  'SHOPWRIGHT_POSTGRES_PORT',
  'SHOPWRIGHT_MYSQL_PORT',
  'SHOPWRIGHT_MONGODB_PORT',
];
const VARIABLES = {
  redis: 'REDIS_URL',
  postgres: 'POSTGRES_URL',
  mysql: 'MYSQL_URL',
  mongodb: 'MONGODB_URL',
};

/**
 * Servers like those of `npm run services`, on ports and in a folder of this run: whatever is done
 * to them, and however this ends, nobody else's server stands still or is read-only.
 */
export class Servers {
  #env;
  #disks = [];
  #undoing = new Set();
  #urls = {};

  static async open() {
    const servers = new Servers(mkdtempSync(join(tmpdir(), 'shopwright-faults-')));
    // PostgreSQL and MariaDB run under an account that owns nothing but its data.
    chmodSync(servers.folder, 0o1777);
    const {
      REDIS_URL: _,
      POSTGRES_URL: __,
      MYSQL_URL: ___,
      MONGODB_URL: ____,
      ...env
    } = process.env;
    const ports = await freePorts(PORTS.length);
    servers.#env = {
      ...env,
      TMPDIR: servers.folder,
      ...Object.fromEntries(PORTS.map((name, index) => [name, String(ports[index])])),
    };
    return servers;
  }

  constructor(folder) {
    /** For files of cases, too. */
    this.folder = folder;
  }

  /** @param id such as `redis` @throws what is missing */
  async start(id) {
    const { stdout } = await this.#services('start', id);
    this.#urls[id] = new RegExp(`^${VARIABLES[id]}=(.*)$`, 'm').exec(stdout)[1];
  }

  /** Ends the server in an orderly way. Its data stays. */
  async stop(id) {
    await this.#services('stop', id);
  }

  /** Where a server answers that was started. */
  url(id) {
    return this.#urls[id];
  }

  /** Where the server keeps its data. */
  dataOf(id) {
    return join(this.#base, id);
  }

  /** Lets a server stand still, with all its processes. @returns lets it go on */
  freeze(id) {
    const first = Number(readFileSync(join(this.#base, `${id}.pid`), 'utf8'));
    const signal = (name, pids) => pids.forEach((pid) => signalIfAlive(pid, name));
    signal('SIGSTOP', [first]);
    // Now it has no more children than these.
    const children = childrenOf(first);
    signal('SIGSTOP', children);
    return () => signal('SIGCONT', [...children, first]);
  }

  /**
   * A disk of its own for a folder: small, and gone with this run.
   * @param owner the account of a server, that it may write there
   * @throws {NotAllowedError}
   */
  mount(folder, size, owner) {
    const ids =
      owner === undefined ? '' : `,uid=${idOf('-u', owner)},gid=${idOf('-g', owner)},mode=0700`;
    privileged('mount', '-t', 'tmpfs', '-o', `size=${size}${ids}`, 'shopwright-faults', folder);
    this.#disks.push(folder);
  }

  remount(folder, how) {
    privileged('mount', '-o', `remount,${how}`, folder);
  }

  /** Keeps in mind what must be undone before this is closed. @returns undoes it, once */
  toBeUndone(undo) {
    const once = async () => {
      if (this.#undoing.delete(once)) await undo();
    };
    this.#undoing.add(once);
    return once;
  }

  /** Ends all there is, and removes it. */
  async close() {
    await Promise.allSettled([...this.#undoing].map((undo) => undo()));
    await this.#services('stop').catch(() => {});
    for (const folder of this.#disks.splice(0)) privileged('umount', '-l', folder);
    rmSync(this.folder, { recursive: true, force: true });
  }

  get #base() {
    return join(this.folder, `shopwright-services-${process.getuid?.() ?? 0}`);
  }

  #services(...args) {
    return run(process.execPath, [SCRIPT, ...args], { env: this.#env }).catch(
      ({ stderr, stdout }) => {
        throw new Error(`services ${args.join(' ')}: ${stderr || stdout}`);
      },
    );
  }
}

/** Whose data it is when servers are started by root. */
export const SERVER_ACCOUNT = process.getuid?.() === 0 ? 'nobody' : undefined;

/** @throws where there is no /proc */
function childrenOf(parent) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter(
      (pid) =>
        existsSync(`/proc/${pid}/stat`) &&
        Number(/^\d+ \(.*\) \S+ (\d+)/.exec(statOf(pid))?.[1]) === parent,
    )
    .map(Number);
}

function statOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return '';
  }
}

function signalIfAlive(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

function idOf(flag, account) {
  return execFileSync('id', [flag, account], { encoding: 'utf8' }).trim();
}

async function freePorts(count) {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
      return server;
    }),
  );
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
