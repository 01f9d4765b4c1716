// The walk of `npm run demo -- --check`: what a merchant does in the browser, done over HTTP with
// real redirects, cookies and signatures.
import assert from 'node:assert/strict';

import { deliver } from './demo-app.mjs';
import { Browser, frameOf, take, until } from './demo-browser.mjs';

/** Walks through an example that runs; prints each step. Resolves to whether all of them passed. */
export async function walk(example, demo) {
  const { url, appUrl } = demo;
  const store = new URL(url).origin;
  const reports = `${store}/admin/apps/demo-api-key/reports`;
  const browser = new Browser();
  let page;
  let token;
  let confirmation;
  const steps = [
    [
      'Install: the admin opens the app, the app asks for its scopes',
      async () => {
        page = await browser.open(`${store}/admin/apps/demo-api-key`);
        assert.match(page.url, /\/admin\/oauth\/authorize\?/);
        assert.equal(new URL(page.url).searchParams.get('scope'), 'write_products');
      },
    ],
    [
      'Consent: the merchant approves, the store answers with a code',
      async () => {
        assert.match(page.text, /Shopwright example/);
        page = await browser.submit(page, /install/i);
        assert.ok(
          browser.visited.some((visited) => visited.startsWith(`${appUrl}/auth/callback?`)),
          'the callback was visited',
        );
      },
    ],
    [
      'Callback: the app is installed and opens inside the admin',
      async () => {
        assert.equal(page.status, 200);
        assert.equal(new URL(page.url).origin, store);
        assert.match(page.text, /<iframe/);
      },
    ],
    [
      'Embedded page: opened in the frame with a session token',
      async () => {
        const embedded = await openFrame(page);
        assert.equal(embedded.status, 200);
        assert.match(embedded.text, example.home);
        assert.match(embedded.headers.get('content-security-policy') ?? '', /frame-ancestors/);
      },
    ],
    [
      'Refusal: without a session token the API answers 401',
      async () => assert.equal((await fetch(`${appUrl}/api/products`)).status, 401),
    ],
    [
      'Product list: read over the Admin API',
      async () =>
        assert.ok((await api('/api/products')).products.length > 0, 'the store has products'),
    ],
    [
      'Webhook: received and verified',
      async () => {
        await browser.submit(await browser.open(`${store}/admin/products`), /add product/i, {
          title: 'Trail map',
        });
        await until(async () => (await heard()).includes('Trail map'));
        assert.equal(
          await deliver(appUrl, { title: 'Forged', secret: 'not-the-secret' }),
          401,
          'a forged delivery is refused',
        );
      },
    ],
    [
      'Webhook: handled once, though it is delivered twice',
      async () => {
        const webhookId = 'delivery-1';
        assert.equal(await deliver(appUrl, { title: 'Head torch', webhookId }), 200);
        assert.equal(await deliver(appUrl, { title: 'Head torch', webhookId }), 200);
        assert.equal(await deliver(appUrl, { title: 'Rope' }), 200);
        await until(async () => (await heard()).includes('Rope'));
        const titles = await heard();
        const times = (title) => titles.filter((one) => one === title).length;
        assert.deepEqual([times('Trail map'), times('Head torch'), times('Forged')], [1, 1, 0]);
      },
    ],
    [
      'Plan: a page that needs one takes the whole window to the confirmation page',
      async () => {
        confirmation = await askForPlan();
        assert.match(confirmation.text, /Approve subscription/);
      },
    ],
    [
      'Decline: the merchant is back in the admin, and the page stays closed without asking again',
      async () => {
        const charge = chargeOf(confirmation);
        page = await browser.submit(confirmation, /decline/i);
        assert.equal(page.url, `${store}/admin`);
        const refused = await openFrame(await browser.open(`${reports}?charge_id=${charge}`));
        assert.equal(refused.status, 402);
        assert.match(refused.text, /The charge was not approved/);
      },
    ],
    [
      'Approve: asked for once more, the plan opens the page inside the admin',
      async () => {
        const declined = chargeOf(confirmation);
        confirmation = await askForPlan();
        assert.notEqual(chargeOf(confirmation), declined);
        page = await browser.submit(confirmation, /approve/i);
        assert.equal(page.url, `${reports}?charge_id=${chargeOf(confirmation)}`);
        const report = await openFrame(page);
        assert.equal(report.status, 200);
        assert.match(report.text, example.report);
      },
    ],
    ...example.steps({ api, heard }),
    [
      'Uninstall: the token is revoked and the session is gone',
      async () => {
        page = await browser.submit(await browser.open(`${store}/admin`), /uninstall/i);
        await until(
          async () =>
            (
              await fetch(`${appUrl}/api/products`, {
                headers: { authorization: `Bearer ${token}` },
              })
            ).status === 403,
        );
      },
    ],
  ];

  /** Opens what a page of the admin has in its frame, and keeps the session token it comes with. */
  async function openFrame(adminPage) {
    const frame = frameOf(adminPage);
    token = new URL(frame).searchParams.get('id_token');
    return browser.open(frame, { headers: { 'sec-fetch-dest': 'iframe' } });
  }

  /** The confirmation page, to which the app leaves the frame from the page that needs a plan. */
  async function askForPlan() {
    const { url } = await openFrame(await browser.open(reports));
    const { origin, pathname, searchParams } = new URL(url);
    assert.equal(origin + pathname, `${appUrl}/exitiframe`);
    return browser.open(searchParams.get('redirectUri'));
  }

  /** The titles the app has heard of from webhooks. */
  function heard() {
    return example.heard(demo, api);
  }

  async function api(path, body) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(
      appUrl + path,
      body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
    );
    assert.ok(
      response.ok,
      `${path} answered ${response.status}: ${response.ok ? '' : await response.text()}`,
    );
    return response.json();
  }

  return take(steps);
}

function chargeOf({ url }) {
  const [, charge] = url.match(/\/admin\/charges\/(\d+)\/confirm\?/) ?? [];
  assert.ok(charge, `${url} is the confirmation page of a charge`);
  return charge;
}
