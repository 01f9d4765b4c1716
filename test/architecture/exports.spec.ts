import { readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { parse, readSource, ROOT } from './source-tree.js';

/** Files by their path relative to the repository. */
type Sources = ReadonlyMap<string, string>;

/**
 * The names that a file exports: of its own declarations, and what it passes on by name. Those in
 * which a declaration takes an object apart are left out: one `export` is for all of them.
 */
function exportsOf(file: ts.SourceFile): string[] {
  return file.statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) return namesIn(statement.exportClause, 'name');
    if (!ts.canHaveModifiers(statement) || !ts.getModifiers(statement)?.some(isExport)) return [];
    const declarations = ts.isVariableStatement(statement)
      ? statement.declarationList.declarations
      : [statement as ts.DeclarationStatement];
    return declarations.flatMap(({ name }) => (name && ts.isIdentifier(name) ? [name.text] : []));
  });
}

const isExport = ({ kind }: ts.Modifier): boolean => kind === ts.SyntaxKind.ExportKeyword;

/** The names in braces, as this file has them or, as `propertyName`, as the other one has them. */
function namesIn(braces: ts.Node | undefined, side: 'name' | 'propertyName'): string[] {
  if (!braces || !(ts.isNamedImports(braces) || ts.isNamedExports(braces))) return [];
  return braces.elements.map((element) => (element[side] ?? element.name).text);
}

/** Which names a file takes of another. */
interface Use {
  readonly specifier: string;
  readonly takes: (name: string) => boolean;
}

/**
 * What a file takes of others.
 * @param mentions whether a name stands in the file or in one that imports from it, and so may get
 * from it what it has loaded
 */
