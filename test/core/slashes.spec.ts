import { describe, expect, it } from '@jest/globals';

import { withoutTrailingSlashes } from '../../lib/core/slashes.js';

describe('withoutTrailingSlashes', () => {
  it.each([
    ['', ''],
    ['/', ''],
    ['///', ''],
    ['/auth', '/auth'],
    ['/auth///', '/auth'],
    ['//a//b/', '//a//b'],
    ['/a/ ', '/a/ '],
  ])('makes %p %p', (text, expected) => {
    expect(withoutTrailingSlashes(text)).toBe(expected);
  });
});
