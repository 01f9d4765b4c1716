import { describe, expect, it } from '@jest/globals';

import { NoScopesError } from '../../../lib/auth/auth.errors.js';
import { AppDistribution } from '../../../lib/core/config/config.options.js';
import { MalformedReplyError } from '../../../lib/core/http/http.errors.js';
import { UserErrorsError } from '../../../lib/graphql-client/graphql-client.errors.js';
import type { Session } from '../../../lib/sessions/session.js';
import { API_KEY, SHOP, offlineSession, script, sessionToken } from '../auth.fixture.js';
import type { AppSetup } from '../auth.fixture.js';
import { createScopesApp } from './scopes.fixture.js';
import type { ScopesApp } from './scopes.fixture.js';

const ONLINE = offlineSession({
  id: `${SHOP}_42`,
  isOnline: true,
  accessToken: 'shpat_of_the_user',
});

/** An app that was granted `write_products`, and knows it. */
async function installed(setup: AppSetup = {}): Promise<ScopesApp> {
  const app = createScopesApp(setup);
  await granted(app, offlineSession());
  return app;
}

async function granted({ tokens, clock }: ScopesApp, session: Session): Promise<void> {
  await tokens.adopt(session, () => Promise.resolve({ session, grantedAt: clock.now() }));
}

const session = offlineSession();
const stored = (app: ScopesApp): Promise<Session | undefined> =>
  app.storage.loadSession(session.id);

/** A request of the shop: the app is told of what is pending. */
const visit = async (app: ScopesApp): Promise<unknown> =>
  app.auth.authenticateAdmin(script('/', sessionToken(app.clock)));

describe('ScopesService.query()', () => {
  it('answers with what is granted, required and optional, as the platform lists it', async () => {
    const { scopes, platform } = createScopesApp();
    await expect(scopes.query({ session })).resolves.toEqual({
      granted: ['write_products', 'read_products'],
      required: ['write_products', 'read_products'],
      optional: ['read_orders', 'write_discounts'],
    });
    expect(platform.operations).toEqual(['readScopes']);
  });

  const lists = { requestedAccessScopes: [], optionalAccessScopes: [] };
  it.each<[string, object]>([
    ['the app', {}],
    ['the installation', { app: { ...lists, installation: null } }],
    ['what is granted', { app: { ...lists, installation: {} } }],
    ['what is required', { app: { ...lists, requestedAccessScopes: undefined } }],
    ['names', { app: { ...lists, installation: { accessScopes: [null] } } }],
  ])('takes no reply for an answer that lacks %s', async (_, data) => {
    const app = createScopesApp();
    app.platform.answer = data;
    await expect(app.scopes.query({ session })).rejects.toThrow(MalformedReplyError);
  });
});

describe('ScopesService.request()', () => {
  it.each([
    ['none is named', [], []],
    ['all are granted', ['write_products'], ['readScopes']],
    ['all are granted by implication', ['read_discounts'], ['readScopes']],
  ])('answers with nothing when %s', async (_, wanted, operations) => {
    const { scopes, platform } = createScopesApp();
    platform.granted = ['write_products', 'write_discounts'];
    await expect(scopes.request({ session, scopes: wanted })).resolves.toBeUndefined();
    expect(platform.operations).toEqual(operations);
  });

  it('answers with the page on which all of them can be granted', async () => {
    const { scopes } = createScopesApp({
      options: { scopes: ['write_products', 'read_products', 'read_themes'] },
    });
    const url = new URL(
      (await scopes.request({ session, scopes: ['read_orders', 'write_products'] })) ?? '',
    );
    expect(url.origin + url.pathname).toBe(`https://${SHOP}/admin/oauth/install`);
    expect([...url.searchParams]).toEqual([
      ['client_id', API_KEY],
      ['scope', 'write_products,read_themes'],
      ['optional_scopes', 'read_orders,write_products'],
    ]);
  });

  it('leads to where the shop is reached, with an empty list for an app that requires nothing', async () => {
    const { scopes } = createScopesApp({
      options: { scopes: [], shopOrigin: (shop) => `http://localhost:4000/${shop}` },
    });
    await expect(scopes.request({ session, scopes: ['read_orders'] })).resolves.toBe(
      `http://localhost:4000/${SHOP}/admin/oauth/install?client_id=${API_KEY}&scope=&optional_scopes=read_orders`,
    );
  });
});

