import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Controller, Get, Module, RequestMethod, UseGuards, VersioningType } from '@nestjs/common';
import { NestFactory, RouterModule } from '@nestjs/core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { signedExtensionToken, signedFlowAction } from '../../../lib/dev-store/index.js';
import { CheckoutGuard, FlowGuard, PlatformModule, Shop } from '../../../lib/index.js';
import { API_KEY, API_SECRET, SHOP, appOptions } from '../../support/app.js';
import { ADAPTERS, openSurfaces, ran } from './signed-guards.fixture.js';

const FOREIGN = 'https://extensions.example.com';

describe.each(ADAPTERS)('guards of signed requests on %s', (_, adapter) => {
  let open: Awaited<ReturnType<typeof openSurfaces>>;
  beforeAll(async () => {
    open = await openSurfaces(adapter, {
      prepare: (app) => app.setGlobalPrefix('api', { exclude: [] }).enableVersioning(URI),
    });
  });
  afterAll(() => open.close());
  beforeEach(() => {
    ran.length = 0;
  });
  const URI = { type: VersioningType.URI, defaultVersion: '1' } as const;
  const at = (path: string): string => `${open.appUrl}/api/v1${path}`;
  const moved = (url: string): string => url.replace(open.appUrl, `${open.appUrl}/api/v1`);

  it('let a visitor of a storefront in, with what the shop has', async () => {
    const url = moved(open.shop.appProxyUrl(API_KEY, '/page?q=a%20b'));
    for (const method of ['GET', 'POST']) {
      const response = await fetch(url, { method });
      expect(response.status).toBe(203);
      expect(response.headers.get('content-type')).toBe('application/liquid');
      expect(response.headers.get('x-a')).toBe('1');
      expect(await response.text()).toBe('{% layout none %} <a href="/next/">');
    }
    const [{ proxy, shop, same }] = ran as [Proxied];
    expect([proxy.session!.shop, proxy.shop, shop, same]).toEqual([SHOP, SHOP, SHOP, SHOP]);
    expect(await titles(proxy.admin!)).toEqual({ products: { nodes: expect.any(Array) } });
  });

  it('let a visitor of a shop without a session in', async () => {
    await open.sessionStorage.deleteSession(`offline_${SHOP}`);
    const response = await fetch(moved(open.shop.appProxyUrl(API_KEY, '/page')));
    await open.store();
    expect(response.status).toBe(203);
    const [{ proxy }] = ran as [Proxied];
    expect([proxy.session, proxy.admin, proxy.storefront]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('let Flow and the fulfillment service in', async () => {
    const action = await open.shop.runFlowAction(API_KEY, '/api/v1/flow', {
      properties: { tag: 'é' },
    });
    expect(action.status).toBe(200);
    const [flow] = ran as [Flowing];
    expect(flow.payload).toMatchObject({ shopify_domain: SHOP, properties: { tag: 'é' } });
    expect(flow.action.payload).toBe(flow.payload);
    expect(flow.session.shop).toBe(SHOP);
    expect(flow.admin).toBe(flow.action.admin);
    expect(await titles(flow.admin)).toEqual({ products: { nodes: expect.any(Array) } });

    const notified = await open.shop.notifyFulfillmentService(
      API_KEY,
      '/api/v1/service',
      'CANCELLATION_REQUEST',
    );
    expect(notified.status).toBe(200);
    expect(ran[1]).toEqual({ payload: { kind: 'CANCELLATION_REQUEST' }, shop: SHOP });
  });

  it('let a merchant in who opens the app, and any other signed body', async () => {
    const opened = await fetch(moved(open.shop.launchUrl(API_KEY, '/launch?from=menu')));
    expect([opened.status, ran[0]]).toEqual([200, { shop: SHOP }]);
    const body = '{"ä": [1]}';
    const signed = signedFlowAction({ secret: API_SECRET, shop: SHOP, body });
    const posted = await fetch(at('/body'), {
      method: 'POST',
      headers: signed.headers,
      body: new Uint8Array(signed.body),
    });
    expect([posted.status, ran[1]]).toEqual([200, { text: body }]);
  });

  it.each([
    ['checkout', 'POST', '/api/v1/extensions/checkout', 'Authorization, Content-Type, X-Extra'],
    ['pos', 'GET', '/api/v1/extensions/pos/7', 'Authorization, Content-Type'],
    ['customer-account', 'GET', '/api/v2/accounts', 'Authorization, Content-Type'],
  ] as const)('let extensions in: %s', async (surface, method, path, allowed) => {
    const url = open.appUrl + path;
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: { origin: FOREIGN, 'access-control-request-method': method },
    });
    expect([preflight.status, await preflight.text()]).toEqual([204, '']);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-headers')).toBe(allowed);

    // At the point of sale the guard of the controller takes the same token.
    const token = open.shop.extensionToken(API_KEY, surface);
    const headers = { authorization: `Bearer ${token}`, origin: FOREIGN };
    const response = await fetch(url, { method, headers });
    expect(response.status).toBe(200);
    expect(response.headers.get('access-control-allow-headers')).toBe(allowed);
    const [{ token: claims, shop }] = ran as [{ token: { dest: string }; shop: string }];
    expect([claims.dest.replace('https://', ''), shop]).toEqual([SHOP, SHOP]);

    const refused = await fetch(url, { method, headers: { origin: FOREIGN } });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('access-control-allow-origin')).toBe('*');
    expect(await refused.json()).toMatchObject({ error: 'session_token_missing', statusCode: 401 });
    expect(ran).toHaveLength(1);
  });

  it('answer preflight requests of the routes and methods they guard alone', async () => {
    for (const [path, method] of [
      ['/api/v2/accounts/free', 'GET'],
      ['/api/v2/accounts', 'DELETE'],
      ['/api/v1/accounts', 'GET'],
      ['/accounts', 'GET'],
    ]) {
      const response = await fetch(open.appUrl + path!, {
        method: 'OPTIONS',
        headers: { origin: FOREIGN, 'access-control-request-method': method! },
      });
      expect([path, response.status]).toEqual([path, 404]);
      expect(response.headers.get('access-control-allow-origin')).toBe(null);
    }
  });

  it('refuse a method by which the platform does not send', async () => {
    const response = await fetch(at('/flow'));
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    expect(ran).toEqual([]);
  });
});

