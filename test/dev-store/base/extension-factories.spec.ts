import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jwtVerify } from 'jose';
import {
  DevStore,
  signedAppProxyQuery,
  signedExtensionToken,
  signedFlowAction,
  signedFulfillmentNotification,
  signedWebhook,
  type DevShop,
} from '../../../lib/dev-store/index.js';
import { openReceiver, type AppReceiver } from '../app-receiver.js';

const SECRET = new TextEncoder().encode('hush');

describe('signedAppProxyQuery', () => {
  // Published by the platform, with the secret `hush`; the others were computed over its algorithm.
  it.each([
    [
      { extra: ['1', '2'] },
      { customerId: 1, pathPrefix: '/apps/awesome_reviews', shop: 'shop-name.myshopify.com' },
      1317327555,
      '4c68c8624d737112c91818c11017d24d334b524cb5c2b8ba08daa056f7395ddb',
    ],
    [
      { extra: ['1', '2'] },
      { pathPrefix: '/apps/awesome_reviews', shop: 'some-shop.myshopify.com' },
      1700000000,
      '5c97edf8a65c2c656736493fddb2339c50755e6a939f2c0f8588f0b93ac4970c',
    ],
  ])('signs %j as the platform does', (params, options, seconds, signature) => {
    const now = new Date(seconds * 1000);
    const query = signedAppProxyQuery({ ...options, params, now, secret: 'hush' });
    expect(query.get('signature')).toBe(signature);
  });

  it.each([
    [{ Zed: '1', apple: '2' }, '751aeb9e455b6ddd511c4359934d895720a1e9585d63fc4472edcb4a2d282dea'],
    [
      { extra: '1', extra2: '2' },
      '61414208e2472230670aa11e52a5a1773b532f6137f9866cdad03128b66571c7',
    ],
  ])('sorts %j by bytes', (params, signature) => {
    const query = signedAppProxyQuery({
      secret: 'hush',
      shop: 's.myshopify.com',
      params,
      now: new Date(1700000000_000),
      overrides: { logged_in_customer_id: undefined, path_prefix: undefined },
    });
    expect(query.get('signature')).toBe(signature);
  });

  it('takes a signature that a test forges', () => {
    const overrides = { signature: 'forged', timestamp: 'soon' };
    const query = signedAppProxyQuery({ secret: 's', shop: 'a.myshopify.com', overrides });
    expect(query.toString()).toBe(
      'shop=a.myshopify.com&logged_in_customer_id=&path_prefix=%2Fapps%2Fapp&timestamp=soon&signature=forged',
    );
  });
});

describe('signedFlowAction', () => {
  it('holds the payload of an action, signed as a webhook is', () => {
    const { headers, body } = signedFlowAction({
      secret: 'hush',
      shop: 'a.myshopify.com',
      handle: 'place-bid',
      properties: { amount: '10.00' },
      actionRunId: 'run-1',
      shopId: 7,
    });
    expect(JSON.parse(body.toString())).toEqual({
      shop_id: '7',
      shopify_domain: 'a.myshopify.com',
      action_run_id: 'run-1',
      action_definition_id: 'place-bid',
      handle: 'place-bid',
      properties: { amount: '10.00' },
    });
    const { headers: signed } = signedWebhook({ secret: 'hush', shop: 'a', topic: 'x/y', body });
    expect(headers['X-Shopify-Hmac-Sha256']).toBe(signed['X-Shopify-Hmac-Sha256']);
    expect(headers).not.toHaveProperty('X-Shopify-Topic');
  });

  it('leaves out a field that a test takes away', () => {
    const overrides = { shopify_domain: undefined };
    const { body } = signedFlowAction({ secret: 's', shop: 'a.myshopify.com', overrides });
    expect(JSON.parse(body.toString())).not.toHaveProperty('shopify_domain');
  });
});

describe('signedFulfillmentNotification', () => {
  it('names its kind and its shop', () => {
    const options = { secret: 'hush', shop: 'a.myshopify.com' };
    const { headers, body } = signedFulfillmentNotification(options);
    expect(body.toString()).toBe('{"kind":"FULFILLMENT_REQUEST"}');
    expect(headers['X-Shopify-Shop-Domain']).toBe('a.myshopify.com');
    const forged = signedFulfillmentNotification({
      ...options,
      kind: 'CANCELLATION_REQUEST',
      headers: { 'X-Shopify-Hmac-Sha256': 'forged' },
    });
    expect(forged.body.toString()).toBe('{"kind":"CANCELLATION_REQUEST"}');
    expect(forged.headers['X-Shopify-Hmac-Sha256']).toBe('forged');
  });
});

