import { describe, expect, it } from '@jest/globals';

import { SafeCompareError } from '../../../lib/core/core.errors.js';
import { safeCompare } from '../../../lib/core/crypto/safe-compare.js';

describe('safeCompare', () => {
  it.each([
    ['strings', 'hello', 'world'],
    ['strings of different lengths', 'hello', 'hell'],
    ['lists of strings', ['1', '2'], ['1', '3']],
    ['lists of numbers', [1, 2], [1, 2, 3]],
    ['records', { a: '1' }, { a: '2' }],
  ])('tells %s apart', (_, one, other) => {
    expect(safeCompare(one, structuredClone(one))).toBe(true);
    expect(safeCompare(one, other)).toBe(false);
  });

  it('refuses to compare different types', () => {
    expect(() => safeCompare('1', ['1'])).toThrow(SafeCompareError);
    expect(() => safeCompare({ 0: '1' }, ['1'])).toThrow(
      'Mismatched data types provided: object and array',
    );
  });
});
