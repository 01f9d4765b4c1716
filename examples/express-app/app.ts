import express from 'express';
import { ApiVersion, BillingInterval, platformApp } from 'shopwright/express';

// The app's key, secret, scopes and URL come from the environment: PLATFORM_API_KEY,
// PLATFORM_API_SECRET, SCOPES, HOST. DEV_STORE names a simulated store; without it shops are
// reached on the internet.
const devStore = process.env['DEV_STORE'];

const shopify = platformApp({
  api: {
    apiVersion: ApiVersion.July26,
    shopOrigin: devStore ? () => devStore : undefined,
    billing: {
      isTest: process.env['NODE_ENV'] !== 'production',
      Pro: { amount: 20, currencyCode: 'USD', interval: BillingInterval.Every30Days, trialDays: 7 },
    },
  },
  webhooks: {
    PRODUCTS_CREATE: (_topic, shop, body) => {
      const product: { title: string } = JSON.parse(body);
      console.log(`${shop} has a new product: ${product.title}`);
    },
  },
});

const app = express();
app.use(shopify.routes());
app.use('/api', shopify.validateAuthenticatedSession());
app.get('/api/products', async (_req, res) => {
  const client = new shopify.api.clients.Graphql({ session: res.locals.shopify.session });
  const { data } = await client.request<{ products: { nodes: { title: string }[] } }>(
    '{ products(first: 20) { nodes { title } } }',
  );
  res.json({ products: data.products.nodes });
});
// A shop without the plan is led to where it can pay, and comes back here.
app.get(
  '/reports',
  shopify.validateAuthenticatedSession(),
  shopify.requirePlan({ plans: 'Pro' }),
  async (_req, res) => {
    const { session } = res.locals.shopify;
    const client = new shopify.api.clients.Graphql({ session });
    const { data } = await client.request<{ productsCount: { count: number } }>(
      '{ productsCount { count } }',
    );
    res.send(page(session.shop, `<h1>Report</h1>\n<p>${data.productsCount.count} products</p>`));
  },
);
app.get('/', shopify.ensureInstalledOnShop(), (req, res) => {
  const shop = shopify.api.utils.sanitizeShop(req.query['shop'], true);
  const content = `<h1>Products</h1>
<ul id="products"></ul>
<p><a href="/reports?shop=${shop}">Report</a>, part of the plan Pro</p>
<script type="module">
  const { products } = await (await fetch('/api/products')).json(); // App Bridge adds the session token
  for (const { title } of products) document.getElementById('products').append(Object.assign(document.createElement('li'), { textContent: title }));
</script>`;
  res.send(page(shop, content));
});

function page(shop: string, content: string): string {
  const { config } = shopify.api;
  return `<!doctype html>
<title>Products</title>
<script data-api-key="${config.apiKey}" src="${config.appBridgeUrl(shop)}"></script>
${content}`;
}

const server = app.listen(process.env['PORT'] ?? 3000);
process.once('SIGTERM', async () => {
  server.close(); // requests that have come in are still answered
  await shopify.close(); // waits for webhook handlers that run
  setTimeout(() => process.exit(), 2_000).unref(); // ends connections that are kept open
});