describe('ScopesService.revoke()', () => {
  it('gives scopes back, and what is stored follows', async () => {
    const app = await installed({ options: { scopes: ['write_products'] } });
    app.platform.granted.push('read_orders');
    await app.scopes.sync({ session });
    await app.storage.storeSession(ONLINE);
    await expect(app.scopes.revoke({ session, scopes: ['read_orders'] })).resolves.toEqual({
      revoked: ['read_orders'],
    });
    await expect(stored(app)).resolves.toMatchObject({ scope: 'write_products' });
    await expect(app.records.of(SHOP)).resolves.toMatchObject({ scope: 'write_products' });
  });

  it('takes one call, however far behind the platform is with its list', async () => {
    const app = await installed();
    app.platform.granted.push('read_orders');
    await app.scopes.sync({ session });
    app.platform.lagging = ['read_orders'];
    app.platform.operations.length = 0;
    await app.scopes.revoke({ session, scopes: ['read_orders'] });
    expect(app.platform.operations).toEqual(['AppRevokeAccessScopes']);
    await expect(stored(app)).resolves.toMatchObject({ scope: 'write_products' });
  });

  it('leaves what a revoked scope has implied', async () => {
    const app = await installed();
    app.platform.granted.push('write_discounts', 'read_discounts');
    await app.scopes.sync({ session });
    await app.scopes.revoke({ session, scopes: ['write_discounts'] });
    await expect(stored(app)).resolves.toMatchObject({ scope: 'write_products,read_discounts' });
  });

  it('leaves the scopes of a token that was granted meanwhile', async () => {
    const app = await installed();
    app.platform.granted.push('read_orders');
    await app.scopes.sync({ session });
    const again = { accessToken: 'shpat_of_the_next_grant', scope: 'write_products,read_orders' };
    app.platform.afterRevocation = async () => {
      app.clock.advance(1000);
      await granted(app, offlineSession(again));
    };
    await app.scopes.revoke({ session, scopes: ['read_orders'] });
    await expect(stored(app)).resolves.toMatchObject(again);
  });

  it('refuses an empty list without asking the platform', async () => {
    const app = await installed();
    await expect(app.scopes.revoke({ session, scopes: [] })).rejects.toThrow(NoScopesError);
    expect(app.platform.operations).toEqual([]);
  });

  it('rejects with what the platform refuses, and changes nothing', async () => {
    const app = await installed();
    app.platform.refusals = [
      {
        field: ['scopes'],
        message: 'Required scopes cannot be revoked',
        code: 'CANNOT_REVOKE_REQUIRED_SCOPES',
      },
    ];
    const refused = await app.scopes
      .revoke({ session, scopes: ['write_products'] })
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UserErrorsError);
    expect((refused as UserErrorsError).userErrors).toEqual(app.platform.refusals);
    await expect(stored(app)).resolves.toMatchObject({ scope: 'write_products' });
  });

  it('has given them back even when that cannot be stored', async () => {
    const app = await installed();
    app.platform.granted.push('read_orders');
    await app.scopes.sync({ session });
    app.storage.findSessionsByShop = () => Promise.reject(new Error('disk full'));
    await expect(app.scopes.revoke({ session, scopes: ['read_orders'] })).resolves.toEqual({
      revoked: ['read_orders'],
    });
    expect(app.lines).toContainEqual(expect.stringMatching(/WARNING.*could not be stored/));
  });
});

