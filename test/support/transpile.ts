import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

import { ROOT, resolveImport } from '../architecture/source-tree.js';

const COMPILER_OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
};
const DEPENDENCIES = Object.keys(
  (
    JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    }
  ).dependencies,
);
/**
 * Outputs by what they were made of: to make those of all of `lib/` takes seconds, in each of
 * several test files.
 */
const OUTPUTS = join(ROOT, '.cache', 'transpiled-outputs');

/**
 * Source files of `lib/` as plain JavaScript, for child processes that run without a test runner.
 */
export interface Transpiled {
  /** Folder of the copy: `lib/x.ts` is `<folder>/lib/x.js`. */
  readonly folder: string;
  remove(): Promise<void>;
}

/**
 * Copies `entry` (such as `lib/sessions/index.ts`, or several) and all that it imports from `lib/`,
 * types stripped, into a fresh folder.
 * @param parent where the folder is made: inside the repository every package is found, elsewhere
 * only those that the toolkit depends on @default `<repository>/.cache`
 */
export async function transpile(
  entry: string | readonly string[],
  parent: string = join(ROOT, '.cache'),
): Promise<Transpiled> {
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, 'transpiled-'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await mkdir(join(folder, 'node_modules'));
  for (const name of DEPENDENCIES)
    await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name), 'junction');
  const files = new Set([entry].flat());
  for (const file of files) {
    const source = await readFile(join(ROOT, file), 'utf8');
    for (const { fileName } of ts.preProcessFile(source).importedFiles) {
      const imported = resolveImport(file, fileName);
      if (imported) files.add(imported);
    }
    const target = join(folder, relative('.', file).replace(/\.tsx?$/, '.js'));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, await outputOf(source));
  }
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

async function outputOf(source: string): Promise<string> {
  const digest = createHash('sha256')
    .update(JSON.stringify([ts.version, COMPILER_OPTIONS, source]))
    .digest('hex');
  const kept = join(OUTPUTS, digest);
  const known = await readFile(kept, 'utf8').catch(() => undefined);
  if (known !== undefined) return known;
  const { outputText } = ts.transpileModule(source, { compilerOptions: COMPILER_OPTIONS });
  // Another test file may be making the same: each sees a whole one or none.
  const made = `${kept}.${randomUUID()}`;
  await mkdir(OUTPUTS, { recursive: true });
  await writeFile(made, outputText);
  await rename(made, kept);
  return outputText;
}
