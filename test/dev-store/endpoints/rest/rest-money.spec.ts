import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DevStore, type DevShop } from '../../../../lib/dev-store/index.js';
import { restCaller, type Json, type RestCaller } from './rest-caller.fixture.js';

describe('charges over Admin REST', () => {
  let devStore: DevStore;
  let shop: DevShop;
  let call: RestCaller;
  beforeAll(async () => {
    devStore = await DevStore.open({
      apps: ['key', 'other'].map((apiKey) => ({
        ...{ apiKey, apiSecretKey: 'hush', appUrl: 'http://localhost:3000' },
      })),
      limits: { rest: 'off' },
    });
    shop = devStore.shop();
    call = restCaller(shop, shop.install('key', { scopes: [] }));
  });
  afterAll(() => devStore.close());

  const terms = { name: 'Pro', price: '9.99', return_url: 'http://a.test/back' };
  const subscribe = async (more: object = {}): Promise<Json & { id: number }> => {
    const { status, body } = await call('POST', 'recurring_application_charges', {
      recurring_application_charge: { ...terms, ...more },
    });
    expect([status, body]).toEqual([201, { recurring_application_charge: expect.any(Object) }]);
    return body['recurring_application_charge'] as Json & { id: number };
  };

  it('wait for the merchant, run their trial and are cancelled', async () => {
    const charge = await subscribe({ trial_days: 3, test: true });
    expect(charge).toMatchObject({
      ...{ name: 'Pro', price: '9.99', status: 'pending', currency: 'USD', test: true },
      ...{ activated_on: null, billing_on: null, trial_days: 3 },
      confirmation_url: shop.billing.confirmationUrl(charge.id),
      decorated_return_url: `http://a.test/back?charge_id=${charge.id}`,
    });
    const path = `recurring_application_charges/${charge.id}`;
    expect(shop.billing.approve(charge.id)).toBe(charge['decorated_return_url']);
    const { body } = await call('GET', path);
    const days = (from: unknown, to: unknown): number =>
      (Date.parse(String(to)) - Date.parse(String(from))) / 86_400_000;
    const active = body['recurring_application_charge'] as Json;
    expect(active).toMatchObject({ status: 'active' });
    expect(active).not.toHaveProperty('confirmation_url');
    expect(days(active['activated_on'], active['trial_ends_on'])).toBe(3);
    expect(days(active['activated_on'], active['billing_on'])).toBe(33);
    expect((await call('DELETE', path)).status).toBe(200);
    expect(shop.billing.find(charge.id)!.status).toBe('CANCELLED');
    expect((await call('DELETE', path)).status).toBe(422);
  });

  it('count usage up to a cap, which the merchant may raise', async () => {
    const { id } = await subscribe({ price: undefined, capped_amount: '100.00', terms: 'each 1' });
    const path = `recurring_application_charges/${id}`;
    const use = (price: unknown, description = 'mails'): ReturnType<RestCaller> =>
      call('POST', `${path}/usage_charges`, { usage_charge: { description, price } });
    expect((await use('1.00')).body).toEqual({ errors: { base: [expect.any(String)] } });
    shop.billing.approve(id);
    expect(await use('60.00')).toMatchObject({
      status: 201,
      body: { usage_charge: { price: '60.00', balance_used: '60.00', balance_remaining: '40.00' } },
    });
    expect(await use('60.00')).toMatchObject({
      status: 422,
      body: { errors: { base: ['Total price exceeds balance remaining'] } },
    });
    expect((await use('1.00', ' ')).body).toEqual({ errors: { description: ["can't be blank"] } });
    expect((await use(-1)).status).toBe(422);
    const { body } = await call(
      'PUT',
      `${path}/customize.json?recurring_application_charge[capped_amount]=200`,
    );
    const { update_capped_amount_url } = body['recurring_application_charge'] as Json;
    expect(update_capped_amount_url).toBe(shop.billing.confirmationUrl(id));
    shop.billing.approve(id);
    expect((await use('60.00')).status).toBe(201);
    const list = (await call('GET', `${path}/usage_charges`)).body['usage_charges'] as Json[];
    expect(list.map(({ balance_used }) => balance_used)).toEqual(['120.00', '120.00']);
    const [first] = list;
    expect((await call('GET', `${path}/usage_charges/${String(first!['id'])}`)).body).toEqual({
      usage_charge: first,
    });
  });

  it('are told to the app that asked for them alone', async () => {
    const other = restCaller(shop, shop.install('other', { scopes: [] }));
    const { body } = await call('POST', 'application_charges', {
      application_charge: { name: 'Once', price: 5, return_url: 'http://a.test', currency: 'EUR' },
    });
    const charge = body['application_charge'] as Json;
    expect(charge).toMatchObject({ price: '5.00', status: 'pending', currency: 'EUR' });
    const path = `application_charges/${String(charge['id'])}`;
    expect((await call('GET', `${path}.json?fields=id,name`)).body).toEqual({
      application_charge: { id: charge['id'], name: 'Once' },
    });
    expect((await other('GET', path)).status).toBe(404);
    expect((await other('GET', 'application_charges')).body).toEqual({ application_charges: [] });
    expect((await call('GET', 'recurring_application_charges/1')).status).toBe(404);
  });

  it.each([
    [{ name: ' ' }, { name: ["can't be blank"] }],
    [{ price: undefined }, { price: ["can't be blank"] }],
    [{ price: 'ten' }, { price: [expect.any(String)] }],
    [{ price: '1e9' }, { price: [expect.any(String)] }],
    [{ return_url: 'javascript:alert(1)' }, { return_url: [expect.any(String)] }],
    [{ currency: 'x' }, { currency: ['is not included in the list'] }],
    [{ trial_days: 1.5 }, { trial_days: ['is not a number'] }],
    [{ capped_amount: '5' }, { terms: ["can't be blank"] }],
  ])('with %j are refused', async (more, errors) => {
    const reply = await call('POST', 'recurring_application_charges', {
      recurring_application_charge: { ...terms, ...more },
    });
    expect([reply.status, reply.body]).toEqual([422, { errors }]);
  });
});

