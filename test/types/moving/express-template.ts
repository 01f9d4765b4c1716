/**
 * Checked by the compiler, never run: the server of an Express app as it is written with the
 * official packages, with nothing but its imports changed.
 */
import { join } from 'node:path';

import express from 'express';
import type { Request, Response } from 'express';

import {
  BillingInterval,
  DeliveryMethod,
  GraphqlQueryError,
} from '../../../lib/integrations/api/index.js';
import type {
  BillingConfig,
  Session,
  WebhookHandler,
} from '../../../lib/integrations/api/index.js';
import { ApiVersion, shopifyApp } from '../../../lib/integrations/express/index.js';
import type {
  AppConfigParams,
  ShopifyApp,
  WebhookHandlersParam,
} from '../../../lib/integrations/express/index.js';
import { restResources } from '../../../lib/rest-client/resources/generated/versions/2026-07.js';
import { SQLiteSessionStorage } from '../../../lib/sessions/storages/sqlite/index.js';

// The app.
const billingConfig: BillingConfig = {
  'Monthly plan': {
    lineItems: [
      { amount: 5, currencyCode: 'USD', interval: BillingInterval.Every30Days },
      { amount: 20, currencyCode: 'USD', interval: BillingInterval.Usage, terms: '1 $ per mail' },
    ],
  },
  'Single charge': { amount: 10, currencyCode: 'USD', interval: BillingInterval.OneTime },
};
const shopify = shopifyApp({
  api: {
    apiVersion: ApiVersion.July26,
    restResources,
    billing: billingConfig,
    future: { customerAddressDefaultFix: true, unstable_managedPricingSupport: false },
  },
  auth: { path: '/api/auth', callbackPath: '/api/auth/callback' },
  webhooks: { path: '/api/webhooks' },
  sessionStorage: new SQLiteSessionStorage(join(process.cwd(), 'database.sqlite')),
  future: { expiringOfflineAccessTokens: true, tokenExchange: true },
  hooks: { afterAuth: async ({ session }) => console.log(session.shop) },
  useOnlineTokens: false,
});
export type Config = AppConfigParams<typeof restResources>;
export const held: { app: ShopifyApp<Config> } = { app: shopify };

// Work outside of a request.
export async function scopesOf(shop: string): Promise<string | undefined> {
  const session: Session | undefined = await shopify.ensureValidOfflineSession(shop);
  return shopify.config.hooks.afterAuth && session?.scope;
}

// The handlers of its webhooks.
const gone: WebhookHandler = {
  deliveryMethod: DeliveryMethod.Http,
  callbackUrl: '/api/webhooks',
  callback: async (topic, shop, body, webhookId) => {
    const payload = JSON.parse(body);
    console.log(topic, shop, webhookId, payload.shop_id);
  },
};
const handlers: WebhookHandlersParam = {
  CUSTOMERS_DATA_REQUEST: gone,
  CUSTOMERS_REDACT: [gone],
  ORDERS_PAID: { deliveryMethod: DeliveryMethod.PubSub, pubSubProject: 'p', pubSubTopic: 't' },
  APP_UNINSTALLED: { deliveryMethod: DeliveryMethod.EventBridge, arn: 'arn:aws:events:source' },
};

// A service of it.
const CREATE =
  'mutation Create($product: ProductCreateInput!) { productCreate(product: $product) { product { id } } }';
async function createProducts(session: Session, count = 5): Promise<void> {
  const client = new shopify.api.clients.Graphql({ session });
  try {
    for (let index = 0; index < count; index++)
      await client.request(CREATE, { variables: { product: { title: `Product ${index}` } } });
  } catch (error) {
    if (error instanceof GraphqlQueryError)
      throw new Error(`${error.message}\n${JSON.stringify(error.response, null, 2)}`);
    throw error;
  }
}

// Its routes.
const app = express();
app.get(shopify.config.auth.path, shopify.auth.begin());
app.get(
  shopify.config.auth.callbackPath,
  shopify.auth.callback(),
  async (_req: Request, res: Response, next) => {
    const { session } = res.locals['shopify'];
    const plans = ['Monthly plan'];
    const hasPayment = await shopify.api.billing.check({ session, plans, isTest: true });
    if (hasPayment) return next();
    const { confirmationUrl } = await shopify.api.billing.request({
      session,
      plan: plans[0]!,
      isTest: true,
      returnObject: true,
    });
    return res.redirect(confirmationUrl);
  },
  shopify.redirectToShopifyOrAppRoot(),
);
app.post(shopify.config.webhooks.path, shopify.processWebhooks({ webhookHandlers: handlers }));
app.use('/api/*splat', shopify.validateAuthenticatedSession());
app.use(express.json());
app.get('/api/products/count', async (_req, res) => {
  const client = new shopify.api.clients.Graphql({ session: res.locals.shopify.session });
  const counted = await client.request<{ productsCount: { count: number } }>(
    'query { productsCount { count } }',
  );
  res.status(200).send({ count: counted.data.productsCount.count });
});
app.post('/api/products', async (_req, res) => {
  let status = 200;
  let error: string | null = null;
  try {
    await createProducts(res.locals.shopify.session);
  } catch (caught) {
    status = 500;
    error = caught instanceof Error ? caught.message : String(caught);
  }
  res.status(status).send({ success: status === 200, error });
});
app.get('/api/products', async (_req, res) => {
  const { session } = res.locals.shopify;
  const { data } = await shopify.api.rest.Product.all({ session, limit: 10 });
  const rest = new shopify.api.clients.Rest({ session });
  const { body, headers, pageInfo } = await rest.get({ path: 'products', query: { limit: 5 } });
  res.json({ titles: data.map(({ title }) => title), body, headers, next: pageInfo?.nextPage });
});
app.get('/leave', (req, res) => {
  shopify.redirectOutOfApp({
    req,
    res,
    redirectUri: 'https://example.com',
    shop: 'a.myshopify.com',
  });
});
app.use(shopify.cspHeaders());
app.use('/*splat', shopify.ensureInstalledOnShop(), async (_req, res) => {
  const page = '<meta name="shopify-api-key" content="%KEY%">';
  res
    .status(200)
    .set('Content-Type', 'text/html')
    .send(page.replace('%KEY%', process.env['SHOPIFY_API_KEY'] ?? ''));
});
shopify.config.logger.warning('A warning', { shop: 'a.myshopify.com' });
