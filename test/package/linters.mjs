import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmInstall, run } from './programs.mjs';

const LINTERS = { publint: '0.3.25', '@arethetypeswrong/cli': '0.18.5' };

/**
 * Checks a tarball as its users' tools will read it: its `package.json`, and the declarations
 * behind each subpath. Installs the linters into `cache` once.
 */
export async function lint(tarball, cache) {
  mkdirSync(cache, { recursive: true });
  writeFileSync(
    join(cache, 'package.json'),
    JSON.stringify({ private: true, dependencies: LINTERS }),
  );
  await npmInstall(cache);
  await run(process.execPath, ['node_modules/publint/src/cli.js', tarball, '--strict'], {
    cwd: cache,
  });
  const attw = 'node_modules/@arethetypeswrong/cli/dist/index.js';
  await run(process.execPath, [attw, tarball, '--profile', 'esm-only', '--format', 'ascii'], {
    cwd: cache,
  });
}
