import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** The folder of the repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) =>
  readFileSync(path, 'utf8'),
);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
/**
 * ESNext because a file that is transpiled alone has no package.json beside it to say that it is an
 * ES module.
 */
const compilerOptions: ts.CompilerOptions = {
  ...options,
  module: ts.ModuleKind.ESNext,
  noEmit: false,
};

/**
 * Every source file of `lib/`, as a path relative to the repository with forward slashes; not those
 * of declarations alone.
 */
export function libFiles(): string[] {
  return readdirSync(join(ROOT, 'lib'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?<!\.d)\.tsx?$/.test(path))
    .map((path) => `lib/${path.replaceAll('\\', '/')}`)
    .sort();
}

/** Reads a source file of the repository. */
export function readSource(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** Parses TypeScript (or, by the ending of `path`, TSX or JavaScript) without checking types. */
export function parse(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
}

/**
 * Calls `visit` on every node below `node`, depth first; a subtree is left out when `visit` answers
 * `false`.
 */
export function walk(node: ts.Node, visit: (node: ts.Node) => boolean | void): void {
  ts.forEachChild(node, (child) => {
    if (visit(child) !== false) walk(child, visit);
  });
}

/** The line of a node, counted from 1, for messages. */
export function lineOf(node: ts.Node): number {
  const file = node.getSourceFile();
  return file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
}

/**
 * The modules a file loads before it runs. Read from what the compiler emits, which has dropped the
 * imports that only name types; a dynamic `import()` is not among them.
 */
export function staticImports(path: string, text: string): string[] {
  const { outputText } = ts.transpileModule(text, { fileName: path, compilerOptions });
  return parse('emitted.js', outputText).statements.flatMap((statement) =>
    (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) &&
    statement.moduleSpecifier &&
    ts.isStringLiteral(statement.moduleSpecifier)
      ? [statement.moduleSpecifier.text]
      : [],
  );
}

/** The modules a file loads, those of a dynamic `import()` included. */
export function allImports(path: string, text: string): string[] {
  const specifiers = staticImports(path, text);
  walk(parse(path, text), (node) => {
    if (!ts.isCallExpression(node) || node.expression.kind !== ts.SyntaxKind.ImportKeyword) return;
    const [specifier] = node.arguments;
    if (specifier && ts.isStringLiteral(specifier)) specifiers.push(specifier.text);
  });
  return specifiers;
}

/**
 * Turns a relative import into the source file it stands for; answers `undefined` for a package or
 * a module of Node.
 */
export function resolveImport(from: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const target = resolve(ROOT, dirname(from), specifier).replace(/\.js$/, '');
  const found = [`${target}.ts`, `${target}.tsx`].find((path) => existsSync(path));
  if (!found) throw new Error(`${from} imports ${specifier}, which is no file of this repository`);
  return relative(ROOT, found).replaceAll('\\', '/');
}
