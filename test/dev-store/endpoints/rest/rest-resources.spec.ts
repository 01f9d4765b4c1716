import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { APPS } from '../../../../lib/rest-client/resources/tables/apps.table.js';
import { CUSTOMERS } from '../../../../lib/rest-client/resources/tables/customers.table.js';
import { FULFILLMENTS } from '../../../../lib/rest-client/resources/tables/fulfillments.table.js';
import { INVENTORY } from '../../../../lib/rest-client/resources/tables/inventory.table.js';
import { ONLINE_STORE } from '../../../../lib/rest-client/resources/tables/online-store.table.js';
import { ORDERS } from '../../../../lib/rest-client/resources/tables/orders.table.js';
import { PAYMENTS } from '../../../../lib/rest-client/resources/tables/payments.table.js';
import { PRODUCTS } from '../../../../lib/rest-client/resources/tables/products.table.js';
import { STORE } from '../../../../lib/rest-client/resources/tables/store.table.js';
import { DevStore, type DevShop } from '../../../../lib/dev-store/index.js';

const TABLES = [
  APPS,
  CUSTOMERS,
  FULFILLMENTS,
  INVENTORY,
  ONLINE_STORE,
  ORDERS,
  PAYMENTS,
  PRODUCTS,
  STORE,
];
const SCOPES = (
  'content customers draft_orders fulfillments gift_cards gift_card_adjustments inventory locations ' +
  'marketing_events merchant_managed_fulfillment_orders online_store_navigation orders ' +
  'payment_gateways price_rules product_listings products resource_feedbacks script_tags shipping ' +
  'shopify_payments_disputes shopify_payments_payouts themes users'
)
  .split(' ')
  .map((scope) => `write_${scope}`);

/** What the documentation names as not simulated. */
const LEFT_OUT = /^(?:checkouts\/|checkouts$|apple_pay|shopify_payments\/disputes\/<dispute_id>)/;

type Json = Record<string, unknown>;

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