describe('ScopesService.sync()', () => {
  it('stores what the platform says with every session of the shop, and with the record', async () => {
    const app = await installed();
    await app.storage.storeSession(ONLINE);
    const other = offlineSession({ shop: 'other-shop.myshopify.com' });
    await app.storage.storeSession(other);
    app.platform.granted.push('read_orders');
    await app.scopes.sync({ session });
    const sessions = await Promise.all(
      [session, ONLINE, other].map(({ id }) => app.storage.loadSession(id)),
    );
    expect(sessions.map((one) => [one?.accessToken, one?.scope])).toEqual([
      [session.accessToken, 'write_products,read_orders'],
      ['shpat_of_the_user', 'write_products,read_orders'],
      [other.accessToken, 'write_products'],
    ]);
    await expect(app.records.of(SHOP)).resolves.toMatchObject({
      scope: 'write_products,read_orders',
    });
  });

  it('tells the app once, with the next request, however often it runs in however many processes', async () => {
    const told: unknown[] = [];
    const app = await installed({
      hooks: {
        onScopesChanged: ({ previousScopes, session: { scope } }) =>
          void told.push([previousScopes, scope]),
      },
    });
    // The app has been told everything about this token: a token lasts when its shop grants other
    // scopes.
    await visit(app);
    const installs = app.installs.length;
    app.platform.granted.push('read_orders');
    await Promise.all(Array.from({ length: 5 }, () => app.scopes.sync({ session })));
    await visit(app);
    await app.scopes.sync({ session });
    await visit(app);
    expect(told).toEqual([[['write_products'], 'write_products,read_orders']]);
    expect(app.installs.length).toBe(installs + 1);
  });

  it('tells an app that moved here, of whose shop there is no record', async () => {
    const told: unknown[] = [];
    const app = createScopesApp({
      hooks: { onScopesChanged: ({ previousScopes }) => void told.push(previousScopes) },
    });
    await app.storage.storeSession(session);
    await app.scopes.sync({ session });
    await visit(app);
    expect(told).toEqual([]);
    app.platform.granted.push('read_orders');
    await app.scopes.sync({ session });
    await visit(app);
    expect(told).toEqual([['write_products']]);
  });

  it('leaves what has changed by implication only', async () => {
    const app = await installed();
    const before = await app.records.of(SHOP);
    await app.scopes.sync({ session });
    await expect(stored(app)).resolves.toMatchObject({ scope: 'write_products' });
    await expect(app.records.of(SHOP)).resolves.toEqual(before);
  });

  it('leaves what a grant has brought while the platform was asked', async () => {
    const app = await installed();
    app.platform.meanwhile = async () => {
      app.clock.advance(1000);
      await granted(
        app,
        offlineSession({ accessToken: 'shpat_newer', scope: 'write_products,read_orders' }),
      );
    };
    await app.scopes.sync({ session });
    await expect(stored(app)).resolves.toMatchObject({
      accessToken: 'shpat_newer',
      scope: 'write_products,read_orders',
    });
  });

  it('brings nothing back of a shop that has uninstalled the app meanwhile', async () => {
    const app = await installed();
    app.platform.granted.push('read_orders');
    app.platform.meanwhile = async () => {
      await app.records.uninstalled(SHOP, await app.records.of(SHOP));
      await app.storage.deleteSession(session.id);
    };
    const before = await app.records.of(SHOP);
    await app.scopes.sync({ session });
    await expect(stored(app)).resolves.toBeUndefined();
    await expect(app.records.of(SHOP)).resolves.toMatchObject({
      status: 'uninstalled',
      scope: before?.scope,
    });
  });

  it('has nothing to store for a custom app, whose token is fixed', async () => {
    const options = {
      distribution: AppDistribution.PlatformAdmin,
      adminApiAccessToken: 'shpat_fixed_0123456789',
    };
    const app = createScopesApp({ options });
    await app.scopes.sync({ session });
    expect(app.platform.operations).toEqual([]);
  });
});
