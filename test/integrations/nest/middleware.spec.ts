import { AsyncLocalStorage } from 'node:async_hooks';

import fastifyHelmet from '@fastify/helmet';
import { ForbiddenException, Injectable, Module } from '@nestjs/common';
import type { CanActivate, INestApplication, MiddlewareConsumer, NestModule } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { describe, expect, it } from '@jest/globals';
import express from 'express';
import type { NextFunction, Request, Response } from 'express';
import { rateLimit } from 'express-rate-limit';
import helmet from 'helmet';
import { ClsMiddleware, ClsModule, ClsServiceManager } from 'nestjs-cls';

import { signedWebhook } from '../../../lib/dev-store/index.js';
import { ExpressIntegration, PlatformModule } from '../../../lib/index.js';
import { API_SECRET, SHOP, appOptions } from '../../support/app.js';
import { handlerModule, openNest } from '../../support/hosts.js';
import type { HostOptions, RunningHost } from '../../support/hosts.js';

const ADAPTERS = [
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
] as const;
/** Paths of the toolkit, with the status of a request that names no shop. */
const OURS = [
  ['GET', '/auth', 400],
  ['GET', '/auth/callback', 400],
  ['GET', '/exitiframe', 400],
  ['POST', '/webhooks', 400],
] as const;

function deliver(url: string, payload: object = { id: 1 }): Promise<globalThis.Response> {
  const { headers, body } = signedWebhook({
    secret: API_SECRET,
    shop: SHOP,
    topic: 'products/create',
    payload,
  });
  return fetch(`${url}/webhooks`, { method: 'POST', headers, body: new Uint8Array(body) });
}

type Nest = NonNullable<Parameters<typeof openNest>[2]>;

async function during<T>(
  adapter: ExpressAdapter | FastifyAdapter,
  { host, ...nest }: Nest & { host?: HostOptions },
  use: (host: RunningHost) => Promise<T>,
): Promise<T> {
  const running = await openNest(adapter, host, nest);
  try {
    return await use(running);
  } finally {
    await running.close();
  }
}

@Injectable()
class NobodyGuard implements CanActivate {
  canActivate(): boolean {
    throw new ForbiddenException();
  }
}

describe.each(ADAPTERS)('middleware that the app registers on %s', (name, adapter) => {
  it('runs in front of the routes of the toolkit, which guards do not reach', async () => {
    const log: string[] = [];
    const before = (app: INestApplication): void => {
      app.use(helmet());
      app.use((req: Request, _res: Response, next: NextFunction) => {
        log.push(`${req.method} ${req.originalUrl}`);
        next();
      });
    };
    const providers = [{ provide: APP_GUARD, useClass: NobodyGuard }];
    await during(adapter(), { before, providers }, async ({ url }) => {
      for (const [method, path, status] of OURS) {
        const response = await fetch(url + path, { method });
        expect([path, response.status]).toEqual([path, status]);
        expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      }
      expect(log).toEqual(OURS.map(([method, path]) => `${method} ${path}`));
      expect((await fetch(`${url}/page`)).status).toBe(403);
    });
  });

  // The policy of helmet would keep App Bridge from loading, and the page out of the admin.
  it('leaves the pages of the toolkit the policy that they need', async () => {
    const before = (app: INestApplication): void => void app.use(helmet());
    await during(adapter(), { before }, async ({ url }) => {
      const response = await fetch(`${url}/exitiframe?shop=${SHOP}&exitIframe=%2Fauth`);
      const policy = response.headers.get('content-security-policy');
      expect(policy).toContain(`frame-ancestors https://${SHOP}`);
      expect(policy).not.toContain("script-src 'self'");
    });
  });

  it('may say who frames the pages of the app', async () => {
    // On Fastify it was answered with 500: Node's own response has no `locals`.
    @Module({})
    class Framed implements NestModule {
      constructor(private readonly express: ExpressIntegration) {}

      configure(consumer: MiddlewareConsumer): void {
        consumer.apply(this.express.cspHeaders()).forRoutes('{*path}');
      }
    }
    await during(adapter(), { imports: [Framed] }, async ({ url }) => {
      const response = await fetch(`${url}/missing?shop=${SHOP}`);
      expect(response.status).toBe(404);
      expect(response.headers.get('content-security-policy')).toContain(
        `frame-ancestors https://${SHOP}`,
      );
    });
  });

  it('may answer by itself, such as a limit of requests', async () => {
    const before = (app: INestApplication): void => {
      // Its own handler expects a response of Express.
      const handler = (_: Request, res: Response): void => void res.writeHead(429).end();
      app.use(rateLimit({ windowMs: 60_000, limit: 2, validate: false, handler }));
    };
    await during(adapter(), { before }, async ({ url, handled }) => {
      const statuses = [];
      for (let sent = 0; sent < 3; sent++) statuses.push((await deliver(url)).status);
      expect([statuses, handled.length]).toEqual([[200, 200, 429], 2]);
    });
  });

  it('gives webhook handlers its asynchronous context', async () => {
    const requests = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const before = (app: INestApplication): void => {
      app.use((_req: Request, _res: Response, next: NextFunction) => requests.run('one', next));
      app.use(new ClsMiddleware({ setup: (cls) => cls.set('request', 'two') }).use);
    };
    const onDelivery = (): void =>
      void seen.push(requests.getStore(), ClsServiceManager.getClsService().get('request'));
    const imports = [ClsModule.forRoot({ middleware: { mount: false } })];
    await during(adapter(), { before, imports, host: { onDelivery } }, async ({ url }) => {
      expect((await deliver(url)).status).toBe(200);
      expect(seen).toEqual(['one', 'two']);
    });
  });

  it('runs there, too, in an app made from a testing module', async () => {
    const module = await Test.createTestingModule({
      imports: [PlatformModule.forRoot(appOptions()), handlerModule([], undefined)],
    }).compile();
    const app = module.createNestApplication(adapter(), { logger: false });
    app.use(helmet());
    await app.listen(0, '127.0.0.1');
    try {
      const response = await deliver(await app.getUrl());
      expect([response.status, response.headers.get('x-content-type-options')]).toEqual([
        200,
        'nosniff',
      ]);
    } finally {
      await app.close();
    }
  });

  it('runs below the global prefix, for each of several apps', async () => {
    const before = (app: INestApplication): void => {
      app.setGlobalPrefix('api');
      app.use(helmet());
    };
    const b = PlatformModule.forRoot({
      ...appOptions({ apiKey: 'b' }),
      name: 'b',
      paths: { auth: '/b/auth', exitIframe: '/b/exit', webhooks: '/b/hooks' },
    });
    await during(adapter(), { before, imports: [b] }, async ({ url }) => {
      for (const path of ['/api/auth', '/api/b/auth']) {
        const response = await fetch(url + path);
        expect([response.status, response.headers.get('x-content-type-options')]).toEqual([
          400,
          'nosniff',
        ]);
      }
    });
  });

  it('of a module comes after the body parsers, which is too late on Express', async () => {
    const log: string[] = [];
    @Module({})
    class Logging implements NestModule {
      configure(consumer: MiddlewareConsumer): void {
        const write = (req: Request, _res: Response, next: NextFunction): void => {
          log.push(req.originalUrl);
          next();
        };
        consumer.apply(write).forRoutes('{*all}');
      }
    }
    await during(adapter(), { imports: [{ module: Logging }] }, async ({ url }) => {
      await deliver(url);
      await fetch(`${url}/page`);
      expect(log).toEqual(name === 'Express' ? ['/page'] : ['/webhooks', '/page']);
    });
  });
});

