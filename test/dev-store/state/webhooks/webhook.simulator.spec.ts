import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { DevStore, type DevStoreOptions } from '../../../../lib/dev-store/index.js';
import { openReceiver, type AppReceiver } from '../../app-receiver.js';

const SHOP = 'dev-shop.myshopify.com';

describe('Webhooks of a simulated shop', () => {
  let app: AppReceiver;
  let other: AppReceiver;
  let devStore: DevStore;

  beforeEach(async () => {
    [app, other] = await Promise.all([openReceiver(), openReceiver()]);
  });
  afterEach(async () => {
    await Promise.all([devStore.close(), app.close(), other.close()]);
  });

  const open = async (options: DevStoreOptions = {}): Promise<void> => {
    const apps = [
      { apiKey: 'key', apiSecretKey: 'hush', appUrl: app.url },
      { apiKey: 'other', apiSecretKey: 'other-secret', appUrl: other.url },
    ];
    devStore = await DevStore.open({ apps, deliveryRetries: [], ...options });
  };
  const subscribe = async (
    topic: string,
    address: string,
    fields: Record<string, unknown> = {},
    apiKey = 'key',
  ): Promise<void> => {
    const token = devStore.shop().install(apiKey, { scopes: ['write_products'] });
    const reply = await fetch(`${devStore.shopOrigin(SHOP)}/admin/api/2026-04/graphql.json`, {
      method: 'POST',
      headers: { 'X-Shopify-Access-Token': token, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        query: `mutation ($topic: WebhookSubscriptionTopic!, $webhookSubscription: WebhookSubscriptionInput!) {
          webhookSubscriptionCreate(topic: $topic, webhookSubscription: $webhookSubscription) { userErrors { message } }
        }`,
        variables: { topic, webhookSubscription: { callbackUrl: address, ...fields } },
      }),
    });
    expect(await reply.json()).toMatchObject({
      data: { webhookSubscriptionCreate: { userErrors: [] } },
    });
  };

  it('carry every header, signed over the exact bytes', async () => {
    await open({ clock: { now: () => new Date('2026-03-01T12:00:00Z') } });
    await subscribe('PRODUCTS_CREATE', `${app.url}/webhooks`, { name: 'mine' });
    devStore.shop().createProduct({ title: 'Étagère' });
    await devStore.settled();
    const [delivery] = app.received;
    expect(delivery).toMatchObject({
      path: '/webhooks',
      headers: {
        'content-type': 'application/json',
        'x-shopify-topic': 'products/create',
        'x-shopify-shop-domain': SHOP,
        'x-shopify-api-version': '2026-04',
        'x-shopify-webhook-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
        'x-shopify-event-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
        'x-shopify-triggered-at': '2026-03-01T12:00:00.000Z',
        'x-shopify-name': 'mine',
        'x-shopify-hmac-sha256': createHmac('sha256', 'hush')
          .update(delivery?.body ?? '')
          .digest('base64'),
      },
    });
    expect(JSON.parse(String(delivery?.body))).toMatchObject({
      title: 'Étagère',
      admin_graphql_api_id: expect.any(String),
      variants: [{}],
    });
  });

  it('tell of a product that is changed or deleted, through either API', async () => {
    await open();
    await subscribe('PRODUCTS_UPDATE', `${app.url}/updated`);
    await subscribe('PRODUCTS_DELETE', `${app.url}/deleted`);
    const shop = devStore.shop();
    const headers = {
      'X-Shopify-Access-Token': shop.install('key', { scopes: ['write_products'] }),
      'Content-Type': 'application/json',
    };
    const [first, second] = shop.products;
    await fetch(`${shop.origin}/admin/api/2026-07/products/${first?.id}.json`, {
      method: 'PUT',
      headers,
      body: JSON.stringify({ product: { title: 'Renamed' } }),
    });
    await fetch(`${shop.origin}/admin/api/2026-07/graphql.json`, {
      method: 'POST',
      headers,
      body: JSON.stringify({
        query: `mutation { productDelete(input: { id: "gid://shopify/Product/${second?.id}" }) { deletedProductId } }`,
      }),
    });
    await devStore.settled();
    const bodies = Object.fromEntries(
      app.received.map(({ path, body }) => [path, JSON.parse(String(body)) as object]),
    );
    expect(bodies).toEqual({
      '/updated': expect.objectContaining({ id: first?.id, title: 'Renamed' }),
      '/deleted': { id: second?.id },
    });
  });

  it('carry the included fields alone', async () => {
    await open();
    await subscribe('PRODUCTS_CREATE', app.url, { includeFields: ['id', 'title'] });
    const { product } = devStore.shop().createProduct({ title: 'Short' });
    await devStore.settled();
    expect(JSON.parse(String(app.received[0]?.body))).toEqual({ id: product?.id, title: 'Short' });
  });

  it('of one event share its id and differ in their own', async () => {
    await open();
    await subscribe('ORDERS_PAID', `${app.url}/one`);
    await subscribe('ORDERS_PAID', `${app.url}/two`);
    await devStore.shop().deliver('ORDERS_PAID', { id: 1 });
    const ids = (name: string): unknown[] => [
      ...new Set(app.received.map(({ headers }) => headers[name])),
    ];
    expect(ids('x-shopify-event-id')).toHaveLength(1);
    expect(ids('x-shopify-webhook-id')).toHaveLength(2);
  });

  it('go to the subscriptions of one app when told so, signed with its secret', async () => {
    await open();
    await subscribe('ORDERS_PAID', app.url);
    await subscribe('ORDERS_PAID', other.url, {}, 'other');
    const deliveries = await devStore.shop().deliver('orders/paid', { id: 1 }, { apiKey: 'other' });
    expect(deliveries).toMatchObject([
      { apiKey: 'other', state: 'delivered', attempts: 1, status: 200 },
    ]);
    expect(app.received).toEqual([]);
    const signature = createHmac('sha256', 'other-secret').update('{"id":1}').digest('base64');
    expect(other.received[0]?.headers['x-shopify-hmac-sha256']).toBe(signature);
  });

  it('are sent again under the same id until the app accepts them', async () => {
    await open({ deliveryRetries: [1, 1] });
    await subscribe('ORDERS_PAID', app.url);
    app.statuses.splice(0, 1, 500, 302, 200);
    expect(await devStore.shop().deliver('ORDERS_PAID', { id: 1 })).toMatchObject([
      { state: 'delivered', attempts: 3, status: 200 },
    ]);
    expect(new Set(app.received.map(({ headers }) => headers['x-shopify-webhook-id'])).size).toBe(
      1,
    );
    const attempts = devStore.shop().events.filter(({ kind }) => kind === 'webhook');
    expect(attempts.map(({ status }) => status)).toEqual([500, 302, 200]);
    expect(attempts[2]).toMatchObject({
      summary: expect.stringContaining('attempt 3'),
      detail: { payload: { id: 1 } },
    });
  });

  it('are given up after the last attempt', async () => {
    await open({ deliveryRetries: [1] });
    await subscribe('ORDERS_PAID', app.url);
    app.statuses.splice(0, 1, 401);
    expect(await devStore.shop().deliver('ORDERS_PAID', {})).toMatchObject([
      { state: 'failed', attempts: 2, status: 401 },
    ]);
  });

  it('that nobody answers fail with the reason', async () => {
    await open();
    await subscribe('ORDERS_PAID', app.url);
    await app.close();
    const [delivery] = await devStore.shop().deliver('ORDERS_PAID', {});
    expect(delivery).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('ECONNREFUSED'),
    });
    expect(delivery).not.toHaveProperty('status');
  });

  it('travel through the fetch of the options', async () => {
    const urls: string[] = [];
    const record: typeof fetch = async (input) => {
      urls.push(String(input));
      return new Response(null, { status: 204 });
    };
    await open({ fetch: record });
    await subscribe('ORDERS_PAID', 'https://app.example.com/hooks');
    expect(await devStore.shop().deliver('ORDERS_PAID', {})).toMatchObject([
      { state: 'delivered', status: 204 },
    ]);
    expect(urls).toEqual(['https://app.example.com/hooks']);
  });

  it('tell an uninstalled app, whose token and subscriptions end', async () => {
    await open();
    await subscribe('APP_UNINSTALLED', `${app.url}/gone`);
    await subscribe('PRODUCTS_CREATE', `${app.url}/products`);
    const shop = devStore.shop();
    const token = shop.install('key', { scopes: ['write_products'] });
    expect(await shop.uninstall('key')).toMatchObject([
      { topic: 'app/uninstalled', state: 'delivered' },
    ]);
    expect(JSON.parse(String(app.received[0]?.body))).toMatchObject({ myshopify_domain: SHOP });
    expect([shop.installations, shop.subscriptions]).toEqual([[], []]);
    const call = await fetch(`${shop.origin}/admin/api/2026-07/shop.json`, {
      headers: { 'X-Shopify-Access-Token': token },
    });
    expect(call.status).toBe(401);
    expect(await shop.uninstall('key')).toEqual([]);
    expect(shop.install('key', { scopes: [] })).not.toBe(token);
  });

  it.each([
    '/admin/api_permissions/current.json',
    '/admin/api/2026-07/api_permissions/current.json',
  ])('tell an app that gives up its access with DELETE %s, which uninstalls it', async (path) => {
    await open();
    await subscribe('APP_UNINSTALLED', `${app.url}/gone`);
    const shop = devStore.shop();
    const token = shop.install('key', { scopes: [] });
    const revoke = (own: string): Promise<Response> =>
      fetch(`${shop.origin}${path}`, {
        method: 'DELETE',
        headers: { 'X-Shopify-Access-Token': own },
      });
    expect((await revoke('shpat_wrong')).status).toBe(401);
    expect(shop.installations).toHaveLength(1);
    const reply = await revoke(token);
    expect([reply.status, await reply.json()]).toEqual([200, {}]);
    await devStore.settled();
    expect(app.received.map(({ headers }) => headers['x-shopify-topic'])).toEqual([
      'app/uninstalled',
    ]);
    expect(shop.installations).toEqual([]);
    expect((await revoke(token)).status).toBe(401);
  });

  it('tell of an uninstall as late as wanted, with its own time, and again', async () => {
    await open({ clock: { now: () => new Date('2026-03-01T12:00:00Z') } });
    await subscribe('APP_UNINSTALLED', `${app.url}/gone`);
    const shop = devStore.shop();
    const tell = shop.uninstallWithDeferredWebhook('key');
    expect(shop.installations).toEqual([]);
    devStore.advance(60_000);
    const token = shop.install('key', { scopes: ['write_products'] });
    await devStore.settled();
    expect(app.received).toEqual([]);
    expect([await tell(), await tell()]).toMatchObject([
      [{ state: 'delivered' }],
      [{ state: 'delivered' }],
    ]);
    expect(app.received.map(({ headers }) => headers['x-shopify-triggered-at'])).toEqual([
      '2026-03-01T12:00:00.000Z',
      '2026-03-01T12:00:00.000Z',
    ]);
    const call = await fetch(`${shop.origin}/admin/api/2026-07/shop.json`, {
      headers: { 'X-Shopify-Access-Token': token },
    });
    expect(call.status).toBe(200);
    await shop.uninstall('key');
    expect(await shop.uninstallWithDeferredWebhook('key')()).toEqual([]);
  });

  it('of a topic nobody knows are a mistake', async () => {
    await open();
    await expect(devStore.shop().deliver('MADE_UP', {})).rejects.toThrow(
      /no webhook topic "MADE_UP"/,
    );
  });

  it('under way when the store closes are given up at once', async () => {
    await open({ deliveryRetries: [600_000] });
    await subscribe('ORDERS_PAID', app.url);
    app.statuses.splice(0, 1, 500);
    const delivered = devStore.shop().deliver('ORDERS_PAID', {});
    await devStore.close();
    expect(await delivered).toMatchObject([{ state: 'failed', attempts: 1 }]);
  });
});
