import { describe, expect, it } from '@jest/globals';

import * as october24 from '../../../lib/rest-client/resources/generated/versions/2024-10.js';
import * as july26 from '../../../lib/rest-client/resources/generated/versions/2026-07.js';
import { SHOP } from '../../support/app.js';
import { json } from '../../support/scripted-fetch.js';
import type { Scripted } from '../../support/scripted-fetch.js';
import { SESSION, mounted } from './resources.fixture.js';

const ADMIN = `https://${SHOP}/admin/api/2026-07`;
const app = (...answers: Scripted[]) => mounted(july26.restResources, '2026-07', ...answers);
const oldApp = (...answers: Scripted[]) => mounted(october24.restResources, '2024-10', ...answers);
const session = SESSION;

describe('keys of replies', () => {
  const reply = (body: object) => app(() => json(body)).rest;

  it.each([
    ['AssignedFulfillmentOrder', { fulfillment_orders: [{ id: 1 }, { id: 2 }] }, ['1', '2']],
    ['OrderRisk', { risks: [{ id: 1 }] }, ['1']],
    ['FulfillmentEvent', { fulfillment_events: [{ id: 1 }] }, ['1']],
    ['GiftCardAdjustment', { adjustments: [{ id: 1 }] }, ['1']],
    ['ProductResourceFeedback', { resource_feedback: [{ id: 1 }] }, ['1']],
    ['Country', { countries: [{ id: 1 }] }, ['1']],
    ['Currency', { currencies: [{ id: 1 }] }, ['1']],
    ['Policy', { policies: [{ id: 1 }] }, ['1']],
    ['Balance', { balance: [{ id: 1 }, { id: 2 }] }, ['1', '2']],
    ['Product', { product: { id: 1 } }, ['1']],
    ['Product', { products: 'none' }, []],
    ['Product', [{ id: 1 }], []],
  ] as const)('%s are found in %j', async (name, body, ids) => {
    const ofPath = { order_id: 1, fulfillment_id: 1, gift_card_id: 1, product_id: 1 };
    const { data } = await reply(body)[name].all({ session, ...ofPath });
    expect(data.map((instance) => instance['id'])).toEqual(ids);
  });

  it('are several for the same thing in some: what was submitted comes first', async () => {
    const request = new (reply({
      fulfillment_order: { id: 2 },
      submitted_fulfillment_order: { id: 1 },
    }).FulfillmentRequest)({ session });
    request.fulfillment_order_id = '5';
    await request.saveAndUpdate();
    expect(request.toJSON()).toEqual({ fulfillment_order_id: '5', id: '1' });
    const { rest } = oldApp(() =>
      json({ addresses: [{ id: 2 }], customer_addresses: [{ id: 1 }] }),
    );
    const { data } = await rest.CustomerAddress.all({ session, customer_id: 5 });
    expect(data.map(({ id }) => id)).toEqual(['1', '2']);
  });

  it('leave a cancellation request as it is: what is answered is a fulfillment order', async () => {
    const request = new (reply({ fulfillment_order: { id: 2 } }).CancellationRequest)({
      session,
      fromData: { fulfillment_order_id: 5 },
    });
    await request.saveAndUpdate();
    expect(request.toJSON()).toEqual({ fulfillment_order_id: 5 });
  });

  it('are read for single things as they are for lists', async () => {
    expect(
      await reply({ adjustment: { id: 1 } }).GiftCardAdjustment.find({
        session,
        id: 1,
        gift_card_id: 2,
      }),
    ).toMatchObject({ id: '1' });
    expect(
      await reply({ payment: { id: 1 } }).PaymentGateway.find({ session, id: 1 }),
    ).toMatchObject({ id: '1' });
  });
});

describe('primary keys', () => {
  it.each([
    ['Asset', 'key', { theme_id: 1 }, 'themes/1/assets'],
    ['Checkout', 'token', { id: 5 }, 'checkouts/k'],
    ['CollectionListing', 'collection_id', {}, 'collection_listings/k'],
    ['ProductListing', 'product_id', {}, 'product_listings/k'],
    ['DisputeEvidence', 'dispute_id', {}, 'shopify_payments/disputes/k/dispute_evidences'],
  ] as const)('%s is updated when it has its %s', async (name, key, attributes, path) => {
    const { rest, script } = app();
    const instance = new rest[name]({ session, fromData: attributes });
    instance[key] = 'k';
    await instance.save();
    expect([script.last.method, script.last.url]).toEqual(['PUT', `${ADMIN}/${path}.json`]);
  });

  it('of a checkout is not its id', async () => {
    const { rest, script } = app();
    await new rest.Checkout({ session, fromData: { id: 5 } }).save();
    expect(script.last).toMatchObject({ method: 'POST', url: `${ADMIN}/checkouts.json` });
  });
});

