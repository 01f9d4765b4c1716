// The walk of `npm run demo -- --check` through an app on a host of web requests: an admin page, an
// API, webhooks and an app proxy. `npm run test:package` takes it on other runtimes than Node.
import assert from 'node:assert/strict';

import { IN_FRAME, KEY, deliver, titlesIn } from './demo-app.mjs';
import { Browser, frameOf, take, until } from './demo-browser.mjs';

/** In milliseconds. */
const PATIENCE = 20_000;

/**
 * Walks through an app that runs. Resolves to whether all of its steps passed.
 * @param proxied the path of its app proxy in the storefront
 * @param steps further ones, of a function that asks the app with a session token and a path
 */
export function walk({ url, appUrl, devStore, lines }, { proxied, steps = () => [] }) {
  const store = new URL(url).origin;
  const shop = devStore.shop();
  const browser = new Browser();
  let page;

  return take([
    [
      'Install: the admin opens the app, the app asks for its scopes',
      async () => {
        page = await browser.open(`${store}/admin/apps/${KEY}`);
        assert.match(page.url, /\/admin\/oauth\/authorize\?/);
        assert.match(new URL(page.url).searchParams.get('scope'), /write_products/);
      },
    ],
    [
      'Consent: the merchant approves, and the app opens inside the admin',
      async () => {
        page = await browser.submit(page, /install/i);
        assert.ok(
          browser.visited.some((visited) => visited.startsWith(`${appUrl}/auth/callback?`)),
          'the callback was visited',
        );
        assert.equal(new URL(page.url).origin, store);
      },
    ],
    [
      'Embedded page: for the admin alone, with App Bridge',
      async () => {
        const embedded = await browser.open(frameOf(page), { headers: IN_FRAME });
        assert.equal(embedded.status, 200);
        assert.match(embedded.text, /Stoneware mug/);
        assert.match(embedded.text, /app-bridge\.js/);
        const policy = embedded.headers.get('content-security-policy') ?? '';
        assert.match(policy, /frame-ancestors https:\/\/dev-shop\.myshopify\.com /);
      },
    ],
    [
      'Refusal: without a session token, or with a forged one, there are no products',
      async () => {
        assert.doesNotMatch((await browser.open(appUrl)).text, /Stoneware mug/);
        for (const token of ['forged', shop.sessionToken(KEY, { exp: 1 })])
          assert.equal((await api(token)).status, 401);
      },
    ],
    [
      'API: a session token is exchanged, and products are read; a token that has ended is renewed',
      async () => {
        const token = shop.sessionToken(KEY);
        assert.match(await (await api(token)).text(), /Stoneware mug/);
        shop.revokeTokens(KEY);
        assert.match(await (await api(token)).text(), /Stoneware mug/);
      },
    ],
    [
      'API: many requests at once, of a shop whose token has ended, are all answered',
      async () => {
        shop.revokeTokens(KEY);
        const tokens = Array.from({ length: 12 }, () => shop.sessionToken(KEY));
        const answers = await Promise.all(tokens.map((token) => api(token)));
        assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
      },
    ],
    [
      'Webhook: the store delivers one of a new product',
      async () => {
        const products = await browser.open(`${store}/admin/products`);
        await browser.submit(products, /add product/i, { title: 'Trail map' });
        await until(() => titlesIn(lines).includes('Trail map'));
      },
    ],
    [
      'Webhook: handled once though it is delivered twice, and a forged one is refused',
      async () => {
        const webhookId = 'delivery-1';
        assert.equal(await deliver(appUrl, { title: 'Head torch', webhookId }), 200);
        assert.equal(await deliver(appUrl, { title: 'Head torch', webhookId }), 200);
        assert.equal(await deliver(appUrl, { title: 'Forged', secret: 'not-the-secret' }), 401);
        assert.equal(
          await deliver(appUrl, { title: 'Seil für Kletterer', webhookId: 'delivery-2' }),
          200,
        );
        await until(() => titlesIn(lines).includes('Seil für Kletterer'));
        const times = (title) => titlesIn(lines).filter((one) => one === title).length;
        assert.deepEqual([times('Head torch'), times('Forged')], [1, 0]);
      },
    ],
    [
      'App proxy: a page in Liquid for visitors, and nothing for who is not signed',
      async () => {
        const visited = await browser.open(store + proxied);
        assert.equal(visited.status, 200);
        assert.match(visited.text, /Simulated storefront[\s\S]+Dev Shop, by an app/);
        const forged = shop.appProxyUrl(KEY, '').replace(/signature=\w/, 'signature=x');
        assert.equal((await fetch(forged)).status, 400);
      },
    ],
    ...steps((path) => api(shop.sessionToken(KEY), path)),
    [
      'Uninstall: the app is gone from the shop, and opening it asks for its scopes again',
      async () => {
        await browser.submit(await browser.open(`${store}/admin`), /uninstall/i);
        await devStore.settled();
        page = await browser.open(`${store}/admin/apps/${KEY}`);
        assert.match(page.url, /\/admin\/oauth\/authorize\?/);
      },
    ],
  ]);

  /** Asks as the script of a page does, with the session token that App Bridge adds. */
  function api(token, path = '/api/products') {
    const headers = { authorization: `Bearer ${token}` };
    const signal = AbortSignal.timeout(PATIENCE);
    return fetch(appUrl + path, { headers, signal, redirect: 'manual' });
  }
}
