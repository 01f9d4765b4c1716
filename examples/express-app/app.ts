import express from 'express';
import { ApiVersion, platformApp } from 'shopwright/express';

// The app's key, secret, scopes and URL come from the environment: PLATFORM_API_KEY, PLATFORM_API_SECRET, SCOPES, HOST.
// DEV_STORE names a simulated store; without it shops are reached on the internet.
const devStore = process.env['DEV_STORE'];

const shopify = platformApp({
  api: { apiVersion: ApiVersion.July26, shopOrigin: devStore ? () => devStore : undefined },
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
  const { data } = await client.request<{ products: { nodes: { title: string }[] } }>('{ products(first: 20) { nodes { title } } }');
  res.json(data.products.nodes);
});
app.get('/', shopify.ensureInstalledOnShop(), (req, res) => {
  const { config, utils } = shopify.api;
  res.send(`<!doctype html>
<title>Products</title>
<script data-api-key="${config.apiKey}" src="${config.appBridgeUrl(utils.sanitizeShop(req.query['shop'], true))}"></script>
<h1>Products</h1>
<ul id="products"></ul>
<script type="module">
  const products = await (await fetch('/api/products')).json(); // App Bridge adds the session token
  for (const { title } of products) document.getElementById('products').append(Object.assign(document.createElement('li'), { textContent: title }));
</script>`);
});

app.listen(process.env['PORT'] ?? 3000);
