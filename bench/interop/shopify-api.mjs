// An app over the library alone: what a developer writes who uses none of the frameworks.
import '@shopify/shopify-api/adapters/node';
import { DeliveryMethod, RequestedTokenType, shopifyApi } from '@shopify/shopify-api';
import { restResources } from '@shopify/shopify-api/rest/admin/2026-07';
import express from 'express';
import { APP, BILLING, CALLS, LOGGER, PLAN, SHOP, TOPICS } from './fixtures.mjs';
import { restCalls } from './rest.mjs';
import { signedRoutes, storefrontCall } from './signed.mjs';

export async function open({ port, heard }) {
  const shopify = shopifyApi({
    ...APP,
    ...{ hostName: `localhost:${port}`, hostScheme: 'http', isEmbeddedApp: true },
    ...{ billing: BILLING, logger: LOGGER, restResources },
  });
  const callback = async (topic) => void heard.push(topic);
  const handler = { deliveryMethod: DeliveryMethod.Http, callbackUrl: '/webhooks', callback };
  shopify.webhooks.addHandlers(Object.fromEntries(TOPICS.map((topic) => [topic, handler])));
  let stored;

  const app = express();
  app.get('/', (_request, response) => response.send('interop'));
  app.post('/webhooks', express.text({ type: '*/*' }), async (request, response) => {
    await shopify.webhooks.process({
      ...{ rawBody: request.body, rawRequest: request, rawResponse: response },
    });
  });
  signedRoutes(app, shopify);
  app.get('/app/:call', async (request, response) => {
    const sessionToken = request.headers.authorization?.replace('Bearer ', '') ?? '';
    await shopify.session.decodeSessionToken(sessionToken);
    if (!stored) {
      const exchanged = await shopify.auth.tokenExchange({
        ...{ shop: SHOP, sessionToken, expiring: true },
        requestedTokenType: RequestedTokenType.OfflineAccessToken,
      });
      stored = exchanged.session;
      await shopify.webhooks.register({ session: stored });
    }
    const session = stored;
    const graphql = (document, variables) =>
      new shopify.clients.Graphql({ session }).request(document, { variables });
    const calls = {
      ...{ session: async () => ({ scope: session.scope, expires: session.expires }) },
      ...CALLS,
      storefront: storefrontCall(shopify, session),
      ...restCalls(new shopify.clients.Rest({ session }), shopify.rest, session),
      pay: () => shopify.billing.request({ session, plan: PLAN, isTest: true, returnObject: true }),
      paid: () =>
        shopify.billing.check({ session, plans: [PLAN], isTest: true, returnObject: true }),
      cancel: async () => {
        const { appSubscriptions } = await shopify.billing.check({
          ...{ session, plans: [PLAN], isTest: true, returnObject: true },
        });
        return shopify.billing.cancel({ session, subscriptionId: appSubscriptions[0].id });
      },
    };
    response.json(await calls[request.params.call](graphql));
  });
  const server = app.listen(port, 'localhost');
  return {
    async refresh() {
      const { session } = await shopify.auth.refreshToken({
        ...{ shop: SHOP, refreshToken: stored.refreshToken },
      });
      stored = session;
    },
    close: () => server.close(),
  };
}
