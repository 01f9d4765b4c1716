// The walk of `npm run demo -- --check` through an example of a router. The pages are what the
// server renders; documents and actions are asked for as a browser does that runs no script, with
// the session token that App Bridge would add.
import assert from 'node:assert/strict';

import { IN_FRAME, KEY, deliver, titlesIn } from './demo-app.mjs';
import { Browser, frameOf, take, until } from './demo-browser.mjs';

/** Walks through an example that runs. Resolves to whether all of its steps passed. */
export function walk({ url, appUrl, devStore, lines }) {
  const store = new URL(url).origin;
  const proxied = `${store}/apps/wishes`;
  const browser = new Browser();
  let page;

  return take([
    [
      'Build: the bundle for browsers has what a route may import of the toolkit, and no server',
      async () => {
        const login = await browser.open(`${appUrl}/auth/login`);
        assert.equal(login.status, 200);
        const scripts = await scriptsOf(login.text);
        const route = scripts.find(({ text }) => text.includes('Enter the domain of your shop'));
        assert.ok(route, 'the route of the login page is loaded');
        for (const { path, text } of scripts)
          assert.doesNotMatch(text, /from"node:|__vite-browser-external|createHmac/, path);
      },
    ],
    [
      'Login: what is no shop is refused in the form',
      async () => {
        page = await browser.open(`${appUrl}/auth/login`, {
          method: 'POST',
          body: new URLSearchParams({ shop: 'not a shop' }),
        });
        assert.match(page.text, /This is not the domain of a shop/);
      },
    ],
    [
      'Install: the admin opens the app, the app asks for its scopes',
      async () => {
        page = await browser.open(`${store}/admin/apps/${KEY}`);
        assert.match(page.url, /\/admin\/oauth\/authorize\?/);
        const scopes = new URL(page.url).searchParams.get('scope').split(',');
        assert.ok(scopes.includes('write_products') && scopes.includes('write_app_proxy'));
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
        assert.match(page.text, /<iframe/);
      },
    ],
    [
      'Embedded page: rendered on the server, with App Bridge, for the admin alone',
      async () => {
        const embedded = await openFrame(page);
        assert.equal(embedded.status, 200);
        assert.match(embedded.text, /Stoneware mug/);
        assert.match(
          embedded.text,
          /<script src="[^"]+\/shopifycloud\/app-bridge\.js" data-api-key="demo-api-key">/,
        );
        const policy = embedded.headers.get('content-security-policy') ?? '';
        assert.match(policy, /frame-ancestors https:\/\/dev-shop\.myshopify\.com /);
        assert.match(embedded.headers.get('link') ?? '', /app-bridge\.js>; rel="preload"/);
      },
    ],
    [
      'Refusal: without a session token no page of the app is shown, and a script gets 401',
      async () => {
        const stranger = await fetch(`${appUrl}/app`, { redirect: 'manual' });
        assert.doesNotMatch(await stranger.text(), /Stoneware mug/);
        const forged = { headers: { authorization: 'Bearer forged' } };
        assert.equal((await fetch(`${appUrl}/app`, forged)).status, 401);
      },
    ],
    [
      'Session token: an expired one leads to the page that fetches a fresh one',
      async () => {
        const exp = Math.floor(Date.now() / 1000) - 600;
        const expired = devStore.shop().sessionToken(KEY, { exp });
        const frame = new URL(frameOf(await browser.open(`${store}/admin/apps/${KEY}`)));
        frame.searchParams.set('id_token', expired);
        const bounced = await browser.open(frame.href, { headers: IN_FRAME });
        assert.equal(new URL(bounced.url).pathname, '/auth/session-token');
        const reload = new URL(new URL(bounced.url).searchParams.get('shopify-reload'));
        assert.equal(reload.origin, appUrl);
        reload.searchParams.set('id_token', devStore.shop().sessionToken(KEY));
        assert.match((await browser.open(reload.href, { headers: IN_FRAME })).text, /Stoneware/);
      },
    ],
    [
      'Product create: the action writes over the Admin API, and the webhook arrives',
      async () => {
        const created = await action({ title: 'Walking boots', price: '89.90' });
        assert.equal(created.status, 200);
        assert.match(created.text, />Walking boots, 89\.90</);
        await until(() => titlesIn(lines).includes('Walking boots'));
      },
    ],
    [
      'Product create: a price that is none is refused with the reason of the Admin API',
      async () => {
        const { text } = await action({ title: 'Camping stove', price: 'a lot' });
        assert.match(text, />Camping stove, 0\.00</);
        assert.match(text, /Price is not a number/);
      },
    ],
    [
      'App proxy: a page in Liquid, in the theme of the storefront, with a form and a link',
      async () => {
        page = await browser.open(`${proxied}/products`);
        assert.equal(page.status, 200);
        assert.match(page.text, /Simulated storefront[\s\S]+What Dev Shop sells/);
        assert.match(page.text, /Walking boots/);
        page = await browser.submit(page, /search/i, { search: 'boots {{ shop.name }} "<b>' });
        assert.equal(new URL(page.url).pathname, '/apps/wishes/products/');
        assert.match(page.text, /value="boots &#123;&#123; shop\.name &#125;&#125; &#34;&#60;b/);
        page = await browser.submit(page, /search/i, { search: 'boots' });
        assert.match(page.text, /Walking boots/);
        assert.doesNotMatch(page.text, /Stoneware mug/);
        assert.match(page.text, /<a href="\/apps\/wishes\/">/);
      },
    ],
    [
      'App proxy: a page in React, whose scripts the storefront may load from the app',
      async () => {
        page = await browser.open(`${proxied}/`);
        assert.equal(page.status, 200);
        assert.match(page.text, new RegExp(`<base href="${appUrl}"/>`));
        assert.match(page.text, /<form [^>]*action="\/apps\/wishes\/"/);
        assert.match(page.text, /<a href="\/apps\/wishes\/products\/"/);
        const [, script] = /"(\/assets\/[^"]+\.js)"/.exec(page.text.replaceAll(appUrl, ''));
        const { headers } = await fetch(appUrl + script);
        assert.equal(headers.get('access-control-allow-origin'), '*');
      },
    ],
    [
      'App proxy: what a visitor sends reaches the action, and nothing that is not signed does',
      async () => {
        const body = new URLSearchParams({ wish: 'A tent <for> two' });
        const init = { method: 'POST', body, headers: { origin: store } };
        page = await browser.open(`${proxied}/`, init);
        assert.equal(page.status, 200);
        assert.match(page.text, /Noted: A tent &lt;for&gt; two/);
        assert.match(page.text, /<li>A tent &lt;for&gt; two<\/li>/);
        for (const unsigned of [{}, { method: 'POST', body }])
          assert.equal((await fetch(`${appUrl}/apps/wishes/`, unsigned)).status, 400);
        const forged = devStore
          .shop()
          .appProxyUrl(KEY, '/')
          .replace(/signature=./, 'signature=x');
        assert.equal((await fetch(forged)).status, 400);
      },
    ],
    [
      'Access token: one that the platform ended is renewed on the way',
      async () => {
        devStore.shop().revokeTokens(KEY);
        assert.match((await action({ title: 'Trail map' })).text, /Trail map/);
      },
    ],
    [
      'Webhook: handled once though it is delivered twice, and a forged one is refused',
      async () => {
        const webhookId = 'delivery-1';
        assert.equal(await deliver(appUrl, { title: 'Head torch', webhookId }), 200);
        assert.equal(await deliver(appUrl, { title: 'Head torch', webhookId }), 200);
        assert.equal(await deliver(appUrl, { title: 'Forged', secret: 'not-the-secret' }), 401);
        assert.equal(await deliver(appUrl, { title: 'Rope' }), 200);
        await until(() => titlesIn(lines).includes('Rope'));
        const times = (title) => titlesIn(lines).filter((one) => one === title).length;
        assert.deepEqual([times('Head torch'), times('Forged')], [1, 0]);
      },
    ],
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

  /** The scripts that a page loads, and those that they import. */
  async function scriptsOf(html) {
    const found = new Map();
    const paths = html.replaceAll(appUrl, '').matchAll(/"(\/assets\/[^"]+\.js)"/g);
    const queue = [...paths].map(([, path]) => path);
    for (const path of queue) {
      if (found.has(path)) continue;
      const response = await fetch(appUrl + path);
      assert.equal(response.status, 200, path);
      const text = await response.text();
      found.set(path, { path, text });
      for (const [, name] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g))
        queue.push(`/assets/${name}`);
    }
    return [...found.values()];
  }

  /** Opens what a page of the admin has in its frame. */
  function openFrame(adminPage) {
    return browser.open(frameOf(adminPage), { headers: IN_FRAME });
  }

  /** Submits the form of the products page. */
  function action(fields) {
    const authorization = `Bearer ${devStore.shop().sessionToken(KEY)}`;
    const body = new URLSearchParams(fields);
    return browser.open(`${appUrl}/app?index`, {
      method: 'POST',
      body,
      headers: { authorization },
    });
  }
}
