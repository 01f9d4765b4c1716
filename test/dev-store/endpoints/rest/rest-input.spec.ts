import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DevStore, type DevShop } from '../../../../lib/dev-store/index.js';

const SCOPES = 'content customers fulfillments merchant_managed_fulfillment_orders orders products'
  .split(' ')
  .map((scope) => `write_${scope}`);

type Json = Record<string, unknown> & { id: number };

interface Reply {
  readonly status: number;
  readonly body: Record<string, Json & Json[]>;
}

describe('the input of Admin REST in a simulated shop', () => {
  let devStore: DevStore;
  let shop: DevShop;
  let token: string;
  beforeAll(async () => {
    const apps = [{ apiKey: 'key', apiSecretKey: 'hush', appUrl: 'http://localhost:3000' }];
    devStore = await DevStore.open({ apps, limits: { rest: 'off', graphql: 'off' } });
    shop = devStore.shop();
    token = shop.install('key', { scopes: SCOPES });
  });
  afterAll(() => devStore.close());

  const call = async (method: string, path: string, body?: object): Promise<Reply> => {
    const response = await fetch(`${shop.origin}/admin/api/2026-07/${path}`, {
      method,
      headers: { 'X-Shopify-Access-Token': token, 'Content-Type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: response.status, body: (await response.json()) as Reply['body'] };
  };
  const made = async (path: string, key: string, attributes: object): Promise<Json> => {
    const { status, body } = await call('POST', `${path}.json`, { [key]: attributes });
    expect([status, body]).toEqual([201, { [key]: expect.any(Object) }]);
    return body[key]!;
  };
  const lines = [{ title: 'Tea', price: '4.00', quantity: 2 }];

  describe('that is hostile', () => {
    it('leaves a rule set without rules readable', async () => {
      const { id } = await made('smart_collections', 'smart_collection', {
        title: 'None',
        rule_set: {},
      });
      const { status, body } = await call('GET', 'smart_collections.json');
      expect(status).toBe(200);
      expect(body['smart_collections']).toContainEqual(
        expect.objectContaining({ id, rules: [], disjunctive: false }),
      );
      await made('smart_collections', 'smart_collection', {
        title: 'Odd',
        rule_set: { rules: [null, { column: 5 }] },
      });
      expect((await call('GET', 'smart_collections.json')).status).toBe(200);
    });

    it.each(['line_items', 'transactions', 'note_attributes', 'shipping_lines'])(
      'gets a 400 for a null in the %s of an order',
      async (name) => {
        const nodes = shop.nodes.all().length;
        const order = { line_items: lines, [name]: [null] };
        expect(await call('POST', 'orders.json', { order })).toEqual({
          status: 400,
          body: { errors: { [name]: expect.any(String) } },
        });
        expect(shop.nodes.all()).toHaveLength(nodes);
      },
    );

    it('gets a 400 for a variant that is null', async () => {
      const product = { title: 'x', variants: [null] };
      expect((await call('POST', 'products.json', { product })).status).toBe(400);
    });

    it('gets a 400 for lines of a fulfillment that are none', async () => {
      const { id } = await made('orders', 'order', { line_items: lines });
      const { body } = await call('GET', `orders/${id}/fulfillment_orders.json`);
      const fulfillment_order_id = body['fulfillment_orders']![0]!.id;
      const fulfil = (line: unknown, others: object = {}): Promise<Reply> =>
        call('POST', 'fulfillments.json', {
          fulfillment: { line_items_by_fulfillment_order: [line], ...others },
        });
      expect((await fulfil(null)).status).toBe(400);
      for (const fulfillment_order_line_items of ['x', [null]])
        expect((await fulfil({ fulfillment_order_id, fulfillment_order_line_items })).status).toBe(
          400,
        );
      const { status, body: one } = await fulfil({ fulfillment_order_id }, { tracking_info: null });
      expect(status).toBe(201);
      for (const tracking_info of [null, 'x'])
        expect(
          (
            await call('POST', `fulfillments/${one['fulfillment']!.id}/update_tracking.json`, {
              fulfillment: { tracking_info },
            })
          ).status,
        ).toBe(200);
    });

    it.each(['after 5 //[', 'after 5 http://[', 'after 5'])(
      'is read as filters in page_info: %s',
      async (text) => {
        const info = Buffer.from(text).toString('base64url');
        expect((await call('GET', `products.json?page_info=${info}`)).status).toBe(200);
      },
    );
  });

  it('of an order that is there leaves its lines and payments', async () => {
    const transactions = [{ kind: 'sale', amount: '8.00' }];
    const order = await made('orders', 'order', { line_items: lines, transactions });
    const path = `orders/${order.id}`;
    const change = { note: 'Ring', line_items: [{ title: 'Other', price: '1.00' }] };
    const { body } = await call('PUT', `${path}.json`, {
      order: { ...change, transactions: [{ kind: 'sale', amount: '1.00' }] },
    });
    expect(body['order']).toEqual({ ...order, note: 'Ring', updated_at: expect.any(String) });
    expect((await call('GET', `${path}/transactions.json`)).body['transactions']).toEqual([
      expect.objectContaining({ amount: '8.00' }),
    ]);
  });

  describe('of products', () => {
    const shirt = (): Promise<Json> =>
      made('products', 'product', {
        title: 'Shirt',
        options: [{ name: 'Size' }, { name: 'Color', values: ['Red', 'Blue'] }],
        variants: [
          { option1: 'S', option2: 'Red', price: '1.00', sku: 'S-R', inventory_policy: 'continue' },
          { option1: 'S', option2: 'Blue', price: '1.00', compare_at_price: '2' },
        ],
      });

    it('has options and up to three values of a variant', async () => {
      expect(await shirt()).toMatchObject({
        options: [
          { name: 'Size', position: 1, values: ['S'] },
          { name: 'Color', position: 2, values: ['Red', 'Blue'] },
        ],
        variants: [
          { title: 'S / Red', option1: 'S', option2: 'Red', option3: null },
          { title: 'S / Blue', compare_at_price: '2.00', inventory_policy: 'deny' },
        ],
      });
    });

    it('changes the variants whose ids it has, and names options', async () => {
      const { id, variants, options } = await shirt();
      const [first] = variants as Json[];
      const { body } = await call('PUT', `products/${id}.json`, {
        product: {
          options: [{ id: (options as Json[])[0]!.id, name: 'Fit' }, { name: 'Colour' }],
          variants: [{ id: first!.id, price: '5.00', option2: 'Green' }, { option1: 'L' }],
        },
      });
      expect(body['product']).toMatchObject({
        options: [{ name: 'Fit' }, { name: 'Colour' }],
        variants: [
          { ...first, price: '5.00', option2: 'Green', title: 'S / Green' },
          { option1: 'L', option2: 'Red' },
        ].map((one) => ({ ...one, updated_at: expect.any(String) })),
      });
    });

    it('has one variant when it names none', async () => {
      const { variants } = await made('products', 'product', { title: 'Cup', variants: [] });
      expect(variants).toHaveLength(1);
    });

    it('gives options to a product that had none', async () => {
      const { id, variants } = await made('products', 'product', { title: 'Cup' });
      const [only] = variants as Json[];
      const { body } = await call('PUT', `products/${id}.json`, {
        product: { options: [{ name: 'Size' }], variants: [{ id: only!.id, option1: 'XL' }] },
      });
      expect(body['product']).toMatchObject({
        options: [{ name: 'Size', values: ['XL'] }],
        variants: [{ id: only!.id, title: 'XL' }],
      });
    });

    it('has variants of their own addresses', async () => {
      const { id, variants } = await shirt();
      const [first, second] = variants as Json[];
      const list = `products/${id}/variants`;
      expect((await call('GET', `${list}.json`)).body).toEqual({ variants });
      expect((await call('GET', `${list}/count.json`)).body).toEqual({ count: 2 });
      expect((await call('GET', `variants/${first!.id}.json?fields=sku`)).body).toEqual({
        variant: { sku: 'S-R' },
      });
      const changed = await call('PUT', `variants/${first!.id}.json`, {
        variant: { price: 7, compare_at_price: null, inventory_management: 'shopify' },
      });
      expect(changed).toMatchObject({
        status: 200,
        body: { variant: { price: '7.00', sku: 'S-R', inventory_management: 'shopify' } },
      });
      expect(await made(list, 'variant', { option1: 'M', option2: 'Red' })).toMatchObject({
        ...{ product_id: id, title: 'M / Red', position: 3 },
      });
      expect(await call('DELETE', `${list}/${second!.id}.json`)).toEqual({ status: 200, body: {} });
      expect((await call('GET', `${list}/count.json`)).body).toEqual({ count: 2 });
    });

    it.each([
      ['POST', { option1: 'S', option2: 'Red' }, 422],
      ['POST', { option1: 'M', price: 'much' }, 422],
      ['PUT', { compare_at_price: 'much' }, 422],
      ['PUT', { inventory_policy: 'maybe' }, 422],
      ['PUT', { option2: 'Blue' }, 422],
    ])('is refused of a variant: %s %j', async (method, variant, status) => {
      const { id, variants } = await shirt();
      const path =
        method === 'PUT' ? `variants/${(variants as Json[])[0]!.id}` : `products/${id}/variants`;
      expect((await call(method, `${path}.json`, { variant })).status).toBe(status);
      expect((await call('GET', `products/${id}/variants.json`)).body).toEqual({ variants });
    });

    it.each([
      ['GET', 'variants/1.json'],
      ['PUT', 'variants/1.json'],
      ['GET', 'products/1/variants.json'],
      ['GET', 'products/1/variants/count.json'],
      ['POST', 'products/1/variants.json'],
      ['DELETE', 'products/1/variants/1.json'],
    ])('is not found: %s %s', async (method, path) => {
      const body = method === 'GET' ? undefined : { variant: {} };
      expect((await call(method, path, body)).status).toBe(404);
    });

    it('keeps the last variant', async () => {
      const { id, variants } = await made('products', 'product', { title: 'One' });
      const path = `products/${id}/variants/${(variants as Json[])[0]!.id}.json`;
      expect((await call('DELETE', path)).status).toBe(422);
    });

    it('is found by its times, its publication and its collection', async () => {
      const { id } = await made('products', 'product', { title: 'Draft', status: 'draft' });
      const count = async (query: string): Promise<unknown> =>
        (await call('GET', `products/count.json?ids=${id}&${query}`)).body['count'];
      const { id: collection } = await made('custom_collections', 'custom_collection', {
        title: 'C',
      });
      expect(await count('published_status=published')).toBe(0);
      expect(await count('published_status=unpublished')).toBe(1);
      expect(await count('published_status=any')).toBe(1);
      expect(await count('created_at_max=2000-01-01')).toBe(0);
      expect(await count('created_at_min=2000-01-01')).toBe(1);
      expect(await count(`collection_id=${collection}`)).toBe(0);
      await made('collects', 'collect', { collection_id: collection, product_id: id });
      expect(await count(`collection_id=${collection}`)).toBe(1);
      const { id: page } = await made('pages', 'page', { title: 'Us' });
      for (const [status, expected] of [
        ['published', 1],
        ['unpublished', 0],
      ])
        expect(
          (await call('GET', `pages.json?ids=${page}&published_status=${status}`)).body['pages'],
        ).toHaveLength(Number(expected));
    });
  });

  describe('of collects', () => {
    it('is the products of the collections', async () => {
      const [first, second] = await Promise.all(
        ['One', 'Two'].map((title) => made('custom_collections', 'custom_collection', { title })),
      );
      const { id: product_id } = await made('products', 'product', { title: 'Cup' });
      const collection_id = first!.id;
      const collect = await made('collects', 'collect', { collection_id, product_id });
      expect(collect).toMatchObject({ collection_id, product_id, position: 1 });
      expect((await call('GET', `collects/${collect.id}.json`)).body).toEqual({ collect });
      expect((await call('GET', `collects.json?collection_id=${collection_id}`)).body).toEqual({
        collects: [collect],
      });
      const counts = async (): Promise<unknown[]> =>
        Promise.all(
          [
            `collects/count.json?product_id=${product_id}`,
            `collects/count.json?collection_id=${second!.id}`,
            `custom_collections/count.json?product_id=${product_id}`,
            `smart_collections/count.json?product_id=${product_id}`,
          ].map(async (path) => (await call('GET', path)).body['count']),
        );
      expect(await counts()).toEqual([1, 0, 1, 0]);
      const again = { collect: { collection_id, product_id } };
      expect((await call('POST', 'collects.json', again)).status).toBe(422);
      const remove = (): Promise<Reply> => call('DELETE', `collects/${collect.id}.json`);
      expect(await remove()).toEqual({ status: 200, body: {} });
      expect((await remove()).status).toBe(404);
      expect(await counts()).toEqual([0, 0, 0, 0]);
      expect((await call('GET', `collections/${collection_id}/products.json`)).body).toEqual({
        products: [],
      });
      for (const [collect, status] of [
        [{ collection_id }, 422],
        [{ collection_id, product_id: 1 }, 404],
        [{ collection_id: 1, product_id }, 404],
      ] as const)
        expect((await call('POST', 'collects.json', { collect })).status).toBe(status);
    });
  });

  it.each([
    'customer_saved_searches.json',
    'customer_saved_searches/1/customers.json',
    'reports/1.json',
    'tax_services.json',
  ])('of what is not simulated says so: %s', async (path) => {
    expect((await call('GET', path)).status).toBe(501);
  });
});
