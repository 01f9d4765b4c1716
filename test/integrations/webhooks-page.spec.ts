import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import express from 'express';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { signedWebhook } from '../../lib/dev-store/index.js';
import { platformApp } from '../../lib/integrations/express/index.js';
import type { WebhookSettings } from '../../lib/webhooks/webhooks.options.js';
import { API_KEY, API_SECRET, SHOP } from '../support/app.js';
import { ListedQueue, kept, letter } from '../webhooks/queue/listed.queue.js';

const ALLOWED = { authorization: 'Basic b3BzOnB3' };

let server: Server;
let address: string;
let closeApp: () => Promise<void>;

async function open(webhooks: WebhookSettings, parser?: express.RequestHandler): Promise<void> {
  const shopify = platformApp({
    api: {
      apiKey: API_KEY,
      apiSecretKey: API_SECRET,
      apiVersion: '2026-07',
      hostName: 'app.example.com',
      logger: { log: () => {} },
    },
    webhooks,
  });
  const app = express().use(shopify.routes());
  if (parser) app.use(parser);
  app.use(
    '/ops/webhooks',
    shopify.webhooksPage({
      authorize: (req, res) => {
        if (req.headers.authorization === undefined) res.status(401).send('Who are you?');
        return req.headers.authorization === ALLOWED.authorization;
      },
    }),
  );
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  closeApp = shopify.close;
}

