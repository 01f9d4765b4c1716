import { createHash } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { isBase64Digest } from '../../../lib/core/crypto/base64-digest.js';

describe('isBase64Digest', () => {
  it('takes every digest of SHA-256', () => {
    for (let n = 0; n < 1000; n++)
      expect(isBase64Digest(createHash('sha256').update(String(n)).digest('base64'))).toBe(true);
  });

  const digest = createHash('sha256').digest('base64');
  it.each([
    undefined,
    null,
    1,
    [digest],
    '',
    'AAAA',
    createHash('sha256').digest('hex'),
    createHash('sha256').digest('base64url'),
    createHash('sha512').digest('base64'),
    `${digest}\n`,
    ` ${digest}`,
    `${digest}, ${digest}`,
    digest.replace('4', '-'),
  ])('refuses %j', (value) => {
    expect(isBase64Digest(value)).toBe(false);
  });
});
