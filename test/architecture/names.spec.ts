import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { libFiles, readSource, ROOT } from './source-tree.js';

/** What a file can be for its subject: `webhook.registrar.ts`. A new role needs a reason. */
const ROLES = new Set(
  (
    'api authenticator client command connection context conformance decorator dialect ' +
    'dispatcher driver endpoint errors explorer factory filter guard inbox integration ' +
    'migrations module module-definition options page pages processor providers queries queue reader ' +
    'receiver registrar registry resolvers response schema script service simulator storage store ' +
    'table verifier views'
  ).split(' '),
);
/** The role of a list of bindings that exist only in Nest. */
const NEST_PROVIDERS = 'nest.providers';
const HYPHENATED = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** What is wrong with the name of a file; `undefined` when it is right. */
function problemOfName(path: string): string | undefined {
  const [subject, ...roles] = basename(path)
    .replace(/\.tsx?$/, '')
    .split('.');
  if (!HYPHENATED.test(subject!)) return `${path}: write the subject in lower case with hyphens`;
  const role = roles.join('.');
  if (role === '' || role === NEST_PROVIDERS || ROLES.has(role)) return undefined;
  return `${path}: "${role}" is no role; write a hyphen, or add the role to the list`;
}

const LONGEST_FILE = 300;
/** Tables and schemas are data, and as long as what they describe. */
const isData = (path: string): boolean => /\.(?:table|schema)\.ts$/.test(path);

/** Names of the project's past for a module, an entry point and a layer. */
const PAST_NAMES = new Set(['room', 'rooms', 'face', 'faces', 'floor', 'floors']);
/** JavaScript, Lua and SQL call their function so. */
const ROUNDING = /\bmath\.floor\b|\bfloor\(/gi;

/** The lines that use one of those names as a word, or as a part of an identifier. */
function pastNames(path: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    const words = line.replace(ROUNDING, '').match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
    return words
      .filter((word) => PAST_NAMES.has(word.toLowerCase()))
      .map((word) => `${path}:${index + 1} ${word}`);
  });
}

/** Phrases that are archaic, or leave open who does what. */
const UNCLEAR =
  /\b(?:of no avail|by and by|lest|thereby|thereof|whereof|hitherto|for want of|hears? of|heard of|whoever asks|who asks|nobody's|told of|tells? the app|told the app)\b/i;

const WIDEST_COMMENT = 100;

/** The lines of all comments, with their numbers and whether they belong to an example. */
function commentLines(path: string, text: string): CommentLine[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  const found = new Map<number, ts.CommentRange>();
  const visit = (node: ts.Node): void => {
    for (const comment of [
      ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.getEnd()) ?? []),
    ])
      found.set(comment.pos, comment);
    for (const child of node.getChildren(file)) if (!ts.isJSDoc(child)) visit(child);
  };
  visit(file);
  const lines = text.split('\n');
  return [...found.values()].flatMap(({ pos, end }) => {
    const [first, last] = [pos, end].map((at) => file.getLineAndCharacterOfPosition(at).line);
    const comment = text.slice(pos, end).split('\n');
    const example = comment.findIndex((line) => line.includes('@example'));
    return lines.slice(first, last! + 1).map((line, index) => ({
      at: `${path}:${first! + index + 1}`,
      line,
      text: comment[index]!,
      isExample: example >= 0 && index >= example,
    }));
  });
}

interface CommentLine {
  readonly at: string;
  readonly line: string;
  readonly text: string;
  readonly isExample: boolean;
}

/** An example is code, and an address cannot be broken. */
function isTooWide({ line, text, isExample }: CommentLine): boolean {
  return line.length > WIDEST_COMMENT && !isExample && !/^[\s*]*https:\S+$/.test(text);
}

