import { posix } from 'node:path';
import ts from 'typescript';

import { parse, readSource, ROOT } from '../architecture/source-tree.js';
import { readDocument } from './documents.js';
import type { CodeBlock, MarkdownDocument } from './documents.js';

/** The compiler names files with forward slashes everywhere. */
const { dirname, join } = posix;
const REPOSITORY = ROOT.replaceAll('\\', '/');

const GIVEN = 'test/docs/given';
/** Types of frameworks that are no dependencies. */
const FRAMEWORKS = ['fetch-hosts', 'react-router', 'runners'].map((name) =>
  join(REPOSITORY, `test/docs/${name}.d.ts`),
);

const ENDINGS = new Map([
  ['ts', '.ts'],
  ['tsx', '.tsx'],
  ['js', '.js'],
]);

/** Languages of blocks that are no module. */
const OTHER_LANGUAGES = ['', 'json', 'prisma', 'sh'];

const { name, exports } = JSON.parse(readSource('package.json')) as {
  name: string;
  exports: Record<string, string | { types: string }>;
};
const { config } = ts.readConfigFile(join(REPOSITORY, 'tsconfig.json'), ts.sys.readFile);

/** As in a strict project of a user, with the sources in the place of what is built of them. */
const OPTIONS: ts.CompilerOptions = {
  ...ts.parseJsonConfigFileContent(config, ts.sys, ROOT).options,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  paths: Object.fromEntries(
    Object.entries(exports).flatMap(([subpath, target]) =>
      typeof target === 'string'
        ? []
        : [
            [
              name + subpath.slice(1),
              [
                join(
                  REPOSITORY,
                  target.types.replace(/^\.\/dist/, './lib').replace('.d.ts', '.ts'),
                ),
              ],
            ],
          ],
    ),
  ),
  allowJs: true,
  checkJs: true,
  noUncheckedSideEffectImports: true,
  noUnusedLocals: false,
  noUnusedParameters: false,
};

/** Pages whose blocks continue an app of another page. */
const CONTINUED: Readonly<Record<string, string>> = { 'docs/testing.md': 'docs/nestjs.md' };

/** A block as a file. What it needs of the others, and they of it, stands behind its own lines. */
interface Module {
  readonly block: CodeBlock;
  readonly text: string;
}

/**
 * Checks the types of every block of a page; answers what is wrong, with the lines of the page.
 *
 * A block is a module. It knows what the blocks above it import and declare, and what `given.ts`
 * exports, unless it declares a name itself. When its first line is a comment with a path, the
 * blocks below can import it from there, and so can those of a page that continues the app.
 * `<!-- unchecked: reason -->` above a block leaves it out.
 */
export function problemsOf(page: MarkdownDocument): string[] {
  const folder = join(REPOSITORY, page.path, 'blocks');
  const above = new Map<string, Module>();
  const problems: string[] = [];
  let scope = declaredNames(readSource(`${GIVEN}.ts`), join(REPOSITORY, GIVEN));
  const continued = CONTINUED[page.path];
  for (const block of continued === undefined ? [] : readDocument(continued).blocks) {
    const name = nameOf(block);
    if (name) above.set(`${join(folder, name)}.ts`, { block, text: block.code });
  }
  const own = new Map<string, Module>();
  for (const block of page.blocks) {
    const ending = ENDINGS.get(block.language);
    const unchecked = /^unchecked\b:? *(.*)$/.exec(block.note ?? '');
    if (unchecked?.[1] === '')
      problems.push(`${page.path}:${block.line} is unchecked for no reason`);
    if (!ending && !OTHER_LANGUAGES.includes(block.language))
      problems.push(`${page.path}:${block.line} is in ${block.language}`);
    if (!ending || unchecked) continue;
    const path = join(folder, nameOf(block) ?? `line-${block.line}`);
    const names = new Map([...importedNames(block.code, path), ...declaredNames(block.code, path)]);
    const known = [...scope]
      .filter(([name]) => !names.has(name))
      .map(([, { importing }]) => importing);
    const exporting = [...names.values()].map(({ exporting }) => exporting);
    own.set(path + ending, {
      block,
      text: [block.code, ...known, ...exporting, 'export {};'].join('\n'),
    });
    scope = new Map([...scope, ...names]);
  }
  return [
    ...problems,
    ...compile(own, above).map(
      ({ block, line, message }) => `${page.path}:${block.line + line} ${message}`,
    ),
  ];
}

