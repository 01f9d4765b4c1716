// Runs inside a consumer's folder that holds no peer of the package: a DevStore opens and answers
// REST there, and a GraphQL call is answered with the name of the package to install.
import assert from 'node:assert/strict';
import { DevStore } from 'shopwright/dev-store';

const store = await DevStore.open({
  apps: [{ apiKey: 'key', apiSecretKey: 'secret', appUrl: 'http://localhost:3000' }],
});
try {
  const shop = store.shop();
  const headers = {
    'X-Shopify-Access-Token': shop.install('key', { scopes: 'read_products' }),
    'Content-Type': 'application/json',
  };
  const call = (path, init) =>
    store.fetch(`https://${shop.domain}/admin/api/2026-07/${path}`, { headers, ...init });

  assert.equal((await call('products/count.json')).status, 200);

  const answer = await call('graphql.json', {
    method: 'POST',
    body: JSON.stringify({ query: '{ shop { name } }' }),
  });
  assert.equal(answer.status, 501);
  assert.match((await answer.json()).errors, /npm install --save-dev graphql@16$/);
  assert.match(shop.events.at(-1).summary, /"graphql", which could not be loaded/);
} finally {
  await store.close();
}