describe('payments and refunds over Admin REST', () => {
  let devStore: DevStore;
  let shop: DevShop;
  let call: RestCaller;
  beforeAll(async () => {
    devStore = await DevStore.open({
      apps: [{ apiKey: 'key', apiSecretKey: 'hush', appUrl: 'http://localhost:3000' }],
      limits: { rest: 'off' },
    });
    shop = devStore.shop();
    call = restCaller(shop, shop.install('key', { scopes: 'write_orders' }));
  });
  afterAll(() => devStore.close());

  const authorized = async (): Promise<{ order: string; line: number; payment: number }> => {
    const { body } = await call('POST', 'orders', {
      order: {
        line_items: [{ title: 'Hat', price: '20.00', quantity: 3 }],
        transactions: [{ kind: 'authorization', amount: '60.00' }],
      },
    });
    const { id, line_items } = body['order'] as Json;
    const order = `orders/${String(id)}`;
    const { transactions } = (await call('GET', `${order}/transactions`)).body as {
      transactions: Array<{ id: number }>;
    };
    const [{ id: line }] = line_items as [{ id: number }];
    return { order, line, payment: transactions[0]!.id };
  };
  const pay = (order: string, transaction: object): ReturnType<RestCaller> =>
    call('POST', `${order}/transactions`, { transaction });
  const statusOf = async (order: string): Promise<unknown> =>
    ((await call('GET', `${order}.json?fields=financial_status`)).body['order'] as Json)[
      'financial_status'
    ];

  it('capture what was authorized, in parts, and give it back', async () => {
    const { order, line, payment } = await authorized();
    expect((await pay(order, { kind: 'capture', amount: '61.00' })).status).toBe(422);
    expect(await pay(order, { kind: 'capture', amount: '20.00' })).toMatchObject({
      status: 201,
      body: { transaction: { kind: 'capture', amount: '20.00', parent_id: payment } },
    });
    expect(await statusOf(order)).toBe('partially_paid');
    const { body } = await pay(order, { kind: 'capture' });
    expect(body['transaction']).toMatchObject({ amount: '40.00' });
    expect(await statusOf(order)).toBe('paid');

    const lines = [{ line_item_id: line, quantity: 1, restock_type: 'no_restock' }];
    const calculated = await call('POST', `${order}/refunds/calculate`, {
      refund: { shipping: { full_refund: true }, refund_line_items: lines },
    });
    expect(calculated).toMatchObject({
      status: 200,
      body: {
        refund: {
          shipping: { amount: '0.00', maximum_refundable: '0.00' },
          refund_line_items: [{ quantity: 1, subtotal: '20.00' }],
          transactions: [
            { kind: 'suggested_refund', amount: '20.00', maximum_refundable: '60.00' },
          ],
        },
      },
    });
    const [suggested] = (calculated.body['refund'] as Json)['transactions'] as [Json];
    const transactions = [{ ...suggested, kind: 'refund' }];
    const refunded = await call('POST', `${order}/refunds`, {
      refund: { note: 'torn', refund_line_items: lines, transactions },
    });
    expect(refunded).toMatchObject({
      status: 201,
      body: {
        refund: {
          note: 'torn',
          refund_line_items: [{ line_item_id: line, quantity: 1, subtotal: 20 }],
          transactions: [{ kind: 'refund', amount: '20.00' }],
        },
      },
    });
    expect(await statusOf(order)).toBe('partially_refunded');
    expect(
      await call('POST', `${order}/refunds`, {
        refund: { refund_line_items: [{ ...lines[0], quantity: 3 }] },
      }),
    ).toMatchObject({
      status: 422,
      body: { errors: { quantity: ['cannot refund more items than were purchased'] } },
    });
    expect((await pay(order, { kind: 'refund', amount: '40.01' })).status).toBe(422);
    expect((await pay(order, { kind: 'refund', amount: '40.00' })).status).toBe(201);
    expect(await statusOf(order)).toBe('refunded');
  });

  it('void what was authorized, which cannot be captured then', async () => {
    const { order } = await authorized();
    expect((await pay(order, { kind: 'void' })).status).toBe(201);
    expect(await statusOf(order)).toBe('voided');
    expect((await pay(order, { kind: 'capture', amount: '1.00' })).status).toBe(422);
    expect((await pay(order, { kind: 'void' })).status).toBe(422);
  });

  it('capture no more of an authorization than is left of it', async () => {
    const { order } = await authorized();
    expect((await pay(order, { kind: 'capture', amount: '40.00' })).status).toBe(201);
    expect((await pay(order, { kind: 'capture', amount: '20.01' })).status).toBe(422);
    expect((await pay(order, { kind: 'capture', amount: '20.00' })).status).toBe(201);
    expect((await pay(order, { kind: 'capture', amount: '0.01' })).status).toBe(422);
  });

  it('add up to the cent', async () => {
    const { body } = await call('POST', 'orders', {
      order: { line_items: [{ title: 'Hat', price: '30.30', quantity: 1 }] },
    });
    const order = `orders/${String((body['order'] as Json)['id'])}`;
    for (const amount of ['10.10', '20.20'])
      expect((await pay(order, { kind: 'sale', amount })).status).toBe(201);
    expect(await statusOf(order)).toBe('paid');
  });

  it.each([
    [{ quantity: 'two' }, 'quantity'],
    [{ quantity: 1.5 }, 'quantity'],
    [{ quantity: 0 }, 'quantity'],
    [{ quantity: 1, restock_type: 'burn' }, 'restock_type'],
  ])('refuse to take %j back', async (fields, name) => {
    const { order, line } = await authorized();
    const refund = { refund_line_items: [{ line_item_id: line, ...fields }] };
    for (const path of ['refunds', 'refunds/calculate']) {
      const reply = await call('POST', `${order}/${path}`, { refund });
      expect([reply.status, Object.keys(reply.body['errors'] as Json)]).toEqual([422, [name]]);
    }
  });

  it.each([
    [{}, 'kind'],
    [{ kind: 'gift' }, 'kind'],
    [{ kind: 'capture', parent_id: 1 }, 'base'],
    [{ kind: 'sale', amount: 'x' }, 'amount'],
    [{ kind: 'sale', amount: -1 }, 'amount'],
    [{ kind: 'sale', amount: '1e999' }, 'amount'],
  ])('refuse a transaction such as %j', async (transaction, field) => {
    const { order } = await authorized();
    const reply = await pay(order, transaction);
    expect([reply.status, Object.keys(reply.body['errors'] as Json)]).toEqual([422, [field]]);
  });
});
