import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';

/**
 * Compiles modules of the simulated store into the cache and imports the first, so that no build is
 * needed; the others are those it imports.
 */
export async function importFromSource(root, cache, names) {
  const target = join(cache, 'contract');
  for (const name of names) mkdirSync(dirname(join(target, name)), { recursive: true });
  writeFileSync(join(target, 'package.json'), JSON.stringify({ type: 'module' }));
  for (const name of names) {
    const source = readFileSync(join(root, 'lib', 'dev-store', `${name}.ts`), 'utf8');
    const { outputText } = ts.transpileModule(source, {
      compilerOptions: { target: 'ES2022', module: 'ESNext' },
    });
    writeFileSync(join(target, `${name}.js`), outputText);
  }
  return import(pathToFileURL(join(target, `${names[0]}.js`)).href);
}

/**
 * The GraphQL documents in our sources: template literals that begin with `#graphql`, with
 * `#graphql storefront` when they are for that interface, and with a version behind it, such as
 * `#graphql 2026-04`, when they are sent from that version on. Fragments may be put in as constants
 * of the same file.
 * @returns {{ place: string, api: string, since: string, text: string | undefined }[]} the text is
 * undefined when it is put together at run time
 */
export function findDocuments(root, folders) {
  return folders
    .flatMap((folder) => sourceFiles(join(root, folder)))
    .flatMap((file) => documentsOf(file, file.slice(root.length + 1)));
}

function sourceFiles(folder) {
  const entries = safeEntries(folder).filter(
    ({ name }) => name !== 'node_modules' && name !== 'dist',
  );
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourceFiles(path);
    return /\.[cm]?[jt]sx?$/.test(entry.name) && !entry.name.endsWith('.d.ts') ? [path] : [];
  });
}

function safeEntries(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

function documentsOf(file, name) {
  const source = ts.createSourceFile(
    file,
    readFileSync(file, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const found = [];
  const visit = (node) => {
    const head = ts.isTemplateExpression(node)
      ? node.head.text
      : ts.isNoSubstitutionTemplateLiteral(node)
        ? node.text
        : '';
    const tag = /^\s*#graphql\b[ ]*(storefront)?[ ]*(\d{4}-\d\d)?/.exec(head);
    if (tag) {
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      found.push({
        place: `${name}:${line}`,
        api: tag[1] ?? 'admin',
        since: tag[2] ?? '',
        text: textOf(node, constantsOf(source)),
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The text of a template, if everything in it is a constant text. */
function textOf(node, constants) {
  if (ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  const parts = node.templateSpans.map(({ expression, literal }) => [
    constants.get(expression.getText()),
    literal.text,
  ]);
  return parts.every(([value]) => value !== undefined)
    ? node.head.text + parts.flat().join('')
    : undefined;
}

/** The constants of a file that are plain texts, by name. */
function constantsOf(source) {
  const lists = source.statements.filter(
    (statement) =>
      ts.isVariableStatement(statement) && statement.declarationList.flags & ts.NodeFlags.Const,
  );
  const declarations = lists.flatMap(({ declarationList }) => declarationList.declarations);
  const texts = declarations.filter(
    ({ initializer }) => initializer && ts.isStringLiteralLike(initializer),
  );
  return new Map(texts.map(({ name, initializer }) => [name.getText(), initializer.text]));
}
