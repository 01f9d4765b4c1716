import { join } from 'node:path';
import ts from 'typescript';

import { fetchPackage } from './published-package.mjs';

/** The packages an app may come from, and our entry points that take their place. */
export const PREDECESSORS = [
  { name: '@shopify/shopify-api', version: '15.0.0', entryPoints: ['integrations/api'] },
  { name: '@shopify/shopify-app-express', version: '8.0.2', entryPoints: ['integrations/express'] },
  {
    name: '@shopify/admin-api-client',
    version: '2.0.0',
    entryPoints: ['graphql-client', 'rest-client'],
  },
  {
    name: '@shopify/storefront-api-client',
    version: '2.0.0',
    entryPoints: ['graphql-client'],
  },
  {
    name: '@shopify/graphql-client',
    version: '2.0.0',
    entryPoints: ['graphql-client'],
  },
  {
    name: '@shopify/shopify-app-remix',
    version: '6.0.1',
    entryPoints: ['integrations/remix'],
  },
  {
    name: '@shopify/shopify-app-react-router',
    version: '3.0.0',
    entryPoints: ['integrations/react-router'],
  },
];

/**
 * What the main entry of each predecessor exports and what ours do: for each, the names with what
 * they are, a value, a type or both.
 */
export function readExports(root, cache) {
  const folders = PREDECESSORS.map(({ name, version }) => {
    const target = join(cache, `${name.slice(1).replace('/', '-')}-${version}`);
    return join(fetchPackage(target, { name, version }), 'package');
  });
  const entries = folders.map((folder) => typesOf(folder));
  const ourEntries = [...new Set(PREDECESSORS.flatMap(({ entryPoints }) => entryPoints))];
  const fileOf = (entryPoint) => join(root, 'lib', entryPoint, 'index.ts');
  const theirs = program(entries, {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    paths: Object.fromEntries(PREDECESSORS.map(({ name }, index) => [name, [entries[index]]])),
  });
  const ours = program(ourEntries.map(fileOf), optionsOf(root));
  return PREDECESSORS.map(({ name, entryPoints }, index) => ({
    name,
    theirs: exportsOf(theirs, entries[index]),
    ours: new Map(entryPoints.flatMap((entry) => [...exportsOf(ours, fileOf(entry))])),
  }));
}

/** The declarations of a package's main entry. */
function typesOf(folder) {
  const { types } = JSON.parse(ts.sys.readFile(join(folder, 'package.json')));
  // Some packages name a bundle of declarations that their tarball lacks; `exports` names the real.
  const named = join(folder, types);
  return ts.sys.fileExists(named) ? named : join(folder, 'dist/ts/index.d.ts');
}

function optionsOf(root) {
  const file = join(root, 'tsconfig.json');
  const { config } = ts.readConfigFile(file, ts.sys.readFile);
  return ts.parseJsonConfigFileContent(config, ts.sys, root).options;
}

function program(files, options) {
  return ts.createProgram(files, {
    target: ts.ScriptTarget.ES2022,
    skipLibCheck: true,
    noEmit: true,
    types: [],
    ...options,
  });
}

/** The exports of a file: each name with whether it can be used as a value and as a type. */
export function exportsOf(program, file) {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error(`${file} exports nothing`);
  return new Map(checker.getExportsOfModule(module).map((symbol) => [symbol.name, usesOf(symbol)]));

  function usesOf(symbol) {
    const typeOnly = (symbol.declarations ?? []).some(ts.isTypeOnlyExportDeclaration);
    const { flags } =
      symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return {
      value: !typeOnly && (flags & ts.SymbolFlags.Value) !== 0,
      type: (flags & ts.SymbolFlags.Type) !== 0,
    };
  }
}

/**
 * What of `theirs` has no counterpart in `ours` under the same name, each as it was looked for.
 * A name that is a value there has to be one here.
 */
export function missingExports(theirs, ours) {
  return [...theirs].flatMap(([name, { value, type }]) => {
    const own = ours.get(name);
    if (!own) return [{ name, as: value ? 'a value' : 'a type' }];
    if (value && !own.value) return [{ name, as: 'a value' }];
    return type && !own.type ? [{ name, as: 'a type' }] : [];
  });
}

/**
 * The names that a page explains: in the tables below a heading that names the package, whatever
 * stands in backticks in the first cell of a row.
 */
export function explainedNames(page, packageName) {
  const sections = page.split(/^(?=#+ )/m);
  const own = sections.filter((section) =>
    section.split('\n', 1)[0].includes(`\`${packageName}\``),
  );
  const cells = own.flatMap((section) =>
    section.split('\n').flatMap((line) => /^\| (.*?) +\| /.exec(line)?.[1] ?? []),
  );
  return new Set(cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name)));
}
