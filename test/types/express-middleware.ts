/**
 * Checked by the compiler, never run: the middleware fits where Express's own types are expected,
 * and leaves those of the handlers after it alone.
 */
import express from 'express';
import type { Request, RequestHandler, Response } from 'express';

import type { ExpressApp } from '../../lib/integrations/express/index.js';

declare const shopify: ExpressApp;

const app = express();
app.use(shopify.routes());
app.use('/api', shopify.validateAuthenticatedSession(), shopify.cspHeaders(), express.Router());
app.get(
  shopify.config.auth.callbackPath,
  shopify.auth.callback(),
  shopify.redirectToShopifyOrAppRoot(),
);
app.post('/webhooks', express.text({ type: '*/*' }), shopify.processWebhooks());

app.get('/products/:id', shopify.ensureInstalledOnShop(), (req, res) => {
  const id: string = req.params.id;
  const shop: string = res.locals.shopify.session.shop;
  // @ts-expect-error the route has no such parameter
  void req.params.product;
  // @ts-expect-error Express has no such property
  void res.nothing;
  // @ts-expect-error the toolkit leaves nothing of this name
  void res.locals.shopify.nothing;
  res.status(200).json({ id, shop, path: req.path, app: res.locals['ofTheApp'] });
});
app.post<{ id: string }, string, { title: string }>(
  '/products/:id',
  shopify.validateAuthenticatedSession(),
  (req, res) => {
    const title: string = req.body.title;
    // @ts-expect-error the reply is a string
    res.json({ title });
  },
);
app.get(
  '/own',
  shopify.validateAuthenticatedSession(),
  (req: Request<{ own: string }>, res: Response<number>) => res.json(req.params.own.length),
);

export const handlers: RequestHandler[] = [
  shopify.validateAuthenticatedSession(),
  shopify.requirePlan({ plans: 'Pro' }),
  async (req, res) => void res.json(req.path),
];

app.get(
  '/reports',
  shopify.requirePlan({ plans: 'Pro', onFailure: (_error, _req, res) => res.redirect('/plans') }),
  (req, res) => {
    res.json(req.path);
  },
);
app.use(
  shopify.requirePlan({
    plans: 'Pro',
    onFailure: (_error, req: Request, res: Response) => res.render('plans', { from: req.path }),
  }),
);
// @ts-expect-error a page of plans is no number
shopify.requirePlan({ plans: 'Pro', onFailure: (_error, _req, res) => res.redirect({ to: 1 }) });
