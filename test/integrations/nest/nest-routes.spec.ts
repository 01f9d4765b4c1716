import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Module, RequestMethod } from '@nestjs/common';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { describe, expect, it } from '@jest/globals';

import { signedWebhook } from '../../../lib/dev-store/index.js';
import {
  AuthService,
  PlatformConfig,
  PlatformModule,
  WebhookReceiver,
} from '../../../lib/index.js';
import type { WebhookDelivery } from '../../../lib/index.js';
import { uriOf } from '../../../lib/webhooks/subscriptions/webhook-subscription.js';
import { API_SECRET, SHOP, appOptions } from '../../support/app.js';
import { handlerModule, openNest } from '../../support/hosts.js';
import type { RunningHost } from '../../support/hosts.js';

const ADAPTERS = [
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
] as const;

async function deliver(url: string): Promise<number> {
  const { headers, body } = signedWebhook({
    secret: API_SECRET,
    shop: SHOP,
    topic: 'products/create',
    payload: { id: 1 },
  });
  return (await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) })).status;
}

async function during<T>(host: RunningHost, use: (host: RunningHost) => Promise<T>): Promise<T> {
  try {
    return await use(host);
  } finally {
    await host.close();
  }
}

describe.each(ADAPTERS)('the routes in front of a Nest app on %s', (_, adapter) => {
  const withPrefix = (
    ...prefix: Parameters<INestApplication['setGlobalPrefix']>
  ): Promise<RunningHost> =>
    openNest(adapter(), {}, { before: (app) => void app.setGlobalPrefix(...prefix) });

  // In a testing module providers are made before there is a server; the routes were silently
  // missing.
  it('are there in an app made from a testing module', async () => {
    const handled: WebhookDelivery[] = [];
    const module = await Test.createTestingModule({
      imports: [PlatformModule.forRoot(appOptions()), handlerModule(handled, undefined)],
    }).compile();
    const app = module.createNestApplication(adapter(), { logger: false });
    await app.listen(0, '127.0.0.1');
    try {
      const url = `http://127.0.0.1:${((app.getHttpServer() as Server).address() as AddressInfo).port}`;
      expect(await deliver(`${url}/webhooks`)).toBe(200);
      expect(handled).toHaveLength(1);
      expect((await fetch(`${url}/auth?shop=${SHOP}`, { redirect: 'manual' })).status).toBe(302);
    } finally {
      await app.close();
    }
  });

  it('stand below the global prefix, which the callback address carries', async () => {
    await during(await withPrefix('api/v2'), async ({ url }) => {
      expect(await deliver(`${url}/api/v2/webhooks`)).toBe(200);
      expect(await deliver(`${url}/webhooks`)).toBe(404);
      const location =
        (await fetch(`${url}/api/v2/auth?shop=${SHOP}`, { redirect: 'manual' })).headers.get(
          'location',
        ) ?? '';
      expect(new URL(location).searchParams.get('redirect_uri')).toBe(
        'https://app.example.com/api/v2/auth/callback',
      );
    });
  });

  it('ignore a global prefix that is only a slash', async () => {
    await during(await withPrefix('/'), async ({ url }) =>
      expect(await deliver(`${url}/webhooks`)).toBe(200),
    );
  });

  it('leave the prefix where the app excludes them, by path and method as Nest does', async () => {
    await during(
      await withPrefix('api', { exclude: [{ path: 'webhooks', method: RequestMethod.POST }] }),
      async ({ url }) => {
        expect(await deliver(`${url}/webhooks`)).toBe(200);
        expect((await fetch(`${url}/api/auth?shop=${SHOP}`, { redirect: 'manual' })).status).toBe(
          302,
        );
      },
    );
    await during(
      await withPrefix('api', { exclude: [{ path: 'webhooks', method: RequestMethod.GET }] }),
      async ({ url }) => {
        expect(await deliver(`${url}/api/webhooks`)).toBe(200);
        expect(await deliver(`${url}/webhooks`)).toBe(404);
      },
    );
  });

  it('apply both to the paths that handlers name, which are subscribed so', async () => {
    const ran: string[] = [];
    const handler = (callbackUrl: string) =>
      ({
        deliveryMethod: 'http',
        callbackUrl,
        callback: () => void ran.push(callbackUrl),
      }) as const;
    const PRODUCTS_CREATE = [
      '/hooks/a?b=c',
      '/hooks/free',
      'https://app.example.com/hooks/whole',
    ].map(handler);
    let config: PlatformConfig | undefined;
    const host = await openNest(
      adapter(),
      { options: { webhooks: { PRODUCTS_CREATE } } },
      {
        before: (app) => {
          app.setGlobalPrefix('api', {
            exclude: [{ path: 'hooks/free', method: RequestMethod.POST }],
          });
          config = app.get(PlatformConfig);
        },
      },
    );
    await during(host, async ({ url }) => {
      const there = ['/api/hooks/a', '/api/hooks/a/', '/hooks/free', '/hooks/whole'];
      const notThere = ['/hooks/a', '/api/hooks/free', '/api/hooks/whole'];
      for (const path of there) expect([path, await deliver(url + path)]).toEqual([path, 200]);
      for (const path of notThere) expect([path, await deliver(url + path)]).toEqual([path, 404]);
      const [a, , free, whole] = ran;
      expect([a, free, whole]).toEqual(PRODUCTS_CREATE.map(({ callbackUrl }) => callbackUrl));
      expect(PRODUCTS_CREATE.map((subscription) => uriOf(subscription, config!))).toEqual([
        'https://app.example.com/api/hooks/a?b=c',
        'https://app.example.com/hooks/free',
        'https://app.example.com/hooks/whole',
      ]);
    });
  });

  it('leave every other path to the app', async () => {
    await during(await openNest(adapter()), async ({ url }) => {
      expect((await fetch(`${url}/page`)).status).toBe(401);
      expect((await fetch(`${url}/webhooks/more`, { method: 'POST' })).status).toBe(404);
      expect((await fetch(`${url}/AUTH?shop=${SHOP}`)).status).toBe(404);
    });
  });

  it('answer other methods with 405', async () => {
    await during(await openNest(adapter()), async ({ url }) => {
      expect((await fetch(`${url}/webhooks`)).status).toBe(405);
      expect((await fetch(`${url}/auth?shop=${SHOP}`, { method: 'DELETE' })).status).toBe(405);
    });
  });
});

