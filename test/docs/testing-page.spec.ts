// Runs the tests of `docs/testing.md` with the app of `docs/nestjs.md`, as they stand there: only the
// package and the runner are those of this repository.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

import { ROOT } from '../architecture/source-tree.js';
import { nameOf } from './block-compiler.js';
import { readDocument } from './documents.js';

const FOLDER = join(ROOT, '.cache', 'docs-testing');
const IMPORTS: Readonly<Record<string, string>> = {
  shopwright: '../../../lib/index.js',
  'shopwright/testing': '../../../lib/testing/index.js',
  'node:test': '@jest/globals',
};

const files = ['docs/nestjs.md', 'docs/testing.md'].flatMap((page) =>
  readDocument(page).blocks.flatMap((block) => {
    const name = nameOf(block);
    return name === 'src/app.module' || name?.endsWith('.spec')
      ? [{ path: join(FOLDER, `${name}.ts`), code: block.code }]
      : [];
  }),
);
const tests = files.filter(({ path }) => path.endsWith('.spec.ts'));

rmSync(FOLDER, { recursive: true, force: true });
for (const { path, code } of files) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(
    path,
    code.replaceAll(/from '([\w:/]+)'/g, (whole, name: string) =>
      name in IMPORTS ? `from '${IMPORTS[name]}'` : whole,
    ),
  );
}

describe('the page about testing', () => {
  it('has an app, and three tests', () => {
    expect([files.length - tests.length, tests.length]).toEqual([1, 3]);
  });
});

for (const { path } of tests) await import(path);
