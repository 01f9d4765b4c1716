import { describe, expect, it } from '@jest/globals';

import { ageOf } from '../../../lib/core/time/age.js';

describe('an age', () => {
  it.each([
    [-5_000, '0 s'],
    [-0.5, '0 s'],
    [999, '0 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [3_599_999, '59 min'],
    [9_000_000, '2 h'],
    [86_399_999, '23 h'],
    [40 * 86_400_000, '40 d'],
  ])('of %i milliseconds is told in its largest unit', (ms, text) => {
    expect(ageOf(ms)).toBe(text);
  });
});
