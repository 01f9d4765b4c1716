import { describe, expect, it } from '@jest/globals';

import type { AdminGranted } from '../../../lib/auth/admin/admin-responses.js';
import {
  OTHER_SHOP,
  SHOP,
  createApp,
  offlineSession,
  offlineToken,
  script,
  sessionToken,
} from '../auth.fixture.js';
import type { App } from '../auth.fixture.js';

const urlOf = (shop: string): string => `https://${shop}`;

/** A session token of a shop, as its admin gives it to the page. */
const tokenOf = (app: App, shop: string): string =>
  sessionToken(app.clock, { dest: urlOf(shop), iss: `${urlOf(shop)}/admin` });

async function granted(app: App, shop = SHOP): Promise<AdminGranted> {
  const decision = await app.auth.authenticateAdmin(script('/api', tokenOf(app, shop)));
  if (decision.kind !== 'granted') throw new Error(`The request was answered: ${decision.kind}`);
  return decision;
}

describe('requests that follow each other', () => {
  it('each act with the session of their own shop', async () => {
    const app = createApp();
    for (const [shop, accessToken] of [
      [SHOP, 'shpat_of_one'],
      [OTHER_SHOP, 'shpat_of_other'],
    ] as const)
      await app.storage.storeSession(offlineSession({ shop, accessToken }));
    const shops = [SHOP, OTHER_SHOP, SHOP, SHOP, OTHER_SHOP];
    const decisions = await Promise.all(shops.map((shop) => granted(app, shop)));
    expect(decisions.map(({ session }) => [session.shop, session.accessToken])).toEqual(
      shops.map((shop) => [shop, shop === SHOP ? 'shpat_of_one' : 'shpat_of_other']),
    );
    expect(decisions.map(({ admin, session }) => admin.session === session)).toEqual(
      shops.map(() => true),
    );
    expect(decisions.map(({ sessionToken: token }) => token?.dest)).toEqual(shops.map(urlOf));
  });

  it('see a session that was replaced in between', async () => {
    const app = createApp();
    await app.storage.storeSession(offlineSession({ accessToken: 'shpat_before' }));
    expect((await granted(app)).session.accessToken).toBe('shpat_before');
    await app.storage.storeSession(offlineSession({ accessToken: 'shpat_after' }));
    expect((await granted(app)).session.accessToken).toBe('shpat_after');
    expect(app.calls).toEqual([]);
  });

  it.each([
    ['lost scopes', (app: App) => app.storage.storeSession(offlineSession({ scope: 'read_x' }))],
    ['lost its token', (app: App) => app.storage.storeSession(offlineSession({ accessToken: '' }))],
    ['was deleted', (app: App) => app.storage.deleteSession(`offline_${SHOP}`)],
  ])('exchange the session token of a session that %s in between', async (_, change) => {
    const app = createApp({ token: () => offlineToken({ access_token: 'shpat_exchanged' }) });
    await app.storage.storeSession(offlineSession());
    await granted(app);
    expect(app.calls).toEqual([]);
    await change(app);
    expect((await granted(app)).session.accessToken).toBe('shpat_exchanged');
    expect(app.calls).toHaveLength(1);
  });

  it('deliver an event that was recorded with the scopes of the same token', async () => {
    const events: string[] = [];
    const app = createApp({
      hooks: { onScopesChanged: ({ shop }) => void events.push(shop) },
      options: { scopes: ['read_products'] },
    });
    const scoped = (scope: string) => app.storage.storeSession(offlineSession({ scope }));
    await scoped('read_products');
    await granted(app);
    await app.records.scoped(SHOP, { scope: 'write_products', previousScope: 'read_products' });
    await scoped('write_products');
    await granted(app);
    expect(events).toEqual([SHOP]);
  });
});

describe('a granted request', () => {
  it('makes its clients once', async () => {
    const app = createApp();
    await app.storage.storeSession(offlineSession());
    const decision = await granted(app);
    expect(decision.admin).toBe(decision.admin);
    expect(decision.admin.rest).toBe(decision.admin.rest);
    expect(decision.admin.bulk).toBe(decision.admin.bulk);
  });
});