afterEach(async () => {
  await closeApp();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const page = (headers: Record<string, string> = ALLOWED, query = ''): Promise<Response> =>
  fetch(`${address}/ops/webhooks${query}`, { headers });

interface Form {
  readonly cookie: string;
  readonly token: string;
}

async function formOf(response: Response): Promise<Form> {
  const cookie = response.headers.getSetCookie().map((one) => one.split(';')[0]!);
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(await response.text()) ?? [];
  return { cookie: cookie.join('; '), token };
}

function post(
  { cookie, token }: Form,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
  more = '',
): Promise<Response> {
  return fetch(`${address}/ops/webhooks`, {
    method: 'POST',
    redirect: 'manual',
    headers: { ...ALLOWED, cookie, origin: address, 'sec-fetch-site': 'same-origin', ...headers },
    body: new URLSearchParams(`${new URLSearchParams({ token, ...fields })}${more}`),
  });
}

describe('the page about webhooks, with a durable queue', () => {
  beforeEach(async () => {
    kept.letters = [
      letter('d-1', { reason: '<script>alert(1)</script>' }),
      letter('d-2', { topic: 'PRODUCTS_UPDATE', handlers: ['Products.onUpdate'] }),
    ];
    await open({ queue: { create: () => new ListedQueue() } });
  });

  it('shows the queue, the last deliveries and the dead letters, escaped', async () => {
    const text = await (await page()).text();
    expect(text).toMatch(/<dt>Waiting<\/dt>\s*<dd>3</);
    expect(text).toContain('PRODUCTS_UPDATE');
    expect(text).toContain('Products.onUpdate');
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(text).toContain('delivery-1');
    expect(text).not.toMatch(/<script/);
  });

  it('lets the browser load nothing, and nobody frame or keep it', async () => {
    const { headers } = await page();
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]+='; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(headers.get('cache-control')).toBe('no-store');
    for (const cookie of headers.getSetCookie())
      expect(cookie).toMatch(/; HttpOnly; Secure; SameSite=Lax/);
  });

  it('is shown to nobody whom the app does not let in', async () => {
    expect((await page({})).status).toBe(401);
    const refused = await page({ authorization: 'Basic eA==' });
    expect([refused.status, await refused.text()]).toEqual([
      403,
      expect.not.stringContaining('d-1'),
    ]);
    const form = await formOf(await page());
    expect((await post(form, { id: 'd-1' }, { authorization: 'Basic eA==' })).status).toBe(403);
    expect(kept.letters).toHaveLength(2);
  });

  it('has one dead letter handled again, or all', async () => {
    const form = await formOf(await page());
    const one = await post(form, { id: 'd-2' });
    expect([one.status, one.headers.get('location')]).toEqual([302, '?replayed=1']);
    expect(kept.letters.map(({ id }) => id)).toEqual(['d-1']);
    const gone = await post(form, { id: 'd-2' });
    expect(gone.headers.get('location')).toBe('?replayed=0');
    const all = await post(form, { all: '1' });
    expect([all.headers.get('location'), kept.letters]).toEqual(['?replayed=1', []]);
    const told = await (await page(ALLOWED, '?replayed=1')).text();
    expect(told).toContain('To be handled again: 1');
  });

  it('keeps its cookie, so that a form in another tab still counts', async () => {
    const form = await formOf(await page());
    const second = await page({ ...ALLOWED, cookie: form.cookie });
    expect(second.headers.getSetCookie()).toEqual([]);
    expect((await post(form, { id: 'd-1' })).status).toBe(302);
  });

  it.each<[string, (form: Form) => Promise<Response>, number]>([
    ['without a token', ({ cookie }) => post({ cookie, token: '' }, { all: '1' }), 403],
    ['without a cookie', ({ token }) => post({ cookie: '', token }, { all: '1' }), 403],
    [
      'with the signature of the cookie as its token',
      ({ cookie }) => post({ cookie, token: cookie.split('.sig=')[1]! }, { all: '1' }),
      403,
    ],
    [
      'of another site',
      (form) => post(form, { all: '1' }, { 'sec-fetch-site': 'cross-site' }),
      403,
    ],
    ['of a sibling', (form) => post(form, { all: '1' }, { 'sec-fetch-site': 'same-site' }), 403],
    [
      'of an unknown origin',
      ({ cookie, token }) =>
        fetch(`${address}/ops/webhooks`, {
          method: 'POST',
          headers: { ...ALLOWED, cookie, origin: 'null' },
          body: new URLSearchParams({ token, all: '1' }),
        }),
      403,
    ],
    ['that names none', (form) => post(form, {}), 400],
    ['with an endless id', (form) => post(form, { id: 'd'.repeat(300) }), 400],
    ['with two ids', (form) => post(form, { id: 'd-1' }, {}, '&id=d-2'), 400],
  ])('refuses a form %s', async (_, send, status) => {
    const form = await formOf(await page());
    expect((await send(form)).status).toBe(status);
    expect(kept.letters).toHaveLength(2);
  });

  it.each([
    ['of the app', 'https://app.example.com', 302],
    ['of the host that the page is asked at', undefined, 302],
    ['of the app without TLS', 'http://app.example.com', 403],
    ['of another port', 'https://app.example.com:8443', 403],
    ['of a host below the app', 'https://x.app.example.com', 403],
  ])(
    'compares the origin where a browser sends no Sec-Fetch-Site: that %s',
    async (_, origin, status) => {
      const { cookie, token } = await formOf(await page());
      const { status: answered } = await fetch(`${address}/ops/webhooks`, {
        method: 'POST',
        redirect: 'manual',
        headers: { ...ALLOWED, cookie, origin: origin ?? address },
        body: new URLSearchParams({ token, id: 'd-1' }),
      });
      expect(answered).toBe(status);
    },
  );

  it('takes no other method, and shows nothing that a query says', async () => {
    const response = await fetch(`${address}/ops/webhooks`, { method: 'DELETE', headers: ALLOWED });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    const text = await (await page(ALLOWED, '?replayed=%3Cb%3E')).text();
    expect(text).not.toContain('To be handled again');
  });
});

describe('the page about webhooks', () => {
  it('takes a form that a parser of the app has read', async () => {
    kept.letters = [letter('d-1')];
    await open({ queue: { create: () => new ListedQueue() } }, express.urlencoded());
    const form = await formOf(await page());
    expect((await post(form, { id: 'd-1' })).status).toBe(302);
    expect(kept.letters).toEqual([]);
  });

  it('shows the last deliveries of the inbox where there is no queue', async () => {
    await open({ PRODUCTS_CREATE: async () => {} });
    const { headers, body } = signedWebhook({
      secret: API_SECRET,
      shop: SHOP,
      topic: 'products/create',
      webhookId: 'of-the-inbox',
    });
    await fetch(`${address}/webhooks`, { method: 'POST', headers, body: new Uint8Array(body) });
    const text = await (await page()).text();
    expect(text).toMatch(/of-the-inbox<\/td>\s*<td data-of="State"><span class="handled">handled/);
    expect(text).toContain('no durable queue');
    expect(text).not.toContain('<form');
  });

  it('is not mounted without somebody who says who may see it', async () => {
    await open({});
    const { webhooksPage, close } = platformApp({
      api: {
        apiKey: 'other',
        apiSecretKey: API_SECRET,
        apiVersion: '2026-07',
        hostName: 'app.example.com',
        logger: { log: () => {} },
      },
    });
    expect(() => webhooksPage({} as never)).toThrow('webhooksPage() needs authorize');
    await close();
  });
});