describe('signedExtensionToken', () => {
  const app = { apiKey: 'key', secret: 'hush', shop: 'a.myshopify.com' };

  it.each(['checkout', 'customer-account'] as const)(
    'names the shop without a scheme, and a customer only when there is one: %s',
    async (surface) => {
      const { payload } = await jwtVerify(signedExtensionToken({ ...app, surface }), SECRET);
      expect(payload).toMatchObject({ aud: 'key', dest: 'a.myshopify.com' });
      expect(payload).not.toHaveProperty('sub');
      expect(payload).not.toHaveProperty('iss');
      expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(300);
      const known = signedExtensionToken({ ...app, surface, customerId: 5 });
      expect((await jwtVerify(known, SECRET)).payload.sub).toBe('gid://shopify/Customer/5');
    },
  );

  it('is a token of the admin at the point of sale', async () => {
    const token = signedExtensionToken({ ...app, surface: 'pos', userId: 9 });
    expect((await jwtVerify(token, SECRET)).payload).toMatchObject({
      iss: 'https://a.myshopify.com/admin',
      dest: 'https://a.myshopify.com',
      sub: '9',
    });
  });

  it('replaces claims that a test names', async () => {
    const overrides = { aud: 'other' };
    const token = signedExtensionToken({ ...app, surface: 'checkout', overrides });
    expect((await jwtVerify(token, SECRET)).payload.aud).toBe('other');
  });
});

describe('A shop that sends to apps', () => {
  let app: AppReceiver;
  let devStore: DevStore;
  let shop: DevShop;

  beforeAll(async () => {
    app = await openReceiver();
    const apps = [{ apiKey: 'key', apiSecretKey: 'hush', appUrl: app.url }];
    devStore = await DevStore.open({ apps });
    shop = devStore.shop();
  });
  afterAll(async () => {
    await devStore.close();
    await app.close();
  });

  it('runs an action of Flow, and resolves with the answer', async () => {
    app.statuses.splice(0, 1, 202);
    const reply = await shop.runFlowAction('key', '/flow/bid', { properties: { amount: 1 } });
    expect([reply.status, await reply.text()]).toEqual([202, 'received']);
    const { path, headers, body } = app.received.at(-1)!;
    expect(path).toBe('/flow/bid');
    expect(JSON.parse(body.toString())).toMatchObject({
      shop_id: String(shop.id),
      shopify_domain: shop.domain,
      properties: { amount: 1 },
    });
    const signed = signedWebhook({ secret: 'hush', shop: shop.domain, topic: 'x/y', body });
    expect(headers['x-shopify-hmac-sha256']).toBe(signed.headers['X-Shopify-Hmac-Sha256']);
  });

  it('notifies a fulfillment service below its callback URL', async () => {
    await shop.notifyFulfillmentService('key', '/fulfillment/', 'CANCELLATION_REQUEST');
    const { path, headers, body } = app.received.at(-1)!;
    expect(path).toBe('/fulfillment/fulfillment_order_notification');
    expect(headers['x-shopify-shop-domain']).toBe(shop.domain);
    expect(JSON.parse(body.toString())).toEqual({ kind: 'CANCELLATION_REQUEST' });
  });

  it('issues tokens of extensions in its own time', async () => {
    devStore.advance(3_600_000);
    const token = shop.extensionToken('key', 'checkout', { customerId: 3 });
    const { payload } = await jwtVerify(token, SECRET, { currentDate: devStore.clock.now() });
    expect(payload).toMatchObject({ dest: shop.domain, sub: 'gid://shopify/Customer/3' });
    await expect(jwtVerify(token, SECRET)).rejects.toThrow('"nbf"');
  });

  it('knows what was asked for, and refuses an app it does not know', async () => {
    expect(
      shop.events.filter(({ kind }) => kind === 'request').map(({ summary }) => summary),
    ).toEqual([
      `POST Flow action to ${app.url}/flow/bid, answered 202`,
      `POST fulfillment service, CANCELLATION_REQUEST to ${app.url}/fulfillment/fulfillment_order_notification, answered 202`,
    ]);
    await expect(shop.runFlowAction('nobody', '/')).rejects.toThrow('nobody');
  });
});
