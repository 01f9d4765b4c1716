import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Fetches a published package into a folder, unless all of `files` are there already; it is
 * unpacked, never installed.
 * @param files what is unpacked, as paths in the tarball: `package/…`; default all of it
 */
export function fetchPackage(target, { name, version, files = [] }) {
  const wanted = files.length > 0 ? files : ['package/package.json'];
  if (wanted.every((file) => existsSync(join(target, file)))) return target;
  const scratch = `${target}.partial`;
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true });
  // On Windows npm is a batch file, which only a shell can start.
  const packed = execFileSync('npm', ['pack', `${name}@${version}`, '--silent'], {
    cwd: scratch,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  const tarball = packed.trim().split('\n').at(-1);
  execFileSync('tar', ['-xzf', tarball, ...files], { cwd: scratch });
  rmSync(join(scratch, tarball));
  rmSync(target, { recursive: true, force: true });
  mkdirSync(dirname(target), { recursive: true });
  renameSync(scratch, target);
  return target;
}
