import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { Response as UndiciResponse } from 'undici';

import { isResponse } from '../../../lib/core/http/is-response.js';

describe('isResponse', () => {
  it('knows a response of the class that is installed, of another one and of a subclass', () => {
    class Own extends Response {}
    for (const Class of [Response, Own, UndiciResponse])
      expect(isResponse(new Class('body', { status: 201 }))).toBe(true);
  });

  it.each([
    undefined,
    null,
    'Response',
    new Error('Response'),
    { status: 200, headers: new Headers(), clone: () => {} },
    { [Symbol.toStringTag]: 'Response' },
    { [Symbol.toStringTag]: 'Response', status: 200, headers: {}, clone: () => {} },
    runInNewContext('new Error("of another realm")') as unknown,
  ])('takes %p for something else', (value) => {
    expect(isResponse(value)).toBe(false);
  });
});
