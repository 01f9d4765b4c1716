import { describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { ApiVersion } from '../../lib/core/api-version.js';
import {
  allImports,
  libFiles,
  readSource,
  resolveImport,
  ROOT,
  staticImports,
} from './source-tree.js';

const NEST = /^(?:@nestjs\/|rxjs(?:\/|$)|reflect-metadata(?:\/|$))/;
const LOADED_ON_DEMAND = /^(?:libsql|graphql|express)(?:\/|$)/;

/** A module of Node's, with or without its scheme. */
const NODE = new RegExp(`^(?:node:.*|${builtinModules.join('|')})$`);
/** The entry points whose clients run in a browser, too. */
const FOR_BROWSERS = [
  'lib/graphql-client/index.ts',
  'lib/rest-client/index.ts',
  'lib/integrations/react-router/browser.ts',
  'lib/integrations/react-router/react/index.ts',
  'lib/integrations/remix/browser.ts',
  'lib/integrations/remix/react/index.ts',
];

const { exports } = JSON.parse(readSource('package.json')) as {
  exports: Record<string, string | { default: string }>;
};
const entryPoints = Object.entries(exports).flatMap(([subpath, target]) =>
  typeof target === 'string'
    ? []
    : expanded(subpath, target.default.replace('./dist/', 'lib/').replace(/\.js$/, '.ts')),
);
const nestFree = entryPoints.filter(({ subpath }) => subpath !== '.' && subpath !== './testing');

/** The files behind a subpath: one, or every one that stands where its target has a `*`. */
function expanded(subpath: string, file: string): { subpath: string; file: string }[] {
  if (!file.includes('*')) return [{ subpath, file }];
  const [before, after] = file.split('*') as [string, string];
  return libFiles()
    .filter((path) => path.startsWith(before) && path.endsWith(after))
    .map((path) => {
      const name = path.slice(before.length, path.length - after.length);
      return { subpath: subpath.replace('*', name), file: path };
    });
}

const known = new Map<string, string[]>();

/** The imports of a file. Most files stand behind many entry points: each is read once. */
function importsOf(file: string): string[] {
  const imports = known.get(file) ?? staticImports(file, readSource(file));
  known.set(file, imports);
  return imports;
}

/**
 * The ways from an entry point to a package, such as `lib/a/index.ts → lib/a/b.ts → rxjs`; the shortest one
 * for each package.
 */
function waysTo(entryPoint: string, forbidden: RegExp, importsIn = importsOf): string[] {
  const found = new Map<string, string>();
  const ways = new Map([[entryPoint, entryPoint]]);
  for (const [file, way] of ways) {
    for (const specifier of importsIn(file)) {
      const next = resolveImport(file, specifier);
      if (next && !ways.has(next)) ways.set(next, `${way} → ${next}`);
      if (!next && forbidden.test(specifier) && !found.has(specifier))
        found.set(specifier, `${way} → ${specifier}`);
    }
  }
  return [...found.values()];
}

describe('the module graph', () => {
  it('has an entry point for each version of the REST resources, and none for their types', () => {
    const versions = Object.values(ApiVersion).filter((version) => version !== ApiVersion.Unstable);
    expect(
      entryPoints.flatMap(({ subpath }) => /^\.\/rest\/admin\/(.*)$/.exec(subpath)?.[1] ?? []),
    ).toEqual(versions.sort());
  });

  it.each(entryPoints)('has a source file behind $subpath', ({ file }) => {
    expect(existsSync(join(ROOT, file))).toBe(true);
  });

  it.each(nestFree)('loads no Nest with $subpath', ({ file }) => {
    expect(waysTo(file, NEST)).toEqual([]);
  });

  it.each(entryPoints)(
    'loads no optional driver, web framework or GraphQL engine with $subpath',
    ({ file }) => {
      expect(waysTo(file, LOADED_ON_DEMAND)).toEqual([]);
    },
  );

  it.each(FOR_BROWSERS)('reaches no module of Node from %s, not even on demand', (file) => {
    expect(waysTo(file, NODE, (path) => allImports(path, readSource(path)))).toEqual([]);
  });

  it('reaches Nest from the entry point of Nest, so that the walk is known to arrive', () => {
    expect(waysTo('lib/index.ts', NEST)).not.toEqual([]);
  });

  it('lets no file but an entry point import an entry point', () => {
    const offenders = libFiles()
      .filter((file) => !file.endsWith('/index.ts'))
      .flatMap((file) =>
        importsOf(file).map((specifier) => ({ file, target: resolveImport(file, specifier) })),
      )
      .filter(({ target }) => target?.endsWith('/index.ts'));
    expect(offenders).toEqual([]);
  });
});

describe('allImports', () => {
  it('keeps dynamic imports as well, and drops types', () => {
    const text = `
      import type { A } from 'only-a-type';
      import { D } from 'used-as-a-value';
      export const f = (c: A) => import(/* a reason */ 'on-demand').then(() => new D(c));
      export const g = (name: string) => import(name);
    `;
    expect(allImports('lib/sample.ts', text)).toEqual(['used-as-a-value', 'on-demand']);
  });
});

describe('staticImports', () => {
  it('keeps what is loaded and drops types and dynamic imports', () => {
    const text = `
      import type { A } from 'only-a-type';
      import { type B } from 'inline-type';
      import { C } from 'used-as-a-type';
      import { D } from 'used-as-a-value';
      import 'side-effect';
      export { E } from 'passed-on';
      export * from 'passed-on-whole';
      export const f = (c: A & B & C) => import('on-demand').then(() => new D(c));
    `;
    expect(staticImports('lib/sample.ts', text)).toEqual([
      'used-as-a-value',
      'side-effect',
      'passed-on',
      'passed-on-whole',
    ]);
  });
});