interface Client {
  graphql(query: string): Promise<{ data?: unknown }>;
}
interface Proxied {
  proxy: { session?: { shop: string }; shop: string; admin?: Client; storefront?: Client };
  shop: string;
  same: string;
}
interface Flowing {
  action: { payload: unknown; admin: Client };
  payload: unknown;
  session: { shop: string };
  admin: Client;
}
const titles = async (admin: Client): Promise<unknown> =>
  (await admin.graphql('{ products(first: 1) { nodes { title } } }')).data;

describe.each(ADAPTERS)('guards of a named app on %s', (_, adapter) => {
  const SECRET_OF_B = 'secret-of-b-0123456789';

  @Controller('points')
  class OfB {
    @Get()
    @UseGuards(CheckoutGuard.with({ corsHeaders: ['X-B'] }).of('b'))
    points(@Shop() shop: string): { shop: string } {
      return { shop };
    }
  }
  @Module({ controllers: [OfB] })
  class PointsModule {}
  @Module({
    imports: [
      PlatformModule.forRoot(appOptions()),
      PlatformModule.forRoot({
        ...appOptions({ apiSecretKey: SECRET_OF_B }),
        name: 'b',
        isGlobal: true,
        paths: { auth: '/b/auth', webhooks: '/b/webhooks', exitIframe: '/b/exitiframe' },
      }),
      PointsModule,
      RouterModule.register([{ path: 'mounted', module: PointsModule }]),
    ],
  })
  class TwoApps {}

  it('take its secret alone, and answer preflight requests below a mounted module', async () => {
    const app = await NestFactory.create(TwoApps, adapter(), {
      logger: false,
      abortOnError: false,
    });
    try {
      await app.listen(0, '127.0.0.1');
      const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
      const url = `http://127.0.0.1:${port}/mounted/points`;
      const preflight = await fetch(url, {
        method: 'OPTIONS',
        headers: { origin: FOREIGN, 'access-control-request-method': 'GET' },
      });
      expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
        204,
        'Authorization, Content-Type, X-B',
      ]);
      const statuses = [API_SECRET, SECRET_OF_B].map(async (secret) => {
        const token = signedExtensionToken({
          ...{ apiKey: API_KEY, secret, shop: SHOP, surface: 'checkout' },
        });
        return (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status;
      });
      expect(await Promise.all(statuses)).toEqual([401, 200]);
    } finally {
      await app.close();
    }
  });

  it('answer preflight requests of a route whose methods are excluded from the prefix', async () => {
    const app = await NestFactory.create(TwoApps, adapter(), {
      logger: false,
      abortOnError: false,
    });
    const methods = [RequestMethod.GET, RequestMethod.OPTIONS];
    app.setGlobalPrefix('api', {
      exclude: methods.map((method) => ({ path: 'mounted/points', method })),
    });
    try {
      await app.listen(0, '127.0.0.1');
      const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
      const answers = ['/mounted/points', '/api/mounted/points'].map((path) =>
        fetch(`http://127.0.0.1:${port}${path}`, {
          method: 'OPTIONS',
          headers: { origin: FOREIGN, 'access-control-request-method': 'GET' },
        }),
      );
      expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([204, 404]);
    } finally {
      await app.close();
    }
  });

  it('are one class for each app, so that tests can override them', () => {
    expect(FlowGuard.of('b')).toBe(FlowGuard.of('b'));
    expect(FlowGuard.of('b')).not.toBe(FlowGuard.of('c'));
    expect(FlowGuard.of('default')).toBe(FlowGuard);
  });
});
