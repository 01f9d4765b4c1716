import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DevStore, type DevShop, type RecordedExchange } from '../../../lib/dev-store/index.js';
import { openReceiver, type AppReceiver } from '../app-receiver.js';

const SECRET = 'a-very-secret-secret';

describe('The recorded traffic of a simulated store', () => {
  let app: AppReceiver;
  let devStore: DevStore;
  let shop: DevShop;
  let token: string;

  beforeEach(async () => {
    app = await openReceiver();
    const description = {
      apiKey: 'key',
      apiSecretKey: SECRET,
      appUrl: app.url,
      appProxy: { url: '/proxy', subpath: 'reviews' },
    };
    devStore = await DevStore.open({ apps: [description], deliveryRetries: [] });
    shop = devStore.shop();
    token = shop.install('key', { scopes: 'write_products,write_app_proxy' });
  });
  afterEach(async () => {
    await devStore.close();
    await app.close();
  });

  const call = (path: string, body?: unknown): Promise<Response> =>
    fetch(`${shop.origin}/admin/api/2026-07/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'X-Shopify-Access-Token': token, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const last = (): RecordedExchange => devStore.traffic.at(-1)!;
  const subscribe = async (): Promise<void> => {
    const webhook = { topic: 'products/create', address: `${app.url}/webhooks?key=1` };
    expect((await call('webhooks.json', { webhook })).status).toBe(201);
  };

  it('has requests with their answers, and the cost of GraphQL calls', async () => {
    const query =
      'mutation Add { productCreate(product: { title: "Recorded" }) { product { id } } }';
    const answer: unknown = await (await call('graphql.json', { query })).json();
    const recorded = last();
    expect(recorded).toMatchObject({
      direction: 'in',
      shop: 'dev-shop.myshopify.com',
      method: 'POST',
      address: '/admin/api/2026-07/graphql.json',
      operations: ['Add', 'productCreate'],
      response: { status: 200 },
    });
    expect(JSON.parse(recorded.request.body ?? '')).toEqual({ query });
    expect(JSON.parse(recorded.response?.body ?? '')).toEqual(answer);
    const { extensions } = answer as { extensions: { cost: Record<string, number> } };
    expect(recorded.cost).toEqual({
      requested: extensions.cost['requestedQueryCost'],
      actual: extensions.cost['actualQueryCost'],
    });
  });

  it('has webhooks and requests to app proxies, with the answers of the app', async () => {
    await subscribe();
    await shop.deliver('products/create', { id: 7 });
    await fetch(`${shop.origin}/apps/reviews/list`);
    const sent = devStore.traffic.filter(({ direction }) => direction === 'out');
    expect(sent).toMatchObject([
      { topic: 'products/create', address: `${app.url}/webhooks?key=1`, method: 'POST' },
      { topic: undefined, shop: 'dev-shop.myshopify.com', method: 'GET' },
    ]);
    expect(sent[0]?.request.body).toBe('{"id":7}');
    expect(sent.map(({ response }) => response?.status)).toEqual([200, 200]);
  });

  it('says why there was no answer', async () => {
    await subscribe();
    await app.close();
    await shop.deliver('products/create', { id: 7 });
    expect(last()).toMatchObject({ direction: 'out', response: undefined });
    expect(last().error).toMatch(/ECONNREFUSED/);
    devStore.faults.add({ on: {}, reset: true });
    await expect(call('shop.json')).rejects.toThrow();
    expect(last()).toMatchObject({ response: undefined, error: 'the connection was reset' });
    app = await openReceiver();
  });

  it('shows no token, code, session token or secret', async () => {
    const sessionToken = shop.sessionToken('key');
    const body = new URLSearchParams({
      client_id: 'key',
      client_secret: SECRET,
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: sessionToken,
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      requested_token_type: 'urn:shopify:params:oauth:token-type:offline-access-token',
      expiring: '1',
    });
    const exchanged = await fetch(`${shop.origin}/admin/oauth/access_token`, {
      method: 'POST',
      body,
    });
    const tokens = (await exchanged.json()) as { access_token: string; refresh_token: string };
    await call('shop.json');
    await call('graphql.json', { query: `{ shop { name } } # ${token}` });
    await fetch(`${shop.origin}/admin?id_token=${sessionToken}`, {
      headers: { Authorization: `Bearer ${sessionToken}`, Cookie: 'a=b-secret-cookie' },
    });
    await fetch(`${shop.origin}/admin/apps/key`);
    const text = JSON.stringify(devStore.traffic);
    expect(text).toContain('"grant_type=urn'.slice(1));
    for (const secret of [
      ...[SECRET, sessionToken, token, tokens.access_token, tokens.refresh_token],
      'b-secret-cookie',
    ]) {
      expect(text).not.toContain(secret);
    }
    expect(text.match(/\[redacted\]/g)?.length).toBeGreaterThan(6);
  });

  it('keeps the last 1000', async () => {
    for (let index = 0; index < 1003; index++) await call('shop.json');
    expect(devStore.traffic).toHaveLength(1000);
    expect(devStore.traffic[0]?.id).toBe(4);
    await expect(devStore.replay(3)).rejects.toThrow(/No exchange 3 is recorded/);
  });

  it('sends a request to the store again', async () => {
    await call('products.json', { product: { title: 'Twice' } });
    const { id, request } = last();
    expect(request.headers['content-type']).toBe('application/json');
    const again = await devStore.replay(id);
    expect(again.status).toBe(201);
    expect(shop.products.filter(({ title }) => title === 'Twice')).toHaveLength(2);
    shop.revokeTokens('key');
    expect((await devStore.replay(id)).status).toBe(401);
  });

  it('sends a delivery again, byte for byte', async () => {
    await subscribe();
    await shop.deliver('products/create', { id: 7 });
    app.statuses.unshift(503);
    expect((await devStore.replay(last().id)).status).toBe(503);
    const [first, second] = app.received;
    expect(second?.body).toEqual(first?.body);
    expect(second?.path).toBe('/webhooks?key=1');
    for (const name of ['webhook-id', 'event-id', 'hmac-sha256', 'triggered-at', 'topic'])
      expect(second?.headers[`x-shopify-${name}`]).toBe(first?.headers[`x-shopify-${name}`]);
  });
});
