import { setImmediate } from 'node:timers/promises';

import { afterEach, describe, expect, it } from '@jest/globals';

import { DevStore, signedWebhook } from '../../lib/dev-store/index.js';
import { MemorySessionStorage } from '../../lib/index.js';
import type { AuthHooks } from '../../lib/index.js';
import { API_KEY, API_SECRET, APP_URL, appOptions } from '../support/app.js';
import { HOSTS } from '../support/hosts.js';
import type { Host, RunningHost } from '../support/hosts.js';

interface Opened {
  readonly store: DevStore;
  readonly storage: MemorySessionStorage;
  readonly host: RunningHost;
  /** A shop installs the app, and one of its users opens it. */
  install(): Promise<void>;
}

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

/**
 * An app that receives something at its webhook path, with a simulated store that delivers to it.
 */
async function openWith({ open }: Host, hooks: AuthHooks): Promise<Opened> {
  let url = '';
  const store = await DevStore.open({
    apps: [{ apiKey: API_KEY, apiSecretKey: API_SECRET, appUrl: APP_URL }],
    deliveryRetries: [],
    fetch: (address, init) => fetch(url + new URL(String(address)).pathname, init),
  });
  const storage = new MemorySessionStorage();
  const { shopOrigin, clock } = store;
  const webhooks = {
    PRODUCTS_CREATE: { deliveryMethod: 'http', callbackUrl: '/webhooks' },
  } as const;
  const host = await open({
    options: { ...appOptions(), hooks, shopOrigin, clock, sessionStorage: storage, webhooks },
  });
  opened.push(host, store);
  ({ url } = host);
  const install = async (): Promise<void> => {
    store.shop().install(API_KEY, { scopes: ['write_products'] });
    const authorization = `Bearer ${store.shop().sessionToken(API_KEY)}`;
    expect((await fetch(`${url}/page`, { headers: { authorization } })).status).toBe(200);
  };
  return { store, storage, host, install };
}

describe.each(HOSTS)('the uninstallation of an app on $name', (entry) => {
  it('is told, forgets the sessions, and the next installation is told and subscribed like the first', async () => {
    // In Remix none of this happened: who takes deliveries in a route of the app noted no
    // uninstallation.
    const told: string[] = [];
    const hooks = {
      onInstall: () => void told.push('installed'),
      onReinstall: () => void told.push('reinstalled'),
      onUninstall: () => void told.push('uninstalled'),
    };
    const { store, storage, install } = await openWith(entry, hooks);
    const topics = (): string[] => store.shop().subscriptions.map(({ topic }) => topic);
    await install();
    expect(topics()).toEqual(expect.arrayContaining(['products/create', 'app/uninstalled']));
    await store.shop().uninstall(API_KEY);
    expect(await storage.findSessionsByShop(store.shop().domain)).toEqual([]);
    store.advance(60_000);
    await install();
    expect(told).toEqual(['installed', 'uninstalled', 'reinstalled']);
    expect(topics()).toEqual(expect.arrayContaining(['products/create', 'app/uninstalled']));
  });

  it('leaves alone what the shop stores when it installs the app again while the app is told', async () => {
    let visit: Promise<void> | undefined;
    const told: string[] = [];
    const onUninstall = async (): Promise<void> => {
      told.push('uninstalled');
      // The request waits for this hook, after it has stored what the shop has granted.
      visit = opened.install();
      const isOld = async (): Promise<boolean> => (await tokens()).includes(before!);
      while (await isOld()) await setImmediate();
    };
    const hooks = { onUninstall, onReinstall: () => void told.push('reinstalled') };
    const opened = await openWith(entry, hooks);
    const { store, storage, install } = opened;
    const tokens = async () =>
      (await storage.findSessionsByShop(store.shop().domain)).map(({ accessToken }) => accessToken);
    await install();
    const [before] = await tokens();
    store.advance(2 * 60 * 60_000);
    await store.shop().uninstall(API_KEY);
    await visit;
    expect(told).toEqual(['uninstalled', 'reinstalled']);
    const [after] = await tokens();
    expect(store.shop().accessToken(after!)).toMatchObject({ apiKey: API_KEY });
  });

  it('is answered with 500 when its hook fails, and told again with the next attempt', async () => {
    const told: string[] = [];
    const onUninstall = ({ shop }: { shop: string }): void => {
      told.push(shop);
      if (told.length === 1) throw new Error('no');
    };
    const { host, store, storage, install } = await openWith(entry, { onUninstall });
    await install();
    const { domain } = store.shop();
    store.shop().uninstallWithDeferredWebhook(API_KEY);
    const attempt = async (): Promise<[number, number]> => {
      const payload = { myshopify_domain: domain };
      const options = {
        secret: API_SECRET,
        shop: domain,
        topic: 'app/uninstalled',
        payload,
        webhookId: 'w-1',
      };
      const { headers, body } = signedWebhook(options);
      const { status } = await fetch(`${host.url}/webhooks`, {
        method: 'POST',
        headers,
        body: new Uint8Array(body),
      });
      return [status, (await storage.findSessionsByShop(domain)).length];
    };
    expect([await attempt(), await attempt(), told]).toEqual([
      [500, 1],
      [200, 0],
      [domain, domain],
    ]);
  });
});
