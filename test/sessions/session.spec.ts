import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { inspect } from 'node:util';

import { AuthScopes } from '../../lib/core/scopes.js';
import {
  Session,
  isFromClientCredentials,
  offlineSessionId,
  onlineSessionId,
} from '../../lib/sessions/session.js';
import type { SessionParams } from '../../lib/sessions/session.js';
import { InvalidSession } from '../../lib/sessions/sessions.errors.js';

const NOW = new Date('2026-03-04T05:06:07.089Z');
const later = (ms: number): Date => new Date(NOW.getTime() + ms);

const OFFLINE: SessionParams = {
  id: 'offline_shop.myshopify.com',
  shop: 'shop.myshopify.com',
  state: 'some-state',
  isOnline: false,
  scope: 'write_products,read_orders',
  accessToken: 'access-token-1',
};
const ONLINE: SessionParams = {
  ...OFFLINE,
  id: 'shop.myshopify.com_1',
  isOnline: true,
  expires: NOW,
  refreshToken: 'refresh-token-1',
  refreshTokenExpires: later(1000),
  onlineAccessInfo: {
    expires_in: 1,
    associated_user_scope: 'read_products',
    associated_user: {
      id: 1,
      first_name: 'Ann',
      last_name: 'Lee',
      email: 'ann@example.com',
      email_verified: false,
      account_owner: true,
      locale: 'en',
      collaborator: false,
    },
  },
};

describe('a session', () => {
  it('is a copy with every field when made from another', () => {
    const copy = new Session(new Session(ONLINE));
    expect({ ...copy }).toEqual(ONLINE);
    expect(copy.equals(new Session(ONLINE))).toBe(true);
  });

  it.each([
    ['has a token and the scopes', {}, 'read_products', 500, true],
    ['is asked for no scopes in particular', {}, undefined, 500, true],
    ['expires later', { expires: later(501) }, 'read_products', 500, true],
    ['expires within the window', { expires: later(499) }, 'read_products', 500, false],
    [
      'expires within the default window, of which less is asked for',
      { expires: later(499) },
      'read_products',
      100,
      true,
    ],
    ['has expired', { expires: later(-1) }, 'read_products', 0, false],
    ['lacks a scope', {}, 'read_customers', 500, false],
    ['has no token', { accessToken: undefined }, 'read_products', 500, false],
    ['has an empty token', { accessToken: '' }, 'read_products', 500, false],
  ])('knows whether it is active when it %s', (_, params, scopes, withinMs, active) => {
    expect(new Session({ ...OFFLINE, ...params }).isActive(scopes, withinMs, NOW)).toBe(active);
  });

  it('expires never without an expiry, and at its expiry otherwise', () => {
    expect(new Session(OFFLINE).isExpired(Number.MAX_SAFE_INTEGER, NOW)).toBe(false);
    expect(new Session({ ...OFFLINE, expires: later(0) }).isExpired(0, NOW)).toBe(false);
    expect(new Session({ ...OFFLINE, expires: later(-1) }).isExpired(0, NOW)).toBe(true);
    expect(new Session({ ...OFFLINE, expires: later(59) }).isExpired(60, NOW)).toBe(true);
  });

  it.each([
    ['write_products,read_orders', false],
    [['read_products'], false],
    [new AuthScopes('read_orders'), false],
    ['write_orders', true],
    [['read_products', 'read_customers'], true],
    [[], false],
    [undefined, false],
    // Of an app without types.
    [null as unknown as undefined, false],
  ])('says of the scopes %p whether they were granted', (scopes, changed) => {
    expect(new Session(OFFLINE).isScopeChanged(scopes)).toBe(changed);
  });

  it('has no scopes when it was given none', () => {
    const { scope: _, ...params } = OFFLINE;
    expect(new Session(params).isScopeChanged('read_products')).toBe(true);
    expect(new Session(params).isScopeIncluded([])).toBe(true);
  });

  it('becomes an object of exactly what is set', () => {
    expect(new Session(ONLINE).toObject()).toStrictEqual(ONLINE);
    expect(
      new Session({
        ...OFFLINE,
        scope: '',
        expires: undefined,
        extra: 1,
      } as SessionParams).toObject(),
    ).toStrictEqual({
      id: OFFLINE.id,
      shop: OFFLINE.shop,
      state: OFFLINE.state,
      isOnline: false,
      accessToken: OFFLINE.accessToken,
    });
  });

  it('keeps its tokens out of console output', () => {
    const session = new Session(ONLINE);
    for (const text of [
      inspect(session),
      inspect({ nested: [session] }, { depth: 5 }),
      String(session),
    ]) {
      expect(text).not.toMatch(/(access|refresh)-token-1/);
    }
    expect(inspect(session)).toContain("accessToken: '[redacted]'");
  });

  it('can be printed by libraries that pass no function to inspect with', () => {
    const session = new Session({ ...ONLINE, ...{ row: 5n } }) as unknown as Record<
      symbol,
      (...args: unknown[]) => string
    >;
    const text = session[inspect.custom]!(2, {});
    expect(text).toMatch(/^Session .*"accessToken":"\[redacted\]"/);
    expect(text).toContain('"row":"5"');
  });

  it('survives JSON, as storages of apps write it', () => {
    const back = JSON.parse(JSON.stringify(new Session(ONLINE))) as SessionParams;
    expect(new Session(back)).toEqual(new Session(ONLINE));
  });

  // Each request failed with `this.expires.getTime is not a function`.
  it.each([
    ['text', NOW.toISOString()],
    ['epoch milliseconds', NOW.getTime()],
    ['those as text', String(NOW.getTime())],
  ])('takes times that are %s', (_, time) => {
    const given = { ...OFFLINE, expires: time, refreshTokenExpires: time };
    const session = new Session(given as unknown as SessionParams);
    expect([session.expires, session.refreshTokenExpires]).toEqual([NOW, NOW]);
    expect(session.isExpired(0, later(1))).toBe(true);
  });

  it('has no time where it was given none', () => {
    const given = { ...OFFLINE, refreshToken: null, expires: null, refreshTokenExpires: '' };
    const session = new Session(given as unknown as SessionParams);
    expect(session.isExpired()).toBe(false);
    expect(isFromClientCredentials(session)).toBe(false);
    expect({ ...session }).toEqual(given);
  });

  it('equals another only with the same content', () => {
    const session = new Session(ONLINE);
    expect(
      session.equals(
        new Session({
          ...ONLINE,
          onlineAccessInfo: { ...ONLINE.onlineAccessInfo!, expires_in: 5 },
        }),
      ),
    ).toBe(true);
    expect(session.equals(undefined)).toBe(false);
    for (const change of [
      { id: 'x' },
      { accessToken: 'x' },
      { expires: later(1) },
      { isOnline: false },
      { refreshToken: undefined },
    ]) {
      expect(session.equals(new Session({ ...ONLINE, ...change }))).toBe(false);
    }
  });
});

