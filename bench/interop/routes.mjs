// The routes of the official Remix and React Router templates, over a server of web requests.
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { SOLD } from './signed.mjs';
import { APP, BILLING, CALLS, LOGGER, PLAN, SHOP } from './fixtures.mjs';

/**
 * What `shopify.server` configures in both templates. @param appOf answers the app that is made of
 * it
 */
export const optionsOf = ({ port }, appOf, rest) => ({
  ...APP,
  ...{ appUrl: `http://localhost:${port}`, authPathPrefix: '/auth' },
  ...{ billing: BILLING, logger: LOGGER },
  webhooks: Object.fromEntries(
    ['PRODUCTS_CREATE', 'APP_UNINSTALLED'].map((topic) => [
      topic,
      { deliveryMethod: 'http', callbackUrl: '/webhooks' },
    ]),
  ),
  hooks: { afterAuth: ({ session }) => appOf().registerWebhooks({ session }) },
  ...rest,
});

/** Serves an app. */
export function serve({ port, heard }, shopify) {
  const { authenticate } = shopify;

  const routes = {
    async auth(request) {
      await authenticate.admin(request);
      return null;
    },
    async webhooks(request) {
      const { topic, session, shop } = await authenticate.webhook(request);
      if (topic === 'APP_UNINSTALLED' && session) {
        const sessions = await shopify.sessionStorage.findSessionsByShop(shop);
        await shopify.sessionStorage.deleteSessions(sessions.map(({ id }) => id));
      }
      heard.push(topic);
      return new Response();
    },
    async app(request, call) {
      const { admin, billing, session } = await authenticate.admin(request);
      const graphql = async (document, variables) =>
        (await admin.graphql(document, { variables })).json();
      const calls = {
        ...{ session: async () => ({ scope: session.scope, expires: session.expires }) },
        ...CALLS,
        storefront: async () => {
          const { storefront } = await shopify.unauthenticated.storefront(SHOP);
          const { data } = await (await storefront.graphql(SOLD)).json();
          return data.products.nodes;
        },
        pay: () => billing.request({ plan: PLAN, isTest: true }),
        paid: () => billing.check({ plans: [PLAN], isTest: true }),
        cancel: async () => {
          const { appSubscriptions } = await billing.check({ plans: [PLAN], isTest: true });
          return billing.cancel({ subscriptionId: appSubscriptions[0].id, isTest: true });
        },
      };
      return Response.json(await calls[call](graphql));
    },
    async proxy(request) {
      await authenticate.public.appProxy(request);
      const { searchParams } = new URL(request.url);
      return Response.json({ shop: searchParams.get('shop'), page: searchParams.get('page') });
    },
    async flow(request) {
      const { payload } = await authenticate.flow(request);
      return Response.json(payload.properties);
    },
    async index(request) {
      await authenticate.admin(request);
      return new Response('interop', { headers: { 'content-type': 'text/html' } });
    },
  };

  const dispatch = (request, [, first = '', second = '']) => {
    if (first === 'auth') return routes.auth(request);
    if (first === 'webhooks') return routes.webhooks(request);
    if (first === 'proxy') return routes.proxy(request);
    if (first === 'flow') return routes.flow(request);
    return first === 'app' ? routes.app(request, second) : routes.index(request);
  };

  const server = createServer(async (message, response) => {
    const url = new URL(message.url, `http://localhost:${port}`);
    const headers = Object.entries(message.headers).filter(
      ([, value]) => typeof value === 'string',
    );
    const hasBody = message.method !== 'GET' && message.method !== 'HEAD';
    const body = hasBody ? { body: Readable.toWeb(message), duplex: 'half' } : {};
    const request = new Request(url, { method: message.method, headers, ...body });
    // A loader or an action throws a response as often as it returns one.
    const result = await dispatch(request, url.pathname.split('/')).catch((thrown) => thrown);
    const answer =
      result instanceof Response ? result : new Response(String(result?.stack), { status: 500 });
    const cookies = { 'set-cookie': answer.headers.getSetCookie() };
    response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), ...cookies });
    response.end(Buffer.from(await answer.arrayBuffer()));
  }).listen(port, 'localhost');

  return {
    async refresh() {
      const session = await shopify.sessionStorage.loadSession(`offline_${SHOP}`);
      session.expires = new Date(0);
      await shopify.sessionStorage.storeSession(session);
      await shopify.unauthenticated.admin(SHOP);
    },
    close: () => server.close(),
  };
}
