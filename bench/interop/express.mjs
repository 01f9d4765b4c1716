// An app of the official Express package, as its template has it.
import { DeliveryMethod } from '@shopify/shopify-api';
import { restResources } from '@shopify/shopify-api/rest/admin/2026-07';
import { shopifyApp } from '@shopify/shopify-app-express';
import express from 'express';
import { APP, BILLING, CALLS, LOGGER, PLAN, SHOP } from './fixtures.mjs';
import { restCalls } from './rest.mjs';
import { signedRoutes, storefrontCall } from './signed.mjs';

export async function open({ port, heard }, flags) {
  const shopify = shopifyApp({
    api: {
      ...APP,
      ...{ hostName: `localhost:${port}`, hostScheme: 'http', isEmbeddedApp: true },
      ...{ billing: BILLING, logger: LOGGER, restResources },
    },
    auth: { path: '/auth', callbackPath: '/auth/callback' },
    webhooks: { path: '/webhooks' },
    future: { expiringOfflineAccessTokens: true, ...flags },
    hooks: flags.tokenExchange
      ? { afterAuth: ({ session }) => shopify.registerWebhooks({ session }) }
      : {},
  });
  const { api } = shopify;
  const callback = async (topic) => void heard.push(topic);
  const webhookHandlers = {
    PRODUCTS_CREATE: { deliveryMethod: DeliveryMethod.Http, callbackUrl: '/webhooks', callback },
  };

  const app = express();
  app.get('/auth', shopify.auth.begin());
  app.get('/auth/callback', shopify.auth.callback(), shopify.redirectToShopifyOrAppRoot());
  app.post('/webhooks', shopify.processWebhooks({ webhookHandlers }));
  signedRoutes(app, api);
  // The package's own handler of the uninstall is the one that counts; this one only listens.
  const { APP_UNINSTALLED: own } = Object.fromEntries(
    api.webhooks.getTopicsAdded().map((topic) => [topic, api.webhooks.getHandlers(topic)[0]]),
  );
  const uninstalled = own.callback;
  own.callback = async (topic, ...rest) => {
    await uninstalled(topic, ...rest);
    heard.push(topic);
  };
  app.get('/app/:call', shopify.validateAuthenticatedSession(), async (request, response) => {
    const { session } = response.locals.shopify;
    const graphql = (document, variables) =>
      new api.clients.Graphql({ session }).request(document, { variables });
    const payments = { session, plans: [PLAN], isTest: true, returnObject: true };
    const calls = {
      ...{ session: async () => ({ scope: session.scope, expires: session.expires }) },
      ...CALLS,
      storefront: storefrontCall(api, session),
      ...restCalls(new api.clients.Rest({ session }), api.rest, session),
      pay: () => api.billing.request({ session, plan: PLAN, isTest: true, returnObject: true }),
      paid: () => api.billing.check(payments),
      cancel: async () => {
        const { appSubscriptions } = await api.billing.check(payments);
        return api.billing.cancel({ session, subscriptionId: appSubscriptions[0].id });
      },
    };
    response.json(await calls[request.params.call](graphql));
  });
  app.get('/', shopify.ensureInstalledOnShop(), (_request, response) => response.send('interop'));
  const server = app.listen(port, 'localhost');
  const { sessionStorage } = shopify.config;
  return {
    async refresh() {
      const session = await sessionStorage.loadSession(api.session.getOfflineId(SHOP));
      session.expires = new Date(0);
      await sessionStorage.storeSession(session);
      await shopify.ensureValidOfflineSession(SHOP);
    },
    close: () => server.close(),
  };
}
