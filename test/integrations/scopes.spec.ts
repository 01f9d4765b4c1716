import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module, UseGuards } from '@nestjs/common';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';

import { DevStore, signedWebhook } from '../../lib/dev-store/index.js';
import {
  AuthenticatedSessionGuard,
  ExpressIntegration,
  PlatformModule,
  ScopesApi,
  ScopesService,
  SessionScopes,
} from '../../lib/index.js';
import type { PlatformOptions, ScopesDetail, ScopesRevoked } from '../../lib/index.js';
import { MemorySessionStorage, Session, platformApp } from '../../lib/integrations/remix/index.js';
import type { RemixAdminContext } from '../../lib/integrations/remix/index.js';
import { API_KEY, API_SECRET, APP_URL, appOptions } from '../support/app.js';

const WANTED = ['read_orders'];

@Controller()
@UseGuards(AuthenticatedSessionGuard)
class ScopesController {
  @Get('granted')
  granted(@ScopesApi() scopes: SessionScopes): Promise<ScopesDetail> {
    return scopes.query();
  }

  @Get('ask')
  async ask(@ScopesApi() scopes: SessionScopes): Promise<string> {
    await scopes.request(WANTED);
    return 'nothing to ask';
  }

  @Get('give-back')
  giveBack(@ScopesApi() scopes: SessionScopes): Promise<ScopesRevoked> {
    return scopes.revoke(WANTED);
  }
}

let store: DevStore;
let storage: MemorySessionStorage;
let url = '';
const closing: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  store = await DevStore.open({
    apps: [{ apiKey: API_KEY, apiSecretKey: API_SECRET, appUrl: APP_URL, optionalScopes: WANTED }],
    deliveryRetries: [],
    // What is meant for the app on the internet reaches the one on this machine.
    fetch: (input, init) => fetch(String(input).replace(APP_URL, url), init),
  });
  storage = new MemorySessionStorage();
  const accessToken = store.shop().install(API_KEY, { scopes: 'write_products' });
  const shop = store.shop().domain;
  await storage.storeSession(
    new Session({
      id: `offline_${shop}`,
      shop,
      state: '',
      isOnline: false,
      scope: 'write_products',
      accessToken,
    }),
  );
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await store.close();
});

const bearer = (): Record<string, string> => ({
  authorization: `Bearer ${store.shop().sessionToken(API_KEY)}`,
});
const framed = (path: string): string => {
  const { pathname, search } = new URL(store.shop().embeddedUrl(API_KEY, path));
  return pathname + search;
};
const storedScope = async (): Promise<string | undefined> =>
  (await storage.loadSession(`offline_${store.shop().domain}`))?.scope;

/** What a merchant does on the page where scopes are granted. */
async function agree(grantPage: string): Promise<void> {
  const page = await (await fetch(grantPage)).text();
  const consent = /name="consent" value="([^"]+)"/.exec(page)?.[1] ?? '';
  const body = new URLSearchParams({ consent, decision: 'install' });
  const { origin, pathname } = new URL(grantPage);
  expect(
    (await fetch(origin + pathname, { method: 'POST', body, redirect: 'manual' })).status,
  ).toBe(303);
  await store.settled();
}

async function openNest(options: Partial<PlatformOptions> = {}): Promise<INestApplication> {
  @Module({
    imports: [
      PlatformModule.forRoot(
        appOptions({ shopOrigin: store.shopOrigin, sessionStorage: storage, ...options }),
      ),
    ],
    controllers: [ScopesController],
  })
  class App {}
  const app = await NestFactory.create(App, new ExpressAdapter(), {
    logger: false,
    abortOnError: false,
  });
  closing.push(() => app.close());
  await app.listen(0, '127.0.0.1');
  url = `http://127.0.0.1:${((app.getHttpServer() as Server).address() as AddressInfo).port}`;
  return app;
}

const get = (path: string, headers: Record<string, string> = bearer()): Promise<Response> =>
  fetch(url + path, { headers, redirect: 'manual' });

