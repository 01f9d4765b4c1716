import { NestFactory } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { DevStore } from '../../../lib/dev-store/index.js';
import {
  ExpressIntegration,
  MemorySessionStorage,
  PlatformClients,
  PlatformModule,
  RemixIntegration,
  Session,
} from '../../../lib/index.js';
import { platformApp as expressApp } from '../../../lib/integrations/express/index.js';
import type { ExpressApp, ResourceSet } from '../../../lib/integrations/express/index.js';
import { platformApp as remixApp } from '../../../lib/integrations/remix/index.js';
import { restResources as october25 } from '../../../lib/rest-client/resources/generated/versions/2025-10.js';
import {
  Product,
  restResources,
} from '../../../lib/rest-client/resources/generated/versions/2026-07.js';
import { API_KEY, API_SECRET, APP_URL, SHOP, appOptions } from '../../support/app.js';
import { collect } from '../../support/collect.js';

type July26 = typeof restResources;

let store: DevStore;
let session: Session;
const sessionStorage = new MemorySessionStorage();
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  store = await DevStore.open({
    apps: [{ apiKey: API_KEY, apiSecretKey: API_SECRET, appUrl: APP_URL }],
    shops: [SHOP],
  });
  const accessToken = store.shop().install(API_KEY, { scopes: 'write_products' });
  session = new Session({
    id: `offline_${SHOP}`,
    shop: SHOP,
    state: '',
    isOnline: false,
    scope: 'write_products',
    accessToken,
  });
  await sessionStorage.storeSession(session);
});
afterAll(async () => {
  for (const close of closing) await close();
  await store.close();
});

/** The options of an app of this store. */
function options() {
  return appOptions({ fetch: store.fetch, sessionStorage });
}

/** An Express app of this store, with its resources. */
function express<Resources extends ResourceSet>(
  apiVersion: string,
  resources: Resources,
): ExpressApp<Resources> {
  const { appUrl: _, sessionStorage: storage, ...api } = options();
  const app = expressApp({
    api: { ...api, hostName: 'app.example.com', apiVersion, restResources: resources },
    sessionStorage: storage!,
  });
  closing.push(app.close);
  return app;
}

/** Creates, lists, changes and deletes a product. */
async function walk(resources: Pick<July26, 'Product'>): Promise<void> {
  const product = new resources.Product({ session, fromData: { title: 'Recorder' } });
  await product.saveAndUpdate();
  expect(product.id).toMatch(/^\d+$/);
  const { data } = await resources.Product.all({ session, limit: 1 });
  expect([data.length, data[0] instanceof resources.Product]).toEqual([1, true]);
  const everything = await collect(resources.Product.each({ session, limit: 2 }));
  expect(everything).toHaveLength((await resources.Product.count({ session })).count);
  product.title = 'Player';
  await product.save({ onlyChanges: true });
  expect((await resources.Product.find({ session, id: product.id! }))?.title).toBe('Player');
  await product.delete();
  await expect(resources.Product.find({ session, id: product.id! })).rejects.toMatchObject({
    code: 'ERR_HTTP_RESPONSE',
    status: 404,
  });
}

describe('typed resources of an app', () => {
  it('are those of its options in Express', async () => {
    const { api } = express('2026-07', restResources);
    await walk(api.rest);
    expect((await api.clients.forShop(SHOP)).admin.rest.resources).toBe(api.rest);
  });

  it('are those of its options in Remix', async () => {
    const app = remixApp({ ...options(), scopes: [], sessionStorage, restResources });
    closing.push(app.close);
    const { admin } = await app.unauthenticated.admin(SHOP);
    await walk(admin.rest.resources);
    expect((await admin.rest.get({ path: 'shop' })).body).toMatchObject({
      shop: { myshopify_domain: SHOP },
    });
    expect(admin.rest.resources).toBe(app.api.rest);
  });

  it('are those of its options in Nest, whichever way one comes to them', async () => {
    const nest = await NestFactory.createApplicationContext(
      PlatformModule.forRoot({ ...options(), restResources }),
      {
        logger: false,
        abortOnError: false,
      },
    );
    closing.push(() => nest.close());
    const { admin } = await nest.get(PlatformClients).forShop<July26>(SHOP);
    await walk(admin.rest.resources);
    for (const host of [nest.get(ExpressIntegration), nest.get(RemixIntegration)])
      expect(host.api.rest).toBe(admin.rest.resources);
  });

  it('are none where the options name none', () => {
    const app = remixApp({ ...options(), scopes: [], sessionStorage });
    closing.push(app.close);
    expect(app.api.rest).toEqual({});
  });

  it('are its own, whatever other apps there are in the process', async () => {
    const one = express('2026-07', restResources).api.rest;
    const other = express('2025-10', october25).api.rest;
    const again = express('2026-07', restResources).api.rest;
    expect([one.Product.apiVersion, other.Product.apiVersion, again.Product.apiVersion]).toEqual([
      '2026-07',
      '2025-10',
      '2026-07',
    ]);
    expect(new Set([one.Product, other.Product, again.Product, Product]).size).toBe(4);
    expect((await one.Product.all({ session })).data[0]).toBeInstanceOf(one.Product);
    expect((await other.Product.all({ session })).data[0]).toBeInstanceOf(other.Product);
    expect(
      new one.Product({ session, fromData: { variants: [{}] } }).variants?.[0],
    ).not.toBeInstanceOf(again.Variant);
  });

  it('must be of its version, by the name the option has there', () => {
    const message = expect.stringMatching(
      /api\.restResources: are of version 2025-10, but apiVersion is 2026-07/,
    );
    expect(() => express('2026-07', october25)).toThrow(
      expect.objectContaining({ code: 'ERR_OPTIONS_INVALID', message }),
    );
  });
});
