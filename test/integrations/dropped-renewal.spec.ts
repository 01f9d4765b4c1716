import { afterEach, describe, expect, it } from '@jest/globals';

import { DevStore } from '../../lib/dev-store/index.js';
import { MemorySessionStorage, Session } from '../../lib/index.js';
import { API_KEY, API_SECRET, APP_URL } from '../support/app.js';
import { HOSTS } from '../support/hosts.js';

const SHOPS = ['one.myshopify.com', 'two.myshopify.com'] as const;
const SCOPES = ['write_products'];
type Dropped = readonly ('refreshToken' | 'refreshTokenExpires' | 'expires')[];

/** A storage of an app whose table was made for tokens that never expire. */
class OlderStorage extends MemorySessionStorage {
  constructor(private readonly dropped: Dropped) {
    super();
  }

  override async storeSession(session: Session): Promise<boolean> {
    const unknown = Object.fromEntries(this.dropped.map((field) => [field, undefined]));
    return super.storeSession(new Session({ ...session, ...unknown }));
  }
}

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

// The token of such a storage ended after an hour, and with it all work in the background.
describe.each(HOSTS)('a session storage, behind $name', ({ open }) => {
  async function openWith(dropped: Dropped) {
    const store = await DevStore.open({
      apps: [{ apiKey: API_KEY, apiSecretKey: API_SECRET, appUrl: APP_URL }],
      shops: [...SHOPS],
      fetch: async () => new Response(),
    });
    const logged: string[] = [];
    const storage = new OlderStorage(dropped);
    const host = await open({
      options: {
        shopOrigin: store.shopOrigin,
        sessionStorage: storage,
        logger: {
          level: 0,
          log: (_severity: number, line: string) => void logged.push(line),
        },
      },
    });
    closing.push(
      () => host.close(),
      () => store.close(),
    );
    const visit = async (shop: string): Promise<Session | undefined> => {
      store.shop(shop).install(API_KEY, { scopes: SCOPES });
      const authorization = `Bearer ${store.shop(shop).sessionToken(API_KEY)}`;
      const response = await fetch(`${host.url}/page`, { headers: { authorization } });
      expect([response.status, await response.json()]).toEqual([200, { shop }]);
      return storage.loadSession(`offline_${shop}`);
    };
    const exchanges = (shop: string): number => store.shop(shop).tokenRequests.length;
    return { store, storage, logged, visit, exchanges };
  }

  it.each<[string, Dropped]>([
    ['refreshToken', ['refreshToken', 'refreshTokenExpires']],
    ['expires', ['expires']],
    ['refreshToken and expires', ['refreshToken', 'refreshTokenExpires', 'expires']],
  ])('that drops %s is named once, and given tokens that last', async (names, dropped) => {
    const { store, logged, visit, exchanges } = await openWith(dropped);
    const [first, second] = [await visit(SHOPS[0]), await visit(SHOPS[1])];
    expect(logged).toEqual([expect.stringContaining(`(OlderStorage) does not keep ${names} of`)]);
    expect([exchanges(SHOPS[0]), exchanges(SHOPS[1])]).toEqual([2, 1]);
    // The store says so: those of an hour have ended by now.
    store.advance(2 * 3_600_000);
    for (const { shop, accessToken, refreshToken } of [first!, second!]) {
      expect(refreshToken).toBeUndefined();
      const response = await fetch(`${store.shopOrigin(shop)}/admin/api/2026-07/shop.json`, {
        headers: { 'x-shopify-access-token': accessToken! },
      });
      expect([shop, response.status]).toEqual([shop, 200]);
    }
  });

  it('that keeps them all is read once, and given tokens that expire', async () => {
    const { logged, visit, exchanges } = await openWith([]);
    const sessions = [await visit(SHOPS[0]), await visit(SHOPS[1])];
    expect(logged).toEqual([]);
    for (const [at, session] of sessions.entries()) {
      expect(session?.refreshToken).toMatch(/./);
      expect(exchanges(SHOPS[at]!)).toBe(1);
    }
  });

  it('that keeps all but the end of the refresh token will do', async () => {
    const { logged, visit } = await openWith(['refreshTokenExpires']);
    expect((await visit(SHOPS[0]))?.refreshToken).toMatch(/./);
    expect(logged).toEqual([]);
  });
});
