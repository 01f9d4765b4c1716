import { describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';

import { SessionTokenVerifier } from '../../../lib/auth/credentials/session-token.verifier.js';
import { AcceptedTokens, SecretKeys } from '../../../lib/core/crypto/secret-keys.js';
import { Clock } from '../../../lib/core/time/clock.js';

const NOW = 1_768_478_400;
const API_KEY = 'api-key';
const SHOP = 'dev-shop.myshopify.com';
const PAYLOAD = {
  iss: `https://${SHOP}/admin`,
  dest: `https://${SHOP}`,
  aud: API_KEY,
  sub: '42',
  exp: NOW + 60,
  nbf: NOW,
  jti: 'f8912129-1af6-4cad-9ca3-76b0f7621087',
};

class HandClock extends Clock {
  seconds = NOW;
  now(): Date {
    return new Date(this.seconds * 1000);
  }
  sleep(): Promise<void> {
    return Promise.resolve();
  }
}

const encoded = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url');

function tokenOf(payload: object, secret = 'current'): string {
  const signed = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(payload)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

function verifying(): { clock: HandClock; keys: SecretKeys; verifier: SessionTokenVerifier } {
  const clock = new HandClock();
  const keys = new SecretKeys(['current', 'previous'], clock);
  return { clock, keys, verifier: new SessionTokenVerifier(keys, { apiKey: API_KEY }, clock) };
}

describe('a session token that comes again', () => {
  it('says the same again, whatever an app has done to what it was given', () => {
    const { verifier } = verifying();
    const token = tokenOf({ ...PAYLOAD, list: [{ is: 'kept' }] });
    const first = verifier.verify(token) as unknown as Record<string, unknown>;
    first['dest'] = 'https://other.myshopify.com';
    (first['list'] as { is: string }[])[0]!.is = 'changed';
    for (let times = 0; times < 3; times++)
      expect(verifier.verify(token)).toEqual({ ...PAYLOAD, list: [{ is: 'kept' }] });

    const plain = tokenOf(PAYLOAD);
    for (let times = 0; times < 5; times++) {
      const { shop, payload } = verifier.verified(plain);
      expect({ shop, payload }).toEqual({ shop: SHOP, payload: PAYLOAD });
      Object.assign(payload, { dest: 'https://other.myshopify.com', exp: NOW + 1e6 });
    }
  });

  it('is refused once it has expired', () => {
    const { clock, verifier } = verifying();
    const token = tokenOf(PAYLOAD);
    for (let times = 0; times < 3; times++) verifier.verify(token);
    clock.seconds = PAYLOAD.exp + 9;
    expect(verifier.verify(token)).toEqual(PAYLOAD);
    clock.seconds = PAYLOAD.exp + 10;
    expect(() => verifier.verify(token)).toThrow(expect.objectContaining({ reason: 'expired' }));
    clock.seconds = PAYLOAD.nbf - 11;
    expect(() => verifier.verify(token)).toThrow(
      expect.objectContaining({ reason: 'not_yet_valid' }),
    );
  });

  it('is refused with any other signature', () => {
    const { verifier } = verifying();
    const token = tokenOf(PAYLOAD);
    for (let times = 0; times < 3; times++) verifier.verify(token);
    const last = token.endsWith('A') ? 'B' : 'A';
    for (const other of [
      `${token.slice(0, -1)}${last}`,
      `${token}A`,
      token.slice(0, -1),
      tokenOf(PAYLOAD, 'forged'),
    ])
      expect(() => verifier.verify(other)).toThrow(
        expect.objectContaining({ reason: 'signature' }),
      );
    expect(() => verifier.verify(`${token}.`)).toThrow(
      expect.objectContaining({ reason: 'malformed' }),
    );
  });

  it('is refused when all but its end is another', () => {
    const { verifier } = verifying();
    const token = tokenOf(PAYLOAD);
    for (let times = 0; times < 3; times++) verifier.verify(token);
    const [, , signature] = token.split('.');
    const other = tokenOf({ ...PAYLOAD, dest: 'https://dev-shoq.myshopify.com' });
    const forged = `${other.slice(0, other.lastIndexOf('.'))}.${signature}`;
    expect(forged).toHaveLength(token.length);
    expect(forged.slice(-60)).toBe(token.slice(-60));
    expect(() => verifier.verify(forged)).toThrow(expect.objectContaining({ reason: 'signature' }));
  });

  it('of another app is accepted of its extensions alone', () => {
    const { verifier } = verifying();
    const token = tokenOf({ ...PAYLOAD, aud: 'another-app' });
    for (let times = 0; times < 4; times++) {
      expect(verifier.verifiedOfExtension(token).shop).toBe(SHOP);
      expect(() => verifier.verify(token)).toThrow(expect.objectContaining({ reason: 'audience' }));
    }
  });

  it('counts as a use of the previous secret each time', () => {
    const { keys, verifier } = verifying();
    const token = tokenOf(PAYLOAD, 'previous');
    for (let times = 0; times < 3; times++) verifier.verify(token);
    expect(keys.previous[0]!.count).toBe(3);
  });
});

describe('the memory of accepted tokens', () => {
  const found = { payload: { sub: '42' }, shop: SHOP, hasAudience: true };
  const text = (index: number): string => tokenOf({ ...PAYLOAD, jti: `${index}` });
  const addTwice = (memory: AcceptedTokens<object>, index: number): void => {
    memory.add(text(index), found);
    memory.add(text(index), found);
  };

  it('holds a thousand and forgets those of least recent use', () => {
    const memory = new AcceptedTokens<object>();
    for (let index = 0; index < 1_000; index++) addTwice(memory, index);
    expect(memory.find(text(0))).toEqual(found);
    addTwice(memory, 1_000);
    expect(memory.find(text(0))).toEqual(found);
    expect(memory.find(text(1))).toBeUndefined();
    expect(memory.find(text(2))).toEqual(found);
  });

  it('holds no token that has come once', () => {
    const memory = new AcceptedTokens<object>();
    memory.add(text(1), found);
    expect(memory.find(text(1))).toBeUndefined();
    memory.add(text(1), found);
    expect(memory.find(text(1))).toEqual(found);
  });

  it('finds nothing in what is no token', () => {
    const memory = new AcceptedTokens<object>();
    addTwice(memory, 1);
    for (const other of ['', '.', text(1).split('.', 2).join('.'), `.${text(1)}`])
      expect(memory.find(other)).toBeUndefined();
  });
});