describe('an app without routes', () => {
  it('has the services only', async () => {
    @Module({ imports: [PlatformModule.forRoot({ ...appOptions(), routes: false })] })
    class ServicesOnly {}
    const app = await NestFactory.create(ServicesOnly, new ExpressAdapter(), {
      logger: false,
      abortOnError: false,
    });
    await app.listen(0, '127.0.0.1');
    try {
      expect(
        await deliver(
          `http://127.0.0.1:${((app.getHttpServer() as Server).address() as AddressInfo).port}/webhooks`,
        ),
      ).toBe(404);
      expect([app.get(AuthService), app.get(WebhookReceiver)]).toEqual([
        expect.any(AuthService),
        expect.any(WebhookReceiver),
      ]);
    } finally {
      await app.close();
    }
  });
});

describe('two apps on the same paths', () => {
  // The second never got a request, and nothing said so.
  it('fail at boot', async () => {
    @Module({
      imports: [
        PlatformModule.forRoot(appOptions()),
        PlatformModule.forRoot({
          ...appOptions({ apiKey: 'b' }),
          name: 'b',
          paths: { auth: '/b' },
        }),
      ],
    })
    class Clash {}
    const app = await NestFactory.create(Clash, new ExpressAdapter(), {
      logger: false,
      abortOnError: false,
    });
    await expect(app.init()).rejects.toThrow(
      /paths\.webhooks: "\/webhooks" answers for another app/,
    );
    await app.close();
  });

  it.each(['/webhooks', '/hooks/orders'])(
    'fail at boot when a handler of one names %s, where the other answers',
    async (callbackUrl) => {
      // Whichever came first refused the deliveries of the other.
      const handler = (url: string) =>
        ({
          ORDERS_PAID: { deliveryMethod: 'http', callbackUrl: url, callback: () => {} },
        }) as const;
      @Module({
        imports: [
          PlatformModule.forRoot({ ...appOptions({ webhooks: handler('/hooks/orders') }) }),
          PlatformModule.forRoot({
            ...appOptions({ apiKey: 'b', webhooks: handler(callbackUrl) }),
            name: 'b',
            paths: { auth: '/b', exitIframe: '/b/exit', webhooks: '/b/webhooks' },
          }),
        ],
      })
      class Clash {}
      const app = await NestFactory.create(Clash, new ExpressAdapter(), {
        logger: false,
        abortOnError: false,
      });
      await expect(app.init()).rejects.toThrow(
        `callbackUrl: "${callbackUrl}" answers for another app`,
      );
      await app.close();
    },
  );

  // It named `callbackUrl`, which such a handler does not have.
  it.each([
    ['/flow', { flowActions: { tag: () => {} } }, 'webhooks.flowPath'],
    [
      '/fulfillment_order_notification',
      { fulfillmentService: () => {} },
      'webhooks.fulfillmentServicePath',
    ],
  ] as const)('fail at boot when both take %s', async (path, webhooks, option) => {
    @Module({
      imports: [
        PlatformModule.forRoot(appOptions({ webhooks })),
        PlatformModule.forRoot({
          ...appOptions({ apiKey: 'b', webhooks }),
          name: 'b',
          paths: { auth: '/b', exitIframe: '/b/exit', webhooks: '/b/webhooks' },
        }),
      ],
    })
    class Clash {}
    const app = await NestFactory.create(Clash, new ExpressAdapter(), {
      logger: false,
      abortOnError: false,
    });
    await expect(app.init()).rejects.toThrow(`${option}: "${path}" answers for another app`);
    await app.close();
  });
});