describe('body parsers of an app on Express', () => {
  const large = { id: 1, text: 'x'.repeat(300_000) };
  const EARLY: readonly [string, NonNullable<Nest['factory']>, Nest['before']][] = [
    ['of app.use()', { bodyParser: false }, (app) => void app.use(express.json())],
    [
      'of app.use() for everything',
      {},
      (app) => void app.use(express.text({ type: '*/*' }), express.raw({ type: '*/*' })),
    ],
    [
      'of useBodyParser()',
      {},
      (app) => void (app as NestExpressApplication).useBodyParser('json', { limit: '1kb' }),
    ],
    ['of nobody', { bodyParser: false }, undefined],
  ];

  it.each(EARLY)('%s leave webhooks alone, whatever their limits', async (_, factory, parse) => {
    const before = (app: INestApplication): void => {
      parse?.(app);
      app.use(helmet());
    };
    await during(new ExpressAdapter(), { factory, before }, async ({ url, handled }) => {
      const response = await deliver(url, large);
      expect([response.status, response.headers.get('x-content-type-options')]).toEqual([
        200,
        'nosniff',
      ]);
      expect(handled).toHaveLength(1);
    });
  });

  it('go on refusing what is too large for the app itself', async () => {
    const before = (app: INestApplication): void =>
      void (app as NestExpressApplication).useBodyParser('json', { limit: '1kb' });
    await during(new ExpressAdapter(), { before }, async ({ url }) => {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify(large);
      expect((await fetch(`${url}/pages`, { method: 'POST', headers, body })).status).toBe(413);
    });
  });
});

describe('plugins and hooks of an app on Fastify', () => {
  it('run in front of the routes of the toolkit', async () => {
    const answered: string[] = [];
    const before = (app: INestApplication): void => {
      const fastify = app as NestFastifyApplication;
      (fastify.register.bind(fastify) as (plugin: unknown) => void)(fastifyHelmet);
      const instance = fastify.getHttpAdapter().getInstance();
      instance.addHook('onRequest', async (_request, reply) => void reply.header('x-hook', 'ran'));
      instance.addHook('onResponse', async (request) => void answered.push(request.url));
    };
    await during(new FastifyAdapter(), { before }, async ({ url }) => {
      const response = await deliver(url);
      expect(response.status).toBe(200);
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('x-hook')).toBe('ran');
      expect(answered).toEqual(['/webhooks']);
    });
  });
});
