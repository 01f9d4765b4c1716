// Walks through one app: `node walk.mjs remix`. Answers with 1 at the first step that fails.
import assert from 'node:assert/strict';
import { freePort } from '../../scripts/free-port.mjs';
import { Browser, frameOf, take, until } from '../../scripts/demo-browser.mjs';
import { APPS } from './apps.mjs';
import { APP, PLAN, PROXY, SHOP } from './fixtures.mjs';
import { openStore } from './store.mjs';

const { grant, rest, open } = APPS[process.argv[2]];
const { apiKey } = APP;
const port = await freePort();
const appUrl = `http://localhost:${port}`;
const devStore = await openStore({
  ...APP,
  appUrl,
  appProxy: PROXY,
  managedInstallation: grant === 'token_exchange',
});
const shop = devStore.shop();
/** The topics of the webhooks that the app has verified and handled. */
const heard = [];
const app = await open({ port, heard });
const browser = new Browser();
const IN_FRAME = { 'sec-fetch-dest': 'iframe' };
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36';
let page;

/** Calls the app as a script of its page does. */
async function call(name) {
  const authorization = `Bearer ${shop.sessionToken(apiKey)}`;
  const headers = { authorization, 'user-agent': AGENT };
  const response = await fetch(`${appUrl}/app/${name}`, { headers, redirect: 'manual' });
  const text = await response.text();
  if (response.status === 200) return JSON.parse(text);
  const error = new Error(`/app/${name} answered ${response.status}: ${text.slice(0, 600)}`);
  throw Object.assign(error, { response });
}

const grants = () => shop.tokenRequests.map(({ grant, status }) => `${grant} ${status}`);

const steps = [
  [
    'Install: the merchant opens the app, and approves its scopes',
    async () => {
      page = await browser.open(`${shop.origin}/admin/apps/${apiKey}`);
      assert.match(page.text, /<h1>[^<]*Install/);
      page = await browser.submit(page, /install/i);
      assert.match(page.text, /<iframe/);
      assert.ok(shop.hasGranted(apiKey, APP.scopes), 'the scopes are granted');
    },
  ],
  [
    'Embedded page: opens in the frame of the admin',
    async () => {
      const frame = await browser.open(frameOf(page), { headers: IN_FRAME });
      assert.equal(frame.status, 200, frame.text.slice(0, 300));
      assert.match(frame.text, /interop/);
    },
  ],
  [
    `Token: ${grant.replace('_', ' ')} answers one that expires`,
    async () => {
      const { scope, expires } = await call('session');
      assert.equal(scope, APP.scopes.join());
      assert.ok(Math.abs(new Date(expires) - Date.now() - 3_600_000) < 60_000, expires);
      assert.ok(grants().includes(`${grant} 200`), grants().join());
    },
  ],
  [
    'Refresh: an expired token is replaced by its refresh token',
    async () => {
      shop.expireTokens(apiKey);
      await app.refresh();
      assert.equal(grants().at(-1), 'refresh_token 200');
      await call('shop');
    },
  ],
  [
    'GraphQL: a query is answered',
    async () => assert.deepEqual(await call('shop'), { name: shop.name, myshopifyDomain: SHOP }),
  ],
  [
    'Demo action of the templates: a product is created, its variant priced',
    async () => {
      const { product, variant } = await call('demo');
      assert.equal(product.handle, 'yellow-snowboard');
      assert.equal(product.status, 'ACTIVE');
      assert.equal(variant.price, '100.00');
      assert.deepEqual(await call('count'), { count: shop.products.length });
    },
  ],
  ...(rest ? restSteps() : []),
  [
    'Webhooks: the subscriptions are registered, and once only',
    async () => {
      const topics = shop.subscriptions.map(({ topic }) => topic).sort();
      assert.deepEqual(topics, ['app/uninstalled', 'products/create']);
    },
  ],
  [
    'Webhooks: what happens in the store arrives, verified',
    async () => {
      heard.length = 0;
      shop.createProduct({ title: 'Head torch' });
      await devStore.settled();
      await until(() => heard.includes('PRODUCTS_CREATE'));
      assert.deepEqual(heard, ['PRODUCTS_CREATE']);
    },
  ],
  [
    'Storefront: the client is answered with what is sold',
    async () => {
      const sold = shop.products.filter(({ status }) => status === 'active').slice(0, 2);
      assert.deepEqual(
        await call('storefront'),
        sold.map(({ title }) => ({ title })),
      );
    },
  ],
  [
    'App proxy: a visitor of the storefront reaches the app, verified',
    async () => {
      const visited = await fetch(`${shop.origin}/apps/${PROXY.subpath}/list?page=2`);
      assert.deepEqual(await visited.json(), { shop: SHOP, page: '2' });
      const signed = shop.appProxyUrl(apiKey, '/list?page=2');
      const forged = await fetch(signed.replace('page=2', 'page=3'));
      assert.equal(forged.status, 400);
    },
  ],
  [
    'Flow: an action runs, verified',
    async () => {
      const answer = await shop.runFlowAction(apiKey, '/flow', { properties: { amount: '10' } });
      assert.deepEqual([answer.status, await answer.json()], [200, { amount: '10' }]);
      const body = JSON.stringify({ properties: { amount: '99' }, shopify_domain: SHOP });
      const headers = { 'content-type': 'application/json', 'x-shopify-hmac-sha256': 'AAAA' };
      const forged = await fetch(`${appUrl}/flow`, { method: 'POST', headers, body });
      assert.equal(forged.status, 400);
    },
  ],
  [
    'Billing: a plan is asked for, approved, found and cancelled',
    async () => {
      assert.equal((await call('paid')).hasActivePayment, false);
      await pay();
      page = await browser.open(shop.billing.confirmationUrl(chargeId()));
      page = await browser.submit(page, /approve/i);
      const { hasActivePayment, appSubscriptions } = await call('paid');
      assert.equal(hasActivePayment, true);
      assert.equal(appSubscriptions[0].name, PLAN);
      await call('cancel');
      assert.equal((await call('paid')).hasActivePayment, false);
    },
  ],
  [
    'Uninstall: the app is told, and gets no token any more',
    async () => {
      heard.length = 0;
      await browser.submit(await browser.open(`${shop.origin}/admin`), /uninstall/i);
      await devStore.settled();
      await until(() => heard.includes('APP_UNINSTALLED'));
      assert.equal(shop.installation(apiKey), undefined);
      await assert.rejects(call('shop'));
    },
  ],
];

