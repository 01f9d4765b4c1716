// `npm run imports`: the longest chain of imports within lib, and its circles. Imports of types
// count like any other, generated files not at all.
// `-- --max 24` fails when the chain is longer than that.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import ts from 'typescript';

const LIB = fileURLToPath(new URL('../lib', import.meta.url));

/** Reads every source file below a folder but generated ones, by its path relative to it. */
export function readSources(folder) {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path) && !isGenerated(path));
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

const isGenerated = (path) => path.split('/').includes('generated');

/**
 * The files that each file imports or exports from. A relative import that leads to no file is an
 * error: a wrong path would make chains shorter.
 */
export function importGraph(sources) {
  const paths = [...sources.keys()].sort();
  return new Map(paths.map((path) => [path, importedFiles(path, sources)]));
}

function importedFiles(path, sources) {
  const files = new Set();
  for (const specifier of relativeImports(path, sources.get(path))) {
    const target = posix.join(posix.dirname(path), specifier).replace(/\.js$/, '');
    const file = [`${target}.ts`, `${target}.tsx`].find((candidate) => sources.has(candidate));
    if (file) files.add(file);
    else if (!isGenerated(target))
      throw new Error(`${path} imports ${specifier}, which is no source file`);
  }
  return [...files].sort();
}

/** The relative specifiers of `import … from`, `export … from` and the type `import('…')`. */
function relativeImports(path, text) {
  const specifiers = [];
  const visit = (node) => {
    const specifier = specifierOf(node);
    if (specifier && ts.isStringLiteral(specifier) && specifier.text.startsWith('.')) {
      specifiers.push(specifier.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.ES2022));
  return specifiers;
}

function specifierOf(node) {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  return ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)
    ? node.argument.literal
    : undefined;
}

/**
 * The longest chain in which every file imports the next, and the circles: groups of files that
 * reach each other. A chain that meets a circle takes in all its files.
 */
export function longestImportChain(graph) {
  const groups = groupsOf(graph);
  const groupOf = new Map(groups.flatMap((group) => group.map((file) => [file, group])));
  const chains = new Map();
  let longest = [];
  for (const group of groups) {
    const below = new Set(
      group.flatMap((file) => graph.get(file)).map((file) => groupOf.get(file)),
    );
    below.delete(group);
    const rest = longestOf([...below].map((other) => chains.get(other)));
    chains.set(group, [...group, ...rest]);
    longest = longestOf([longest, chains.get(group)]);
  }
  return { chain: longest, circles: groups.filter((group) => group.length > 1) };
}

/** The first of the longest, so that equal chains do not take turns. */
const longestOf = (chains) =>
  chains.reduce((best, chain) => (chain.length > best.length ? chain : best), []);

/** Tarjan's strongly connected components; a group comes after every group that it imports. */
function groupsOf(graph) {
  const groups = [];
  const stack = [];
  const visits = new Map();
  const visit = (file) => {
    const own = { index: visits.size, lowest: visits.size, open: true };
    visits.set(file, own);
    stack.push(file);
    for (const next of graph.get(file)) {
      const seen = visits.get(next);
      if (!seen) own.lowest = Math.min(own.lowest, visit(next).lowest);
      else if (seen.open) own.lowest = Math.min(own.lowest, seen.index);
    }
    if (own.lowest === own.index) {
      const group = stack.splice(stack.indexOf(file)).sort();
      for (const member of group) visits.get(member).open = false;
      groups.push(group);
    }
    return own;
  };
  for (const file of graph.keys()) if (!visits.has(file)) visit(file);
  return groups;
}

/** What the command prints. */
function report({ chain, circles }) {
  const marks = new Map(
    circles.flatMap((files, at) => files.map((file) => [file, `  (circle ${at + 1})`])),
  );
  return [
    `longest chain: ${chain.length} files`,
    ...chain.map((file) => `  ${file}${marks.get(file) ?? ''}`),
    `circles: ${circles.length}`,
    ...circles.flatMap((files, at) => [
      `  circle ${at + 1}: ${files.length} files`,
      ...files.map((file) => `    ${file}`),
    ]),
  ].join('\n');
}

/** The number given to `--max`; without the flag every length is allowed. */
function maxLength() {
  const { max } = parseArgs({ options: { max: { type: 'string' } } }).values;
  if (max === undefined) return Infinity;
  if (!/^\d+$/.test(max)) throw new Error(`--max takes a number of files, not ${max}`);
  return Number(max);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const max = maxLength();
  const result = longestImportChain(importGraph(readSources(LIB)));
  console.log(report(result));
  if (result.chain.length > max) {
    console.error(`The chain may have ${max} files.`);
    process.exitCode = 1;
  }
}
