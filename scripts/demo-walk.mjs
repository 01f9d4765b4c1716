// The walk of `npm run demo -- --check`: what a merchant does in the browser, done over HTTP with real redirects, cookies and signatures.
import assert from 'node:assert/strict';

/** Walks through the demo; prints each step. Resolves to whether all of them passed. */
export async function walk({ url, appUrl }) {
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
        assert.match(embedded.text, /Connected to <strong id="shop">dev-shop\.myshopify\.com/);
        assert.match(embedded.headers.get('content-security-policy') ?? '', /frame-ancestors/);
      },
    ],
    ['Refusal: without a session token the API answers 401', async () => assert.equal((await fetch(`${appUrl}/api/products`)).status, 401)],
    [
      'Product list: read over the Admin API, on all three hosts',
      async () => {
        const { products } = await api('/api/products');
        assert.ok(products.length > 0, 'the store has products');
        for (const path of ['/api/shop', '/express/shop', '/remix/shop']) assert.equal((await api(path)).shop.name, 'Dev Shop');
      },
    ],
    [
      'Product create: written over the Admin API',
      async () => {
        const { product } = await api('/api/products', { title: 'Walking boots' });
        assert.match(product.id, /^gid:\/\//);
        assert.ok((await api('/api/products')).products.some(({ title }) => title === 'Walking boots'));
      },
    ],
    [
      'Webhook: received and verified',
      async () => {
        await delivered('PRODUCTS_CREATE', 'Walking boots');
        const forged = await fetch(`${appUrl}/webhooks`, {
          method: 'POST',
          body: '{}',
          headers: { 'x-shopify-hmac-sha256': 'AAAA', 'x-shopify-topic': 'products/create' },
        });
        assert.equal(forged.status, 401, 'a forged delivery is refused');
      },
    ],
    [
      'Plan: a page that needs one takes the whole window to the confirmation page',
      async () => {
        assert.equal((await api('/api/plan')).plan, null);
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
        assert.equal((await api('/api/plan')).plan, null);
      },
    ],
    [
      'Approve: asked for once more, the plan opens the page inside the admin, and its webhook arrives',
      async () => {
        const declined = chargeOf(confirmation);
        confirmation = await askForPlan();
        assert.notEqual(chargeOf(confirmation), declined);
        page = await browser.submit(confirmation, /approve/i);
        assert.equal(page.url, `${reports}?charge_id=${chargeOf(confirmation)}`);
        const report = await openFrame(page);
        assert.equal(report.status, 200);
        assert.match(report.text, /Products by status/);
        assert.equal((await api('/api/plan')).plan, 'Pro');
        await delivered('APP_SUBSCRIPTIONS_UPDATE', 'Pro is active');
      },
    ],
    [
      'Uninstall: the token is revoked and the session is gone',
      async () => {
        page = await browser.submit(await browser.open(`${store}/admin`), /uninstall/i);
        await until(async () => (await fetch(`${appUrl}/api/products`, { headers: { authorization: `Bearer ${token}` } })).status === 403);
      },
    ],
  ];

  /** Opens what a page of the admin has in its frame, and keeps the session token it comes with. */
  async function openFrame(adminPage) {
    const frame = adminPage.text.match(/<iframe[^>]*\ssrc="([^"]+)"/)?.[1]?.replaceAll('&amp;', '&');
    assert.ok(frame, 'the admin frames the app');
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

  async function delivered(topic, title) {
    await until(async () =>
      (await api('/api/deliveries')).deliveries.some((delivery) => delivery.topic === topic && delivery.title === title),
    );
  }

  async function api(path, body) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(appUrl + path, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers });
    assert.ok(response.ok, `${path} answered ${response.status}: ${response.ok ? '' : await response.text()}`);
    return response.json();
  }

  let passed = 0;
  for (const [title, step] of steps) {
    try {
      await step();
      passed++;
      console.log(`  ✓ ${title}`);
    } catch (error) {
      console.error(`  ✗ ${title}\n    ${error.message}`);
      break;
    }
  }
  console.log(`\n${passed} passed, ${steps.length - passed} failed`);
  return passed === steps.length;
}

function chargeOf({ url }) {
  const [, charge] = url.match(/\/admin\/charges\/(\d+)\/confirm\?/) ?? [];
  assert.ok(charge, `${url} is the confirmation page of a charge`);
  return charge;
}

async function until(holds) {
  for (let attempt = 0; attempt < 50; attempt++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail('it did not happen within 5 seconds');
}

/** As much of a browser as the walk needs: cookies per host, redirects, forms. */
class Browser {
  visited = [];
  #cookies = new Map();

  async open(url, init = {}) {
    for (let hop = 0; hop < 10; hop++) {
      this.visited.push(url);
      const headers = { accept: 'text/html', 'sec-fetch-dest': 'document', cookie: this.#cookieHeader(url), ...init.headers };
      const response = await fetch(url, { ...init, headers, redirect: 'manual' });
      this.#keepCookies(url, response.headers.getSetCookie());
      const location = response.headers.get('location');
      if (response.status < 300 || response.status > 399 || !location)
        return { url, status: response.status, headers: response.headers, text: await response.text() };
      await response.body?.cancel();
      url = new URL(location, url).href;
      init = {};
    }
    throw new Error(`more than 10 redirects, the last to ${url}`);
  }

  /** Presses the button of a form whose label matches. */
  async submit(page, label) {
    const form = [...page.text.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].find(([, , inner]) =>
      [...inner.matchAll(/<button\b[^>]*>([\s\S]*?)<\/button\s*>/g)].some(([, text]) => label.test(text)),
    );
    assert.ok(form, `the page has a form with a button ${label}`);
    const [, opening, inner] = form;
    const button = [...inner.matchAll(/<button\b([^>]*)>([\s\S]*?)<\/button\s*>/g)].find(([, , text]) => label.test(text))[1];
    const fields = [...inner.matchAll(/<input\b([^>]*)>/g)].map(([, attributes]) => attributes);
    const body = new URLSearchParams(
      [...fields, button]
        .filter((attributes) => attribute(attributes, 'name'))
        .map((attributes) => [attribute(attributes, 'name'), attribute(attributes, 'value') ?? '']),
    );
    const action = new URL(attribute(opening, 'action') ?? page.url, page.url).href;
    return this.open(action, { method: 'POST', body, headers: { origin: new URL(page.url).origin } });
  }

  #cookieHeader(url) {
    return [...(this.#cookies.get(new URL(url).origin) ?? new Map())].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  #keepCookies(url, cookies) {
    const { origin } = new URL(url);
    const jar = this.#cookies.get(origin) ?? new Map();
    this.#cookies.set(origin, jar);
    for (const cookie of cookies) {
      const [pair] = cookie.split(';', 1);
      const name = pair.slice(0, pair.indexOf('='));
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(cookie)) jar.delete(name);
      else jar.set(name, pair.slice(name.length + 1));
    }
  }
}

function attribute(attributes, name) {
  return attributes
    .match(new RegExp(`\\b${name}="([^"]*)"`))?.[1]
    ?.replaceAll('&amp;', '&')
    .replaceAll('&quot;', '"');
}
