// Every HTTP server that is measured. Each is made with a function to call for every request that
// got as far as a handler of the app.
import { createRequire } from 'node:module';
import { ourExpressApp, ourOptions, ours, theirExpressApp } from './apps.mjs';
import { sessionOf, statusOf } from './checks.mjs';

/** Requests of both kinds go to these addresses. */
export const WEBHOOKS = '/webhooks';
export const PAGE = '/api/shop';

/** What a handler does with the body: nothing, or what nearly every handler does first. */
const UNREAD = () => {};
const READ = (body) => JSON.parse(body);

const listen = async (mount) => {
  const { default: express } = await import('express');
  const app = express();
  await mount(app, express);
  return app.listen(0, '127.0.0.1');
};

const handlers = (handled, use) => ({
  ORDERS_CREATE: {
    deliveryMethod: 'http',
    callbackUrl: WEBHOOKS,
    callback: async (_topic, _shop, body) => {
      use(body);
      handled();
    },
  },
});
const receiving = (shopify, handled, use) => (app) =>
  app.post(WEBHOOKS, shopify.processWebhooks({ webhookHandlers: handlers(handled, use) }));
const guarding = (shopify, handled) => (app) => {
  app.use('/api', shopify.validateAuthenticatedSession());
  app.get(PAGE, (_req, res) => {
    handled();
    res.json({ shop: res.locals.shopify.session.shop });
  });
};

/**
 * An app of Nest 12: with the toolkit a handler of the topic and a controller behind the guard,
 * without it a controller alone.
 */
async function nest(adapter, { handled, read = false, toolkit = true }) {
  await import('reflect-metadata');
  const { NestFactory } = await import('@nestjs/core');
  const { Controller, Get, HttpCode, Injectable, Module, Post, UseGuards } =
    await import('@nestjs/common');
  const decorate = (prototype, method, ...decorators) => {
    for (const each of decorators)
      each(prototype, method, Object.getOwnPropertyDescriptor(prototype, method));
  };
  class Orders {
    onOrder(order) {
      if (read && !order.id) throw new Error('The payload was not handed over.');
      handled();
    }
  }
  class Page {
    shop(session) {
      handled();
      return { shop: session.shop };
    }
  }
  class App {}
  if (toolkit) {
    const { AuthenticatedSessionGuard, CurrentSession, Payload, PlatformModule, WebhookHandler } =
      await ours();
    Injectable()(Orders);
    if (read) Payload()(Orders.prototype, 'onOrder', 0);
    decorate(Orders.prototype, 'onOrder', WebhookHandler('ORDERS_CREATE'));
    CurrentSession()(Page.prototype, 'shop', 0);
    decorate(Page.prototype, 'shop', Get(PAGE), UseGuards(AuthenticatedSessionGuard));
    Controller()(Page);
    Module({
      imports: [PlatformModule.forRoot(await ourOptions())],
      providers: [Orders],
      controllers: [Page],
    })(App);
  } else {
    decorate(Orders.prototype, 'onOrder', Post(WEBHOOKS), HttpCode(200));
    Controller()(Orders);
    Module({ controllers: [Orders] })(App);
  }
  const { ExpressAdapter, FastifyAdapter } = await import(`@nestjs/platform-${adapter}`);
  const app = await NestFactory.create(
    App,
    adapter === 'express' ? new ExpressAdapter() : new FastifyAdapter(),
    { logger: false },
  );
  await app.listen(0, '127.0.0.1');
  return app.getHttpServer();
}

async function bareExpress(handled, use) {
  return listen((app, express) => {
    app.post(WEBHOOKS, express.raw({ type: '*/*', limit: '1mb' }), (req, res) => {
      const status = statusOf(req.headers, req.body);
      if (status === 200) {
        use(req.body);
        handled();
      }
      res.sendStatus(status);
    });
    app.get(PAGE, (req, res) => {
      const session = sessionOf(req.headers);
      if (!session) return res.sendStatus(401);
      handled();
      res.json({ shop: session.shop });
    });
  });
}

async function bareFastify(handled) {
  // The copy that Nest's adapter has.
  const fastify = createRequire(import.meta.resolve('@nestjs/platform-fastify'))('fastify')();
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  fastify.post(WEBHOOKS, (request, reply) => {
    const status = statusOf(request.headers, request.body);
    if (status === 200) handled();
    reply.code(status).send();
  });
  fastify.get(PAGE, (request, reply) => {
    const session = sessionOf(request.headers);
    if (!session) return reply.code(401).send();
    handled();
    reply.send({ shop: session.shop });
  });
  await fastify.listen({ port: 0, host: '127.0.0.1' });
  return fastify.server;
}

/** node:http alone, for deliveries. */
async function bareHttp(handled) {
  const { createServer } = await import('node:http');
  const server = createServer((req, res) => {
    const chunks = [];
    req.on('data', (chunk) => chunks.push(chunk));
    req.on('end', () => {
      res.statusCode = statusOf(req.headers, Buffer.concat(chunks));
      if (res.statusCode === 200) handled();
      res.end();
    });
  });
  return server.listen(0, '127.0.0.1');
}

export const SERVERS = {
  'ours Express': async (handled) => listen(receiving(await ourExpressApp(), handled, UNREAD)),
  'ours Express, read': async (handled) => listen(receiving(await ourExpressApp(), handled, READ)),
  'ours Express, routes()': async (handled) => {
    const shopify = await ourExpressApp({
      webhooks: { path: WEBHOOKS, ...handlers(handled, UNREAD) },
    });
    return listen((app) => app.use(shopify.routes()));
  },
  'ours Express, page': async (handled) => listen(guarding(await ourExpressApp(), handled)),
  'ours Nest + Express': (handled) => nest('express', { handled }),
  'ours Nest + Express, read': (handled) => nest('express', { handled, read: true }),
  'ours Nest + Fastify': (handled) => nest('fastify', { handled }),
  'ours Nest + Fastify, read': (handled) => nest('fastify', { handled, read: true }),

  'official Express': async (handled) =>
    listen(receiving(await theirExpressApp(), handled, UNREAD)),
  'official Express, read': async (handled) =>
    listen(receiving(await theirExpressApp(), handled, READ)),
  'official Express, page': async (handled) => listen(guarding(await theirExpressApp(), handled)),
  'official Express, page, token exchange': async (handled) =>
    listen(guarding(await theirExpressApp({ future: { tokenExchange: true } }), handled)),

  'bare Express': (handled) => bareExpress(handled, UNREAD),
  'bare Express, read': (handled) => bareExpress(handled, READ),
  'bare Fastify': (handled) => bareFastify(handled),
  'bare node:http': (handled) => bareHttp(handled),
  'Nest + Express alone': (handled) => nest('express', { handled, toolkit: false }),
};
