// Writes the types of the REST resources, and the entry point of each API version, from the tables
// in lib/rest-client/resources: one file of declarations for each shape that versions have, and a
// small module per version. Runs before whatever compiles, checks or tests `lib`; a file that would
// not change is left alone.
import { build } from 'esbuild';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { classesOf, entryPointOf, shapeOf } from './resources.declarations.mjs';

const RESOURCES = fileURLToPath(new URL('../lib/rest-client/resources', import.meta.url));
const TARGET = join(RESOURCES, 'generated');

export default async function generateResources() {
  const { layersOf, ResourceDefinition, ApiVersion } = await importTables();
  const files = {};
  let shape;
  let before;
  for (const version of Object.values(ApiVersion).filter(
    (version) => version !== ApiVersion.Unstable,
  )) {
    const definitions = [...layersOf(version)].map(
      ([name, layers]) => new ResourceDefinition(name, layers),
    );
    const classes = classesOf(definitions);
    if (!before || !isSame(before.classes, classes)) {
      shape = version;
      before = shapeOf(shape, classes, before);
      files[join('shapes', `${shape}.ts`)] = before.text;
    }
    files[join('versions', `${version}.ts`)] = entryPointOf(version, shape, definitions);
  }
  for (const folder of ['shapes', 'versions']) mkdirSync(join(TARGET, folder), { recursive: true });
  for (const entry of readdirSync(TARGET, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    if (entry.isFile() && !(relative(TARGET, path) in files)) rmSync(path);
  }
  for (const [file, text] of Object.entries(files)) writeIfNew(join(TARGET, file), text);
}

function isSame(one, other) {
  return one.size === other.size && [...one].every(([name, text]) => other.get(name) === text);
}

/** Compiles the tables in memory: nothing has been built yet. */
async function importTables() {
  const contents = ['version-layers', 'resource-definition', '../../core/api-version']
    .map((file) => `export * from './${file}.js';`)
    .join('');
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: RESOURCES },
    bundle: true,
    format: 'esm',
    write: false,
  });
  return import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`
  );
}

/** What compares times to see whether a build is stale must not be misled. */
function writeIfNew(path, text) {
  try {
    if (readFileSync(path, 'utf8') === text) return;
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  writeFileSync(path, text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await generateResources();
