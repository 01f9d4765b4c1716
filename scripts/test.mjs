// Runs jest with the arguments given, after installing what is missing. Needs no server, no network
// and no browser once installed.
import { spawnSync } from 'node:child_process';
import { installMissing, ROOT } from './install.mjs';

installMissing();
const jest = [
  '--experimental-vm-modules',
  '--no-warnings',
  'node_modules/jest/bin/jest.js',
  ...process.argv.slice(2),
];
const { status } = spawnSync(process.execPath, jest, { cwd: ROOT, stdio: 'inherit' });
process.exitCode = status ?? 1;
