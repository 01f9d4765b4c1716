// The walk of `npm run demo -- --check` through an example of a router. The pages are what the
// server renders; documents and actions are asked for as a browser does that runs no script, with
// the session token that App Bridge would add.
import assert from 'node:assert/strict';

import { signedWebhook } from 'shopwright/dev-store';

import { Browser, take, until } from './demo-browser.mjs';

const SHOP = 'dev-shop.myshopify.com';
const SECRET = 'demo-api-secret';
const KEY = 'demo-api-key';

/** Walks through an example that runs. Resolves to whether all of its steps passed. */
export function walk({ url, appUrl, devStore, lines }) {
  const store = new URL(url).origin;
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
        assert.equal(new URL(page.url).searchParams.get('scope'), 'write_products');
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
        const created = await action({ title: 'Walking boots' });
        assert.equal(created.status, 200);
        assert.match(created.text, /Walking boots/);
        await until(() => heard().includes('Walking boots'));
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
        assert.equal(await deliver({ title: 'Head torch', webhookId }), 200);
        assert.equal(await deliver({ title: 'Head torch', webhookId }), 200);
        assert.equal(await deliver({ title: 'Forged', secret: 'not-the-secret' }), 401);
        assert.equal(await deliver({ title: 'Rope' }), 200);
        await until(() => heard().includes('Rope'));
        const times = (title) => heard().filter((one) => one === title).length;
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
    const paths = [
      ...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"|"(\/assets\/[^"]+\.js)"/g),
    ];
    const queue = paths.map(([, named, quoted]) => named ?? quoted);
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

  /** The titles that the app has written of, from webhooks. */
  function heard() {
    return lines.flatMap((line) => / has a new product: (.+)$/.exec(line)?.[1] ?? []);
  }

  /** Delivers a webhook of our own; resolves to the status of the answer. */
  async function deliver({ title, secret = SECRET, webhookId }) {
    const { headers, body } = signedWebhook({
      ...{ secret, shop: SHOP, topic: 'PRODUCTS_CREATE', payload: { title }, webhookId },
    });
    return (await fetch(`${appUrl}/webhooks`, { method: 'POST', headers, body })).status;
  }
}

const IN_FRAME = { 'sec-fetch-dest': 'iframe' };

/** What a page of the admin has in its frame. */
function frameOf(adminPage) {
  const frame = adminPage.text.match(/<iframe[^>]*\ssrc="([^"]+)"/)?.[1]?.replaceAll('&amp;', '&');
  assert.ok(frame, 'the admin frames the app');
  return frame;
}