describe('a Nest app', () => {
  it('asks for an optional scope, is granted it, hears of it and gives it back', async () => {
    const told: unknown[] = [];
    const onScopesChanged: NonNullable<PlatformOptions['hooks']>['onScopesChanged'] = ({
      previousScopes,
      session,
    }) => void told.push([previousScopes, session.scope]);
    const app = await openNest({ hooks: { onScopesChanged } });
    const express = app.get(ExpressIntegration);
    const session = (await storage.loadSession(`offline_${store.shop().domain}`))!;
    await express.api.webhooks.register({ session });

    await expect((await get('/granted')).json()).resolves.toEqual({
      granted: expect.arrayContaining(['write_products', 'read_products']),
      required: ['write_products'],
      optional: WANTED,
    });
    const asked = await get('/ask');
    expect(asked.status).toBe(403);
    const grantPage = asked.headers.get('x-shopify-api-request-failure-reauthorize-url') ?? '';
    expect(grantPage).toBe(
      `${store.shop().origin}/admin/oauth/install?client_id=${API_KEY}&scope=write_products&optional_scopes=read_orders`,
    );

    await agree(grantPage);
    expect(await storedScope()).toBe('write_products,read_orders');
    await expect((await get('/ask')).text()).resolves.toBe('nothing to ask');
    expect(told).toEqual([[['write_products'], 'write_products,read_orders']]);

    await expect((await get('/give-back')).json()).resolves.toEqual({ revoked: WANTED });
    expect(await storedScope()).toBe('write_products');
    await store.settled();
    await get('/granted');
    expect(told).toEqual([
      [['write_products'], 'write_products,read_orders'],
      [['write_products', 'read_orders'], 'write_products'],
    ]);
  });

  it('sends a page in the frame out of it', async () => {
    await openNest();
    const response = await get(framed('/ask'), { accept: 'text/html', 'sec-fetch-dest': 'iframe' });
    expect(response.status).toBe(302);
    const location = new URL(response.headers.get('location') ?? '', APP_URL);
    expect(location.pathname).toBe('/exitiframe');
    expect(location.searchParams.get('redirectUri')).toContain('/admin/oauth/install?');
  });

  it('has one service for all its hosts', async () => {
    const app = await openNest();
    expect(app.get(ExpressIntegration).api.scopes).toBe(app.get(ScopesService));
  });

  it.each([
    ['comes twice', (deliver: () => Promise<unknown>) => Promise.all([deliver(), deliver()])],
    ['is about scopes the shop never granted', (deliver: () => Promise<unknown>) => deliver()],
  ])('is not harmed by a delivery that %s', async (_, arrive) => {
    const told: unknown[] = [];
    const app = await openNest({ hooks: { onScopesChanged: () => void told.push('changed') } });
    const session = (await storage.loadSession(`offline_${store.shop().domain}`))!;
    await app.get(ExpressIntegration).api.webhooks.register({ session });
    await get('/granted');
    await arrive(() =>
      store
        .shop()
        .deliver(
          'app/scopes_update',
          { previous: [], current: ['write_everything'] },
          { apiKey: API_KEY },
        ),
    );
    await store.settled();
    await get('/granted');
    expect([await storedScope(), told]).toEqual(['write_products', []]);
  });

  it('accepts a delivery of a shop whose token the platform refuses: there is nothing to ask for', async () => {
    await openNest();
    const shop = store.shop().domain;
    const dead = {
      id: `offline_${shop}`,
      shop,
      state: '',
      isOnline: false,
      scope: 'write_products',
      accessToken: 'shpat_of_an_app_that_is_gone',
    };
    await storage.storeSession(new Session(dead));
    const { headers, body } = signedWebhook({
      secret: API_SECRET,
      shop,
      topic: 'app/scopes_update',
      payload: { current: ['write_everything'] },
    });
    const response = await fetch(`${url}/webhooks`, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
    });
    expect([response.status, await storedScope()]).toEqual([200, 'write_products']);
  });
});

describe('a Remix app', () => {
  const open = () => {
    const app = platformApp({
      ...appOptions(),
      scopes: ['write_products'],
      sessionStorage: storage,
      shopOrigin: store.shopOrigin,
    });
    closing.push(() => app.close());
    return app;
  };
  const scopesOf = async (
    path = '/app',
    headers = bearer(),
  ): Promise<RemixAdminContext['scopes']> =>
    (await open().authenticate.admin(new Request(APP_URL + path, { headers }))).scopes;
  const thrown = (call: Promise<unknown>): Promise<Response> =>
    call.then(
      () => Promise.reject(new Error('Nothing was thrown.')),
      (error: unknown) => (error instanceof Response ? error : Promise.reject(error)),
    );

  it('throws the response that leads to the grant page, in the way the request allows', async () => {
    const call = await thrown((await scopesOf()).request(WANTED));
    expect(call.status).toBe(401);
    const grantPage = call.headers.get('x-shopify-api-request-failure-reauthorize-url') ?? '';
    expect(new URL(grantPage).searchParams.get('optional_scopes')).toBe('read_orders');
    const page = await thrown(
      (await scopesOf(framed('/app'), { accept: 'text/html' })).request(WANTED),
    );
    expect([page.status, page.headers.get('location')?.split('?')[0]]).toEqual([
      302,
      '/auth/exit-iframe',
    ]);
  });

  it('lets a foreign page, such as an extension, read where to go', async () => {
    const response = await thrown(
      (await scopesOf('/app', { ...bearer(), origin: 'https://extensions.example.com' })).request(
        WANTED,
      ),
    );
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([
      401,
      '*',
    ]);
  });

  it('answers with what is granted, and asks for nothing that is', async () => {
    const scopes = await scopesOf();
    await expect(scopes.query()).resolves.toMatchObject({
      granted: expect.arrayContaining(['write_products', 'read_products']),
      optional: WANTED,
    });
    await expect(scopes.request(['read_products'])).resolves.toBeUndefined();
    await expect(scopes.request([])).resolves.toBeUndefined();
  });

  it('refuses to give back nothing, and what is required', async () => {
    const scopes = await scopesOf();
    const empty = await thrown(scopes.revoke([]));
    expect([empty.status, await empty.text()]).toEqual([400, 'No scopes provided']);
    const required = await thrown(scopes.revoke(['write_products']));
    expect([required.status, required.headers.get('content-type')]).toEqual([
      422,
      'application/json',
    ]);
    await expect(required.json()).resolves.toEqual([
      expect.objectContaining({
        field: ['scopes'],
        message: 'Scopes that are declared as required cannot be revoked.',
      }),
    ]);
  });

  it('gives optional scopes back', async () => {
    store.shop().setScopes(API_KEY, ['write_products', ...WANTED]);
    await expect((await scopesOf()).revoke(WANTED)).resolves.toEqual({ revoked: WANTED });
    expect(await storedScope()).toBe('write_products');
  });

  it('keeps up with a delivery that reaches a route of its own', async () => {
    const { api } = open();
    const session = (await storage.loadSession(`offline_${store.shop().domain}`))!;
    store.shop().setScopes(API_KEY, ['write_products', ...WANTED]);
    await api.scopes.sync({ session });
    expect(await storedScope()).toBe('write_products,read_orders');
  });
});
