import { describe, expect, it } from '@jest/globals';

import { readSource } from '../architecture/source-tree.js';

/** The kinds of changes, in the order in which a section lists them. */
const KINDS = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];

const sections = readSource('CHANGELOG.md')
  .split(/^## /m)
  .slice(1)
  .map((text) => ({
    title: text.slice(0, text.indexOf('\n')),
    kinds: [...text.matchAll(/^### (.+)$/gm)].map(([, kind]) => kind),
  }));

describe('the changelog', () => {
  it.each(sections)('has each kind of change once, and in order, under $title', ({ kinds }) => {
    expect(kinds).toEqual(KINDS.filter((kind) => kinds.includes(kind)));
  });
});
