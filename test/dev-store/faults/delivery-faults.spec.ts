import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DevStore, type DevShop } from '../../../lib/dev-store/index.js';
import { openReceiver, type AppReceiver } from '../app-receiver.js';

describe('Faults of webhook deliveries', () => {
  let app: AppReceiver;
  let devStore: DevStore;
  let shop: DevShop;

  beforeEach(async () => {
    app = await openReceiver();
    const description = { apiKey: 'key', apiSecretKey: 'hush', appUrl: app.url };
    devStore = await DevStore.open({ apps: [description], deliveryRetries: [] });
    shop = devStore.shop();
    const token = shop.install('key', { scopes: 'write_products' });
    for (const topic of ['products/create', 'products/delete']) {
      const webhook = { topic, address: `${app.url}/webhooks`, format: 'json' };
      const created = await fetch(`${shop.origin}/admin/api/2026-07/webhooks.json`, {
        method: 'POST',
        headers: { 'X-Shopify-Access-Token': token, 'Content-Type': 'application/json' },
        body: JSON.stringify({ webhook }),
      });
      expect(created.status).toBe(201);
    }
  });
  afterEach(async () => {
    await devStore.close();
    await app.close();
  });

  const topics = (): unknown[] => app.received.map(({ headers }) => headers['x-shopify-topic']);
  const isSigned = (index: number, secret = 'hush'): boolean => {
    const { headers, body } = app.received[index]!;
    const hmac = createHmac('sha256', secret).update(body).digest('base64');
    return headers['x-shopify-hmac-sha256'] === hmac;
  };

  it('send a delivery several times, under one id', async () => {
    devStore.faults.add({ on: { topic: 'PRODUCTS_CREATE' }, times: 1, copies: 3 });
    const deliveries = await shop.deliver('products/create', { id: 1 });
    await shop.deliver('products/create', { id: 2 });
    const ids = app.received.map(({ headers }) => headers['x-shopify-webhook-id']);
    expect([ids.length, new Set(ids).size, new Set(ids.slice(0, 3)).size]).toEqual([4, 2, 1]);
    expect(deliveries.map(({ state, attempts }) => `${state} ${attempts}`)).toEqual(
      Array.from({ length: 3 }, () => 'delivered 1'),
    );
  });

  it('send one late, by the store’s clock, with the time of the event', async () => {
    devStore.faults.add({ on: { topic: 'products/create' }, late: 7_200_000 });
    const happened = devStore.clock.now().getTime();
    const late = shop.deliver('products/create', { id: 1 });
    await shop.deliver('products/delete', { id: 1 });
    expect(topics()).toEqual(['products/delete']);
    devStore.advance(7_200_000);
    await late;
    expect(topics()).toEqual(['products/delete', 'products/create']);
    const triggered = String(app.received[1]?.headers['x-shopify-triggered-at']);
    expect(Date.parse(triggered) - happened).toBeLessThan(3_600_000);
  });

  it('send one after the next', async () => {
    devStore.faults.add({ on: { topic: 'products/*' }, times: 1, outOfOrder: true });
    const [first, second] = [
      shop.deliver('products/create', { id: 1 }),
      shop.deliver('products/delete', { id: 1 }),
    ];
    await Promise.all([first, second]);
    expect(topics()).toEqual(['products/delete', 'products/create']);
  });

  it('send one that waits for the next when nothing else is to come', async () => {
    devStore.faults.add({ on: { topic: '*' }, outOfOrder: true });
    const waiting = shop.deliver('products/create', { id: 1 });
    await devStore.settled();
    expect((await waiting).map(({ state }) => state)).toEqual(['delivered']);
  });

  it.each(['late', 'outOfOrder'])(
    'leave none behind that is %s when the store closes',
    async (how) => {
      devStore.faults.add({
        on: { topic: '*' },
        ...(how === 'late' ? { late: 1e6 } : { outOfOrder: true }),
      });
      const waiting = shop.deliver('products/create', { id: 1 });
      await devStore.close();
      expect((await waiting).map(({ error }) => error)).toEqual(['the store was closed']);
      expect(app.received).toEqual([]);
    },
  );

  it('sign with another secret, or not at all', async () => {
    devStore.faults.add({ on: { topic: '*' }, times: 1, signature: 'wrong' });
    devStore.faults.add({ on: { topic: '*' }, times: 1, signature: 'missing' });
    for (let id = 1; id <= 3; id++) await shop.deliver('products/create', { id });
    expect([isSigned(0), isSigned(1), isSigned(2)]).toEqual([false, false, true]);
    expect(app.received[0]?.headers).toHaveProperty('x-shopify-hmac-sha256');
    expect(app.received[1]?.headers).not.toHaveProperty('x-shopify-hmac-sha256');
  });

  it('leave the deliveries of other apps and shops alone', async () => {
    devStore.faults.add({ on: { topic: '*', apiKey: 'other' }, signature: 'missing' });
    devStore.faults.add({ on: { topic: '*', shop: 'two.myshopify.com' }, signature: 'missing' });
    await shop.deliver('products/create', { id: 1 });
    expect(isSigned(0)).toBe(true);
    expect(devStore.faults.active.map(({ hits }) => hits)).toEqual([0, 0]);
  });

  it('are in the event log', async () => {
    devStore.faults.add({ on: { topic: '*' }, copies: 2, signature: 'wrong' });
    await shop.deliver('products/create', { id: 1 });
    expect(shop.events.filter(({ kind }) => kind === 'fault')).toMatchObject([
      { summary: 'products/create: 2 copies, wrong signature' },
    ]);
  });

  describe('A rotated secret', () => {
    const exchange = async (secret: string): Promise<number> => {
      const response = await fetch(`${shop.origin}/admin/oauth/access_token`, {
        method: 'POST',
        body: new URLSearchParams({
          client_id: 'key',
          client_secret: secret,
          grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
          subject_token: shop.sessionToken('key'),
          subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
          requested_token_type: 'urn:shopify:params:oauth:token-type:offline-access-token',
        }),
      });
      return response.status;
    };

    it('signs at once, and the previous one still gets tokens', async () => {
      const issuedBefore = shop.sessionToken('key');
      devStore.rotateSecret('key', 'new');
      await shop.deliver('products/create', { id: 1 });
      expect([isSigned(0, 'hush'), isSigned(0, 'new')]).toEqual([false, true]);
      expect([await exchange('hush'), await exchange('new')]).toEqual([200, 200]);
      expect(issuedBefore).not.toBe(shop.sessionToken('key'));
    });

    it('is the only one when the previous is revoked', async () => {
      devStore.rotateSecret('key', 'new', { keepsPrevious: false });
      expect([await exchange('hush'), await exchange('new')]).toEqual([401, 200]);
    });

    it('must be one, of an app that is known', () => {
      expect(() => devStore.rotateSecret('key', '')).toThrow(/must not be empty/);
      expect(() => devStore.rotateSecret('none', 'new')).toThrow(/knows no app .* "none"/);
    });
  });
});
