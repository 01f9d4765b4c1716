import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import express from 'express';
import type { Express, RequestHandler, Response } from 'express';

import { platformApp } from '../../../lib/integrations/express/index.js';
import { API_KEY, API_SECRET } from '../../support/app.js';

/** What can be wrong with an app: one middleware each, in front of a sound one. */
export const FAULTS = {
  'takes every delivery': on('/webhooks', (_, res) => res.sendStatus(200)),
  'takes a delivery without a signature': on('/webhooks', (req, res, next) =>
    req.get('X-Shopify-Hmac-Sha256') ? next() : res.sendStatus(200),
  ),
  'answers a wrong signature with 400': on('/webhooks', (_, res, next) => {
    changeStatus(res, 401, 400);
    next();
  }),
  'takes no privacy topic': on('/webhooks', (req, res, next) =>
    /redact|request/.test(req.get('X-Shopify-Topic') ?? '') ? res.sendStatus(401) : next(),
  ),
  'handles before it answers': on('/webhooks', (_, __, next) => setTimeout(next, 300)),
  'begins OAuth for any host': on('/auth', (req, res) =>
    res
      .cookie('state', '1', { httpOnly: true, sameSite: 'lax' })
      .redirect(
        `https://${String(req.query['shop'])}/admin/oauth/authorize?client_id=${API_KEY}&state=1&redirect_uri=x`,
      ),
  ),
  'begins OAuth without a state': on('/auth', (req, res, next) =>
    /^doctor-\w+\.myshopify\.com$/.test(String(req.query['shop']))
      ? res
          .cookie('state', '1', { httpOnly: true, sameSite: 'lax' })
          .redirect(
            `https://${String(req.query['shop'])}/admin/oauth/authorize?client_id=${API_KEY}&redirect_uri=x`,
          )
      : next(),
  ),
  'lets scripts read the state': on('/auth', (_, res, next) => {
    const { appendHeader } = res;
    res.appendHeader = (name, value) =>
      appendHeader.call(res, name, String(value).replace(/; HttpOnly/i, ''));
    const { setHeader } = res;
    res.setHeader = (name, value) =>
      setHeader.call(
        res,
        name,
        /set-cookie/i.test(name)
          ? [value].flat().map((one) => String(one).replace(/; HttpOnly/i, ''))
          : value,
      );
    next();
  }),
  'leaves the frame to anywhere': on('/exitiframe', (req, res) =>
    res.send(`<script>window.open(${JSON.stringify(req.query['redirectUri'] ?? '/')})</script>`),
  ),
  'redirects to the host that is asked for': on('/', (req, res, next) => {
    const host = Buffer.from(String(req.query['host'] ?? ''), 'base64url').toString();
    return host.startsWith('doctor.example') ? res.redirect(`https://${host}`) : next();
  }),
  'says nothing about frames': all((_, res, next) => {
    dropHeader(res, 'content-security-policy');
    next();
  }),
  'lets every page frame it': all((_, res, next) => {
    dropHeader(res, 'content-security-policy', 'frame-ancestors *');
    next();
  }),
  'lets one shop frame it': all((_, res, next) => {
    dropHeader(
      res,
      'content-security-policy',
      'frame-ancestors https://first-shop.myshopify.com https://admin.shopify.com',
    );
    next();
  }),
  'lets no page frame it': all((_, res, next) => {
    res.set('X-Frame-Options', 'DENY');
    next();
  }),
  'fails without a session': on('/', (_, res) => res.status(500).send('No session')),
  'fails on unknown paths': all((req, res, next) =>
    req.path.startsWith('/doctor-') ? res.status(500).send('Not found') : next(),
  ),
  'shows stack traces': all((req, res, next) =>
    req.path.startsWith('/doctor-') ? res.status(404).send(new Error('Not found').stack) : next(),
  ),
  'shows a token in an error': all((req, res, next) =>
    req.path.startsWith('/doctor-')
      ? res.status(404).send(`No page for ${['shpat', '0123456789abcdef'].join('_')}`)
      : next(),
  ),
  'has an open API': on('/api', (_, res) => res.json({})),
  'takes every token': on('/api', (req, res, next) =>
    req.get('Authorization') ? res.json({}) : next(),
  ),
  'takes tokens of other apps': on('/api', (req, res, next) => {
    const [, claims = ''] = (req.get('Authorization') ?? '').split('.');
    return Buffer.from(claims, 'base64url').includes('-other"') ? res.json({}) : next();
  }),
} satisfies Record<string, (app: Express) => void>;

function on(path: string, handler: RequestHandler): (app: Express) => void {
  return (app) =>
    void app.use((req, res, next) => (req.path === path ? handler(req, res, next) : next()));
}

function all(handler: RequestHandler): (app: Express) => void {
  return (app) => void app.use(handler);
}

function changeStatus(res: Response, from: number, to: number): void {
  const { writeHead } = res;
  res.writeHead = ((status: number, ...rest: never[]) =>
    writeHead.call(res, status === from ? to : status, ...rest)) as typeof writeHead;
}

/** Whatever the app sends, this header is left out, or is this. */
function dropHeader(res: Response, name: string, value?: string): void {
  const { writeHead } = res;
  res.writeHead = ((...given: never[]) => {
    res.removeHeader(name);
    if (value !== undefined) res.setHeader(name, value);
    return writeHead.apply(res, given.filter((one) => typeof one !== 'object') as never);
  }) as typeof writeHead;
}

/** An app over HTTP, with one fault or none. `shops` are those that its handlers heard of. */
export async function openFaultyApp(
  fault?: keyof typeof FAULTS,
): Promise<{ url: string; shops: Set<string>; close(): Promise<void> }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const shops = new Set<string>();
  const note = async (_topic: string, shop: string): Promise<void> => void shops.add(shop);
  const shopify = platformApp({
    api: {
      apiKey: API_KEY,
      apiSecretKey: API_SECRET,
      apiVersion: '2026-10',
      hostName: new URL(url).host,
      hostScheme: 'http',
      scopes: ['write_products'],
      logger: { log: () => {} },
    },
    webhooks: {
      CUSTOMERS_DATA_REQUEST: note,
      CUSTOMERS_REDACT: note,
      SHOP_REDACT: note,
    },
  });
  const app = express();
  if (fault) FAULTS[fault](app);
  app.use(shopify.routes());
  app.use('/api', shopify.validateAuthenticatedSession());
  app.get('/api', (_req, res) => void res.json({}));
  app.get('/', shopify.ensureInstalledOnShop(), (_req, res) => void res.send('<p>Hello</p>'));
  // Express shows stacks unless it is told that this is production.
  app.set('env', 'production');
  server.on('request', app as never);
  return {
    url,
    shops,
    async close() {
      await shopify.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
