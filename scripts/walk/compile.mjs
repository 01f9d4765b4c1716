// Compiles lib into .cache/walk, one file for one, as `nest build` does before scripts/bundle.mjs
// joins them: a file of the source is what is counted.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';
import generateResources from '../resources.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LIB = join(ROOT, 'lib');
const PACKAGE = join(ROOT, '.cache/walk');
const DIST = join(PACKAGE, 'dist');

/** Where the compiled files stand, as the URLs of their modules begin. */
export const COMPILED = `${pathToFileURL(DIST)}/`;

/** Compiles without checking types. Answers how to import an entry point: `load('express')`. */
export async function compileToolkit() {
  await generateResources();
  rmSync(PACKAGE, { recursive: true, force: true });
  const compilerOptions = readCompilerOptions();
  for (const path of readdirSync(LIB, { recursive: true, encoding: 'utf8' })) {
    if (!/(?<!\.d)\.tsx?$/.test(path)) continue;
    const fileName = join(LIB, path);
    const text = readFileSync(fileName, 'utf8');
    const target = join(DIST, path.replace(/\.tsx?$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, ts.transpileModule(text, { fileName, compilerOptions }).outputText);
  }
  // Its `exports` name files of `dist`, and a package may import itself by name.
  copyFileSync(join(ROOT, 'package.json'), join(PACKAGE, 'package.json'));
  const { resolve } = createRequire(join(PACKAGE, 'package.json'));
  return (entryPoint) => import(pathToFileURL(resolve(`shopwright/${entryPoint}`)));
}

function readCompilerOptions() {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  // NodeNext would ask package.json beside the file for the kind of module; alone it says CommonJS.
  return { ...options, module: ts.ModuleKind.ESNext, noEmit: false };
}
