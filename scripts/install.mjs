import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder of the repository, with a trailing slash. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

const packagesIn = (lockFile) => JSON.parse(readFileSync(lockFile, 'utf8')).packages;

/**
 * True when the node_modules of a folder hold what its lock file asks for. Compares contents rather
 * than times, because a checkout touches the lock file. What is optional may be missing: it is made
 * for another platform.
 */
export function isInstalled(folder = ROOT) {
  const installedList = `${folder}node_modules/.package-lock.json`;
  if (!existsSync(installedList)) return false;
  const installed = packagesIn(installedList);
  return Object.entries(packagesIn(`${folder}package-lock.json`)).every(([path, wanted]) => {
    if (path === '') return true;
    const found = installed[path];
    return found ? found.version === wanted.version : wanted.optional === true;
  });
}

/**
 * Runs npm with the terminal's own input and output. On Windows npm is a batch file, which only a
 * shell can start.
 */
export function npm(args, options = {}) {
  return spawnSync('npm', args, {
    cwd: ROOT,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    ...options,
  });
}

/**
 * Installs the locked dependencies unless they are there already; ends the process with npm's exit
 * code when npm fails.
 */
export function installMissing() {
  if (isInstalled()) return;
  console.log('Installing dependencies (once) …');
  const { status } = npm(['ci', '--no-audit', '--no-fund']);
  if (status !== 0) process.exit(status ?? 1);
}
