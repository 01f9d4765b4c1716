import { Controller, Get, Inject, Injectable, Module, UseGuards } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { INestApplication } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

import { DevStore } from '../../lib/dev-store/index.js';
import {
  AdminApi,
  AdminBulkClient,
  AdminGraphqlClient,
  AdminRestClient,
  AuthenticatedSessionGuard,
  Clock,
  ExpressIntegration,
  MemorySessionStorage,
  PlatformClients,
  PlatformModule,
  RemixIntegration,
  Session,
  SessionNotFoundError,
  StorefrontApi,
  StorefrontGraphqlClient,
  WebhookContext,
  WebhookHandler,
  WebhookRegistrar,
  getPlatformToken,
} from '../../lib/index.js';
import type {
  AdminContext,
  PlatformOptions,
  StorefrontClient,
  WebhookDelivery,
} from '../../lib/index.js';
import { API_KEY, API_SECRET, APP_URL, SHOP, appOptions } from '../support/app.js';

const PRODUCTS = '{ products { edges { node { id } } } }';
const PAGE = `query page($first: Int!, $after: String) {
  products(first: $first, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } }
}`;

interface Page {
  readonly products: {
    readonly nodes: { id: string }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
  };
}

/** Whoever sleeps on it never wakes up: what happens all the same was not found out by looking. */
class StandingClock extends Clock {
  now(): Date {
    return new Date();
  }

  sleep(_ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((_, reject) =>
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true }),
    );
  }
}

@Controller()
@UseGuards(AuthenticatedSessionGuard)
class ShopController {
  @Get('exported')
  async exported(@AdminApi() admin: AdminContext): Promise<number> {
    let rows = 0;
    for await (const _ of admin.bulk.query(PRODUCTS)) rows++;
    return rows;
  }

  @Get('paged')
  async paged(@AdminApi() admin: AdminContext): Promise<number> {
    let nodes = 0;
    for await (const _ of admin.paginate<Page, { id: string }>(
      PAGE,
      { first: 2 },
      ({ products }) => products,
    ))
      nodes++;
    return nodes;
  }

  @Get('storefront')
  async storefront(@StorefrontApi() storefront: StorefrontClient): Promise<string> {
    const { data } = await storefront.request<{ shop: { name: string } }>('{ shop { name } }');
    return data.shop.name;
  }
}

@Injectable()
class Job {
  readonly seen: WebhookDelivery[] = [];

  constructor(
    readonly clients: PlatformClients,
    readonly rest: AdminRestClient,
    readonly graphql: AdminGraphqlClient,
    readonly storefront: StorefrontGraphqlClient,
    readonly bulk: AdminBulkClient,
    readonly registrar: WebhookRegistrar,
    readonly express: ExpressIntegration,
    readonly remix: RemixIntegration,
    @Inject(getPlatformToken(PlatformClients, 'b')) readonly clientsOfB: PlatformClients,
  ) {}

  @WebhookHandler('PRODUCTS_CREATE')
  async onProduct(
    @WebhookContext() delivery: WebhookDelivery,
    @StorefrontApi() storefront: StorefrontClient,
  ): Promise<void> {
    if (delivery.storefront?.session === storefront.session) this.seen.push(delivery);
  }
}

let store: DevStore;
let app: INestApplication | undefined;
let url = '';
const storage = new MemorySessionStorage();

beforeEach(async () => {
  store = await DevStore.open({
    shops: [SHOP],
    apps: [{ apiKey: API_KEY, apiSecretKey: API_SECRET, appUrl: APP_URL }],
    // What is meant for the app on the internet reaches the one on this machine.
    fetch: (input, init) => fetch(String(input).replace(APP_URL, url), init),
  });
  const accessToken = store
    .shop()
    .install(API_KEY, { scopes: ['write_products', 'unauthenticated_read_product_listings'] });
  await storage.storeSession(
    new Session({
      id: `offline_${SHOP}`,
      shop: SHOP,
      state: '',
      isOnline: false,
      scope: 'write_products',
      accessToken,
    }),
  );
});
afterEach(async () => {
  await app?.close();
  app = undefined;
  await store.close();
});

async function open(options: Partial<PlatformOptions> = {}): Promise<Job> {
  @Module({
    imports: [
      PlatformModule.forRoot(
        appOptions({ shopOrigin: store.shopOrigin, sessionStorage: storage, ...options }),
      ),
      PlatformModule.forRoot({
        ...appOptions(),
        name: 'b',
        paths: { auth: '/b/auth', webhooks: '/b/webhooks', exitIframe: '/b/exit' },
      }),
    ],
    controllers: [ShopController],
    providers: [Job],
  })
  class App {}
  app = await NestFactory.create(App, new ExpressAdapter(), { logger: false, abortOnError: false });
  await app.listen(0, '127.0.0.1');
  url = `http://127.0.0.1:${((app.getHttpServer() as Server).address() as AddressInfo).port}`;
  return app.get(Job);
}

