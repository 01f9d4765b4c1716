// Nest apps of every kind, each of which runs the tests of the documentation, as they stand there,
// against the tarball: from the installation to a token, a webhook, a query and a plan.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addFixture, consumer, nestApp } from './consumers.mjs';
import { blocksOf, codeBlocks } from './pages.mjs';
import { run } from './programs.mjs';

const APP = 'docs/nestjs.md';
const TESTS = 'docs/testing.md';
const [TSCONFIG] = codeBlocks('## Getting started', 'json', APP);
const [JEST_OF_MODULES, JEST_OF_COMMONJS] = codeBlocks('### Jest', 'json', TESTS);
const [VITEST] = codeBlocks('### Vitest', 'ts', TESTS);
const [RESOLVER] = codeBlocks('## GraphQL', 'ts', APP);

/** A project of Nest's own template has no more than this. */
const NEST_CLI = JSON.stringify({ sourceRoot: 'src' });
const MODULES = { NODE_OPTIONS: '--experimental-vm-modules' };

const TSC = ['typescript/bin/tsc'];
const JEST = ['jest/bin/jest.js', '--ci'];
const NEST_BUILD = ['@nestjs/cli/bin/nest.js', 'build'];

/** What all apps of a major version of Nest install, in one folder above them. */
const INSTALLED = {
  11: {
    '@nestjs/cli': '^11.0.0',
    '@swc/cli': '^0.8.0',
    '@types/jest': '^30.0.0',
    '@types/node': '^20.0.0',
    'ts-loader': '^9.5.0',
    typescript: '~5.9.0',
  },
  12: {
    '@nestjs/graphql': '^14.0.0',
    '@nestjs/mercurius': '^14.0.0',
    '@nestjs/platform-fastify': '^12.0.0',
    '@types/node': '^24.0.0',
    mercurius: '^16.10.0',
    // The newest that ts-jest takes.
    typescript: '^6.0.0',
    'unplugin-swc': '^2.0.0',
    vitest: '^5.0.0',
  },
};
const TOOLS = {
  '@jest/globals': '^30.0.0',
  '@swc/core': '^1.16.0',
  graphql: '^16.11.0',
  jest: '^30.0.0',
  'ts-jest': '^29.4.0',
};

/**
 * The apps by title: the major version of Nest, where `it` comes from, whether it is a project of
 * ES modules, the files it has besides, and the programs that build and run it. Nest 11 is what
 * Node 20 runs; Nest 12 needs a newer one.
 */
export const NEST_APPS = {
  'Nest 11, CommonJS, jest and ts-jest': {
    nest: 11,
    it: '@jest/globals',
    files: { 'jest.config.json': JEST_OF_COMMONJS },
    fixture: 'jest-commonjs',
    programs: [JEST],
  },
  'Nest 11, ES modules, tsc and node:test': {
    nest: 11,
    it: 'node:test',
    modules: true,
    programs: [TSC],
    output: 'dist/main.js',
  },
  'Nest 11, CommonJS, nest build -b swc and node:test': {
    nest: 11,
    it: 'node:test',
    files: { 'nest-cli.json': NEST_CLI },
    programs: [[...NEST_BUILD, '-b', 'swc']],
    output: 'dist/src/main.js',
  },
  // Its packages lie above it, as in a workspace, where Nest's configuration bundles them.
  'Nest 11, CommonJS, nest build --webpack and node:test': {
    nest: 11,
    it: 'node:test',
    files: { 'nest-cli.json': NEST_CLI },
    programs: [[...NEST_BUILD, '--webpack']],
    output: 'dist/main.js',
  },
  'Nest 12, ES modules, vitest and SWC, with Mercurius': {
    nest: 12,
    it: 'vitest',
    modules: true,
    files: { 'vitest.config.ts': VITEST, 'src/shop.resolver.ts': RESOLVER },
    fixture: 'mercurius',
    programs: [['vitest/vitest.mjs', 'run']],
  },
  'Nest 12, ES modules, jest and ts-jest': {
    nest: 12,
    it: '@jest/globals',
    modules: true,
    files: { 'jest.config.json': JEST_OF_MODULES },
    programs: [JEST],
    env: MODULES,
  },
  'Nest 12, CommonJS, jest and ts-jest': {
    nest: 12,
    it: '@jest/globals',
    files: { 'jest.config.json': JSON.stringify({ preset: 'ts-jest', rootDir: 'src' }) },
    programs: [JEST],
    env: MODULES,
  },
};

/** Installs what the apps of a major version of Nest need. Answers the folder. */
export function installNestApps(nest, tarball) {
  const dependencies = { ...nestApp(nest), ...TOOLS, ...INSTALLED[nest] };
  return consumer(`nest-apps-${nest}`, tarball, { dependencies, manifest: {} });
}

/** Makes an app below the folder in which its packages are installed, and runs its tests. */
export async function runNestApp(title, node, installed) {
  const { it, modules = false, files = {}, fixture, programs, output, env } = NEST_APPS[title];
  const cwd = join(installed, title.toLowerCase().replaceAll(/[^a-z\d]+/g, '-'));
  rmSync(cwd, { recursive: true, force: true });
  const tests = snippets(it, modules);
  const manifest = { private: true, ...(modules && { type: 'module' }) };
  write(cwd, {
    'package.json': JSON.stringify(manifest),
    'tsconfig.json': TSCONFIG,
    ...tests,
    ...files,
    // One program that is all tests.
    ...(output && { 'src/main.ts': importsOf(Object.keys(tests), modules) }),
  });
  if (fixture) addFixture(cwd, fixture);
  for (const [program, ...args] of programs)
    await run(node, [join(installed, 'node_modules', program), ...args], { cwd, env });
  if (output) await run(node, ['--test', output], { cwd });
}

/** The app of the documentation and its tests, by path. */
function snippets(it, modules) {
  const blocks = [...blocksOf(APP), ...blocksOf(TESTS)].filter(
    ({ path }) => path === 'src/app.module.ts' || path?.endsWith('.spec.ts'),
  );
  return Object.fromEntries(
    blocks.map(({ path, code }) => {
      const text = code.replace("'node:test'", `'${it}'`);
      return [path, modules ? text : text.replaceAll(/(from '\.\/[\w.]+)\.js'/g, "$1'")];
    }),
  );
}

function importsOf(paths, modules) {
  const tests = paths.filter((path) => path.endsWith('.spec.ts'));
  return tests
    .map((path) => `import '${path.replace('src', '.').replace('.ts', modules ? '.js' : '')}';\n`)
    .join('');
}

function write(folder, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
