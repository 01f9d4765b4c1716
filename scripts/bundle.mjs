// Joins the modules behind one into one file, after the compiler: reading thirty small files costs
// more than all that is in them, and the plain client and the typed resources are imported by
// functions that start cold. Runs as part of `npm run build`.
import { build } from 'esbuild';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const DIST = fileURLToPath(new URL('../dist', import.meta.url));
const JOINED = [
  'rest-client/index.js',
  'rest-client/resources/define-resources.js',
  'rest-client/resources/rest-resource.js',
];

/**
 * A class that is asked for by `instanceof` must exist once in a process: the files that declare
 * errors and resources stay apart.
 */
const classesApart = (folder) => ({
  name: 'classes-apart',
  setup({ onResolve }) {
    onResolve({ filter: /(?:\.errors|\/rest-resource)\.js$/ }, ({ path, resolveDir, kind }) => {
      if (kind === 'entry-point') return undefined;
      const file = relative(folder, resolve(resolveDir, path)).replaceAll('\\', '/');
      return { path: file.startsWith('.') ? file : `./${file}`, external: true };
    });
  },
});

for (const name of JOINED) {
  const file = join(DIST, name);
  await build({
    ...{
      entryPoints: [file],
      outfile: file,
      allowOverwrite: true,
      bundle: true,
      packages: 'external',
      plugins: [classesApart(dirname(file))],
    },
    ...{
      format: 'esm',
      platform: 'node',
      target: 'node20.10',
      sourcemap: true,
      logLevel: 'warning',
    },
  });
}
