// Leaves of the declarations that the compiler wrote what entry points lead to: users' compilers and
// editors never open the others. Part of `npm run build`, behind the joining of the programs.
import { readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
/** The entry points of the typed REST resources. */
const RESOURCES = join('rest-client', 'resources', 'generated', 'versions');

const written = readdirSync(DIST, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.d.ts'))
  .map((path) => join(DIST, path));
for (const path of written) if (path.includes(RESOURCES)) nameClasses(path);
const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

const reached = new Set();
const open = Object.values(exports).flatMap(({ types }) => (types ? filesOf(types) : []));
for (const path of open) {
  if (reached.has(path)) continue;
  reached.add(path);
  open.push(...importedBy(path));
}
for (const path of written) if (!reached.has(path)) rmSync(path);
removeEmpty(DIST);

/**
 * Has an entry point of resources pass the classes on, instead of constants and types that are equal
 * to them: for these the declarations of an app would have no name.
 */
function nameClasses(path) {
  const text = readFileSync(path, 'utf8');
  const [before, shape] = /^.*? from ('.*?');.* const restResources: \w+;\n/s.exec(text);
  writeFileSync(path, `${before}export * from ${shape};\n`);
}

/** What a target of `exports` stands for. */
function filesOf(target) {
  const [before, after] = join(ROOT, target).split('*');
  return written.filter((path) =>
    after === undefined ? path === before : path.startsWith(before) && path.endsWith(after),
  );
}

/** Of the package's own; all of them have to be there. */
function importedBy(path) {
  const { importedFiles } = ts.preProcessFile(readFileSync(path, 'utf8'));
  return importedFiles
    .filter(({ fileName }) => /^\.\.?\//.test(fileName))
    .map(({ fileName }) => join(dirname(path), fileName.replace(/\.js$/, '.d.ts')));
}

function removeEmpty(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) removeEmpty(join(folder, entry.name));
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}
