import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Controller, ForbiddenException, Get, Module } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { DevStore, signedSessionToken } from '../../../lib/dev-store/index.js';
import {
  AdminApi,
  CurrentSession,
  InvalidOptionsError,
  OnUnauthenticated,
  PlatformModule,
  UseOfflineSession,
  UseOnlineSession,
} from '../../../lib/index.js';
import type { AdminContext, PlatformOptions, Session } from '../../../lib/index.js';
import { MemorySessionStorage } from '../../../lib/sessions/storages/memory/memory-session.storage.js';
import { API_KEY, API_SECRET, APP_URL, SHOP, appOptions } from '../../support/app.js';

const ADAPTERS = [
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
] as const;
const OTHER_SHOP = 'other-shop.myshopify.com';
const [ADA, BOB] = [42, 43];

/** Whose session a handler has got. */
const facts = ({ shop, isOnline, onlineAccessInfo }: Session) => ({
  shop,
  isOnline,
  user: onlineAccessInfo?.associated_user.id ?? null,
});
const userOf = (user: number | null, shop = SHOP) => ({ shop, isOnline: user !== null, user });

@Controller('routes')
@UseOnlineSession()
class OnlineRoutes {
  @Get('online')
  online(@CurrentSession() session: Session): object {
    return facts(session);
  }

  @Get('offline')
  @UseOfflineSession()
  offline(@CurrentSession() session: Session): object {
    return facts(session);
  }

  @Get('name')
  async name(@AdminApi() admin: AdminContext): Promise<object> {
    return (await admin.graphql<{ shop: object }>('{ shop { name } }')).data!.shop;
  }

  @Get('offline-name')
  @UseOfflineSession()
  async offlineName(@AdminApi() admin: AdminContext): Promise<object> {
    return (await admin.graphql<{ shop: object }>('{ shop { name } }')).data!.shop;
  }
}

/** How often a strategy was asked, and about what. */
const asked: string[] = [];

@Controller('strategies')
@OnUnauthenticated('deny')
class Strategies {
  @Get('denied')
  denied(@CurrentSession() session: Session): object {
    return facts(session);
  }

  @Get('name')
  async name(@AdminApi() admin: AdminContext): Promise<object> {
    return (await admin.graphql<{ shop: object }>('{ shop { name } }')).data!.shop;
  }

  @Get('redirected')
  @OnUnauthenticated('redirect')
  redirected(): object {
    return {};
  }

  @Get('open')
  @OnUnauthenticated(({ reason }) => asked.push(reason) > 0)
  open(): object {
    return { open: true };
  }

  @Get('unguarded')
  @OnUnauthenticated(() => true)
  unguarded(@CurrentSession() session: Session): object {
    return facts(session);
  }

  @Get('unclear')
  @OnUnauthenticated((() => 'deny') as unknown as () => boolean)
  unclear(): object {
    return {};
  }

  @Get('closed')
  @OnUnauthenticated(() => false)
  closed(): object {
    return {};
  }

  @Get('of-app')
  @OnUnauthenticated(() => {
    throw new ForbiddenException('of the app');
  })
  ofApp(): object {
    return {};
  }
}

@Controller('two-apps')
@OnUnauthenticated('deny', { app: 'b' })
class TwoApps {
  @Get('b-first')
  @OnUnauthenticated('redirect')
  bFirst(): object {
    return {};
  }
}

