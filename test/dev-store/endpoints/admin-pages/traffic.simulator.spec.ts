import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DevStore, type DevShop } from '../../../../lib/dev-store/index.js';
import { openReceiver, type AppReceiver } from '../../app-receiver.js';

describe('The pages of what goes over the wire', () => {
  let app: AppReceiver;
  let devStore: DevStore;
  let shop: DevShop;
  let token: string;

  beforeEach(async () => {
    app = await openReceiver();
    devStore = await DevStore.open({
      apps: [
        {
          ...{ apiKey: 'key', apiSecretKey: 'hush', appUrl: app.url },
          webhooks: [{ topic: 'products/create', uri: '/hooks' }],
        },
      ],
      deliveryRetries: [],
    });
    shop = devStore.shop();
    token = shop.install('key', { scopes: 'write_products' });
  });
  afterEach(async () => {
    await devStore.close();
    await app.close();
  });

  const page = async (path: string): Promise<string> => (await fetch(shop.origin + path)).text();
  const graphql = (query: string): Promise<Response> =>
    fetch(`${shop.origin}/admin/api/2026-07/graphql.json`, {
      method: 'POST',
      headers: { 'X-Shopify-Access-Token': token, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query }),
    });
  /** Presses the button of the form with an action on a page. */
  const press = async (
    path: string,
    action: RegExp,
    fields: Record<string, string> = {},
  ): Promise<Response> => {
    const form = new RegExp(
      `action="(${action.source})"[^>]*>\\s*<input type="hidden" name="page_token" value="([0-9a-f]+)"`,
    ).exec(await page(path));
    const body = new URLSearchParams({ page_token: form?.[2] ?? '', ...fields });
    return fetch(shop.origin + (form?.[1] ?? '/none'), {
      method: 'POST',
      body,
      redirect: 'manual',
    });
  };

  it('lists API calls with their operation, status and cost, and no token', async () => {
    await graphql('mutation Add { productCreate(product: { title: "<b>" }) { product { id } } }');
    const html = await page('/admin/calls');
    expect(html).toContain('Add, productCreate');
    expect(html).toMatch(/cost 10, charged 10/);
    expect(html).toContain('[redacted]');
    expect(html).not.toContain(token);
    expect(html).not.toContain('<b>');
  });

  it('sends a call again', async () => {
    await graphql('mutation Add { productCreate(product: { title: "Twice" }) { product { id } } }');
    const reply = await press('/admin/calls', /\/admin\/calls\/\d+\/replay/);
    expect([reply.status, reply.headers.get('location')]).toEqual([303, '/admin/calls']);
    expect(shop.products.filter(({ title }) => title === 'Twice')).toHaveLength(2);
  });

  it('lists deliveries, and sends one again', async () => {
    await shop.deliver('products/create', { id: 7 });
    expect(await page('/admin/deliveries')).toContain('products/create');
    const reply = await press('/admin/deliveries', /\/admin\/deliveries\/\d+\/replay/);
    expect(reply.headers.get('location')).toBe('/admin/deliveries');
    expect(app.received.map(({ path }) => path)).toEqual(['/hooks', '/hooks']);
  });

  it('adds a fault of each kind, removes one and clears the rest', async () => {
    const add = (effect: string, target: string): Promise<Response> =>
      press('/admin/faults', /\/admin\/faults/, { effect, target, times: '2' });
    await add('502', '/admin/api/*');
    await add('lost', 'productCreate');
    await add('copies', 'products/*');
    expect(devStore.faults.active.map(({ fault }) => fault)).toEqual([
      { on: { path: '/admin/api/*' }, status: 502, times: 2 },
      { on: { operation: 'productCreate' }, reset: true, executed: true, times: 2 },
      { on: { topic: 'products/*' }, copies: 2, times: 2 },
    ]);
    const html = await page('/admin/faults');
    expect(html).toContain('status 502');
    expect(html).toContain('0 of 2 times');
    await press('/admin/faults', /\/admin\/faults\/1\/remove/);
    expect(devStore.faults.active.map(({ id }) => id)).toEqual([2, 3]);
    await press('/admin/faults', /\/admin\/faults\/clear/);
    expect(devStore.faults.active).toEqual([]);
  });

  it.each([
    ['an unknown effect', { effect: 'none', target: '*' }, 'A fault needs one of'],
    ['an unknown topic', { effect: 'late', target: 'x/y' }, 'There is no webhook topic'],
    ['no number', { effect: '502', target: '*', times: 'often' }, 'is a whole number from 1'],
  ])('says what is wrong with %s', async (_what, fields, reason) => {
    const reply = await press('/admin/faults', /\/admin\/faults/, fields);
    expect([reply.status, await reply.text()]).toEqual([422, expect.stringContaining(reason)]);
    expect(devStore.faults.active).toEqual([]);
  });

  it.each(['/admin/faults', '/admin/faults/clear', '/admin/calls/1/replay'])(
    'refuses what is posted to %s from elsewhere',
    async (path) => {
      await graphql('{ shop { name } }');
      const before = devStore.traffic.length;
      const body = new URLSearchParams({ effect: '502', target: '*', page_token: 'forged' });
      expect((await fetch(shop.origin + path, { method: 'POST', body })).status).toBe(403);
      expect([devStore.faults.active.length, devStore.traffic.length]).toEqual([0, before + 1]);
    },
  );

  it('lists the records that calls have made, as text', async () => {
    token = shop.install('key', { scopes: 'write_customers' });
    const email = 'eve@example.com';
    const input = `{ email: "${email}", note: "<img src=x>" }`;
    const made = await graphql(
      `mutation { customerCreate(input: ${input}) { customer { id } userErrors { message } } }`,
    );
    const { data } = (await made.json()) as {
      data: { customerCreate: { customer: { id: string } } };
    };
    const html = await page('/admin/records');
    expect(html).toContain(data.customerCreate.customer.id);
    expect(html).toContain('<h2>Customer</h2>');
    expect(html).toContain('&lt;img src=x&gt;');
    expect(html).not.toContain('<img');
  });
});
