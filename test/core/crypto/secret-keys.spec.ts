import { describe, expect, it } from '@jest/globals';
import { hkdfSync, createHash } from 'node:crypto';

import { SafeCompareError } from '../../../lib/core/core.errors.js';
import { SecretKeys, isBase64Digest, safeCompare } from '../../../lib/core/crypto/secret-keys.js';
import { ManualClock } from '../../support/manual.clock.js';

describe('SecretKeys', () => {
  it('signs a webhook body as the platform does', () => {
    const keys = new SecretKeys(['hush']);
    const signature = '3+Yq/TpwjqJ7IXuMq8EfED7b+y0XbokqOKLUdagDxMI=';
    expect(keys.sign('{"a":1}', 'base64')).toBe(signature);
    expect(keys.verify(Buffer.from('{"a":1}'), signature, 'base64')).toBe(true);
  });

  it.each([
    [
      's3cr3t',
      'abc',
      'c7169a186540041700babef44bf2355efe29c3974c965e44529c9c67b72fe2ac',
      'u0lfTwtTQUMFWwVfnsNGyhL/YTiROtitTCFHhCFh1CM=',
    ],
    [
      'hush',
      'offline_some-shop.myshopify.com',
      '0464865ad0912eb6de2d199ec874115b7c3952ffe3c3d437e65a4007f6a6c35e',
      'd7UUXy+dmhiFlasLe666j4b42fpYWxBMiKnDb5kDLXs=',
    ],
  ])(
    'signs cookies of the secret "%s" with a key derived from it',
    (secret, value, key, signature) => {
      // The derived key itself stays inside: that the reference's key is what HKDF makes is checked
      // beside it.
      expect(
        Buffer.from(
          hkdfSync('sha256', secret, '', 'shopify-app-js/cookie-signing/v1', 32),
        ).toString('hex'),
      ).toBe(key);
      expect(new SecretKeys([secret]).sign(value, 'base64', 'cookie')).toBe(signature);
    },
  );

  it('keeps purposes apart', () => {
    const keys = new SecretKeys(['hush']);
    expect(keys.verify('abc', keys.sign('abc', 'hex', 'cookie'), 'hex', 'platform')).toBe(false);
    expect(keys.verify('abc', keys.sign('abc', 'hex'), 'hex', 'cookie')).toBe(false);
  });

  it('signs with the first secret and verifies with each', () => {
    const rotated = new SecretKeys(['new', 'old']);
    expect(rotated.sign('abc', 'hex')).toBe(new SecretKeys(['new']).sign('abc', 'hex'));
    for (const secret of ['new', 'old'])
      expect(rotated.verify('abc', new SecretKeys([secret]).sign('abc', 'hex'), 'hex')).toBe(true);
    expect(rotated.verify('abc', new SecretKeys(['older']).sign('abc', 'hex'), 'hex')).toBe(false);
  });

  it('counts what is still signed with a previous secret, and knows when it was last seen', () => {
    const clock = new ManualClock();
    const keys = new SecretKeys(['new', 'old', 'older'], clock);
    expect(keys.previous).toEqual([
      { count: 0, lastSeen: undefined },
      { count: 0, lastSeen: undefined },
    ]);
    const old = new SecretKeys(['old']);
    keys.verify('abc', old.sign('abc', 'hex'), 'hex');
    clock.time += 1000;
    keys.verify('abc', old.sign('abc', 'base64', 'cookie'), 'base64', 'cookie');
    keys.verify('abc', keys.sign('abc', 'hex'), 'hex');
    keys.verify('abc', new SecretKeys(['unknown']).sign('abc', 'hex'), 'hex');
    expect(keys.previous).toEqual([
      { count: 2, lastSeen: new Date('2026-01-01T00:00:01Z') },
      { count: 0, lastSeen: undefined },
    ]);
  });

  it('accepts a signature in its one canonical spelling only', () => {
    const keys = new SecretKeys(['hush']);
    const hex = keys.sign('abc', 'hex');
    const base64 = keys.sign('abc', 'base64');
    for (const [text, encoding] of [
      [hex.toUpperCase(), 'hex'],
      [`${hex}zz`, 'hex'],
      [hex.slice(0, 62), 'hex'],
      ['', 'hex'],
      ['💥', 'hex'],
      [base64.replace('=', ''), 'base64'],
      [` ${base64}`, 'base64'],
      [base64, 'base64url'],
      [hex, 'base64'],
    ] as const) {
      expect([text, keys.verify('abc', text, encoding)]).toEqual([text, false]);
    }
  });
});

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

  it('refuses to compare what is missing on both sides', () => {
    const missing = undefined as unknown as string;
    expect(() => safeCompare(missing, missing)).toThrow(SafeCompareError);
    // What URLSearchParams answer for a parameter that is not there.
    const none = null as unknown as string;
    expect(() => safeCompare(none, none)).toThrow(SafeCompareError);
    expect(() => safeCompare('1', missing)).toThrow(
      'Mismatched data types provided: string and undefined',
    );
  });
});
