import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { ROOT } from '../architecture/source-tree.js';
import {
  anchorsOf,
  DOCUMENTS,
  linksOf,
  parseDocument,
  readDocument,
  scriptsOf,
} from './documents.js';

/**
 * The scripts one can run where a page stands: those of its own folder, and those of the
 * repository.
 */
function scriptsAt(path: string): string[] {
  return [dirname(path), '.']
    .map((folder) => join(ROOT, folder, 'package.json'))
    .filter((manifest) => existsSync(manifest))
    .flatMap((manifest) =>
      Object.keys((JSON.parse(readFileSync(manifest, 'utf8')) as { scripts: object }).scripts),
    );
}

/** True when a link of a page leads to a file or folder, and to a heading when it names one. */
function isThere(path: string, target: string): boolean {
  const [file = '', anchor] = target.split('#');
  const page = file ? join(dirname(path), file) : path;
  return (
    existsSync(join(ROOT, page)) &&
    (anchor === undefined || anchorsOf(readDocument(page)).has(anchor))
  );
}

describe('the documentation', () => {
  const pages = DOCUMENTS.map(readDocument);

  it.each(pages)('leads somewhere with every link: $path', (page) => {
    const broken = linksOf(page).filter(({ target }) => !isThere(page.path, target));
    expect(broken.map(({ target, line }) => `${page.path}:${line} ${target}`)).toEqual([]);
  });

  it('has one section of the README for the commands of the repository', () => {
    const { blocks, prose } = readDocument('README.md');
    const start = prose.indexOf('## Working on the repository') + 1;
    const end = prose.findIndex((line, index) => index >= start && line.startsWith('## '));
    const commands = blocks
      .filter(({ code }) => /^npm (?:test|run) /m.test(code))
      .map(({ line }) => line > start && (end < 0 || line <= end));
    expect([start > 0, ...commands]).toEqual([true, true]);
  });

  it.each(pages)('names scripts that exist: $path', (page) => {
    expect(scriptsAt(page.path)).toEqual(expect.arrayContaining([...scriptsOf(page)]));
  });
});

describe('the checks themselves', () => {
  const page = parseDocument(
    'docs/sample.md',
    [
      '# A `b`: c-d, e',
      '# Twin',
      '## Twin',
      '[x](y.md#z) `[no](link)` [out](https://z)',
      '```sh',
      '# no heading',
      'npm run x:y',
      '```',
      'npm test',
    ].join('\n'),
  );

  it('see the links, headings and scripts of a page', () => {
    expect(linksOf(page)).toEqual([{ target: 'y.md#z', line: 4 }]);
    expect([...anchorsOf(page)]).toEqual(['a-b-c-d-e', 'twin', 'twin-1']);
    expect([...scriptsOf(page)].sort()).toEqual(['test', 'x:y']);
  });

  it.each([
    ['README.md', 'docs/scopes.md#when-scopes-change', true],
    ['docs/tokens.md', 'scopes.md', true],
    ['docs/tokens.md', '#where-tokens-come-from', true],
    ['docs/tokens.md', 'docs/scopes.md', false],
    ['docs/tokens.md', 'scopes.md#no-such-heading', false],
  ])('know of %s where %s leads', (path, target, there) =>
    expect(isThere(path, target)).toBe(there),
  );
});
