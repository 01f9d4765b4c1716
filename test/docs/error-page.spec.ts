import { describe, expect, it } from '@jest/globals';

import { classesIn, errorClasses, errorPage } from '../../scripts/error-codes.mjs';
import { readSource } from '../architecture/source-tree.js';

describe('the page of error codes', () => {
  it('is what the classes say: after a change run node scripts/error-codes.mjs', async () => {
    expect(readSource('docs/errors.md')).toBe(await errorPage());
  });

  it('says of every error what it means', () => {
    expect(errorClasses().filter(({ meaning }) => !/\w{2}.*\.$/.test(meaning))).toEqual([]);
  });
});

describe('what to do about an error', () => {
  it('is said of every one, in a sentence', () => {
    expect(errorClasses().filter(({ remedy }) => !/^[A-Z`].*\w.*\.$/.test(remedy))).toEqual([]);
  });

  it('is what the docstring of its class says', () => {
    const driver = errorClasses().find(({ code }) => code === 'ERR_DRIVER_MISSING');
    expect(driver?.remedy).toBe('Install the package that the message names.');
  });
});

describe('classesIn', () => {
  it('reads codes and docstrings up to the first tag', () => {
    const text = `
      /**
       * The first line of {@link A.b},
       * and | the second.
       * @remedy Do {@link this},
       * then that.
       * @see nothing
       */
      export class AError extends PlatformError { override readonly code: ErrorCode = 'ERR_A'; }
      class Other { readonly code = 1; }
    `;
    expect(classesIn(text)).toEqual([
      {
        code: 'ERR_A',
        name: 'AError',
        meaning: 'The first line of `A.b`, and | the second.',
        remedy: 'Do `this`, then that.',
      },
    ]);
  });
});
