import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildSchema, getNamedType, isLeafType, isRequiredArgument, isUnionType } from 'graphql';
import { DevStore, type DevShop } from '../../../../lib/dev-store/index.js';
import { platformSchema } from '../../../../lib/dev-store/graphql/schemas/platform-schema.js';
import { openReceiver } from '../../app-receiver.js';

const VERSION = '2026-07';

interface Answer {
  data: Record<string, Record<string, unknown>>;
  errors?: Array<{ message: string; path: string[]; extensions: Record<string, string> }>;
}

describe('the nodes of a simulated shop', () => {
  let devStore: DevStore;
  let shop: DevShop;
  let app: Awaited<ReturnType<typeof openReceiver>>;
  let token: string;

  beforeAll(async () => {
    app = await openReceiver();
    const apps = ['key', 'other'].map((apiKey) => ({
      apiKey,
      apiSecretKey: `secret of ${apiKey}`,
      appUrl: app.url,
    }));
    devStore = await DevStore.open({ apps, limits: { graphql: 'off' } });
    shop = devStore.shop();
    const scopes = ['customers', 'draft_orders', 'orders', 'products', 'content'].map(
      (scope) => `write_${scope}`,
    );
    token = shop.install('key', { scopes });
  });
  afterAll(async () => {
    await devStore.close();
    await app.close();
  });

  const call = async (query: string, variables = {}, accessToken = token): Promise<Answer> => {
    const url = `https://${shop.domain}/admin/api/${VERSION}/graphql.json`;
    const response = await devStore.fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Shopify-Access-Token': accessToken },
      body: JSON.stringify({ query, variables }),
    });
    return (await response.json()) as Answer;
  };

  const createCustomer = async (input: object): Promise<Record<string, unknown>> => {
    const { data } = await call(
      `mutation ($input: CustomerInput!) { customerCreate(input: $input) {
        customer { id legacyResourceId displayName email createdAt tags
          addressesV2(first: 5) { nodes { id } } addresses { id city name } defaultAddress { city } }
        userErrors { field message }
      } }`,
      { input },
    );
    expect(data['customerCreate']!['userErrors']).toEqual([]);
    return data['customerCreate']!['customer'] as Record<string, unknown>;
  };

  it('are created from the input, with what follows from it', async () => {
    const customer = await createCustomer({
      firstName: 'Grace',
      lastName: 'Hopper',
      email: 'grace@example.com',
      tags: ['navy'],
      addresses: [{ city: 'Arlington', firstName: 'Grace' }],
    });
    expect(customer).toMatchObject({
      displayName: 'Grace Hopper',
      email: 'grace@example.com',
      tags: ['navy'],
      addresses: [{ city: 'Arlington', name: 'Grace' }],
      defaultAddress: { city: 'Arlington' },
    });
    expect(customer['id']).toBe(`gid://shopify/Customer/${customer['legacyResourceId']}`);
    const [address] = customer['addresses'] as Array<{ id: string }>;
    const { data } = await call('query ($id: ID!) { node(id: $id) { __typename id } }', {
      id: address!.id,
    });
    expect(data['node']).toEqual({ __typename: 'MailingAddress', id: address!.id });
  });

  it('are found by id and identifier, listed in pages, searched, sorted and counted', async () => {
    for (const firstName of ['Zoe', 'Ann', 'Mia'])
      await createCustomer({ firstName, email: `${firstName}@list.example`, tags: ['list'] });
    const { data, errors } = await call(`{
      first: customers(first: 2, query: "tag:list") {
        nodes { firstName } pageInfo { hasNextPage endCursor }
      }
      backwards: customers(first: 5, query: "tag:list", reverse: true) { nodes { firstName } }
      ann: customers(first: 5, query: "first_name:ann") { edges { node { id firstName } } }
      customersCount(query: "tag:list") { count precision }
      none: customersCount(query: "tag:nobody") { count }
    }`);
    expect(errors).toBeUndefined();
    expect(data['first']).toMatchObject({
      nodes: [{ firstName: 'Zoe' }, { firstName: 'Ann' }],
      pageInfo: { hasNextPage: true },
    });
    expect(data['backwards']!['nodes']).toEqual(
      ['Mia', 'Ann', 'Zoe'].map((firstName) => ({ firstName })),
    );
    expect(data['customersCount']).toEqual({ count: 3, precision: 'EXACT' });
    expect(data['none']).toEqual({ count: 0 });
    const [ann] = data['ann']!['edges'] as Array<{ node: { id: string } }>;
    const after = (data['first']!['pageInfo'] as { endCursor: string }).endCursor;
    const next = await call(
      `query ($after: String, $id: ID!) {
        customers(first: 2, after: $after, query: "tag:list") { nodes { firstName } }
        customer(id: $id) { firstName }
        customerByIdentifier(identifier: { emailAddress: "nobody@example.com" }) { id }
      }`,
      { after, id: ann!.node.id },
    );
    expect(next.data).toEqual({
      customers: { nodes: [{ firstName: 'Mia' }] },
      customer: { firstName: 'Ann' },
      customerByIdentifier: null,
    });
  });

  it('know each other by the ids in their input, in both directions', async () => {
    const { id } = await createCustomer({ firstName: 'Ada' });
    const { data, errors } = await call(
      `mutation ($input: DraftOrderInput!) { draftOrderCreate(input: $input) {
        draftOrder { id name status purchasingEntity { __typename ... on Customer { id } } lineItems(first: 3) {
          nodes { title quantity originalUnitPriceSet { shopMoney { amount currencyCode } } } }
        }
        userErrors { message }
      } }`,
      {
        input: {
          note: 'by hand',
          lineItems: [{ title: 'Ribbon', quantity: 2, originalUnitPrice: '3.50' }],
          purchasingEntity: { customerId: id },
        },
      },
    );
    expect(errors).toBeUndefined();
    expect(data['draftOrderCreate']!['draftOrder']).toMatchObject({
      status: 'OPEN',
      purchasingEntity: { __typename: 'Customer', id },
      lineItems: { nodes: [{ title: 'Ribbon', quantity: 2 }] },
    });
    shop.nodes.create('Order', { customer: id, note: 'seeded' });
    const { data: read } = await call(
      `query ($id: ID!) { customer(id: $id) { orders(first: 5) { nodes { note customer { id } } } } }`,
      { id },
    );
    expect(read['customer']).toEqual({ orders: { nodes: [{ note: 'seeded', customer: { id } }] } });
  });

  it('change and go, and the apps are notified where there is a topic', async () => {
    for (const topic of ['CUSTOMERS_CREATE', 'CUSTOMERS_UPDATE', 'CUSTOMERS_DELETE'])
      await call(
        `mutation ($topic: WebhookSubscriptionTopic!, $uri: String!) {
          webhookSubscriptionCreate(topic: $topic, webhookSubscription: { uri: $uri }) {
            userErrors { message }
          }
        }`,
        { topic, uri: `${app.url}/webhooks` },
      );
    const { id, legacyResourceId } = await createCustomer({ firstName: 'Kay', note: 'new' });
    const updated = await call(
      `mutation ($input: CustomerInput!) { customerUpdate(input: $input) {
        customer { firstName note } userErrors { message }
      } }`,
      { input: { id, note: 'changed' } },
    );
    expect(updated.data['customerUpdate']).toEqual({
      customer: { firstName: 'Kay', note: 'changed' },
      userErrors: [],
    });
    const deletion = `mutation ($id: ID!) { customerDelete(input: { id: $id }) {
      deletedCustomerId shop { id } userErrors { field message }
    } }`;
    const { data } = await call(deletion, { id });
    expect(data['customerDelete']).toMatchObject({ deletedCustomerId: id, userErrors: [] });
    expect((await call(deletion, { id })).data['customerDelete']).toMatchObject({
      deletedCustomerId: null,
      userErrors: [{ field: ['id'], message: "Customer can't be found" }],
    });
    await devStore.settled();
    const number = Number(legacyResourceId);
    expect(
      app.received.map(({ headers, body }) => [
        headers['x-shopify-topic'],
        JSON.parse(body.toString()) as unknown,
      ]),
    ).toEqual([
      ['customers/create', expect.objectContaining({ id: number, first_name: 'Kay', note: 'new' })],
      ['customers/update', expect.objectContaining({ id: number, note: 'changed' })],
      ['customers/delete', { id: number, admin_graphql_api_id: id, tax_exemptions: [] }],
    ]);
  });

  it.each([
    [{ email: 'nobody' }, ['email'], 'Email is invalid'],
    [{ phone: 'abc' }, ['phone'], 'Phone is invalid'],
    [{ email: 'ok@example.com', locale: 'not-a-locale' }, ['locale'], 'Locale is invalid'],
    [{ email: 'Taken@example.com' }, ['email'], 'Email has already been taken'],
    [{ email: '' }, null, 'A name, phone number, or email address must be present'],
  ])('of customers are refused with %j', async (input, field, message) => {
    shop.nodes.create('Customer', { email: 'taken@example.com' });
    const { data } = await call(
      `mutation ($input: CustomerInput!) { customerCreate(input: $input) {
        customer { id } userErrors { field message }
      } }`,
      { input },
    );
    expect(data['customerCreate']).toEqual({ customer: null, userErrors: [{ field, message }] });
  });

  it('are collections with products in them', async () => {
    const { data } = await call(`mutation {
      collectionCreate(input: { title: "Winter wear" }) {
        collection { id handle productsCount { count } } userErrors { message }
      }
      blank: collectionCreate(input: { title: " " }) { collection { id } userErrors { message } }
    }`);
    const { id, ...collection } = data['collectionCreate']!['collection'] as { id: string };
    expect(collection).toEqual({ handle: 'winter-wear', productsCount: { count: 0 } });
    expect(data['blank']!['userErrors']).toEqual([{ message: "Title can't be blank" }]);
    const productIds = shop.products.slice(0, 2).map((one) => `gid://shopify/Product/${one.id}`);
    const add = `mutation ($id: ID!, $productIds: [ID!]!) {
      collectionAddProducts(id: $id, productIds: $productIds) {
        collection { productsCount { count } products(first: 5) { nodes { id } } }
        userErrors { field message }
      }
    }`;
    const added = await call(add, { id, productIds });
    expect(added.data['collectionAddProducts']).toEqual({
      collection: {
        productsCount: { count: 2 },
        products: { nodes: productIds.map((product) => ({ id: product })) },
      },
      userErrors: [],
    });
    const twice = await call(add, { id, productIds: [productIds[0]] });
    expect(twice.data['collectionAddProducts']).toMatchObject({
      userErrors: [{ field: ['productIds'] }],
    });
    const { data: removed } = await call(
      `mutation ($id: ID!, $productIds: [ID!]!) {
        collectionRemoveProducts(id: $id, productIds: $productIds) { job { id } }
      }`,
      { id, productIds: [productIds[0]] },
    );
    expect(removed['collectionRemoveProducts']!['job']).not.toBeNull();
    const read = 'query ($id: ID!) { collection(id: $id) { products(first: 5) { nodes { id } } } }';
    expect((await call(read, { id })).data['collection']).toEqual({
      products: { nodes: [{ id: productIds[1] }] },
    });
  });

  it('are discounts, whose input describes an object in them, and files of several types', async () => {
    const every = shop.install('other', { scopes: EVERY_SCOPE });
    const { data, errors } = await call(
      `mutation {
        discountCodeBasicCreate(basicCodeDiscount: {
          title: "Spring", code: "SPRING", startsAt: "2026-03-01T00:00:00Z"
        }) {
          codeDiscountNode { id codeDiscount { __typename
            ... on DiscountCodeBasic { title status codes(first: 2) { nodes { code } } }
          } }
          userErrors { code message }
        }
        fileCreate(files: [
          { originalSource: "https://example.com/a.png", contentType: IMAGE, alt: "A" }
          { originalSource: "https://example.com/b.pdf", contentType: FILE }
        ]) {
          files { __typename fileStatus alt ... on MediaImage { image { url } } ... on GenericFile { url } }
          userErrors { message }
        }
      }`,
      {},
      every,
    );
    expect(errors).toBeUndefined();
    expect(data['discountCodeBasicCreate']).toMatchObject({
      codeDiscountNode: {
        codeDiscount: {
          __typename: 'DiscountCodeBasic',
          title: 'Spring',
          status: 'ACTIVE',
          codes: { nodes: [{ code: 'SPRING' }] },
        },
      },
      userErrors: [],
    });
    expect(data['fileCreate']!['files']).toEqual([
      {
        __typename: 'MediaImage',
        fileStatus: 'UPLOADED',
        alt: 'A',
        image: null,
      },
      {
        __typename: 'GenericFile',
        fileStatus: 'UPLOADED',
        alt: null,
        url: null,
      },
    ]);
  });

  it('need the scope of their kind', async () => {
    const without = shop.install('other', { scopes: ['write_products'] });
    const id = shop.nodes.create('Customer').id;
    const { data, errors } = await call(
      'query ($id: ID!) { customers(first: 1) { nodes { id } } node(id: $id) { id } }',
      { id },
      without,
    );
    expect(data).toBeNull();
    expect(errors![0]!.message).toBe(
      'Access denied for customers field. Required access: `read_customers` access scope.',
    );
    const mutation = 'mutation { customerCreate(input: {}) { userErrors { message } } }';
    const { errors: refused } = await call(mutation, {}, without);
    expect(refused![0]!.extensions['code']).toBe('ACCESS_DENIED');
  });

  it('are not looked up by the id of another type', async () => {
    const { errors } = await call('{ customer(id: "gid://shopify/Order/1") { id } }');
    expect(errors![0]).toMatchObject({
      message: 'Invalid id: gid://shopify/Order/1',
      extensions: { code: 'RESOURCE_NOT_FOUND' },
    });
  });

  it('are made up where the schema has no null for an unknown id', async () => {
    const { data, errors } = await call(
      '{ productDuplicateJob(id: "gid://shopify/ProductDuplicateJob/1") { done } }',
    );
    expect(errors).toBeUndefined();
    expect(data['productDuplicateJob']).toEqual({ done: false });
  });

  it('have no part in a mutation that the store does not simulate, unless a test resolves it', async () => {
    const name = 'pointOfSaleDeviceAssignToCashDrawer';
    const mutation = `mutation ($id: ID!, $drawer: ID!) {
      ${name}(pointOfSaleDeviceId: $id, cashDrawerId: $drawer) {
        pointOfSaleDevice { id cashDrawer { name } } userErrors { message }
      } }`;
    const { id } = shop.nodes.create('PointOfSaleDevice');
    const { id: drawer } = shop.nodes.create('CashDrawer');
    const { data, errors } = await call(mutation, { id, drawer });
    expect(data[name]).toBeNull();
    expect(errors![0]).toMatchObject({
      message: expect.stringContaining(`devStore.mutations.${name} = (args, context) =>`),
      path: [name],
      extensions: { code: 'NOT_SIMULATED' },
    });
    devStore.mutations[name] = (args, { nodes, apiKey, api }) => {
      nodes.update(drawer, { name: `${api} ${apiKey}` });
      nodes.update(id, { cashDrawer: args['cashDrawerId'] });
      return { pointOfSaleDevice: id };
    };
    expect(await call(mutation, { id, drawer })).toMatchObject({
      data: {
        [name]: { pointOfSaleDevice: { id, cashDrawer: { name: 'admin key' } }, userErrors: [] },
      },
    });
  });

  it('give way to the resolver of a test, which may leave a call to the store', async () => {
    let calls = 0;
    devStore.queries['shop'] = () => (calls++ === 0 ? { name: 'Renamed' } : undefined);
    expect((await call('{ shop { name url } }')).data['shop']).toMatchObject({ name: 'Renamed' });
    expect((await call('{ shop { name } }')).data['shop']).toEqual({ name: shop.name });
    devStore.queries['shop'] = () => {
      throw new Error('out of order');
    };
    expect((await call('{ shop { name } }')).errors![0]!.message).toBe('out of order');
    delete devStore.queries['shop'];
  });

  it('answer every field of QueryRoot that can be asked for without knowing anything', async () => {
    const schema = buildSchema(await platformSchema('admin', VERSION));
    const every = shop.install('other', { scopes: EVERY_SCOPE });
    const fields: string[] = [];
    for (const field of Object.values(schema.getQueryType()!.getFields())) {
      const type = getNamedType(field.type);
      if (field.args.some(isRequiredArgument)) continue;
      const page = field.args.some(({ name }) => name === 'first') ? '(first: 2)' : '';
      const leaves =
        isLeafType(type) || isUnionType(type) || !('getFields' in type)
          ? []
          : Object.values(type.getFields()).filter(
              (one) => isLeafType(getNamedType(one.type)) && !one.args.some(isRequiredArgument),
            );
      const selection = isLeafType(type)
        ? ''
        : `{ __typename ${leaves.map(({ name }) => name).join(' ')} }`;
      fields.push(`${field.name}${page} ${selection}`);
    }
    expect(fields.length).toBeGreaterThan(150);
    const { errors } = await call(`{ ${fields.join('\n')} }`, {}, every);
    expect(errors).toBeUndefined();
  });
});

const EVERY_SCOPE = (
  'orders draft_orders customers customer_payment_methods products inventory ' +
  'inventory_transfers inventory_shipments locations discounts ' +
  'price_rules fulfillments gift_cards files themes content online_store_navigation publications ' +
  'apps users markets shipping script_tags pixels own_subscription_contracts metaobjects ' +
  'metaobject_definitions assigned_fulfillment_orders locales translations legal_policies ' +
  'payment_terms privacy_settings companies shopify_payments_disputes marketing_events ' +
  'payment_customizations delivery_customizations cart_transforms validations ' +
  'fulfillment_constraint_rules product_listings'
)
  .split(' ')
  .map((scope) => `write_${scope}`);