/** The files that people read, as paths relative to the repository. */
function proseFiles(): string[] {
  const inFolder = (folder: string): string[] =>
    readdirSync(`${ROOT}/${folder}`, { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
      .filter((path) => /\.(?:tsx?|md)$/.test(path))
      .filter((path) => !/\/(?:node_modules|dist)\//.test(path));
  return [...inFolder('lib'), ...inFolder('examples'), ...inFolder('docs')].concat(
    'README.md',
    'CONTRIBUTING.md',
  );
}

const isGenerated = (path: string): boolean => /\/generated\/|\.d\.ts$/.test(path);

describe('the files of lib', () => {
  const paths = libFiles().filter((path) => !isGenerated(path));
  const files = paths.map((path) => ({ path, text: readSource(path) }));
  const comments = files.flatMap(({ path, text }) => commentLines(path, text));

  it('are called by their subject and one of a few roles', () => {
    expect(paths.map(problemOfName).filter((problem) => problem !== undefined)).toEqual([]);
  });

  it('use every role of the list', () => {
    const used = new Set(paths.map((path) => /\.([a-z-]+)\.tsx?$/.exec(basename(path))?.[1] ?? ''));
    expect([...ROLES].filter((role) => !used.has(role))).toEqual([]);
  });

  it('are at most 300 lines long, unless they are tables or schemas', () => {
    expect(
      files
        .filter(({ path }) => !isData(path))
        .map(({ path, text }) => `${path}: ${text.trimEnd().split('\n').length}`)
        .filter((line) => Number(/\d+$/.exec(line)![0]) > LONGEST_FILE),
    ).toEqual([]);
  });

  it('have comments of at most 100 columns', () => {
    expect(comments.filter(isTooWide).map(({ at }) => at)).toEqual([]);
  });

  it('are commented without archaic and unclear phrases', () => {
    expect(
      comments
        .filter(({ text }) => UNCLEAR.test(text))
        .map(({ at, text }) => `${at} ${UNCLEAR.exec(text)![0]}`),
    ).toEqual([]);
  });
});

describe('code, examples and documentation', () => {
  it('say module, entry point and layer, not room, face and floor', () => {
    expect(
      proseFiles()
        .filter((path) => !isGenerated(path))
        .flatMap((path) => pastNames(path, readSource(path))),
    ).toEqual([]);
  });
});

describe('the checks themselves', () => {
  it('see a role that is not on the list, and a subject with capitals', () => {
    expect(
      ['a/webhook.registrar.ts', 'a/core.nest.providers.ts', 'a/in-flight.ts', 'a/app.tsx'].map(
        problemOfName,
      ),
    ).toEqual([undefined, undefined, undefined, undefined]);
    expect(problemOfName('a/webhook.helper.ts')).toContain('"helper" is no role');
    expect(problemOfName('a/webhook.registrar.nest.ts')).toContain('is no role');
    expect(problemOfName('a/WebhookRegistrar.ts')).toContain('lower case');
  });

  it('see the past names as words and in identifiers, but not in other words', () => {
    const text =
      'makeRoom();\n// a face\nconst FLOOR = 1;\ninterface Surface {}\nMath.floor(1.5);\nroomy';
    expect(pastNames('sample.ts', text)).toEqual([
      'sample.ts:1 Room',
      'sample.ts:2 face',
      'sample.ts:3 FLOOR',
    ]);
  });

  it('see comments of every form, and no text that looks like one', () => {
    const text = [
      '/** Who asks is told. */',
      "const a = '// lest'; // lest it fails",
      'f(/* thereby */ 1);',
      '/**',
      ' * @example',
      ' * call();',
      ' */',
      'const b = 2;',
    ].join('\n');
    const lines = commentLines('sample.ts', text);
    expect(lines.filter((line) => UNCLEAR.test(line.text)).map(({ at }) => at)).toEqual([
      'sample.ts:1',
      'sample.ts:2',
      'sample.ts:3',
    ]);
    expect(lines.filter(({ isExample }) => isExample).map(({ at }) => at)).toEqual([
      'sample.ts:5',
      'sample.ts:6',
      'sample.ts:7',
    ]);
  });

  it('see a comment that is too wide, but not an address or an example', () => {
    const wide = (text: string): boolean =>
      commentLines('sample.ts', text).some((line) => isTooWide(line));
    expect(wide(`// ${'word '.repeat(30)}`)).toBe(true);
    expect(wide(`/**\n * ${'word '.repeat(30)}\n */`)).toBe(true);
    expect(wide(`/**\n * https://shopify.dev/${'a'.repeat(100)}\n */`)).toBe(false);
    expect(wide(`/**\n * @example call(${'1, '.repeat(40)})\n */`)).toBe(false);
    expect(wide('// short')).toBe(false);
  });
});
