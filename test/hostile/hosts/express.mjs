import { createServer } from 'node:http';

import express from 'express';

import { platformApp } from '../../../dist/integrations/express/index.js';
import { HANDLERS, SIGNED_HANDLERS, expressOptions, note, proxied, queryOf } from './app.mjs';

const pages = (app, shopify) => {
  app.get(
    '/proxy',
    async (req, res) =>
      void res.sendStatus((await proxied(shopify.api, queryOf(req.originalUrl))) ? 200 : 400),
  );
  app.get('/page', shopify.validateAuthenticatedSession(), (_req, res) => {
    note('granted', { shop: res.locals.shopify.session.shop });
    res.json({ shop: res.locals.shopify.session.shop });
  });
  app.get(
    '/pro',
    shopify.validateAuthenticatedSession(),
    shopify.requirePlan({ plans: 'Pro' }),
    (_req, res) => {
      note('paid');
      res.json({});
    },
  );
};

/** The bundle in front of an app. */
export async function openBundle() {
  const shopify = platformApp({
    ...expressOptions(),
    webhooks: { path: '/webhooks', ...HANDLERS, ...SIGNED_HANDLERS },
  });
  const app = express();
  app.use(shopify.routes());
  pages(app, shopify);
  app.get('/home', shopify.ensureInstalledOnShop(), (_req, res) => {
    note('opened');
    res.send('home');
  });
  app.use('/apps', shopify.validateAppProxy(), (_req, res) => {
    note('proxied', { shop: res.locals.shopify.appProxy.shop });
    res.send('below');
  });
  app.all('/checkout', shopify.validateCheckout(), (_req, res) => {
    note('extended', { shop: res.locals.shopify.sessionToken.dest.replace('https://', '') });
    res.json({});
  });
  app.post('/flow', shopify.validateFlow(), (_req, res) => {
    note('flowed', { shop: res.locals.shopify.flow.session.shop });
    res.json({});
  });
  app.post('/json', express.json(), (req, res) => void res.json(Object.keys(req.body ?? {})));
  await shopify.ready();
  return createServer(app);
}

/**
 * An app that is not embedded, wired route by route, webhooks behind a parser that has taken the
 * body.
 */
export async function openWired() {
  const shopify = platformApp(expressOptions({ isEmbeddedApp: false }));
  const app = express();
  app.use(express.json());
  app.get('/auth', shopify.auth.begin());
  app.get('/auth/callback', shopify.auth.callback(), shopify.redirectToShopifyOrAppRoot());
  app.post(
    '/webhooks',
    shopify.processWebhooks({ webhookHandlers: { PRODUCTS_CREATE: HANDLERS.PRODUCTS_CREATE } }),
  );
  app.get('/exitiframe', shopify.ensureInstalledOnShop());
  app.get(
    '/leave',
    (req, res) => void shopify.redirectOutOfApp(req, res, 'https://admin.shopify.com/a'),
  );
  pages(app, shopify);
  app.get(
    '/home',
    shopify.cspHeaders(),
    shopify.ensureInstalledOnShop(),
    (_req, res) => void res.send('home'),
  );
  await shopify.ready();
  return createServer(app);
}

/** Deliveries taken by hand, without any framework. */
export async function openByHand() {
  const { api, ready } = platformApp(expressOptions());
  api.webhooks.addHandlers({ PRODUCTS_CREATE: HANDLERS.PRODUCTS_CREATE });
  await ready();
  const answer = async (req, res) => {
    if (req.url?.startsWith('/proxy'))
      return res.writeHead((await proxied(api, queryOf(req.url))) ? 200 : 400).end();
    if (req.url?.split('?', 1)[0] !== '/webhooks') return res.writeHead(404).end();
    const pieces = [];
    let length = 0;
    for await (const piece of req) if ((length += piece.length) < 1e6) pieces.push(piece);
    await api.webhooks
      .process({ rawBody: Buffer.concat(pieces), rawRequest: req, rawResponse: res })
      .catch((error) => {
        if (error.code !== 'ERR_WEBHOOK_REFUSED') throw error;
      });
  };
  return createServer((req, res) => {
    answer(req, res).catch((error) => {
      // Whoever hangs up ends the reading of their body: nobody is left to answer.
      if (error.code !== 'ECONNRESET') note('handler error', { message: String(error) });
      if (!res.headersSent) res.writeHead(500).end();
    });
  });
}
