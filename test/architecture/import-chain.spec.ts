import { describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { importGraph, longestImportChain, readSources } from '../../scripts/import-chain.mjs';
import { ROOT } from './source-tree.js';

/** How many files the longest chain of imports within lib may have, imports of types included. */
const LIMIT = 24;

/** How many circles of imports lib may have, imports of types included. */
const CIRCLES = 0;

/** The chain and the circles of files that are given by path and text. */
function measure(sources: Readonly<Record<string, string>>) {
  return longestImportChain(importGraph(new Map(Object.entries(sources))));
}

describe('the imports of lib', () => {
  const sources = readSources(join(ROOT, 'lib'));
  const { chain, circles } = longestImportChain(importGraph(sources));

  it('are read from every entry point', () => {
    const entryPoints = [
      'index.ts',
      'integrations/express/index.ts',
      'integrations/react-router/index.ts',
      'integrations/remix/index.ts',
    ];
    expect(entryPoints.filter((path) => !sources.has(path))).toEqual([]);
  });

  it(`make no chain of more than ${LIMIT} files`, () => {
    expect(chain.length).toBeGreaterThan(1);
    // A failure shows the chain.
    expect(chain.length > LIMIT ? chain : []).toEqual([]);
  });

  it(`make no more than ${CIRCLES} circles`, () => {
    expect(circles.length > CIRCLES ? circles : []).toEqual([]);
  });
});

describe('longestImportChain', () => {
  it('follows imports from file to file, through folders', () => {
    const { chain, circles } = measure({
      'c.ts': '',
      'inner/b.ts': "import { c } from '../c.js';",
      'a.ts': "import { b } from './inner/b.js';",
      'beside.ts': "import { c } from './c.js';",
    });
    expect(chain).toEqual(['a.ts', 'inner/b.ts', 'c.ts']);
    expect(circles).toEqual([]);
  });

  it('takes the longer way where two ways lead to one file', () => {
    const { chain, circles } = measure({
      'top.ts': "import './short.js';\nimport './long.js';",
      'short.ts': "import './bottom.js';",
      'long.ts': "import './middle.js';",
      'middle.tsx': "import './bottom.js';",
      'bottom.ts': '',
    });
    expect(chain).toEqual(['top.ts', 'long.ts', 'middle.tsx', 'bottom.ts']);
    expect(circles).toEqual([]);
  });

  it('counts every file of a circle that the chain meets, wherever it enters and leaves', () => {
    const { chain, circles } = measure({
      'above.ts': "import './a.js';",
      'a.ts': "import './b.js';",
      'b.ts': "import './c.js';\nimport './below.js';",
      'c.ts': "import './a.js';",
      'below.ts': '',
    });
    expect(chain).toEqual(['above.ts', 'a.ts', 'b.ts', 'c.ts', 'below.ts']);
    expect(circles).toEqual([['a.ts', 'b.ts', 'c.ts']]);
  });

  it('takes two circles that share a file for one, and circles apart for two', () => {
    const { circles } = measure({
      'a.ts': "import './b.js';",
      'b.ts': "import './a.js';\nimport './c.js';",
      'c.ts': "import './b.js';\nimport './d.js';",
      'd.ts': "import './e.js';",
      'e.ts': "import './d.js';",
    });
    expect(circles).toEqual([
      ['d.ts', 'e.ts'],
      ['a.ts', 'b.ts', 'c.ts'],
    ]);
  });

  it.each([
    ["import type { B } from './b.js';"],
    ["import { type B } from './b.js';"],
    ["export type B = import('./b.js').B;"],
    ["export { b } from './b.js';"],
    ["export * from './b.js';"],
    ["export type { B } from './b.js';"],
  ])('counts `%s`', (text) => {
    expect(measure({ 'a.ts': text, 'b.ts': '' }).chain).toEqual(['a.ts', 'b.ts']);
  });

  it.each([
    ["export const b = () => import('./b.js');"],
    ["// import { b } from './b.js';"],
    ['export const text = "import { b } from \'./b.js\';";'],
    ["import { b } from 'b';"],
    ["export type { Product } from './generated/product.js';"],
  ])('does not count `%s`', (text) => {
    expect(measure({ 'a.ts': text, 'b.ts': '' }).chain).toEqual(['a.ts']);
  });

  it('names an import that leads to no file', () => {
    expect(() => measure({ 'a.ts': "import './gone.js';" })).toThrow('a.ts imports ./gone.js');
  });
});