describe('what the platform does not offer', () => {
  const CREATE_ONLY =
    'ApplicationCharge CancellationRequest Collect DisputeFileUpload Fulfillment FulfillmentEvent FulfillmentRequest GiftCardAdjustment Payment ' +
    'ProductResourceFeedback RecurringApplicationCharge Refund ResourceFeedback StorefrontAccessToken Transaction UsageCharge';
  const UPDATE_ONLY =
    'Asset CollectionListing DisputeEvidence InventoryItem ProductListing Province';
  const READ_ONLY =
    'AbandonedCheckout AccessScope ApplicationCredit AssignedFulfillmentOrder Balance Collection Currency DeprecatedApiCall Dispute Event ' +
    'FulfillmentOrder InventoryLevel Location LocationsForMove PaymentTransaction Payout Policy ShippingZone Shop TenderTransaction User';
  const { rest, script } = app();
  const parents = [
    'theme',
    'fulfillment_order',
    'dispute',
    'order',
    'fulfillment',
    'gift_card',
    'checkout',
    'product',
    'country',
  ];
  const ofPath = Object.fromEntries(parents.map((name) => [`${name}_id`, 1]));
  const saving = (name: string, attributes: object): Promise<void> =>
    new rest[name as 'Product']({ session, fromData: { ...attributes } }).save();

  it.each([...CREATE_ONLY.split(' '), ...READ_ONLY.split(' ')])(
    'a %s cannot be updated',
    async (name) => {
      await expect(saving(name, { ...ofPath, id: 1 })).rejects.toMatchObject({
        code: 'ERR_REST_RESOURCE',
      });
      expect(script.sent).toEqual([]);
    },
  );

  it.each([...UPDATE_ONLY.split(' '), ...READ_ONLY.split(' ')])(
    'a %s cannot be created',
    async (name) => {
      const { product_id: _product, dispute_id: _dispute, ...others } = ofPath;
      await expect(saving(name, others)).rejects.toMatchObject({ code: 'ERR_REST_RESOURCE' });
      expect(script.sent).toEqual([]);
    },
  );

  it('says so', async () => {
    await expect(saving('Shop', {})).rejects.toThrow(
      'Could not find a path for request. Shop save() (create) is not offered by the platform.',
    );
    await expect(new rest.Shop({ session }).delete()).rejects.toThrow(
      'Shop delete() is not offered by the platform.',
    );
  });
});

describe('paths that depend on what is known', () => {
  it('prefer an order to a product for events', async () => {
    const { rest, script } = app();
    for (const parents of [{ product_id: 1 }, { order_id: 2, product_id: 1 }, {}])
      await rest.Event.all({ session, ...parents });
    expect(script.sent.map(({ url }) => url)).toEqual(
      ['products/1/events', 'orders/2/events', 'events'].map(pathOf),
    );
  });

  it('lead through the owner of a metafield, when there is one', async () => {
    const { rest, script } = app();
    await rest.Metafield.find({ session, id: 1, blog_id: 2 });
    await rest.Metafield.find({ session, id: 1 });
    const metafield = new rest.Metafield({ session, fromData: { product_image_id: 3, key: 'k' } });
    await metafield.save();
    expect(script.sent.map(({ url }) => url)).toEqual(
      ['blogs/2/metafields/1', 'metafields/1', 'product_images/3/metafields'].map(pathOf),
    );
  });

  it('mix both kinds for variants', async () => {
    const { rest, script } = app();
    const variant = new rest.Variant({ session, fromData: { id: 1, product_id: 2 } });
    await variant.save();
    await variant.delete();
    expect(script.sent.map(({ url }) => url)).toEqual(
      ['variants/1', 'products/2/variants/1'].map(pathOf),
    );
  });

  it('lead to a batch of discount codes, of which nobody has an attribute', async () => {
    const { rest, script } = app();
    await rest.DiscountCode.all({ session, price_rule_id: 1, batch_id: 2 });
    await rest.DiscountCode.get_all({ session, price_rule_id: 1, batch_id: 2 });
    await rest.DiscountCode.lookup({ session, code: 'X' });
    const paths = [
      'price_rules/1/batch/2/discount_codes',
      'price_rules/1/batch/2',
      'discount_codes/lookup?code=X',
    ];
    expect(script.sent.map(({ url }) => url)).toEqual(paths.map(pathOf));
  });

  function pathOf(path: string): string {
    const [bare, query] = path.split('?');
    return `${ADMIN}/${bare}.json${query ? `?${query}` : ''}`;
  }
});

