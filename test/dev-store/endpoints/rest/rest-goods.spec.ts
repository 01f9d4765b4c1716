import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DevStore, type DevShop } from '../../../../lib/dev-store/index.js';
import { openReceiver, type AppReceiver } from '../../app-receiver.js';
import { restCaller, type Json, type RestCaller } from './rest-caller.fixture.js';

const SCOPES = (
  'content customers draft_orders fulfillments gift_cards inventory locations ' +
  'merchant_managed_fulfillment_orders orders price_rules product_listings products'
)
  .split(' ')
  .map((scope) => `write_${scope}`);

describe('the goods of a shop over Admin REST', () => {
  let app: AppReceiver;
  let devStore: DevStore;
  let shop: DevShop;
  let call: RestCaller;
  let product: number;
  let variant: number;
  beforeAll(async () => {
    app = await openReceiver();
    const webhooks = ['products/update', 'fulfillment_orders/placed_on_hold'].map((topic) => ({
      ...{ topic, uri: '/webhooks' },
    }));
    devStore = await DevStore.open({
      apps: [{ apiKey: 'key', apiSecretKey: 'hush', appUrl: app.url, webhooks }],
      limits: { rest: 'off' },
    });
    shop = devStore.shop();
    call = restCaller(shop, shop.install('key', { scopes: SCOPES }));
    product = shop.products[0]!.id;
    variant = shop.products[0]!.variants[0]!.id;
  });
  afterAll(async () => {
    await devStore.close();
    await app.close();
  });

  const made = async (path: string, key: string, attributes: object): Promise<Json> => {
    const { status, body } = await call('POST', path, { [key]: attributes });
    expect([status, body]).toEqual([201, { [key]: expect.any(Object) }]);
    return body[key] as Json;
  };

  describe('inventory', () => {
    const at = (location_id: number): object => ({ location_id, inventory_item_id: variant });
    const levels = async (query: string): Promise<Json[]> =>
      (await call('GET', `inventory_levels.json?${query}`)).body['inventory_levels'] as Json[];

    it('is kept of items that are tracked, at each location', async () => {
      const [first] = shop.nodes.all(['Location']);
      const second = shop.nodes.create('Location', { name: 'Second', isActive: true }).number;
      const here = first!.number;
      expect(
        await call('POST', 'inventory_levels/set', { ...at(here), available: 5 }),
      ).toMatchObject({
        status: 422,
        body: { errors: ['Inventory item does not have inventory tracking enabled'] },
      });
      const changed = await call('PUT', `inventory_items/${variant}`, {
        inventory_item: { tracked: true, cost: '2.5', sku: 'NEW', id: 7 },
      });
      expect(changed.body).toMatchObject({
        inventory_item: { id: variant, tracked: true, cost: '2.50', sku: 'NEW' },
      });
      expect(
        (await call('POST', 'inventory_levels/set', { ...at(here), available: 5 })).body,
      ).toEqual({ inventory_level: expect.objectContaining({ ...at(here), available: 5 }) });
      expect(
        await call('POST', 'inventory_levels/adjust', { ...at(second), available_adjustment: 1 }),
      ).toMatchObject({ status: 422, body: { errors: [expect.stringContaining('not stocked')] } });
      expect((await call('POST', 'inventory_levels/connect', at(second))).status).toBe(201);
      await call('POST', 'inventory_levels/adjust', { ...at(second), available_adjustment: 3 });
      expect(await levels(`inventory_item_ids=${variant}`)).toMatchObject([
        { location_id: here, available: 5 },
        { location_id: second, available: 3 },
      ]);
      expect(await levels(`location_ids=${second}`)).toHaveLength(1);
      const of = await call('GET', `locations/${second}/inventory_levels`);
      expect(of.body['inventory_levels']).toMatchObject([{ available: 3 }]);
      const query = `inventory_item_id=${variant}&location_id=${second}`;
      expect((await call('DELETE', `inventory_levels.json?${query}`)).status).toBe(204);
      expect((await call('DELETE', `inventory_levels.json?${query}`)).status).toBe(404);
      expect(await levels(`location_ids=${second}`)).toEqual([]);
    });

    it.each([
      ['inventory_levels/adjust', { available_adjustment: 'x' }, 400],
      ['inventory_levels/set', { available: 1.5 }, 400],
      ['inventory_levels/set', { inventory_item_id: 1, available: 1 }, 404],
      ['inventory_levels/connect', { location_id: 'x' }, 404],
    ])('refuses %s with %j', async (path, body, status) => {
      const here = shop.nodes.first('Location')!.number;
      expect((await call('POST', path, { ...at(here), ...body })).status).toBe(status);
    });
  });

  it('images have a place, a text and variants', async () => {
    const path = `products/${product}/images`;
    const src = 'https://a.test/a.png';
    const image = await made(path, 'image', { src, alt: 'Front', variant_ids: [variant] });
    expect(image).toMatchObject({ src, alt: 'Front', position: 1, variant_ids: [variant] });
    const other = await made(path, 'image', { attachment: 'AA==', filename: 'b.png', position: 1 });
    expect(other['src']).toMatch(/^https:\/\/cdn\.shopify\.com\/.+\/b\.png$/);
    const own = `${path}/${String(image['id'])}`;
    expect((await call('GET', own)).body['image']).toMatchObject({ position: 2 });
    const { body } = await call('GET', `products/${product}`);
    const whole = body['product'] as { images: Json[]; image: Json; variants: Json[] };
    expect(whole.images.map(({ id }) => id)).toEqual([other['id'], image['id']]);
    expect(whole.image['id']).toBe(other['id']);
    expect(whole.variants[0]!['image_id']).toBe(image['id']);
    await call('PUT', own, { image: { alt: null, position: 1 } });
    expect((await call('GET', `${path}.json?fields=alt`)).body).toEqual({
      images: [{ alt: null }, { alt: null }],
    });
    const metafield = { namespace: 'a', key: 'size', type: 'single_line_text_field', value: 'L' };
    await made(`product_images/${String(image['id'])}/metafields`, 'metafield', metafield);
    expect((await call('DELETE', own)).status).toBe(200);
    expect((await call('GET', own)).status).toBe(404);
    expect((await call('GET', `${path}/count`)).body).toEqual({ count: 1 });
    expect(await made(path, 'image', { src, position: 2 })).toMatchObject({ position: 2 });
    expect((await call('POST', path, { image: { src: 'file:///etc/passwd' } })).status).toBe(422);
    const posted = await made('products', 'product', { title: 'With', images: [{ src }] });
    expect(posted['images']).toMatchObject([{ src, position: 1 }]);
  });

  it('images are counted without videos, replaced with their product and told to the apps', async () => {
    const src = 'https://a.test/a.png';
    const { id, variants, ...shown } = await made('products', 'product', {
      ...{ title: 'Shown', images: [{ src }, { src: 'https://a.test/b.png' }] },
    });
    const path = `products/${String(id)}`;
    const owner = `gid://shopify/Product/${String(id)}`;
    const { id: video } = shop.nodes.create('Video', {});
    const media = (shown['images'] as Json[]).map(
      (one) => `gid://shopify/MediaImage/${String(one['id'])}`,
    );
    shop.nodes.update(owner, { media: [video, ...media] });
    const image = await made(`${path}/images`, 'image', { src, position: 2 });
    expect(image).toMatchObject({ position: 2 });
    const [{ id: variantId }] = variants as [{ id: number }];
    const given = { variant: { image_id: image['id'] } };
    expect((await call('PUT', `variants/${variantId}`, given)).body).toMatchObject(given);
    expect((await call('GET', `variants/${variantId}`)).body).toMatchObject(given);
    const images = [{ src: 'https://a.test/c.png' }, { id: image['id'], alt: 'Kept' }];
    const { body } = await call('PUT', path, { product: { images } });
    const replaced = (body['product'] as Json)['images'];
    expect(replaced).toMatchObject([{ src: 'https://a.test/c.png' }, { alt: 'Kept', src }]);
    await call('PUT', `product_listings/${String(id)}`);
    expect((await call('GET', `product_listings/${String(id)}`)).body).toMatchObject({
      product_listing: { images: replaced },
    });
    await devStore.settled();
    const [told] = app.received.slice(-1).map(({ body: text }) => JSON.parse(String(text)) as Json);
    expect(told).toMatchObject({ id, images: replaced, variants: [{ image_id: image['id'] }] });
    expect((await call('PUT', path, { product: { images: [] } })).body).toMatchObject({
      product: { images: [], variants: [{ image_id: null }] },
    });
    expect((await call('DELETE', `product_listings/${String(id)}`)).status).toBe(200);
  });

  it('listings are what an app shows in its channel', async () => {
    const collection = await made('custom_collections', 'custom_collection', { title: 'Tea' });
    await made('collects', 'collect', { collection_id: collection['id'], product_id: product });
    expect((await call('GET', 'product_listings')).body).toEqual({ product_listings: [] });
    expect((await call('PUT', `product_listings/${product}`)).body).toMatchObject({
      product_listing: { product_id: product, title: shop.products[0]!.title },
    });
    expect((await call('PUT', 'product_listings/1')).status).toBe(404);
    expect((await call('GET', 'product_listings/product_ids')).body).toEqual({
      product_ids: [product],
    });
    const path = `collection_listings/${String(collection['id'])}`;
    expect((await call('GET', path)).status).toBe(404);
    expect((await call('PUT', path)).body).toMatchObject({ collection_listing: { title: 'Tea' } });
    expect((await call('GET', `${path}/product_ids`)).body).toEqual({ product_ids: [product] });
    expect((await call('DELETE', `product_listings/${product}`)).status).toBe(200);
    expect((await call('GET', 'product_listings/count')).body).toEqual({ count: 0 });
  });

  it('gift cards have a code and a balance, and are disabled', async () => {
    const card = await made('gift_cards', 'gift_card', { initial_value: '25', code: 'ABCD EFGH' });
    expect(card).toMatchObject({
      balance: '25.00',
      initial_value: '25.00',
      last_characters: 'EFGH',
    });
    const found = await call('GET', 'gift_cards/search.json?query=last_characters:efgh');
    expect(found.body['gift_cards']).toMatchObject([{ id: card['id'] }]);
    expect([card['code'], JSON.stringify(found.body).includes('ABCD')]).toEqual([
      'ABCDEFGH',
      false,
    ]);
    const disabled = await call('POST', `gift_cards/${String(card['id'])}/disable`);
    expect(disabled.body).toMatchObject({ gift_card: { disabled_at: expect.any(String) } });
    const list = await call('GET', 'gift_cards.json?status=disabled');
    expect(list.body['gift_cards']).toHaveLength(1);
  });

  it('discount codes are made many at once, and looked up', async () => {
    const rule = await made('price_rules', 'price_rule', { title: 'S', value: '-10.0' });
    const path = `price_rules/${String(rule['id'])}/batch`;
    const { status, body } = await call('POST', path, {
      discount_codes: [{ code: 'ONE' }, { code: 'TWO' }],
    });
    const job = body['discount_code_creation'] as Json;
    expect([status, job['status'], job['codes_count']]).toEqual([201, 'queued', 2]);
    const own = `${path}/${String(job['id'])}`;
    expect((await call('GET', own)).body).toMatchObject({
      discount_code_creation: { status: 'completed', imported_count: 2 },
    });
    expect((await call('GET', `${own}/discount_codes`)).body).toMatchObject({
      discount_codes: [{ code: 'ONE' }, { code: 'TWO' }],
    });
    expect((await call('GET', 'discount_codes/count')).body).toEqual({ count: 2 });
    const lookup = await call('GET', 'discount_codes/lookup.json?code=two');
    expect(lookup.status).toBe(303);
    expect(lookup.headers.get('location')).toMatch(/price_rules\/\d+\/discount_codes\/\d+\.json$/);
    expect((await call('GET', 'discount_codes/lookup.json?code=three')).status).toBe(404);
    expect((await call('POST', path, { discount_codes: [{ code: 7 }] })).status).toBe(400);
  });

  it('customers have addresses, of which one is the default', async () => {
    const customer = await made('customers', 'customer', {
      email: 'ada@a.test',
      addresses: [{ address1: '1 Road', city: 'Cork', country: 'IE' }],
    });
    const path = `customers/${String(customer['id'])}/addresses`;
    const list = async (): Promise<Json[]> => (await call('GET', path)).body['addresses'] as Json[];
    const [first] = await list();
    expect(first).toMatchObject({ address1: '1 Road', country: 'Ireland', default: true });
    const address = { address1: '2 Road', city: 'Galway', country: 'IE' };
    const { body } = await call('POST', path, { address });
    const second = body['customer_address'] as Json;
    expect(second).toMatchObject({ ...address, country: 'Ireland', default: false });
    expect(await call('POST', path, { address })).toMatchObject({
      status: 422,
      body: { errors: { signature: ['has already been taken'] } },
    });
    const own = `${path}/${String(second['id'])}`;
    expect((await call('PUT', own, { address: { zip: 'H91' } })).body).toMatchObject({
      customer_address: { zip: 'H91', city: 'Galway' },
    });
    expect((await call('DELETE', `${path}/${String(first!['id'])}`)).status).toBe(422);
    expect((await call('PUT', `${own}/default`)).body).toMatchObject({
      customer_address: { default: true },
    });
    expect((await call('GET', `customers/${String(customer['id'])}`)).body).toMatchObject({
      customer: { default_address: { id: second['id'] } },
    });
    const set = `${path}/set.json?address_ids[]=${String(first!['id'])}`;
    expect((await call('PUT', set)).status).toBe(400);
    expect((await call('PUT', `${set}&operation=destroy`)).status).toBe(200);
    expect((await list()).map(({ id }) => id)).toEqual([second['id']]);
    expect((await call('GET', `${path}/1`)).status).toBe(404);
    const invite = await call('POST', `customers/${String(customer['id'])}/send_invite`, {
      customer_invite: { subject: 'Come' },
    });
    expect(invite).toMatchObject({
      status: 201,
      body: { customer_invite: { to: 'ada@a.test', subject: 'Come' } },
    });
  });

  it('fulfillment orders are held, requested, accepted and cancelled', async () => {
    const order = await made('orders', 'order', {
      line_items: [{ title: 'Hat', price: '5.00', quantity: 1 }],
    });
    const { body } = await call('GET', `orders/${String(order['id'])}/fulfillment_orders`);
    const [{ id }] = body['fulfillment_orders'] as [{ id: number }];
    const act = async (action: string, posted: object = {}): Promise<unknown[]> => {
      const reply = await call('POST', `fulfillment_orders/${id}/${action}`, posted);
      const [first] = Object.values(reply.body) as [Json];
      return [reply.status, first['status'], first['request_status']];
    };
    const hold = { fulfillment_hold: { reason: 'inventory_out_of_stock', reason_notes: 'Soon' } };
    const seen = async (): Promise<Json> =>
      (await call('GET', `fulfillment_orders/${id}`)).body['fulfillment_order'] as Json;
    expect((await act('hold', { fulfillment_hold: { reason: 'boredom' } }))[0]).toBe(422);
    expect(await act('hold', hold)).toEqual([200, 'on_hold', 'unsubmitted']);
    expect(await seen()).toMatchObject({
      fulfillment_holds: [{ reason: 'inventory_out_of_stock', reason_notes: 'Soon' }],
    });
    expect((await call('GET', `orders/${String(order['id'])}`)).body).toMatchObject({
      order: { line_items: [{ fulfillable_quantity: 1 }] },
    });
    expect(shop.nodes.find(`gid://shopify/Order/${String(order['id'])}`)!.fields).toMatchObject({
      displayFulfillmentStatus: 'ON_HOLD',
    });
    expect((await act('hold', hold))[0]).toBe(422);
    expect(await act('release_hold')).toEqual([200, 'open', 'unsubmitted']);
    expect(await seen()).toMatchObject({ fulfillment_holds: [] });
    await devStore.settled();
    expect(app.received.map(({ headers }) => headers['x-shopify-topic'])).toEqual(
      expect.arrayContaining(['fulfillment_orders/placed_on_hold']),
    );
    const asked = { fulfillment_request: { message: 'Please' } };
    expect(await act('fulfillment_request', asked)).toEqual([200, 'open', 'submitted']);
    expect(await seen()).toMatchObject({
      merchant_requests: [{ message: 'Please', kind: 'fulfillment_request' }],
    });
    expect(await act('fulfillment_request/accept')).toEqual([200, 'in_progress', 'accepted']);
    expect((await act('fulfillment_request/reject'))[0]).toBe(422);
    const assigned = 'assigned_fulfillment_orders.json?assignment_status=fulfillment_accepted';
    expect((await call('GET', assigned)).body['fulfillment_orders']).toMatchObject([{ id }]);
    expect(await act('cancellation_request')).toEqual([
      200,
      'in_progress',
      'cancellation_requested',
    ]);
    const waiting = assigned.replace('fulfillment_accepted', 'cancellation_requested');
    expect((await call('GET', waiting)).body['fulfillment_orders']).toMatchObject([{ id }]);
    expect(await act('cancellation_request/accept')).toEqual([
      200,
      'closed',
      'cancellation_accepted',
    ]);
  });

  it('fulfillment orders are moved, rescheduled and cancelled', async () => {
    const order = await made('orders', 'order', {
      line_items: [{ title: 'Hat', price: '5.00', quantity: 2 }],
    });
    const { body } = await call('GET', `orders/${String(order['id'])}/fulfillment_orders`);
    const [{ id, line_items: lines }] = body['fulfillment_orders'] as [
      { id: number; line_items: [{ id: number }] },
    ];
    const act = async (action: string, posted: object = {}): Promise<unknown[]> => {
      const reply = await call('POST', `fulfillment_orders/${id}/${action}`, posted);
      const [first] = Object.values(reply.body) as [Json];
      return [reply.status, first['status']];
    };
    const there = shop.nodes.create('Location', { name: 'There' }).number;
    const part = (quantity: unknown): object => ({
      fulfillment_order: {
        new_location_id: there,
        fulfillment_order_line_items: [{ id: lines[0].id, quantity }],
      },
    });
    for (const quantity of ['two', 3, 0]) expect((await act('move', part(quantity)))[0]).toBe(422);
    const moved = await call('POST', `fulfillment_orders/${id}/move`, part(1));
    expect(moved.body['remaining_fulfillment_order']).toMatchObject({
      line_items: [{ quantity: 1 }],
    });
    const at = (new_fulfill_at: string): object => ({ fulfillment_order: { new_fulfill_at } });
    expect((await act('reschedule', at('soon')))[0]).toBe(422);
    expect((await act('reschedule', at('2999-01-01T00:00:00Z')))[0]).toBe(422);
    shop.nodes.update(`gid://shopify/FulfillmentOrder/${id}`, { status: 'SCHEDULED' });
    expect(await act('reschedule', at('2999-01-01T00:00:00Z'))).toEqual([200, 'scheduled']);
    expect(await act('open')).toEqual([200, 'open']);
    expect(moved.body['moved_fulfillment_order']).toMatchObject({ assigned_location_id: there });
    expect((await act('move', { fulfillment_order: { new_location_id: 1 } }))[0]).toBe(404);
    const places = await call('GET', `fulfillment_orders/${id}/locations_for_move`);
    expect(places.body['locations_for_move']).toContainEqual(
      expect.objectContaining({ movable: false }),
    );
    expect((await act('cancel')).slice(0, 2)).toEqual([200, 'cancelled']);
  });

  it('content has authors, tags and comments with a state', async () => {
    const blog = await made('blogs', 'blog', { title: 'News' });
    const path = `blogs/${String(blog['id'])}/articles`;
    await made(path, 'article', { title: 'One', author: 'Ada', tags: 'tea, cups' });
    await made(path, 'article', { title: 'Two', author: 'Bea', tags: 'tea' });
    expect((await call('GET', 'articles/authors')).body).toEqual({ authors: ['Ada', 'Bea'] });
    expect((await call('GET', `${path}/tags`)).body).toEqual({ tags: ['cups', 'tea'] });
    expect((await call('GET', 'blogs/1/articles/tags')).status).toBe(404);
    const { number } = shop.nodes.create('Comment', { body: 'Hi' });
    for (const [action, status] of [
      ['spam', 'spam'],
      ['not_spam', 'unapproved'],
      ['approve', 'published'],
    ])
      expect((await call('POST', `comments/${number}/${action}`)).body).toMatchObject({
        comment: { status },
      });
    const draft = await made('draft_orders', 'draft_order', {
      line_items: [{ title: 'Hat', price: '1.00', quantity: 1 }],
    });
    const sent = `draft_orders/${String(draft['id'])}`;
    await made(`${sent}/send_invoice`, 'draft_order_invoice', { to: 'ada@a.test' });
    expect((await call('GET', sent)).body).toMatchObject({
      draft_order: { status: 'invoice_sent', invoice_sent_at: expect.any(String) },
    });
  });
});
