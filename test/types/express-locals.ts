/** Checked by the compiler, never run: what users of the Express bundle write without a cast. */
import express from 'express';

import { ApiVersion, DeliveryMethod, platformApp } from '../../lib/integrations/express/index.js';
import type { Session } from '../../lib/integrations/express/index.js';

const shopify = platformApp({
  api: { apiVersion: ApiVersion.July26, scopes: ['write_products'] },
  auth: { path: '/auth', callbackPath: '/auth/callback' },
  webhooks: {
    path: '/webhooks',
    PRODUCTS_CREATE: {
      deliveryMethod: DeliveryMethod.Http,
      callbackUrl: '/webhooks',
      callback: async (_topic, _shop, body) => void JSON.parse(body),
    },
  },
  hooks: {
    afterAuth: ({ session, admin }) =>
      admin.graphql(`#graphql\n{ shop { name } } # ${session.shop}`),
  },
});

const app = express();
app.use('/api', shopify.validateAuthenticatedSession());
app.get('/api/products', async (_req, res) => {
  const session: Session = res.locals.shopify.session;
  const client = new shopify.api.clients.Graphql({ session });
  const { data } = await client.request<{ shop: { name: string } }>('{ shop { name } }', {
    variables: {},
  });
  const name: string = data.shop.name;
  const { body } = await new shopify.api.clients.Rest({ session }).get<{ products: unknown[] }>({
    path: 'products',
    query: { limit: 1 },
  });
  res.json({ name, products: body.products });
});
app.post(
  '/webhooks',
  express.text({ type: '*/*' }),
  shopify.processWebhooks({ webhookHandlers: { ORDERS_PAID: async () => {} } }),
);
app.get('/leave', (req, res) => shopify.redirectOutOfApp(req, res, '/'));
app.get('/leave', (req, res) =>
  shopify.redirectOutOfApp({ req, res, redirectUri: '/', shop: res.locals.shopify.session.shop }),
);

// @ts-expect-error the version has no default
platformApp({ api: {} });
// @ts-expect-error the session is no text
export const wrong: string = (null as unknown as express.Response).locals.shopify.session;