function restSteps() {
  return [
    [
      'REST: lists, counts and pages are answered',
      async () => {
        const { first, count, second } = await call('rest');
        assert.equal(count, shop.products.length);
        assert.equal(first.length, 2);
        assert.equal(second.length, 2);
        assert.notEqual(first[1].id, second[0].id);
      },
    ],
    [
      'Resources: one is created, changed, found, listed, deleted and counted',
      async () => {
        const before = shop.products.length;
        const { title, listed, left } = await call('resources');
        assert.equal(title, 'Climbing boots');
        assert.equal(listed, before + 1);
        assert.equal(left, before);
      },
    ],
    [
      'Resources: a charge is created, found and cancelled, a product gets an image',
      async () => {
        const { id, status, found, confirmationUrl } = await call('charge');
        assert.deepEqual([status, found], ['pending', 'Pro']);
        assert.equal(confirmationUrl, shop.billing.confirmationUrl(id));
        assert.equal(shop.billing.find(id).status, 'CANCELLED');
        const { src, position, count, left } = await call('image');
        assert.deepEqual([src, position, count, left], ['https://example.com/boots.png', 1, 1, []]);
      },
    ],
  ];
}

const chargeId = () => shop.billing.charges.at(-1).id;

/** The frameworks of routes throw what takes the browser to the charge. */
async function pay() {
  try {
    await call('pay');
  } catch (error) {
    assert.ok([302, 401].includes(error.response?.status), error.message);
  }
  assert.equal(shop.billing.charges.at(-1).name, PLAN);
}

process.exitCode = (await take(steps)) ? 0 : 1;
app.close();
await devStore.close();
// Their servers keep the connections of their clients.
process.exit();