describe('a property array', () => {
  it('lists what is set, in a fixed order whatever the order of the arguments', () => {
    const reversed = Object.fromEntries(
      Object.entries(ONLINE).reverse(),
    ) as unknown as SessionParams;
    expect(new Session(reversed).toPropertyArray()).toEqual([
      ['id', 'shop.myshopify.com_1'],
      ['shop', 'shop.myshopify.com'],
      ['state', 'some-state'],
      ['isOnline', true],
      ['scope', 'write_products,read_orders'],
      ['accessToken', 'access-token-1'],
      ['expires', NOW.getTime()],
      ['refreshToken', 'refresh-token-1'],
      ['refreshTokenExpires', NOW.getTime() + 1000],
      ['onlineAccessInfo', 1],
    ]);
  });

  it('lists the user instead of the user id when asked to, without what is not known', () => {
    expect(new Session(ONLINE).toPropertyArray(true).slice(9)).toEqual([
      ['userId', 1],
      ['firstName', 'Ann'],
      ['lastName', 'Lee'],
      ['email', 'ann@example.com'],
      ['locale', 'en'],
      ['emailVerified', false],
      ['accountOwner', true],
      ['collaborator', false],
    ]);
    expect(
      new Session({
        ...OFFLINE,
        isOnline: true,
        onlineAccessInfo: { ...ONLINE.onlineAccessInfo!, associated_user: { id: 7 } },
      })
        .toPropertyArray(true)
        .slice(6),
    ).toEqual([['userId', 7]]);
  });

  it('has no user where what it was given about one has none', () => {
    const onlineAccessInfo = { expires_in: 1 } as SessionParams['onlineAccessInfo'];
    const session = new Session({ ...OFFLINE, isOnline: true, onlineAccessInfo });
    const properties = new Session({ ...OFFLINE, isOnline: true }).toPropertyArray();
    expect(session.toPropertyArray(true)).toEqual(properties);
    expect(session.toPropertyArray()).toEqual(properties);
  });

  it('is read back as it was written, with and without user data', () => {
    for (const params of [OFFLINE, ONLINE, { ...OFFLINE, expires: NOW }]) {
      const session = new Session(params);
      expect(Session.fromPropertyArray(session.toPropertyArray(true), true).equals(session)).toBe(
        true,
      );
      expect(Session.fromPropertyArray(session.toPropertyArray()).toPropertyArray()).toEqual(
        session.toPropertyArray(),
      );
    }
  });

  it('attaches a user to online sessions only', () => {
    const entries: [string, unknown][] = [
      ...new Session(OFFLINE).toPropertyArray(),
      ['userId', '5'],
      ['email', 'a@example.com'],
    ];
    expect(Session.fromPropertyArray(entries, true).onlineAccessInfo).toBeUndefined();
    const online = entries.map(([name, value]): [string, unknown] => [
      name,
      name === 'isOnline' ? true : value,
    ]);
    expect(Session.fromPropertyArray(online, true).onlineAccessInfo).toEqual({
      associated_user: { id: 5, email: 'a@example.com' },
    });
  });

  // As the official library does it: an app may read them from a table of its own.
  it('keeps data of the user as it is, unless a user is to be made of it', () => {
    const entries: [string, unknown][] = [
      ...new Session({ ...OFFLINE, isOnline: true }).toPropertyArray(),
      ['userId', '5'],
      ['EMAIL', 'a@example.com'],
      ['accountowner', 1],
    ];
    expect({ ...Session.fromPropertyArray(entries) }).toEqual({
      ...OFFLINE,
      isOnline: true,
      onlineAccessInfo: { associated_user: {} },
      userId: '5',
      email: 'a@example.com',
      accountOwner: 1,
    });
  });

  // Apps look for the user of an online session, and the official storages always have one.
  it('attaches a user of whom nothing is known to an online session', () => {
    const session = new Session({ ...OFFLINE, isOnline: true });
    const read = Session.fromPropertyArray(session.toPropertyArray(true), true);
    expect({ ...read }).toEqual({
      ...OFFLINE,
      isOnline: true,
      onlineAccessInfo: { associated_user: {} },
    });
    expect(read.equals(session)).toBe(true);
  });

  it.each([
    ['true', true],
    ['TRUE', true],
    ['1', true],
    [1, true],
    [true, true],
    ['false', false],
    ['False', false],
    ['0', false],
    ['', false],
    [0, false],
    [false, false],
  ])('reads %p as a flag', (text, value) => {
    const session = Session.fromPropertyArray(
      [
        ['id', 'x'],
        ['isOnline', true],
        ['userId', 1],
        ['accountOwner', text],
      ],
      true,
    );
    expect(session.onlineAccessInfo?.associated_user.account_owner).toBe(value);
    expect(Session.fromPropertyArray([['isOnline', text]]).isOnline).toBe(value);
  });

  it('matches names in any case, skips nulls, and keeps what it does not know under its lower-case name', () => {
    const session = Session.fromPropertyArray(
      [
        ['ID', 'x'],
        ['isonline', 1],
        ['ACCESSTOKEN', 't'],
        ['Expires', String(NOW.getTime())],
        ['refreshToken', ''],
        ['refreshTokenExpires', 0],
        ['scope', null],
        ['userid', '12'],
        ['FIRSTNAME', null],
        ['createdAt', 5],
      ],
      true,
    );
    expect({ ...session }).toStrictEqual({
      id: 'x',
      isOnline: true,
      accessToken: 't',
      expires: NOW,
      createdat: 5,
      onlineAccessInfo: { associated_user: { id: 12 } },
    });
  });

  it('is refused when it is no list', () => {
    expect(() => Session.fromPropertyArray({} as unknown as [])).toThrow(InvalidSession);
  });

  it('survives the round trip for any session', () => {
    const date = fc.date({ min: new Date(1), max: new Date('9999-12-31'), noInvalidDate: true });
    const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
      fc.option(value, { nil: undefined });
    const params = fc.record({
      id: fc.string(),
      shop: fc.string(),
      state: fc.string(),
      isOnline: fc.boolean(),
      scope: optional(fc.string()),
      accessToken: optional(fc.string()),
      expires: optional(date),
      refreshToken: optional(fc.string({ minLength: 1 })),
      refreshTokenExpires: optional(date),
    });
    fc.assert(
      fc.property(params, (given) =>
        Session.fromPropertyArray(new Session(given).toPropertyArray(true), true).equals(
          new Session(given),
        ),
      ),
    );
  });
});

describe('session ids', () => {
  it('name the shop in its canonical form', () => {
    expect(offlineSessionId('Shop.myshopify.com/')).toBe('offline_shop.myshopify.com');
    expect(onlineSessionId('https://admin.shopify.com/store/shop', 42)).toBe(
      'shop.myshopify.com_42',
    );
  });

  it('are refused for what is no shop', () => {
    expect(() => offlineSessionId('shop.example.com')).toThrow(
      expect.objectContaining({ code: 'ERR_SHOP_INVALID' }),
    );
    expect(() => onlineSessionId('', '1')).toThrow(
      expect.objectContaining({ code: 'ERR_SHOP_INVALID' }),
    );
  });
});
