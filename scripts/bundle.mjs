// Joins the modules behind a face into one file, after the compiler: reading thirty small files costs more than all that is in them, and the
// plain client is imported by functions that start cold. Runs as part of `npm run build`.
import { build } from 'esbuild';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const DIST = fileURLToPath(new URL('../dist', import.meta.url));
const FACES = ['rest-client/index.js'];

/** An error class must exist once in a process, or `instanceof` fails between two faces: the files that declare them stay apart. */
const errorsApart = (folder) => ({
  name: 'errors-apart',
  setup({ onResolve }) {
    onResolve({ filter: /\.errors\.js$/ }, ({ path, resolveDir }) => {
      const file = relative(folder, resolve(resolveDir, path)).replaceAll('\\', '/');
      return { path: file.startsWith('.') ? file : `./${file}`, external: true };
    });
  },
});

for (const face of FACES) {
  const file = join(DIST, face);
  await build({
    ...{
      entryPoints: [file],
      outfile: file,
      allowOverwrite: true,
      bundle: true,
      packages: 'external',
      plugins: [errorsApart(dirname(file))],
    },
    ...{ format: 'esm', platform: 'node', target: 'node20.10', sourcemap: true, logLevel: 'warning' },
  });
}