describe.each(ADAPTERS)('access modes of routes of a Nest app on %s', (_, adapter) => {
  let devStore: DevStore;
  let storage: MemorySessionStorage;
  let url: string;
  let close = async (): Promise<void> => {};

  beforeEach(async () => {
    asked.length = 0;
    storage = new MemorySessionStorage();
    devStore = await DevStore.open({
      apps: [{ apiKey: API_KEY, apiSecretKey: API_SECRET, appUrl: APP_URL }],
      shops: [SHOP, OTHER_SHOP],
      deliveryRetries: [],
    });
    for (const shop of [SHOP, OTHER_SHOP])
      devStore.shop(shop).install(API_KEY, { scopes: ['write_products'] });
  });
  afterEach(async () => {
    await close();
    await devStore.close();
    close = async () => {};
  });

  async function open(controllers: Type[], options: Partial<PlatformOptions> = {}): Promise<void> {
    const { shopOrigin } = devStore;
    const appB = {
      ...appOptions({ shopOrigin, sessionStorage: new MemorySessionStorage() }),
      name: 'b',
      paths: { auth: '/b/auth', webhooks: '/b/webhooks', exitIframe: '/b/exitiframe' },
    };
    @Module({
      imports: [
        PlatformModule.forRoot(appOptions({ shopOrigin, sessionStorage: storage, ...options })),
        PlatformModule.forRoot(appB),
      ],
      controllers,
    })
    class App {}
    const app = await NestFactory.create(App, adapter(), { logger: false, abortOnError: false });
    close = () => app.close();
    await app.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${((app.getHttpServer() as Server).address() as AddressInfo).port}`;
  }

  const bearer = (userId: number, shop = SHOP) => ({
    authorization: `Bearer ${signedSessionToken({ apiKey: API_KEY, secret: API_SECRET, shop, userId })}`,
  });
  const PAGE = { accept: 'text/html', 'sec-fetch-dest': 'document' };
  async function get(path: string, headers: Record<string, string>) {
    const response = await fetch(url + path, { headers, redirect: 'manual' });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : text,
    };
  }
  const bodyOf = async (path: string, headers: Record<string, string>): Promise<unknown> =>
    (await get(path, headers)).body;
  const grants = (shop = SHOP) =>
    devStore.shop(shop).tokenRequests.map(({ requested }) => requested);

  describe.each([false, true])('with useOnlineTokens: %s', (useOnlineTokens) => {
    it('give each route the session it asks for, stored beside the others', async () => {
      await open([OnlineRoutes], { useOnlineTokens });
      expect(await bodyOf('/routes/online', bearer(ADA))).toEqual(userOf(ADA));
      expect(await bodyOf('/routes/offline', bearer(ADA))).toEqual(userOf(null));
      expect(await bodyOf('/routes/online', bearer(BOB))).toEqual(userOf(BOB));
      const before = grants().length;
      expect(await bodyOf('/routes/online', bearer(ADA))).toEqual(userOf(ADA));
      expect(await bodyOf('/routes/offline', bearer(BOB))).toEqual(userOf(null));
      expect(grants()).toHaveLength(before);
      const ids = (await storage.findSessionsByShop(SHOP)).map(({ id }) => id);
      expect(ids.sort()).toEqual([`offline_${SHOP}`, `${SHOP}_${ADA}`, `${SHOP}_${BOB}`].sort());
    });

    it('never give a route the session of another user, shop or access mode', async () => {
      await open([OnlineRoutes], { useOnlineTokens });
      const cases = [SHOP, OTHER_SHOP].flatMap((shop) =>
        [ADA, BOB].flatMap((user) => [
          { path: '/routes/online', shop, user, expected: userOf(user, shop) },
          { path: '/routes/offline', shop, user, expected: userOf(null, shop) },
        ]),
      );
      for (const round of [cases, cases.toReversed()]) {
        const got = await Promise.all(
          round.map(({ path, shop, user }) => bodyOf(path, bearer(user, shop))),
        );
        expect(got).toEqual(round.map(({ expected }) => expected));
      }
      await storage.deleteSession(`${SHOP}_${ADA}`);
      expect(await bodyOf('/routes/online', bearer(ADA))).toEqual(userOf(ADA));
      expect(await bodyOf('/routes/online', bearer(ADA, OTHER_SHOP))).toEqual(
        userOf(ADA, OTHER_SHOP),
      );
    });

    it.each(['/routes/name', '/routes/offline-name'])(
      'exchange a token that the platform rejects for one of the same kind: %s',
      async (path) => {
        await open([OnlineRoutes], { useOnlineTokens });
        expect((await get(path, bearer(ADA))).status).toBe(200);
        const first = await storage.findSessionsByShop(SHOP);
        devStore.shop(SHOP).revokeTokens(API_KEY);
        expect(await get(path, bearer(ADA))).toMatchObject({
          status: 200,
          body: { name: expect.any(String) },
        });
        const isOnline = path === '/routes/name';
        const tokenIn = (sessions: Session[]) =>
          sessions.find((one) => one.isOnline === isOnline)?.accessToken;
        expect(tokenIn(await storage.findSessionsByShop(SHOP))).not.toBe(tokenIn(first));
      },
    );

    it('answer a refused session token as other routes do', async () => {
      await open([OnlineRoutes], { useOnlineTokens });
      const { status, body, headers } = await get('/routes/online', { authorization: 'Bearer x' });
      expect([status, body.error]).toEqual([401, 'session_token_invalid']);
      expect(headers.get('x-shopify-retry-invalid-session-request')).toBe('1');
    });
  });

  it('run afterAuth with a session of the access mode of the app', async () => {
    const authenticated: object[] = [];
    const hooks = {
      afterAuth: ({ session }: { session: Session }) => void authenticated.push(facts(session)),
    };
    await open([OnlineRoutes], { hooks });
    await get('/routes/online', bearer(ADA));
    await get('/routes/online', bearer(BOB));
    expect(authenticated).toEqual([userOf(null)]);
  });

  it('renew the token of the app only when it is due', async () => {
    await open([OnlineRoutes]);
    await get('/routes/offline', bearer(ADA));
    await get('/routes/online', bearer(ADA));
    await get('/routes/online', bearer(BOB));
    expect(grants()).toEqual(['offline', 'online', 'online']);
  });

  it('leave the consent page once a shop has granted what a user lacked', async () => {
    await open([OnlineRoutes], { scopes: ['write_products', 'read_orders'] });
    expect((await get('/routes/online', bearer(ADA))).body.error).toBe('scopes_changed');
    devStore.shop(SHOP).install(API_KEY, { scopes: ['write_products', 'read_orders'] });
    await storage.deleteSession(`offline_${SHOP}`);
    const offline = await get('/routes/offline', bearer(ADA));
    expect(offline.body).toEqual(userOf(null));
    expect(await bodyOf('/routes/online', bearer(ADA))).toEqual(userOf(ADA));
  });

  it.each([
    [{ isEmbeddedApp: false }, 'OnlineRoutes: an app that is not embedded'],
    [
      { isEmbeddedApp: false, useOnlineTokens: true },
      'OnlineRoutes.offline: an app that is not embedded',
    ],
  ])('refuse to start where a cookie names one session: %j', async (options, message) => {
    await expect(open([OnlineRoutes], options)).rejects.toThrow(message);
  });

  it('deny, as the handler or its controller says, without leading anywhere', async () => {
    await open([Strategies]);
    for (const query of ['', `?shop=${SHOP}`, `?shop=${SHOP}&embedded=1`]) {
      const { status, headers, body } = await get(`/strategies/denied${query}`, PAGE);
      expect([status, headers.get('location'), headers.get('set-cookie')]).toEqual([
        401,
        null,
        null,
      ]);
      expect(body).toMatchObject({ error: expect.any(String), statusCode: 401 });
    }
    expect((await get('/strategies/denied', bearer(ADA))).body).toEqual(userOf(null));
    expect((await get(`/strategies/redirected?shop=${SHOP}`, PAGE)).status).toBe(302);
    expect((await get('/strategies/denied?shop=x', bearer(ADA))).status).toBe(400);
  });

  it('deny a fetch that App Bridge would otherwise lead to the consent page', async () => {
    await open([Strategies], { scopes: ['read_orders'] });
    const { status, headers, body } = await get('/strategies/denied', bearer(ADA));
    expect([status, body.error]).toEqual([401, 'scopes_changed']);
    expect([...headers.keys()].filter((name) => name.startsWith('x-shopify'))).toEqual([]);
  });

  it('deny a page whose token the platform rejects while its handler works', async () => {
    await open([Strategies]);
    expect((await get('/strategies/name', bearer(ADA))).status).toBe(200);
    await devStore.shop(SHOP).uninstall(API_KEY);
    const query = new URL(devStore.shop(SHOP).embeddedUrl(API_KEY, '/')).search;
    const { status, headers, body } = await get(`/strategies/name${query}`, PAGE);
    expect([status, headers.get('location')]).toEqual([401, null]);
    expect(headers.get('content-type')).toContain('application/json');
    expect(body).toMatchObject({ error: expect.any(String), statusCode: 401 });
  });

  // Whatever was unknown acted as redirect.
  it.each([['denied'], [''], [undefined], [null]])('cannot be told to answer with %j', (given) => {
    const declare = (): unknown => OnUnauthenticated(given as 'deny');
    expect(declare).toThrow(InvalidOptionsError);
    expect(declare).toThrow("@OnUnauthenticated(): must be given 'redirect', 'deny' or a function");
  });

  it('let a function decide, once for a controller and its handler', async () => {
    await open([Strategies]);
    expect((await get('/strategies/open', { 'sec-fetch-dest': 'empty' })).body).toEqual({
      open: true,
    });
    expect(asked).toEqual(['session_token_missing']);
    expect((await get('/strategies/open', bearer(ADA))).body).toEqual({ open: true });
    expect(asked).toHaveLength(1);
    expect((await get('/strategies/closed', PAGE)).status).toBe(403);
    expect((await get('/strategies/unclear', PAGE)).status).toBe(403);
    expect((await get('/strategies/of-app', PAGE)).body.message).toBe('of the app');
    expect((await get('/strategies/unguarded', PAGE)).status).toBe(500);
    expect((await get('/strategies/unguarded', bearer(ADA))).body).toEqual(userOf(null));
  });

  it('keep what is said of one app apart from what is said of another', async () => {
    await open([TwoApps]);
    const { status, headers } = await get(`/two-apps/b-first?shop=${SHOP}`, PAGE);
    expect([status, headers.get('location')]).toEqual([401, null]);
    expect((await get('/two-apps/b-first', bearer(ADA))).status).toBe(200);
  });
});
