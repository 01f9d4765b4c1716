import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DevStore, type DevShop } from '../../../../lib/dev-store/index.js';

const SEEDS = ['Anvil', 'Bellows', 'Crucible', 'Drill', 'Emery'].map((title) => ({
  title,
  price: '10.00',
  vendor: title < 'C' ? 'Forge' : 'Mill',
}));

interface Reply {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

describe('Admin REST of a simulated shop', () => {
  let devStore: DevStore;
  let shop: DevShop;
  let token: string;

  beforeAll(async () => {
    const apps = ['key', 'reader', 'other'].map((apiKey) => ({
      apiKey,
      apiSecretKey: 'hush',
      appUrl: 'http://localhost:3000',
    }));
    const shops = [{ domain: 'dev-shop.myshopify.com', products: SEEDS }];
    devStore = await DevStore.open({ apps, shops, limits: { rest: 'off' } });
    shop = devStore.shop();
    token = shop.install('key', { scopes: ['write_products'] });
  });
  afterAll(() => devStore.close());

  const call = async (
    method: string,
    path: string,
    body?: unknown,
    accessToken = token,
  ): Promise<Reply> => {
    const headers = { 'X-Shopify-Access-Token': accessToken, 'Content-Type': 'application/json' };
    const url = path.startsWith('http') ? path : `${shop.origin}/admin/api/2026-07/${path}`;
    const reply = await fetch(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return {
      status: reply.status,
      headers: reply.headers,
      body: (await reply.json()) as Record<string, unknown>,
    };
  };
  const titles = ({ body }: Reply): string[] =>
    (body['products'] as Array<{ title: string }>).map(({ title }) => title);

  it('answers without a valid token with 401 and the words of the platform', async () => {
    const refused = {
      status: 401,
      body: {
        errors: '[API] Invalid API key or access token (unrecognized login or wrong password)',
      },
    };
    expect(await call('GET', 'shop.json', undefined, 'shpat_wrong')).toMatchObject(refused);
    expect(await call('GET', 'shop.json', undefined, '')).toMatchObject(refused);
  });

  it('names the version, the request and the call limit in its headers', async () => {
    const { headers } = await call('GET', 'shop.json');
    expect(headers.get('x-shopify-api-version')).toBe('2026-07');
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get('x-shopify-shop-api-call-limit')).toBe('1/40');
  });

  it('describes the shop', async () => {
    const { body } = await call('GET', 'shop.json?fields=name,myshopify_domain');
    expect(body).toEqual({
      shop: { name: 'Dev Shop', myshopify_domain: 'dev-shop.myshopify.com' },
    });
  });

  it('says which scope is missing', async () => {
    const reader = shop.install('reader', { scopes: 'read_products' });
    expect((await call('GET', 'products/count.json', undefined, reader)).status).toBe(200);
    expect(await call('POST', 'products.json', { product: { title: 'x' } }, reader)).toMatchObject({
      status: 403,
      body: { errors: '[API] This action requires merchant approval for write_products scope.' },
    });
  });

  it.each([
    ['GET', 'nothing.json', undefined, 404, { errors: 'Not Found' }],
    ['GET', 'products/1.json', undefined, 404, { errors: 'Not Found' }],
    ['PUT', 'products/1.json', { product: {} }, 404, { errors: 'Not Found' }],
    ['DELETE', 'products/1.json', undefined, 404, { errors: 'Not Found' }],
    ['GET', 'products', undefined, 406, { errors: 'Not Acceptable' }],
    ['PUT', 'shop.json', {}, 405, { errors: 'Method Not Allowed' }],
    [
      'POST',
      'products.json',
      {},
      400,
      { errors: { product: 'Required parameter missing or invalid' } },
    ],
    ['GET', 'products.json?limit=0', undefined, 400, { errors: { limit: expect.any(String) } }],
    [
      'GET',
      'products.json?page_info=bm8',
      undefined,
      400,
      { errors: { page_info: 'Invalid value.' } },
    ],
  ])('answers %s %s with the body %j with %i', async (method, path, body, status, answer) => {
    expect(await call(method, path, body)).toMatchObject({ status, body: answer });
  });

  it('answers a body that is no JSON object with 400', async () => {
    const headers = { 'X-Shopify-Access-Token': token };
    for (const body of ['{', '[]', 'null', '']) {
      expect(
        (
          await fetch(`${shop.origin}/admin/api/2026-07/products.json`, {
            method: 'POST',
            headers,
            body,
          })
        ).status,
      ).toBe(400);
    }
  });

  describe('products', () => {
    it('are listed by id, with the fields that are asked for', async () => {
      const { body } = await call('GET', 'products.json?limit=2&fields=id,title');
      expect(body).toEqual({
        products: [
          { id: shop.products[0]?.id, title: 'Anvil' },
          { id: shop.products[1]?.id, title: 'Bellows' },
        ],
      });
    });

    it('are filtered by since_id, ids, vendor and status', async () => {
      const [, second, third] = shop.products;
      expect(titles(await call('GET', `products.json?since_id=${second?.id}`))).toEqual([
        'Crucible',
        'Drill',
        'Emery',
      ]);
      expect(titles(await call('GET', `products.json?ids=${third?.id},${second?.id}`))).toEqual([
        'Bellows',
        'Crucible',
      ]);
      expect(titles(await call('GET', 'products.json?vendor=Forge'))).toEqual(['Anvil', 'Bellows']);
      expect(titles(await call('GET', 'products.json?status=draft'))).toEqual([]);
      expect((await call('GET', 'products/count.json?vendor=Mill')).body).toEqual({ count: 3 });
    });

    it('lead from page to page and back through the Link header, filters included', async () => {
      const linkOf = ({ headers }: Reply, rel: string): string =>
        new RegExp(`<([^>]+)>; rel="${rel}"`).exec(headers.get('link') ?? '')?.[1] ?? '';
      const first = await call('GET', 'products.json?limit=2&vendor=Mill&fields=title');
      expect(titles(first)).toEqual(['Crucible', 'Drill']);
      expect(linkOf(first, 'previous')).toBe('');
      const second = await call('GET', linkOf(first, 'next'));
      expect(second.body).toEqual({ products: [{ title: 'Emery' }] });
      expect(linkOf(second, 'next')).toBe('');
      expect(titles(await call('GET', linkOf(second, 'previous')))).toEqual(['Crucible', 'Drill']);
    });

    it('are created, read, changed and deleted', async () => {
      const variants = [
        { option1: 'Small', price: '3', sku: 'S-1' },
        { option1: 'Large', price: 5.5 },
      ];
      const created = await call('POST', 'products.json', {
        product: { title: 'Anvil', body_html: '<b>x</b>', tags: 'b, a', status: 'draft', variants },
      });
      expect(created).toMatchObject({
        status: 201,
        body: {
          product: {
            id: expect.any(Number),
            title: 'Anvil',
            body_html: '<b>x</b>',
            vendor: 'Dev Shop',
            product_type: '',
            handle: 'anvil-1',
            status: 'draft',
            tags: 'a, b',
            published_at: null,
            created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
            admin_graphql_api_id: expect.stringMatching(/^gid:\/\/shopify\/Product\/\d+$/),
            variants: [
              { title: 'Small', price: '3.00', sku: 'S-1', position: 1 },
              { title: 'Large', price: '5.50', sku: null, position: 2 },
            ],
            options: [{ name: 'Title', values: ['Small', 'Large'] }],
            images: [],
          },
        },
      });
      const { id } = created.body['product'] as { id: number };
      const changed = await call('PUT', `products/${id}.json`, {
        product: { id, title: 'Anvil XL', status: 'active' },
      });
      expect(changed).toMatchObject({
        status: 200,
        body: { product: { id, title: 'Anvil XL', status: 'active', body_html: '<b>x</b>' } },
      });
      expect((await call('GET', `products/${id}.json?fields=title`)).body).toEqual({
        product: { title: 'Anvil XL' },
      });
      expect(await call('DELETE', `products/${id}.json`)).toMatchObject({ status: 200, body: {} });
      expect((await call('GET', `products/${id}.json`)).status).toBe(404);
    });

    it.each([
      [{}, { title: ["can't be blank"] }],
      [{ title: '   ' }, { title: ["can't be blank"] }],
      [{ title: 'x'.repeat(256) }, { title: ['is too long (maximum is 255 characters)'] }],
      [{ title: 'x', status: 'gone' }, { status: ['is not included in the list'] }],
      [{ title: 'x', handle: 'anvil' }, { handle: ['has already been taken'] }],
      [{ title: 'x', variants: [{ price: 'much' }] }, { price: ['is not a number'] }],
    ])('are refused as %j', async (product, errors) => {
      const before = shop.products.length;
      expect(await call('POST', 'products.json', { product })).toMatchObject({
        status: 422,
        body: { errors },
      });
      expect(shop.products).toHaveLength(before);
    });
  });

  describe('webhooks', () => {
    const address = 'https://app.example.com/webhooks';

    it('are created, listed, changed and deleted, each app seeing its own', async () => {
      const created = await call('POST', 'webhooks.json', {
        webhook: { topic: 'products/create', address, format: 'json', fields: ['id'] },
      });
      expect(created).toMatchObject({
        status: 201,
        body: {
          webhook: { topic: 'products/create', address, fields: ['id'], api_version: '2026-07' },
        },
      });
      const { id } = created.body['webhook'] as { id: number };
      expect((await call('GET', 'webhooks.json?topic=products/create')).body).toMatchObject({
        webhooks: [{ id }],
      });
      expect((await call('GET', 'webhooks/count.json')).body).toEqual({ count: 1 });

      const other = shop.install('other', { scopes: [] });
      expect((await call('GET', 'webhooks.json', undefined, other)).body).toEqual({ webhooks: [] });
      expect((await call('DELETE', `webhooks/${id}.json`, undefined, other)).status).toBe(404);

      const changed = await call('PUT', `webhooks/${id}.json`, {
        webhook: { id, address: 'https://app.example.com/other' },
      });
      expect(changed.body).toMatchObject({
        webhook: { address: 'https://app.example.com/other', fields: ['id'] },
      });
      expect((await call('DELETE', `webhooks/${id}.json`)).status).toBe(200);
      expect((await call('GET', `webhooks/${id}.json`)).status).toBe(404);
    });

    it.each([
      [{ topic: 'made/up', address }, { topic: ['Could not find the webhook topic made/up'] }],
      [
        { topic: 'customers/redact', address },
        { topic: ['Could not find the webhook topic customers/redact'] },
      ],
      [{ topic: 'app/uninstalled' }, { address: ["can't be blank"] }],
      [{ topic: 'app/uninstalled', address: 'nowhere' }, { address: ['is invalid'] }],
      [
        { topic: 'app/uninstalled', address: 'http://app.example.com/' },
        { address: ['protocol http:// is not supported'] },
      ],
      [
        { topic: 'app/uninstalled', address: 'ftp://localhost/' },
        { address: ['protocol ftp:// is not supported'] },
      ],
    ])('are refused as %j', async (webhook, errors) => {
      expect(await call('POST', 'webhooks.json', { webhook })).toMatchObject({
        status: 422,
        body: { errors },
      });
    });

    it('may go to this machine over plain http, to a queue, and once per topic', async () => {
      const arn = 'arn:aws:events:us-east-1::event-source/aws.partner/shopify.com/1/source';
      for (const place of ['http://localhost:3000/webhooks', arn, 'pubsub://my-project:my-topic']) {
        const webhook = { topic: 'orders/paid', address: place };
        expect(await call('POST', 'webhooks.json', { webhook })).toMatchObject({
          status: 201,
          body: { webhook: { address: place } },
        });
        expect(await call('POST', 'webhooks.json', { webhook })).toMatchObject({
          status: 422,
          body: { errors: { address: ['for this topic has already been taken'] } },
        });
      }
    });

    it('about products need the scope to read them', async () => {
      const other = shop.install('other', { scopes: [] });
      expect(
        await call(
          'POST',
          'webhooks.json',
          { webhook: { topic: 'products/update', address } },
          other,
        ),
      ).toMatchObject({
        status: 422,
        body: {
          errors: {
            topic: [
              'You do not have permission to create or update webhooks with products/update topic',
            ],
          },
        },
      });
    });
  });
});
