import { describe, expect, it } from '@jest/globals';

import { problemsOf } from './block-compiler.js';
import { DOCUMENTS, parseDocument, readDocument } from './documents.js';

describe('the code in the documentation', () => {
  it.each(DOCUMENTS)('compiles: %s', (path) => {
    expect(problemsOf(readDocument(path))).toEqual([]);
  });

  it('is left out in one place only, which shows the package of somebody else', () => {
    const notes = DOCUMENTS.flatMap((path) => readDocument(path).blocks.map(({ note }) => note));
    expect(notes.filter((note) => note?.startsWith('unchecked'))).toEqual([
      "unchecked: of the generator's own package",
    ]);
  });
});

/** What is wrong with a page that consists of these blocks. */
const problems = (...blocks: string[]): string[] =>
  problemsOf(parseDocument('sample.md', blocks.join('\n')));
const ts = (...lines: string[]): string => ['```ts', ...lines, '```'].join('\n');

describe('the check itself', () => {
  it('finds a wrong type, on its line', () => {
    const code = ts(
      "import { offlineSessionId } from 'shopwright/sessions';",
      'const id: number = offlineSessionId(shop);',
    );
    expect(problems('# Sample', code)).toEqual([
      "sample.md:4 Type 'string' is not assignable to type 'number'.",
    ]);
  });

  it('finds what the package does not export', () => {
    expect(problems(ts("import { nothing } from 'shopwright/sessions';"))).toEqual([
      expect.stringMatching(/^sample\.md:2 .*has no exported member 'nothing'/),
    ]);
    expect(problems(ts("import 'shopwright/nothing';"))).toEqual([
      expect.stringMatching(/^sample\.md:2 Cannot find module 'shopwright\/nothing'/),
    ]);
  });

  it('knows what blocks above declare and import, of which the last one holds, and nothing from below', () => {
    const above = ts(
      "import { basename, join as glue } from 'node:path';",
      "import type * as fs from 'node:fs';",
      'const [one, { two }] = [1, { two: 2 }];',
    );
    const again = ts(
      'export const one = basename(glue());',
      'interface Three { three: fs.Stats }',
      'function later() {}',
    );
    const below = ts(
      'const text: string = one;',
      'const number: number = two;',
      'const three = {} as Three;',
      'later();',
    );
    expect(problems(above, again, below)).toEqual([]);
    expect(problems(below, again)).toContainEqual(
      expect.stringMatching(/^sample\.md:5 Cannot find name 'later'/),
    );
  });

  it('knows what is given, unless a block declares the name itself', () => {
    expect(
      problems(
        ts('const shop: string = session.shop;'),
        ts('const session = 1;', 'session.toFixed();'),
      ),
    ).toEqual([]);
  });

  it('lets blocks import what a block above calls a file', () => {
    const file = ts('// app/a.b.ts', 'export const b = 1;');
    expect(
      problems(
        file,
        ts('// app/routes/c.ts; and more', "import { b } from '../a.b';"),
        ts('b.toFixed();'),
      ),
    ).toEqual([]);
    expect(problems(file, ts('// app/routes/c.ts', "import { b } from './a.b';"))).toHaveLength(1);
  });

  it('reads a block in a list', () => {
    expect(problems('- item', '', '  ```ts', '  const text: string = 1;', '  ```')).toEqual([
      "sample.md:4 Type 'number' is not assignable to type 'string'.",
    ]);
  });

  it('leaves out what is marked with a reason, and nothing else', () => {
    const wrong = ts('const text: string = 1;');
    expect(problems('<!-- unchecked: a reason -->', wrong)).toEqual([]);
    expect(problems('<!-- unchecked: a reason -->', wrong, '', wrong)).toHaveLength(1);
    expect(problems('<!-- unchecked -->', wrong)).toEqual([
      'sample.md:3 is unchecked for no reason',
    ]);
    expect(problems('```typescript', 'const text: string = 1;', '```')).toEqual([
      'sample.md:2 is in typescript',
    ]);
    expect(() => problems('```ts', 'const text: string = 1;')).toThrow('sample.md:1');
  });

  it('checks JavaScript, too', () => {
    expect(problems('```js', 'nothing();', '```')).toEqual([
      "sample.md:2 Cannot find name 'nothing'.",
    ]);
  });
});
