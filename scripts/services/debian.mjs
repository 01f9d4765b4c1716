import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

// Where Debian puts servers, which an ordinary user's path leaves out. PostgreSQL's folders come
// newest first.
function folders() {
  const versions = '/usr/lib/postgresql';
  const postgres = existsSync(versions)
    ? readdirSync(versions).sort((a, b) => Number(b) - Number(a))
    : [];
  const path = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return [
    ...path,
    '/usr/sbin',
    '/usr/local/sbin',
    ...postgres.map((version) => join(versions, version, 'bin')),
  ];
}

/** The full path of a program, if this machine has it. */
export function find(program) {
  return folders()
    .map((folder) => join(folder, program))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/**
 * Installs, in one go, what the servers that are ours to start come from, as far as this machine
 * lacks it.
 */
export async function installPackages(services) {
  const missing = [];
  for (const service of services)
    if (service.isOurs && !find(service.program) && !(await service.answers()))
      missing.push(service);
  if (missing.length === 0) return;
  const packages = missing.flatMap(({ debianPackages }) => debianPackages);
  if (process.platform !== 'linux' || process.getuid() !== 0 || !find('apt-get')) {
    const programs = missing.map(({ program }) => program).join(', ');
    throw new Error(
      `Not installed: ${programs} (on Debian: apt-get install ${packages.join(' ')}). Or run docker compose up -d.`,
    );
  }
  console.log(`Installing ${packages.join(', ')} (once) …`);
  // In this run level the packages do not start servers of their own.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    const { status } = spawnSync('apt-get', ['-qq', ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env,
    });
    if (status !== 0) throw new Error(`apt-get ${args[0]} failed with exit code ${status}.`);
  }
}