function usesIn(file: ts.SourceFile, mentions: (name: string) => boolean): Use[] {
  const uses = file.statements.flatMap((statement): Use[] => {
    const isExported = ts.isExportDeclaration(statement);
    if (!isExported && !ts.isImportDeclaration(statement)) return [];
    const { moduleSpecifier } = statement;
    if (!moduleSpecifier || !ts.isStringLiteral(moduleSpecifier)) return [];
    const specifier = moduleSpecifier.text;
    const braces = isExported ? statement.exportClause : statement.importClause?.namedBindings;
    if (isExported && !braces) return [{ specifier, takes: () => true }];
    if (braces && ts.isNamespaceImport(braces)) return [{ specifier, takes: mentions }];
    const names = namesIn(braces, 'propertyName');
    return [{ specifier, takes: (name) => names.includes(name) }];
  });
  const loaded = file.text.matchAll(/\bimport\([^'")]*'(\.[^']+)'/g);
  return [...uses, ...[...loaded].map((match) => ({ specifier: match[1]!, takes: mentions }))];
}

/** The file that a relative import leads to, without its ending. */
function targetOf(path: string, specifier: string): string {
  return posix.join(posix.dirname(path), specifier).replace(/\.js$/, '');
}

/** The exports of `lib` that no other file takes, but for those of entry points. */
function unusedExports(sources: Sources, isEntryPoint: (path: string) => boolean): string[] {
  const files = [...sources].map(([path, text]) => ({ path, file: parse(path, text) }));
  const importers = new Map<string, string[]>();
  const takers = new Map<string, Array<Use['takes']>>();
  for (const { path, file } of files) {
    const own = path.replace(/\.tsx?$/, '');
    const mentions = (name: string): boolean => {
      const word = new RegExp(`\\b${name}\\b`);
      return [path, ...(importers.get(own) ?? [])].some((other) => word.test(sources.get(other)!));
    };
    for (const { specifier, takes } of usesIn(file, mentions)) {
      const target = targetOf(path, specifier);
      importers.set(target, [...(importers.get(target) ?? []), path]);
      takers.set(target, [...(takers.get(target) ?? []), takes]);
    }
  }
  return files
    .filter(({ path }) => path.startsWith('lib/') && !isEntryPoint(path))
    .flatMap(({ path, file }) => {
      const taken = takers.get(path.replace(/\.tsx?$/, '')) ?? [];
      const unused = exportsOf(file).filter((name) => !taken.some((takes) => takes(name)));
      return unused.map((name) => `${path}: ${name} ${WHAT_TO_DO}`);
    });
}

const WHAT_TO_DO =
  'is taken by no other file: drop its `export`, or export it from an entry point for apps that have to name it';

const manifest = JSON.parse(readSource('package.json')) as Record<
  'exports' | 'imports' | 'bin',
  Record<string, string | Record<string, string>>
>;
const targets = [manifest.exports, manifest.imports, manifest.bin]
  .flatMap((entries) => Object.values(entries))
  .flatMap((entry) => (typeof entry === 'string' ? [entry] : Object.values(entry)))
  .map((target) => target.replace(/^(?:\.\/)?dist\//, 'lib/').replace(/(?:\.d\.ts|\.js)$/, ''));

/**
 * The sources of `lib` and of the tests: benchmarks, examples and scripts know entry points alone.
 */
function readSources(): Sources {
  const paths = ['lib', 'test'].flatMap((folder) =>
    readdirSync(`${ROOT}/${folder}`, { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
      .filter((path) => /(?<!\.d)\.tsx?$/.test(path) && !/\/(?:node_modules|dist)\//.test(path)),
  );
  return new Map(paths.map((path) => [path, readSource(path)]));
}

describe('what the files of lib export', () => {
  it('is taken by another file or a test, or is public', () => {
    const isEntryPoint = (path: string): boolean =>
      /\/generated\//.test(path) || targets.includes(path.replace(/\.tsx?$/, ''));
    expect(unusedExports(readSources(), isEntryPoint)).toEqual([]);
  });
});

describe('unusedExports', () => {
  const problems = (sources: Record<string, string>): string[] =>
    unusedExports(new Map(Object.entries(sources)), (path) => path === 'lib/index.ts');
  const unused = (sources: Record<string, string>): string[] =>
    problems(sources).map((problem) => problem.slice(0, problem.indexOf(' is taken')));
  const A = `
    export const used = 1, other = used;
    export function f(): void {}
    export class C {}
    export interface I {}
    export type T = I;
    export enum E {}
    const own = f;
  `;

  it('names what no other file takes, whatever it is', () => {
    expect(
      unused({ 'lib/a.ts': A, 'lib/b/c.tsx': "import { used as mine, type T } from '../a.js';" }),
    ).toEqual(['other', 'f', 'C', 'I', 'E'].map((name) => `lib/a.ts: ${name}`));
  });

  it.each([
    ["import * as a from '../lib/a.js'; [a.other, a.f, a.C, a.E]; let i: a.I;"],
    ["const { other, f, C, E } = await import('../lib/a.js'); type I = import('../lib/a.js').I;"],
  ])('takes what is mentioned beside `%s`', (text) => {
    expect(unused({ 'lib/a.ts': A, 'test/a.spec.ts': text })).toEqual(
      ['used', 'T'].map((name) => `lib/a.ts: ${name}`),
    );
  });

  it('says what to do', () => {
    expect(problems({ 'lib/a.ts': 'export type T = 1;' })).toEqual([
      'lib/a.ts: T is taken by no other file: drop its `export`, or export it from an entry point for apps that have to name it',
    ]);
  });

  it('takes what a file mentions that gets a module from the file that has loaded it', () => {
    expect(
      unused({
        'lib/a.ts': A,
        'lib/load.ts': "export const load = () => import('./a.js');",
        'lib/user.ts': "import { load } from './load.js'; new (await load()).C();",
        'lib/stranger.ts': "import { used } from './a.js'; const f = used, T = f;",
      }),
    ).toEqual(['other', 'f', 'I', 'T', 'E'].map((name) => `lib/a.ts: ${name}`));
  });

  it('takes all that an entry point passes on, and looks at what another file passes on', () => {
    expect(
      unused({
        'lib/a.ts': A,
        'lib/some.ts': "export { f as g, C } from './a.js';",
        'lib/index.ts': "export * from './a.js'; export { C } from './some.js';",
      }),
    ).toEqual(['lib/some.ts: g']);
  });
});
