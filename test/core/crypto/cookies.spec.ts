import { describe, expect, it } from '@jest/globals';

import {
  cookieName,
  expiredCookie,
  readSignedCookies,
  signedCookie,
} from '../../../lib/core/crypto/cookies.js';
import { SecretKeys } from '../../../lib/core/crypto/secret-keys.js';

const keys = new SecretKeys(['s3cr3t']);
const SIGNATURE = 'u0lfTwtTQUMFWwVfnsNGyhL/YTiROtitTCFHhCFh1CM=';

// printf %s <owner> | sha256sum | cut -c1-8
it('names a cookie after whoever it belongs to, with eight hex digits for each', () => {
  expect(cookieName('base', 'api-key')).toBe('base_8c284055');
  expect(cookieName('base', 'api-key', 'dev-shop.myshopify.com')).toBe('base_8c284055_e7fa5d01');
});

describe('a signed cookie', () => {
  it('travels beside its signature, closed to scripts and to other sites’ sub-requests', () => {
    expect(signedCookie('a', 'abc', keys, { path: '/cb', secure: true, maxAge: 600 })).toEqual([
      ['set-cookie', 'a=abc; Max-Age=600; Path=/cb; HttpOnly; Secure; SameSite=Lax'],
      ['set-cookie', `a.sig=${SIGNATURE}; Max-Age=600; Path=/cb; HttpOnly; Secure; SameSite=Lax`],
    ]);
  });

  it('lasts until the browser is closed unless told otherwise, and goes over http when it must', () => {
    expect(signedCookie('a', 'abc', keys, { path: '/', secure: false })[0]).toEqual([
      'set-cookie',
      'a=abc; Path=/; HttpOnly; SameSite=Lax',
    ]);
  });

  it('is removed in the scope it was set in', () => {
    expect(expiredCookie('a', { path: '/cb', secure: true })).toEqual([
      ['set-cookie', 'a=; Max-Age=0; Path=/cb; HttpOnly; Secure; SameSite=Lax'],
      ['set-cookie', 'a.sig=; Max-Age=0; Path=/cb; HttpOnly; Secure; SameSite=Lax'],
    ]);
  });

  it('is read back among others', () => {
    expect(readSignedCookies(`x=1; a=abc; y="2"; a.sig=${SIGNATURE}`, 'a', keys)).toEqual(['abc']);
  });

  it('is read back with a previous secret', () => {
    expect(
      readSignedCookies(`a=abc; a.sig=${SIGNATURE}`, 'a', new SecretKeys(['new', 's3cr3t'])),
    ).toEqual(['abc']);
  });

  it('is read back from the path it is set for now, behind one of a longer path', () => {
    const forged = 'a=forged; a.sig=forged';
    expect(readSignedCookies(`${forged}; a=abc; a.sig=${SIGNATURE}`, 'a', keys)).toEqual(['abc']);
  });

  it.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['no signature', 'a=abc'],
    ['an empty signature', 'a=abc; a.sig='],
    ['an empty value', `a=; a.sig=${SIGNATURE}`],
    ['another value', `a=abd; a.sig=${SIGNATURE}`],
    [
      'the signature of another secret',
      'a=abc; a.sig=d7UUXy+dmhiFlasLe666j4b42fpYWxBMiKnDb5kDLXs=',
    ],
    ['a signature without its padding', `a=abc; a.sig=${SIGNATURE.slice(0, -1)}`],
    [
      'a signature with a stray character',
      `a=abc; a.sig=${SIGNATURE.slice(0, 9)}!${SIGNATURE.slice(9)}`,
    ],
    ['a name every object has', 'toString=abc'],
  ])('counts for nothing with %s', (_, header) => {
    expect(readSignedCookies(header, 'a', keys)).toEqual([]);
    expect(readSignedCookies(header, 'toString', keys)).toEqual([]);
  });
});