describe('things that a path alone does not name', () => {
  it('are assets: by their key', async () => {
    const { rest, script } = app();
    await rest.Asset.all({ session, theme_id: 1, asset: { key: 'a/b.css' } });
    await rest.Asset.delete({ session, theme_id: 1, asset: { key: 'a/b.css' } });
    await new rest.Asset({ session, fromData: { theme_id: 1, key: 'a/b.css' } }).delete();
    expect(script.sent.map(({ method, url }) => `${method} ${url}`)).toEqual(
      ['GET', 'DELETE', 'DELETE'].map(
        (method) => `${method} ${ADMIN}/themes/1/assets.json?asset%5Bkey%5D=a%2Fb.css`,
      ),
    );
  });

  it('are inventory levels: by item and location', async () => {
    const { rest, script } = app();
    await rest.InventoryLevel.delete({ session, inventory_item_id: 1, location_id: 2 });
    const level = new rest.InventoryLevel({
      session,
      fromData: { inventory_item_id: 1, location_id: 2, available: 3 },
    });
    await level.delete();
    expect(new Set(script.sent.map(({ url }) => url))).toEqual(
      new Set([`${ADMIN}/inventory_levels.json?inventory_item_id=1&location_id=2`]),
    );
    await level.adjust({ body: { inventory_item_id: 1, location_id: 2, available_adjustment: 5 } });
    expect(script.last).toMatchObject({
      method: 'POST',
      url: `${ADMIN}/inventory_levels/adjust.json`,
      body: expect.stringContaining(':5}'),
    });
  });

  it('are deadlines of fulfillment orders: by a list of ids', async () => {
    const { rest, script } = app();
    await new rest.FulfillmentOrder({ session }).set_fulfillment_orders_deadline({
      fulfillment_order_ids: [1, 2],
    });
    expect(decodeURIComponent(script.last.url)).toBe(
      `${ADMIN}/fulfillment_orders/set_fulfillment_orders_deadline.json?fulfillment_order_ids[]=1&fulfillment_order_ids[]=2`,
    );
  });
});

describe('structured arguments', () => {
  it('are sent as lists and records', async () => {
    const { rest, script } = app();
    await rest.AssignedFulfillmentOrder.all({ session, location_ids: [1, 2] });
    await new rest.SmartCollection({ session, fromData: { id: 1 } }).order({ products: [3, 1] });
    const charge = new rest.RecurringApplicationCharge({ session, fromData: { id: 1 } });
    await charge.customize({ recurring_application_charge: { capped_amount: 200 } });
    await rest.Metafield.all({ session, metafield: { owner_id: 1, owner_resource: 'blog' } });
    expect(script.sent.map(({ url }) => decodeURIComponent(new URL(url).search))).toEqual([
      '?location_ids[]=1&location_ids[]=2',
      '?products[]=3&products[]=1',
      '?recurring_application_charge[capped_amount]=200',
      '?metafield[owner_id]=1&metafield[owner_resource]=blog',
    ]);
    expect(script.sent.map(({ body }) => body)).toEqual(Array(4).fill(undefined));
  });
});

describe('single things', () => {
  it('are the shop, which takes more arguments than it declares', async () => {
    const { rest, script } = app(() => json({ shop: { id: 1, name: 'Own' } }));
    expect(await rest.Shop.current({ session, fields: 'name', own: 1 })).toMatchObject({
      id: '1',
      name: 'Own',
    });
    expect(await rest.Shop.current({ session })).toBeInstanceOf(rest.Shop);
    expect(script.sent[0]?.url).toBe(`${ADMIN}/shop.json?fields=name&own=1`);
    expect((await rest.Shop.all({ session })).data).toHaveLength(1);
  });

  it('are the current user, who is answered as plain data', async () => {
    expect(await app(json({ user: { id: 1 } })).rest.User.current({ session })).toEqual({
      user: { id: '1' },
    });
  });
});

describe('the address of a customer, until 2025-04', () => {
  it('keeps the field that has the name of its method as is_default', async () => {
    const answers = [{ id: 1, default: true }, { id: 2 }].map((customer_address) =>
      json({ customer_address }),
    );
    const { rest, script } = oldApp(...answers, () => json({}));
    const address = (await rest.CustomerAddress.find({ session, id: 1, customer_id: 5 }))!;
    const other = (await rest.CustomerAddress.find({ session, id: 2, customer_id: 5 }))!;
    expect([address.is_default, other.is_default]).toEqual([true, false]);
    expect(address.toJSON()).toEqual({ id: '1', is_default: true });
    address.customer_id = '5';
    await address.default();
    expect(script.last).toMatchObject({
      method: 'PUT',
      url: expect.stringMatching(/customers\/5\/addresses\/1\/default\.json$/),
    });
    await address.save();
    expect(JSON.parse(script.last.body!)).toEqual({
      address: { id: '1', default: true, customer_id: '5' },
    });
  });

  it('can be set for several at once', async () => {
    const { rest, script } = oldApp();
    const customer = new rest.CustomerAddress({ session, fromData: { customer_id: 5 } });
    await customer.set({ address_ids: [1, 2], operation: 'destroy' });
    expect(decodeURIComponent(script.last.url)).toMatch(
      /customers\/5\/addresses\/set\.json\?address_ids\[\]=1&address_ids\[\]=2&operation=destroy$/,
    );
  });

  it('is gone since 2025-07', () => {
    expect('CustomerAddress' in july26).toBe(false);
  });
});

describe('currencies and balances', () => {
  it.each([
    ['ApplicationCharge', 'currency'],
    ['RecurringApplicationCharge', 'currency'],
    ['GiftCard', 'currency'],
    ['GiftCard', 'balance'],
    ['ApplicationCredit', 'currency'],
    ['UsageCharge', 'currency'],
  ] as const)('of %s stay texts: %s', (name, attribute) => {
    for (const { rest } of [app(), oldApp()]) {
      const instance = new rest[name]({ session, fromData: { [attribute]: '10.00' } });
      expect(instance.serialize(true)).toEqual({ [attribute]: '10.00' });
    }
  });
});