async function get(path: string): Promise<string> {
  const headers = { authorization: `Bearer ${store.shop().sessionToken(API_KEY)}` };
  return (await fetch(url + path, { headers })).text();
}

describe('the clients of a shop', () => {
  it('are there for work that no request started', async () => {
    const { clients } = await open();
    const { session, admin, storefront } = await clients.forShop(SHOP);
    expect(session.id).toBe(`offline_${SHOP}`);
    expect(
      (await admin.graphql<{ shop: { myshopifyDomain: string } }>('{ shop { myshopifyDomain } }'))
        .data.shop.myshopifyDomain,
    ).toBe(SHOP);
    expect(
      (await admin.rest.get<{ products: unknown[] }>({ path: 'products' })).body.products,
    ).toHaveLength(store.shop().products.length);
    expect(
      (await storefront.request<{ shop: { name: string } }>('{ shop { name } }')).data.shop.name,
    ).toBe(store.shop().name);
  });

  it('are not there for a shop that has not installed the app, nor for another app', async () => {
    const { clients, clientsOfB } = await open();
    await expect(clients.forShop('other.myshopify.com')).rejects.toThrow(SessionNotFoundError);
    await expect(clientsOfB.forShop(SHOP)).rejects.toThrow(SessionNotFoundError);
    await expect(clients.forShop('not a shop')).rejects.toMatchObject({ code: 'ERR_SHOP_INVALID' });
  });

  it('need no session in an app with a fixed token', async () => {
    const { clients } = await open({
      distribution: 'shopify_admin' as PlatformOptions['distribution'],
      adminApiAccessToken: (await storage.loadSession(`offline_${SHOP}`))!.accessToken,
      isEmbeddedApp: false,
      sessionStorage: new MemorySessionStorage(),
    });
    const { admin } = await clients.forShop(SHOP);
    expect(
      (await admin.graphql<{ shop: { name: string } }>('{ shop { name } }')).data.shop.name,
    ).toBe(store.shop().name);
  });

  it('are the same objects for every host of an app', async () => {
    const { express, remix, graphql, rest } = await open();
    for (const { admin } of [
      await express.api.clients.forShop(SHOP),
      await remix.unauthenticated.admin(SHOP),
    ]) {
      const ids: unknown[] = [];
      for await (const { id } of admin.bulk.query<{ id: string }>(PRODUCTS)) ids.push(id);
      expect(ids).toHaveLength(store.shop().products.length);
    }
    const session = { shop: SHOP, accessToken: 'token' };
    expect(new express.api.clients.Graphql({ session })).toBeInstanceOf(
      graphql.for(session).constructor,
    );
    expect(new remix.api.clients.Rest({ session })).toBeInstanceOf(rest.for(session).constructor);
  });

  it('come to a controller by decorators', async () => {
    await open();
    const count = String(store.shop().products.length);
    expect([await get('/exported'), await get('/paged'), await get('/storefront')]).toEqual([
      count,
      count,
      store.shop().name,
    ]);
  });

  it('come to a webhook handler by decorators', async () => {
    const job = await open();
    await job.registrar.register((await job.clients.forShop(SHOP)).session);
    store.shop().createProduct({ title: 'Lamp' });
    await store.settled();
    expect(job.seen).toHaveLength(1);
  });
});

describe('the end of a bulk operation', () => {
  it('is heard of by webhook, without looking for it', async () => {
    const webhooks = { ownTopics: { BULK_OPERATIONS_FINISH: true } };
    const job = await open({ clock: new StandingClock(), webhooks });
    const { session, admin } = await job.clients.forShop(SHOP);
    expect(await job.registrar.register(session)).toHaveProperty('BULK_OPERATIONS_FINISH');
    const shop = store.shop();
    shop.bulkDuration = 'manual';
    const rows = (async () => {
      let count = 0;
      for await (const _ of admin.bulk.query(PRODUCTS)) count++;
      return count;
    })();
    const looked = () => shop.events.some(({ summary }) => summary.includes('query node'));
    while (!looked()) await wait(5);
    await shop.completeBulkOperations();
    expect(await rows).toBe(shop.products.length);
  });
});
