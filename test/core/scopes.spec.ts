import { describe, expect, it } from '@jest/globals';

import { resolveConfig } from '../../lib/core/config/config.schema.js';
import { AuthScopes } from '../../lib/core/scopes.js';
import { Session } from '../../lib/sessions/session.js';

const SESSION = {
  id: 'offline_shop.myshopify.com',
  shop: 'shop.myshopify.com',
  state: '',
  isOnline: false,
  accessToken: 'token',
  scope: 'write_a',
};
const APP = {
  apiKey: 'key',
  apiSecretKey: 'secret',
  apiVersion: '2026-07',
  appUrl: 'https://app.example.com',
};

describe('a list of scopes', () => {
  it('is parsed once while it is among the lists that were read last', () => {
    const scopes = AuthScopes.of('write_a,read_b');
    expect(AuthScopes.of('write_a,read_b')).toBe(scopes);
    expect(scopes.toArray(true)).toEqual(['write_a', 'read_b']);
    for (let number = 0; number < 600; number++) AuthScopes.of(`read_${number}`);
    expect(AuthScopes.of('write_a,read_b')).not.toBe(scopes);
    expect(AuthScopes.of('write_a,read_b').equals(scopes)).toBe(true);
  });
});

/** As another library has it, such as the official one: no class of ours. */
class OtherScopes {
  constructor(private readonly original: readonly string[]) {}

  toArray(returnOriginal = false): string[] {
    return this.original.filter(
      (scope) => returnOriginal || !this.original.includes(scope.replace('read_', 'write_')),
    );
  }
}

describe('AuthScopes', () => {
  it('is empty when nothing is given', () => {
    const scopes = new AuthScopes(undefined);
    expect(scopes.toString()).toBe('');
    expect(scopes.has('read_x')).toBe(false);
    expect(scopes.has(undefined)).toBe(true);
  });

  // A TypeError, where the official class is empty.
  it('is empty for the scopes of a row that has none', () => {
    expect(new AuthScopes(null as never).toArray(true)).toEqual([]);
    expect(new AuthScopes('read_x').has(null as never)).toBe(true);
  });

  it.each<[string, string | string[]]>([
    ['a text', ' read_a, write_b,,read_c ,'],
    ['a list', ['read_a', '', ' write_b', 'read_c ', ' ']],
  ])('reads %s, in order, without blanks', (_, given) => {
    expect(new AuthScopes(given).toString()).toBe('read_a,write_b,read_c');
  });

  // `isActive()` of a session that an official storage has returned failed with a TypeError.
  it('tells sessions of the official library which scopes it has, implied ones included', () => {
    expect(new AuthScopes('write_products,read_orders').expandedScopes).toEqual(
      new Set(['write_products', 'read_orders', 'read_products']),
    );
    const shared = AuthScopes.of('read_products');
    (shared.expandedScopes as Set<string>).add('write_orders');
    expect(shared.has('write_orders')).toBe(false);
  });

  it('leaves out what writing implies', () => {
    const scopes = new AuthScopes(
      'read_a,write_a,unauthenticated_read_b,unauthenticated_write_b,read_b',
    );
    expect(scopes.toString()).toBe('write_a,unauthenticated_write_b,read_b');
    expect(scopes.toArray()).toEqual(['write_a', 'unauthenticated_write_b', 'read_b']);
    expect(scopes.toArray(true)).toEqual([
      'read_a',
      'write_a',
      'unauthenticated_read_b',
      'unauthenticated_write_b',
      'read_b',
    ]);
    expect(JSON.parse(JSON.stringify({ scopes }))).toEqual({ scopes: scopes.toArray(true) });
  });

  // A TypeError: only its own instances were taken.
  it('takes scopes of another library', () => {
    const other = new OtherScopes(['read_a', 'write_a', 'read_b']);
    const scopes = new AuthScopes(other);
    expect(scopes.toArray(true)).toEqual(['read_a', 'write_a', 'read_b']);
    expect(scopes.toString()).toBe('write_a,read_b');
    expect(scopes.equals(other)).toBe(true);
    expect(scopes.has(other)).toBe(true);
    expect(new AuthScopes('write_a').equals(other)).toBe(false);
    expect(new AuthScopes('write_a').has(other)).toBe(false);
    expect(new Session(SESSION).isScopeChanged(other)).toBe(true);
    expect(new Session({ ...SESSION, scope: 'write_a,write_b' }).isActive(other)).toBe(true);
  });

  it('is made of the scopes of another library in the options of an app', () => {
    const other = new OtherScopes(['write_a', 'read_b']);
    expect(resolveConfig({ ...APP, scopes: other }).scopes?.toString()).toBe('write_a,read_b');
    expect(() => resolveConfig({ ...APP, scopes: {} as OtherScopes })).toThrow(
      'scopes: must be a list of scopes',
    );
  });

  it.each<[string, string | string[] | AuthScopes, string | string[] | AuthScopes]>([
    ['the same set in another order', 'write_a,read_b', ['read_b', 'write_a']],
    ['the same set after implication', 'write_a', 'read_a,write_a'],
    ['another instance', 'write_a', new AuthScopes(new AuthScopes('write_a,read_a'))],
  ])('equals %s, both ways', (_, one, other) => {
    expect(new AuthScopes(one).equals(other)).toBe(true);
    expect(new AuthScopes(other).equals(one)).toBe(true);
  });

  it.each([
    ['a different set', 'read_a', 'read_b'],
    ['a subset', 'read_a,read_b', 'read_a'],
    ['what it merely implies', 'write_a', 'read_a'],
    ['nothing', 'read_a', ''],
  ])('does not equal %s, either way', (_, one, other) => {
    expect(new AuthScopes(one).equals(other)).toBe(false);
    expect(new AuthScopes(other).equals(one)).toBe(false);
  });

  it('has every subset of itself, in any form, and no superset', () => {
    const scopes = new AuthScopes('write_a,read_b');
    for (const subset of [
      'read_a',
      ['write_a', 'read_a'],
      new AuthScopes('read_b'),
      'write_a,read_b',
      [],
    ])
      expect(scopes.has(subset)).toBe(true);
    for (const superset of [
      'write_b',
      ['write_a', 'read_c'],
      new AuthScopes('write_a,read_b,read_c'),
    ])
      expect(scopes.has(superset)).toBe(false);
  });
});
