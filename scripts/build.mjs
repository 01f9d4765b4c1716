// Compiles the toolkit and the examples when a source is newer than what was compiled last.
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The toolkit alone. */
export function buildToolkitIfStale() {
  compileIfStale(
    'the toolkit',
    [
      'lib',
      'package.json',
      'tsconfig.json',
      'tsconfig.build.json',
      'scripts/bundle.mjs',
      'scripts/declarations.mjs',
    ],
    'dist/index.js',
    ['run', '--silent', 'build'],
  );
}

export function buildIfStale() {
  buildToolkitIfStale();
  compileIfStale(
    'the examples',
    ['examples/nest-app', 'examples/express-app', 'examples/tsconfig.json', 'dist/index.js'],
    'examples/dist/nest-app/src/demo.js',
    ['run', '--silent', 'build:examples'],
  );
}

function compileIfStale(what, sources, result, command) {
  const built = statSync(join(root, result), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (Math.max(...sources.map((source) => newest(join(root, source)))) <= built) return;
  console.log(`Building ${what} …`);
  execFileSync('npm', command, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
}

/** The time of the newest file below a path, in milliseconds; 0 when there is none. */
export function newest(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}
