import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../architecture/source-tree.js';

/** Every page for people, as a path relative to the repository. */
export const DOCUMENTS = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'bench/README.md',
  'examples/README.md',
  ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`),
];

/** A fenced block of code. */
export interface CodeBlock {
  readonly language: string;
  readonly code: string;
  /** The line of the document on which the code begins, counted from 1. */
  readonly line: number;
  /** What the HTML comment above the block says. */
  readonly note: string | undefined;
}

/** A page, taken apart. */
export interface MarkdownDocument {
  readonly path: string;
  readonly blocks: readonly CodeBlock[];
  /** The lines without those of blocks, which are empty here. */
  readonly prose: readonly string[];
}

export function readDocument(path: string): MarkdownDocument {
  return parseDocument(path, readFileSync(join(ROOT, path), 'utf8'));
}

/** Blocks may be indented, as in a list; the indentation is no part of their code. */
export function parseDocument(path: string, text: string): MarkdownDocument {
  const blocks: CodeBlock[] = [];
  const prose: string[] = [];
  let open:
    { indent: string; fence: string; language: string; line: number; code: string[] } | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const [, indent = '', fence, language = ''] = /^( *)(`{3,})(.*)$/.exec(line) ?? [];
    if (open && fence === open.fence) {
      const note = /^\s*<!-- (.*) -->$/.exec(
        prose[open.line - 3] || (prose[open.line - 4] ?? ''),
      )?.[1];
      blocks.push({ language: open.language, code: open.code.join('\n'), line: open.line, note });
      open = undefined;
    } else if (open) {
      open.code.push(line.replace(open.indent, ''));
    } else if (fence) {
      open = { indent, fence, language: language.trim(), line: index + 2, code: [] };
    } else {
      prose.push(line);
      continue;
    }
    prose.push('');
  }
  if (open) throw new Error(`${path}:${open.line - 1} opens a block of code that does not end`);
  return { path, blocks, prose };
}

/**
 * Where the links of a page lead within the repository: `path`, `path#anchor` or `#anchor`, each
 * with its line.
 */
export function linksOf({ prose }: MarkdownDocument): { target: string; line: number }[] {
  return prose.flatMap((text, index) =>
    [...text.replaceAll(/`[^`]*`/g, '').matchAll(/\]\(([^()\s]+)\)/g)]
      .map(([, target = '']) => ({ target, line: index + 1 }))
      .filter(({ target }) => !/^[a-z]+:/.test(target)),
  );
}

/** The scripts of a package.json that a page names, in its text or in a block. */
export function scriptsOf({ prose, blocks }: MarkdownDocument): Set<string> {
  const text = [...prose, ...blocks.map(({ code }) => code)].join('\n');
  return new Set(
    [...text.matchAll(/\bnpm (?:run ([\w:-]+)|(test))\b/g)].map(
      ([, named, test]) => named ?? test ?? '',
    ),
  );
}

/** The anchors that GitHub gives the headings of a page. */
export function anchorsOf({ prose }: MarkdownDocument): Set<string> {
  const anchors = new Set<string>();
  for (const line of prose) {
    const heading = /^#{1,6} (.+)$/.exec(line)?.[1];
    if (!heading) continue;
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-');
    let anchor = slug;
    for (let twin = 1; anchors.has(anchor); twin += 1) anchor = `${slug}-${twin}`;
    anchors.add(anchor);
  }
  return anchors;
}