describe('the resources of Admin REST in a simulated shop', () => {
  let devStore: DevStore;
  let shop: DevShop;
  let token: string;
  beforeAll(async () => {
    const apps = ['key', 'reader'].map((apiKey) => ({
      ...{ apiKey, apiSecretKey: 'hush', appUrl: 'http://localhost:3000' },
    }));
    devStore = await DevStore.open({ apps, limits: { rest: 'off' } });
    shop = devStore.shop();
    token = shop.install('key', { scopes: SCOPES });
  });
  afterAll(() => devStore.close());

  const call = async (method: string, path: string, body?: object, as = token): Promise<Reply> => {
    const url = path.startsWith('http') ? path : `${shop.origin}/admin/api/2026-07/${path}`;
    const response = await fetch(url, {
      method,
      headers: { 'X-Shopify-Access-Token': as, 'Content-Type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const { status, headers } = response;
    const text = await response.text();
    return { status, headers, body: (text === '' ? {} : JSON.parse(text)) as Json };
  };
  const create = async (
    path: string,
    key: string,
    attributes: object,
  ): Promise<Json & { id: number }> => {
    const { status, body } = await call('POST', `${path}.json`, { [key]: attributes });
    expect([status, body]).toEqual([201, { [key]: expect.any(Object) }]);
    return body[key] as Json & { id: number };
  };

  it.each(['resource_feedback', 'products/<id>/resource_feedback'])(
    '%s is that of the app that calls',
    async (path) => {
      const own = path.replace('<id>', String(shop.products[0]!.id));
      const scopes = ['write_resource_feedbacks'];
      const other = shop.install('reader', { scopes });
      const feedback = { state: 'success', feedback_generated_at: '2026-07-01T00:00:00Z' };
      const give = (messages: string[], as?: string): Promise<Reply> =>
        call('POST', `${own}.json`, { resource_feedback: { ...feedback, messages } }, as);
      const given = await give(['Own.']);
      expect(given.body['resource_feedback']).toMatchObject({ ...feedback, messages: ['Own.'] });
      expect(given.body['resource_feedback']).not.toHaveProperty('app_key');
      await give(['Of another app.'], other);
      const listed = async (as?: string): Promise<unknown> =>
        (await call('GET', `${own}.json`, undefined, as)).body['resource_feedback'];
      expect(await listed()).toMatchObject([{ messages: ['Own.'] }]);
      expect(await listed(other)).toMatchObject([{ messages: ['Of another app.'] }]);
    },
  );

  it('marketing_events of another app are not found', async () => {
    const other = shop.install('reader', { scopes: ['write_marketing_events'] });
    const { id } = await create('marketing_events', 'marketing_event', { event_type: 'ad' });
    const one = `marketing_events/${id}`;
    const engage = [`${one}/engagements.json`, { engagements: [] }] as const;
    const asked = async (as?: string): Promise<number[]> => {
      const answers = [
        await call('GET', `${one}.json`, undefined, as),
        await call('POST', ...engage, as),
        await call('DELETE', `${one}.json`, undefined, as),
      ];
      return answers.map(({ status }) => status);
    };
    const count = async (as?: string): Promise<unknown> =>
      (await call('GET', 'marketing_events/count.json', undefined, as)).body['count'];
    expect([await count(), await count(other)]).toEqual([1, 0]);
    expect(await asked(other)).toEqual([404, 404, 404]);
    expect(await asked()).toEqual([200, 201, 200]);
  });

  it('carrier_services of another app are read, and neither changed nor deleted', async () => {
    const other = shop.install('reader', { scopes: ['write_shipping'] });
    const { id } = await create('carrier_services', 'carrier_service', { name: 'Own' });
    const one = `carrier_services/${id}.json`;
    const asked = async (as?: string): Promise<number[]> => {
      const answers = [
        await call('GET', one, undefined, as),
        await call('PUT', one, { carrier_service: { name: 'New' } }, as),
        await call('DELETE', one, undefined, as),
      ];
      return answers.map(({ status }) => status);
    };
    expect(await asked(other)).toEqual([200, 404, 404]);
    expect((await call('GET', one)).body['carrier_service']).toMatchObject({ name: 'Own' });
    expect(await asked()).toEqual([200, 200, 200]);
  });

  it.each(['app_key', 'appKey'])('are not given away by their %s', async (name) => {
    const given = { [name]: 'reader' };
    const event = await create('marketing_events', 'marketing_event', {
      event_type: 'ad',
      ...given,
    });
    const page = await create('pages', 'page', { title: 'Own', ...given });
    const rows = [
      ['marketing_events', 'marketing_event', event.id, 'MarketingEvent', 'key'],
      ['pages', 'page', page.id, 'Page', undefined],
    ] as const;
    for (const [path, key, id, type, owner] of rows) {
      const { status } = await call('PUT', `${path}/${id}.json`, { [key]: given });
      const fields = shop.nodes.find(`gid://shopify/${type}/${id}`)?.fields;
      expect([status, fields?.['appKey']]).toEqual([200, owner]);
      await call('DELETE', `${path}/${id}.json`);
    }
  });

  it.each([
    [
      'pages',
      'page',
      { title: 'About', body_html: '<p>Us</p>' },
      { title: 'Contact' },
      { handle: 'about' },
    ],
    ['blogs', 'blog', { title: 'News' }, { commentable: 'moderate' }, { handle: 'news' }],
    ['redirects', 'redirect', { path: '/old', target: '/new' }, { target: '/newer' }, {}],
    [
      'script_tags',
      'script_tag',
      { src: 'https://a.test/a.js', event: 'onload' },
      { display_scope: 'online_store' },
      { display_scope: 'all' },
    ],
    [
      'price_rules',
      'price_rule',
      { title: 'SALE', value: '-10.0', value_type: 'percentage' },
      { value: '-20.0' },
      { entitled_product_ids: [] },
    ],
    [
      'custom_collections',
      'custom_collection',
      { title: 'Tea', body_html: 'Hot' },
      { sort_order: 'manual' },
      { sort_order: 'best-selling', handle: 'tea' },
    ],
    [
      'smart_collections',
      'smart_collection',
      { title: 'Mugs', rules: [{ column: 'title', relation: 'contains', condition: 'mug' }] },
      { body_html: 'All' },
      { disjunctive: false },
    ],
    [
      'carrier_services',
      'carrier_service',
      { name: 'Ship', callback_url: 'https://a.test' },
      { active: false },
      { format: 'json' },
    ],
    [
      'marketing_events',
      'marketing_event',
      { event_type: 'ad', paid: true },
      { budget: '5.00' },
      { marketed_resources: [] },
    ],
    ['countries', 'country', { code: 'DE', name: 'Germany' }, { tax: 0.19 }, { provinces: [] }],
  ] as const)(
    '%s are created, read, listed, counted, changed and deleted',
    async (path, key, first, change, usual) => {
      const before = (await call('GET', `${path}.json`)).body[path] as Json[];
      const made = await create(path, key, first);
      expect(made).toMatchObject({ ...first, ...usual });
      const one = `${path}/${made.id}.json`;
      expect((await call('GET', one)).body).toEqual({ [key]: made });
      expect((await call('GET', `${path}.json?fields=id&since_id=${made.id - 1}`)).body).toEqual({
        [path]: [{ id: made.id }],
      });
      expect((await call('GET', `${path}.json?ids=${made.id}`)).body[path]).toHaveLength(1);
      const changed = await call('PUT', one, { [key]: { id: made.id, ...change } });
      expect([changed.status, changed.body[key]]).toEqual([200, expect.objectContaining(change)]);
      if (path !== 'carrier_services')
        expect((await call('GET', `${path}/count.json`)).body).toEqual({
          count: before.length + 1,
        });
      expect(await call('DELETE', one)).toMatchObject({ status: 200, body: {} });
      expect(await call('GET', one)).toMatchObject({ status: 404, body: { errors: 'Not Found' } });
      expect(await call('PUT', one, { [key]: {} })).toMatchObject({ status: 404 });
      expect(await call('DELETE', one)).toMatchObject({ status: 404 });
    },
  );

  it('share their objects with GraphQL', async () => {
    const made = await create('pages', 'page', { title: 'Shared', body_html: '<i>x</i>' });
    const response = await fetch(`${shop.origin}/admin/api/2026-07/graphql.json`, {
      method: 'POST',
      headers: { 'X-Shopify-Access-Token': token, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        query: `{ page(id: "gid://shopify/Page/${made.id}") { title body handle } }`,
      }),
    });
    expect(await response.json()).toMatchObject({
      data: { page: { title: 'Shared', body: '<i>x</i>', handle: 'shared' } },
    });
    const addresses = [{ city: 'Ottawa', countryCode: 'CA', provinceCode: 'ON' }];
    const kay = { firstName: 'Kay', tags: ['a', 'b'], addresses };
    const { id, number } = shop.nodes.create('Customer', kay);
    expect((await call('GET', `customers/${number}.json`)).body['customer']).toMatchObject({
      admin_graphql_api_id: id,
      first_name: 'Kay',
      tags: 'a, b',
      default_address: { city: 'Ottawa', province: 'Ontario', country: 'Canada' },
      orders_count: 0,
      total_spent: '0.00',
    });
  });

  it('belong to what their path says', async () => {
    const [news, other] = [
      await create('blogs', 'blog', { title: 'A' }),
      await create('blogs', 'blog', { title: 'B' }),
    ];
    const article = await create(`blogs/${news.id}/articles`, 'article', {
      title: 'First',
      tags: 'x, y',
    });
    expect(article).toMatchObject({
      blog_id: news.id,
      tags: 'x, y',
      published_at: expect.any(String),
    });
    expect((await call('GET', `blogs/${news.id}/articles.json`)).body['articles']).toHaveLength(1);
    expect((await call('GET', `blogs/${other.id}/articles.json`)).body).toEqual({ articles: [] });
    expect((await call('GET', `blogs/${other.id}/articles/${article.id}.json`)).status).toBe(404);
    expect((await call('GET', 'blogs/1/articles.json')).status).toBe(404);
    const rule = await create('price_rules', 'price_rule', { title: 'R', value: '-1.0' });
    const code = await create(`price_rules/${rule.id}/discount_codes`, 'discount_code', {
      code: 'ONE',
    });
    expect(code).toMatchObject({ price_rule_id: rule.id, usage_count: 0 });
  });

  it('put products into collections', async () => {
    const collection = await create('custom_collections', 'custom_collection', { title: 'Two' });
    const [, product] = shop.products;
    await create('collects', 'collect', { collection_id: collection.id, product_id: product!.id });
    expect((await call('GET', `collections/${collection.id}/products.json`)).body).toEqual({
      products: [expect.objectContaining({ id: product!.id, title: product!.title })],
    });
    expect((await call('GET', `smart_collections/${collection.id}.json`)).status).toBe(404);
    expect((await call('GET', `collections/${collection.id}.json`)).status).toBe(200);
  });

  describe('orders', () => {
    const order = async (attributes: object = {}): Promise<Json & { id: number }> => {
      const variant_id = shop.products[0]!.variants[0]!.id;
      return create('orders', 'order', {
        line_items: [{ variant_id, quantity: 2 }],
        ...attributes,
      });
    };

    it('are created with lines, a customer and addresses, and move on as in GraphQL', async () => {
      const made = await order({
        email: 'erin@example.com',
        customer: { first_name: 'Erin', email: 'erin@example.com' },
        shipping_address: { address1: '1 Quay', city: 'Galway', country: 'IE' },
        shipping_lines: [{ title: 'Standard', price: '5.00' }],
        note_attributes: [{ name: 'gift', value: 'yes' }],
        financial_status: 'paid',
        tags: 'b, a',
      });
      expect(made).toMatchObject({
        total_price: '53.00',
        financial_status: 'paid',
        fulfillment_status: null,
        tags: 'a, b',
        customer: { first_name: 'Erin', email: 'erin@example.com' },
        shipping_address: { city: 'Galway', country: 'Ireland', country_code: 'IE' },
        note_attributes: [{ name: 'gift', value: 'yes' }],
        line_items: [{ title: 'Stoneware mug', price: '24.00', quantity: 2 }],
      });
      const { id } = made;
      const { body } = await call('GET', `orders/${id}/fulfillment_orders.json`);
      const [toFulfill] = body['fulfillment_orders'] as Array<{
        id: number;
        line_items: unknown[];
      }>;
      expect(toFulfill!.line_items).toMatchObject([{ quantity: 2, fulfillable_quantity: 2 }]);
      const fulfillment = await create('fulfillments', 'fulfillment', {
        line_items_by_fulfillment_order: [{ fulfillment_order_id: toFulfill!.id }],
        tracking_info: { number: '1Z', company: 'UPS' },
      });
      expect(fulfillment).toMatchObject({ order_id: id, status: 'success', tracking_number: '1Z' });
      expect((await call('GET', `orders/${id}/fulfillments/count.json`)).body).toEqual({
        count: 1,
      });
      expect((await call('GET', `orders/${id}.json?fields=fulfillment_status`)).body).toEqual({
        order: { fulfillment_status: 'fulfilled' },
      });
      const customer = made['customer'] as { id: number };
      expect(
        (await call('GET', `customers/${customer.id}/orders.json?status=any`)).body['orders'],
      ).toMatchObject([{ id }]);
      expect((await call('DELETE', `customers/${customer.id}.json`)).status).toBe(422);
      expect(
        (await call('GET', 'customers/search.json?query=erin')).body['customers'],
      ).toHaveLength(1);
      expect((await call('GET', 'customers/search.json?query=email:nobody')).body).toEqual({
        customers: [],
      });
    });

    it('are listed while they are open, the newest first, and by status', async () => {
      const [first, second, third] = [
        await order(),
        await order({ financial_status: 'paid' }),
        await order(),
      ];
      const ids = async (query: string): Promise<number[]> =>
        (
          (
            await call(
              'GET',
              `orders.json?fields=id&ids=${first.id},${second.id},${third.id}${query}`,
            )
          ).body['orders'] as Array<{ id: number }>
        ).map(({ id }) => id);
      expect((await call('POST', `orders/${third.id}/close.json`)).body['order']).toMatchObject({
        closed_at: expect.any(String),
      });
      const cancelled = await call('POST', `orders/${first.id}/cancel.json`, {
        reason: 'customer',
      });
      expect(cancelled).toMatchObject({
        status: 200,
        body: { order: { cancel_reason: 'customer' } },
      });
      expect(await call('POST', `orders/${first.id}/cancel.json`)).toMatchObject({ status: 422 });
      expect(await ids('')).toEqual([second.id]);
      expect(await ids('&status=any')).toEqual([third.id, second.id, first.id]);
      expect(await ids('&status=closed')).toEqual([third.id]);
      expect(await ids('&status=cancelled')).toEqual([first.id]);
      expect(await ids('&status=any&financial_status=paid')).toEqual([second.id]);
      expect(await ids('&status=any&created_at_min=2999-01-01')).toEqual([]);
      expect((await call('POST', `orders/${third.id}/open.json`)).body['order']).toMatchObject({
        closed_at: null,
      });
    });

    it('come from drafts', async () => {
      const draft = await create('draft_orders', 'draft_order', {
        line_items: [{ title: 'Kite', price: '3.50', quantity: 2 }],
        applied_discount: { value: '1.00', value_type: 'fixed_amount' },
      });
      expect(draft).toMatchObject({ status: 'open', total_price: '6.00', order_id: null });
      const done = await call('PUT', `draft_orders/${draft.id}/complete.json`);
      expect(done.body['draft_order']).toMatchObject({
        status: 'completed',
        order_id: expect.any(Number),
      });
      expect(await call('PUT', `draft_orders/${draft.id}/complete.json`)).toMatchObject({
        status: 422,
      });
    });

    it('lead through pages in both directions, also when one was deleted in between', async () => {
      for (let count = 0; count < 3; count++) await order({ note: 'paged' });
      const linkOf = ({ headers }: Reply, rel: string): string =>
        new RegExp(`<([^>]+)>; rel="${rel}"`).exec(headers.get('link') ?? '')?.[1] ?? '';
      const seen: number[] = [];
      const all = (await call('GET', 'orders.json?fields=id')).body['orders'] as Array<{
        id: number;
      }>;
      let page = await call('GET', 'orders.json?limit=2&fields=id');
      const [first] = page.body['orders'] as Array<{ id: number }>;
      for (;;) {
        seen.push(...(page.body['orders'] as Array<{ id: number }>).map(({ id }) => id));
        const next = linkOf(page, 'next');
        if (!next) break;
        if (seen.length === 2) await call('DELETE', `orders/${seen[1]}.json`);
        page = await call('GET', next);
      }
      expect(seen).toEqual(all.map(({ id }) => id));
      while (linkOf(page, 'previous')) page = await call('GET', linkOf(page, 'previous'));
      expect((page.body['orders'] as Array<{ id: number }>)[0]!.id).toBe(first!.id);
    });
  });

  it.each([
    ['redirects', 'redirect', { path: '/a' }, { target: ["can't be blank"] }],
    ['pages', 'page', { title: ' ' }, { title: ["can't be blank"] }],
    ['customers', 'customer', { email: 'nobody' }, { email: ['is invalid'] }],
    ['customers', 'customer', {}, { base: [expect.stringContaining('must be present')] }],
    [
      'orders',
      'order',
      { email: 'a@a.test' },
      { line_items: ['must have at least one line item'] },
    ],
  ])('refuse a new one of %s: %j', async (path, key, attributes, errors) => {
    expect(await call('POST', `${path}.json`, { [key]: attributes })).toMatchObject({
      status: 422,
      body: { errors },
    });
  });

  it.each([
    ['GET', 'pages/x.json', 404],
    ['GET', 'pages/99999999999999999999.json', 404],
    ['GET', 'pages.json?since_id=x', 400],
    ['GET', 'pages.json?limit=-1', 400],
    ['POST', 'pages.json', 400],
    ['POST', 'pages/1.json', 405],
    ['POST', 'fulfillments.json', 400],
    ['DELETE', 'locations/1.json', 405],
    ['GET', 'pages', 406],
    ['GET', 'nothing.json', 404],
    ['POST', 'orders/1/refunds.json', 404],
    ['POST', 'checkouts.json', 501],
    ['GET', 'checkouts/abc.json', 501],
    ['GET', 'apple_pay_certificates/1.json', 501],
    ['GET', 'inventory_items.json', 422],
    ['GET', 'inventory_levels.json', 422],
  ])('answer %s %s with %i', async (method, path, status) => {
    const body = method === 'POST' ? {} : undefined;
    const reply = await call(method, path, body);
    expect(reply.status).toBe(status);
    expect(reply.body['errors']).toBeTruthy();
  });

  it('know every path of the reference, but for those that say that they are not simulated', async () => {
    const rows = TABLES.flatMap((tables) =>
      Object.values(tables).flatMap(({ calls = [], prefix }) => (prefix ? [] : calls)),
    );
    expect(rows.length).toBeGreaterThan(300);
    const statuses = new Set([200, 204, 400, 403, 404, 422]);
    for (const row of rows) {
      const [, method = '', path = ''] = /^(\w+) +\w+ +(\S+)/.exec(row) ?? [];
      const body = method === 'POST' || method === 'PUT' ? {} : undefined;
      const reply = await call(method, `${path.replace(/<\w+>/g, '1')}.json`, body);
      const isLeftOut = LEFT_OUT.test(path) && !(path === 'checkouts' && method === 'GET');
      expect([method, path, statuses.has(reply.status)]).toEqual([method, path, !isLeftOut]);
      const isList = method === 'GET' && !path.includes('<') && reply.status === 404;
      expect([path, isList]).toEqual([path, path === 'discount_codes/lookup']);
      if (isLeftOut) expect(reply.body['errors']).toContain('does not simulate');
    }
  });

  it('need their scopes', async () => {
    const reader = shop.install('reader', { scopes: 'read_content' });
    expect((await call('GET', 'pages.json', undefined, reader)).status).toBe(200);
    expect(await call('POST', 'pages.json', { page: { title: 'x' } }, reader)).toMatchObject({
      status: 403,
      body: { errors: '[API] This action requires merchant approval for write_content scope.' },
    });
    expect((await call('GET', 'orders.json', undefined, reader)).status).toBe(403);
  });

  it('tell the scopes of a token, without a version', async () => {
    const url = `${shop.origin}/admin/oauth/access_scopes.json`;
    const reader = shop.install('reader', { scopes: 'write_content' });
    expect((await call('GET', url, undefined, reader)).body).toEqual({
      access_scopes: [{ handle: 'read_content' }, { handle: 'write_content' }],
    });
    expect((await call('GET', url, undefined, 'wrong')).status).toBe(401);
  });

  it('warn of what is deprecated', async () => {
    const reason = async (path: string): Promise<string | null> =>
      (await call('GET', path)).headers.get('x-shopify-api-deprecated-reason');
    expect(await reason('products.json')).toMatch(/^https:\/\//);
    expect(await reason('products/count.json')).toMatch(/^https:\/\//);
    expect(await reason('pages.json')).toBeNull();
  });

  describe('metafields', () => {
    it.each([
      ['of a product', () => `products/${shop.products[0]!.id}/`],
      ['of the shop', () => ''],
      ['of a customer', () => `customers/${shop.nodes.all(['Customer'])[0]!.number}/`],
    ])('%s are created, listed, changed and deleted', async (_of, prefix) => {
      const path = `${prefix()}metafields`;
      const made = await create(path, 'metafield', {
        namespace: 'custom',
        key: 'fabric',
        type: 'single_line_text_field',
        value: 'wool',
      });
      expect(made).toMatchObject({
        namespace: 'custom',
        value: 'wool',
        owner_id: expect.any(Number),
      });
      expect((await call('GET', `${path}.json?namespace=custom`)).body['metafields']).toEqual([
        made,
      ]);
      expect((await call('GET', `${path}.json?namespace=other`)).body).toEqual({ metafields: [] });
      const one = `${path}/${made.id}.json`;
      expect(
        (await call('PUT', one, { metafield: { value: 'silk' } })).body['metafield'],
      ).toMatchObject({
        value: 'silk',
        type: 'single_line_text_field',
      });
      expect(
        await call('POST', `${path}.json`, {
          metafield: { namespace: 'custom', key: 'n', type: 'number_integer', value: 'x' },
        }),
      ).toMatchObject({ status: 422, body: { errors: { value: [expect.any(String)] } } });
      expect((await call('GET', `${path}/count.json`)).body).toEqual({ count: 1 });
      expect((await call('DELETE', one)).status).toBe(200);
      expect((await call('GET', one)).status).toBe(404);
    });

    it('of nothing are not found', async () => {
      expect((await call('GET', 'products/1/metafields.json')).status).toBe(404);
    });
  });

  it('write the files of a theme', async () => {
    const { id } = await create('themes', 'theme', { name: 'Mine' });
    const asset = { key: 'assets/own.css', value: 'a{}' };
    expect((await call('PUT', `themes/${id}/assets.json`, { asset })).body['asset']).toMatchObject({
      key: 'assets/own.css',
      size: 3,
      theme_id: id,
    });
    expect(
      (await call('GET', `themes/${id}/assets.json?asset[key]=assets/own.css`)).body,
    ).toMatchObject({
      asset: { value: 'a{}', content_type: 'text/css' },
    });
    expect(
      await call('PUT', `themes/${id}/assets.json`, { asset: { key: '../x', value: '' } }),
    ).toMatchObject({ status: 422 });
    expect(
      (await call('DELETE', `themes/${id}/assets.json?asset[key]=assets/own.css`)).status,
    ).toBe(200);
    expect((await call('GET', `themes/${id}/assets.json?asset[key]=assets/own.css`)).status).toBe(
      404,
    );
  });

  it('issue tokens of the storefront that work', async () => {
    const own = shop.install('reader', { scopes: 'unauthenticated_read_product_listings' });
    const { body } = await call(
      'POST',
      'storefront_access_tokens.json',
      { storefront_access_token: { title: 'Web' } },
      own,
    );
    const made = body['storefront_access_token'] as { access_token: string; access_scope: string };
    expect(made.access_scope).toBe('unauthenticated_read_product_listings');
    const response = await fetch(`${shop.origin}/api/2026-07/graphql.json`, {
      method: 'POST',
      headers: {
        'X-Shopify-Storefront-Access-Token': made.access_token,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ query: '{ products(first: 1) { nodes { title } } }' }),
    });
    expect(await response.json()).toMatchObject({ data: { products: { nodes: [{}] } } });
  });
});