/** The path that the first line of a block gives it, without its ending. */
export function nameOf({ code }: CodeBlock): string | undefined {
  return /^\/\/ ([\w./+[\]-]+)\.tsx?\b/.exec(code)?.[1];
}

/** A name at the top level of a module. */
interface TopLevelName {
  /** The statement by which another module knows the name. */
  readonly importing: string;
  /** The statement that has to stand in the module itself for that. */
  readonly exporting: string;
}

/** The names that a module imports, of which other modules import the same. */
function importedNames(code: string, path: string): Map<string, TopLevelName> {
  const names = new Map<string, TopLevelName>();
  for (const statement of parse('module.tsx', code).statements) {
    if (!ts.isImportDeclaration(statement) || !statement.importClause) continue;
    const { name, namedBindings, isTypeOnly } = statement.importClause;
    const specifier = (statement.moduleSpecifier as ts.StringLiteral).text;
    const module = specifier.startsWith('.') ? join(dirname(path), specifier) : specifier;
    const add = (local: ts.Identifier, clause: string): void =>
      void names.set(local.text, {
        importing: `import ${isTypeOnly ? 'type ' : ''}${clause} from '${module}';`,
        exporting: '',
      });
    if (name) add(name, name.text);
    if (namedBindings && ts.isNamespaceImport(namedBindings))
      add(namedBindings.name, namedBindings.getText());
    else
      for (const element of namedBindings?.elements ?? [])
        add(element.name, `{ ${element.getText()} }`);
  }
  return names;
}

/** The names that a module declares. */
function declaredNames(code: string, path: string): Map<string, TopLevelName> {
  const names = new Map<string, TopLevelName>();
  for (const statement of parse('module.tsx', code).statements) {
    const type =
      ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement) ? 'type ' : '';
    const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
    const isExported = modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    for (const name of namesIn(statement))
      names.set(name, {
        importing: `import ${type}{ ${name} } from '${path}';`,
        exporting: isExported ? '' : `export ${type}{ ${name} };`,
      });
  }
  return names;
}

function namesIn(declaration: ts.Statement | ts.BindingName): string[] {
  if (ts.isIdentifier(declaration)) return [declaration.text];
  if (ts.isVariableStatement(declaration))
    return declaration.declarationList.declarations.flatMap(({ name }) => namesIn(name));
  if (ts.isObjectBindingPattern(declaration) || ts.isArrayBindingPattern(declaration))
    return declaration.elements.flatMap((element) =>
      ts.isBindingElement(element) ? namesIn(element.name) : [],
    );
  const isNamed =
    ts.isFunctionDeclaration(declaration) ||
    ts.isClassDeclaration(declaration) ||
    ts.isEnumDeclaration(declaration) ||
    ts.isInterfaceDeclaration(declaration) ||
    ts.isTypeAliasDeclaration(declaration);
  return isNamed && declaration.name ? [declaration.name.text] : [];
}

interface Finding {
  readonly block: CodeBlock;
  /** Counted from 0, within the block. */
  readonly line: number;
  readonly message: string;
}

const { directoryExists: _, ...disk } = ts.createCompilerHost(OPTIONS, true);
const parsed = new Map<string, ts.SourceFile | undefined>();

/** @param above modules of other pages, whose problems are theirs */
function compile(own: ReadonlyMap<string, Module>, above: ReadonlyMap<string, Module>): Finding[] {
  const modules = new Map([...above, ...own]);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (path) => modules.has(path) || disk.fileExists(path),
    readFile: (path) => modules.get(path)?.text ?? disk.readFile(path),
    getSourceFile: (path, languageVersion) => {
      const module = modules.get(path);
      if (module) return ts.createSourceFile(path, module.text, languageVersion, true);
      if (!parsed.has(path)) parsed.set(path, disk.getSourceFile(path, languageVersion));
      return parsed.get(path);
    },
  };
  const program = ts.createProgram([...modules.keys(), ...FRAMEWORKS], OPTIONS, host);
  return [...own].flatMap(([path, { block }]) => {
    const file = program.getSourceFile(path);
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
      ({ start, messageText }) => ({
        block,
        line: file?.getLineAndCharacterOfPosition(start ?? 0).line ?? 0,
        message: ts.flattenDiagnosticMessageText(messageText, ' '),
      }),
    );
  });
}
