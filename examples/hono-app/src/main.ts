import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { html } from 'hono/html';
import { ApiVersion, MemorySessionStorage, shopifyApp } from 'shopwright/remix';

// The app's key, secret, scopes and URL come from the environment: SHOPIFY_API_KEY,
// SHOPIFY_API_SECRET, SCOPES, SHOPIFY_APP_URL. DEV_STORE names a simulated store; without it shops
// are reached on the internet.
const devStore = process.env.DEV_STORE;

const shopify = shopifyApp({
  apiVersion: ApiVersion.July26,
  scopes: process.env.SCOPES?.split(',') ?? [],
  appUrl: process.env.SHOPIFY_APP_URL ?? '',
  sessionStorage: new MemorySessionStorage(),
  ...(devStore && { shopOrigin: () => devStore }),
  webhooks: {
    PRODUCTS_CREATE: async (_topic, shop, body) => {
      console.log(`${shop} has a new product: ${JSON.parse(body).title}`);
    },
  },
});

const app = new Hono();
// OAuth, webhooks, the page that leaves the frame; then the app's own pages.
app.use(async (context, next) => {
  const reply = await shopify.handle(context.req.raw);
  if (reply) return reply;
  try {
    await next();
  } catch (thrown) {
    // What `authenticate` throws is an answer: a redirect, a refusal, a page that loads App Bridge.
    if (!(thrown instanceof Response)) throw thrown;
    context.res = new Response(thrown.body, thrown);
  }
  shopify.addDocumentResponseHeaders(context.req.raw, context.res.headers);
});
app.get('/', async (context) => {
  const { titles, shop } = await products(context.req.raw);
  const { config } = shopify.api;
  return context.html(
    html`<!doctype html>
      <title>Products</title>
      <script data-api-key="${config.apiKey}" src="${config.appBridgeUrl(shop)}"></script>
      <h1>Products</h1>
      <ul>
        ${titles.map((title) => html`<li>${title}</li>`)}
      </ul>`,
  );
});
app.get('/api/products', async (context) => context.json(await products(context.req.raw)));
// A page of the storefront, through the app proxy.
app.get('/proxy', async (context) => {
  const { liquid } = await shopify.authenticate.public.appProxy(context.req.raw);
  return liquid('<h1>{{ shop.name }}, by an app of Hono</h1>');
});

/** What the admin shows of the shop, and App Bridge asks for with a session token. */
async function products(request: Request) {
  const { admin, session } = await shopify.authenticate.admin(request);
  const { data } = await admin.graphql<{ products: { nodes: { title: string }[] } }>(
    '{ products(first: 20) { nodes { title } } }',
  );
  return { shop: session.shop, titles: data.products.nodes.map(({ title }) => title) };
}

const server = serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) });
process.once('SIGTERM', async () => {
  server.close(); // requests that have come in are still answered
  await shopify.close(); // waits for webhook handlers that run
});
