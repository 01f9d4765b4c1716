import { describe, expect, it } from '@jest/globals';

import { freeName } from '../../lib/core/free-name.js';

describe('freeName', () => {
  it.each([
    [[], 'orders'],
    [['other'], 'orders'],
    [['orders'], 'orders (2)'],
    [['orders (2)', 'orders'], 'orders (3)'],
    [['orders (2)'], 'orders'],
  ])('beside %j is %p', (taken, expected) => {
    expect(
      freeName(
        'orders',
        taken.map((name) => ({ name })),
      ),
    ).toBe(expected);
  });
});
