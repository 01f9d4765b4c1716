import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { DevStore } from '../../../../lib/dev-store/index.js';
import { openStore } from '../custom-data.fixture.js';
import type { Call } from '../custom-data.fixture.js';

const CREATE = `mutation($product: ProductCreateInput!) {
  productCreate(product: $product) {
    product { id demoInfo: metafield(namespace: "$app", key: "demo_info") { id namespace type jsonValue } }
    userErrors { field message }
  }
}`;
const SET = `mutation($metafields: [MetafieldsSetInput!]!) {
  metafieldsSet(metafields: $metafields) {
    metafields { namespace key type value jsonValue compareDigest ownerType }
    userErrors { code field message elementIndex }
  }
}`;
const READ = `query($id: ID!) {
  product(id: $id) {
    metafields(first: 10) { nodes { namespace key value } pageInfo { hasNextPage } }
    own: metafields(first: 10, namespace: "$app") { nodes { key } }
    keyed: metafields(first: 10, keys: ["custom.size"]) { nodes { key jsonValue } }
  }
}`;

describe('metafields of the dev store', () => {
  let devStore: DevStore;
  let open: (apiKey: string, scopes: string) => Call;
  let own: Call;
  let other: Call;

  beforeAll(async () => {
    const opened = await openStore();
    devStore = opened.devStore;
    open = opened.call;
    own = opened.call('own', 'write_products');
    other = opened.call('other', 'write_products');
  });
  afterAll(() => devStore.close());

  const product = async (): Promise<string> => {
    const { data } = await own(CREATE, { product: { title: 'Hat' } });
    return data.productCreate.product.id as string;
  };
  const set = async (call: Call, ...metafields: object[]) =>
    (await call(SET, { metafields })).data.metafieldsSet;

  it('come with a new product, in the namespace of the app, with the type of its definition', async () => {
    const metafields = [{ namespace: '$app', key: 'demo_info', value: 'By an app' }];
    const { data } = await own(CREATE, { product: { title: 'Hat', metafields } });
    const { demoInfo } = data.productCreate.product;
    expect(demoInfo).toMatchObject({
      namespace: 'app--7000000001',
      type: 'single_line_text_field',
      jsonValue: 'By an app',
    });
    const { data: found } = await own(
      'query($id: ID!) { node(id: $id) { ... on Metafield { key owner { ... on Product { title } } } } }',
      { id: demoInfo.id },
    );
    expect(found.node).toEqual({ key: 'demo_info', owner: { title: 'Hat' } });
  });

  it('keep a product from being made when one of them is refused', async () => {
    const before = devStore.shop().products.length;
    const metafields = [{ namespace: 'custom', key: 'size', value: '4' }];
    const { data } = await own(CREATE, { product: { title: 'Hat', metafields } });
    expect(data.productCreate).toEqual({
      product: null,
      userErrors: [{ field: ['metafields', '0', 'type'], message: "Type can't be blank" }],
    });
    expect(devStore.shop().products).toHaveLength(before);
  });

  it('are set, read by namespace and key, replaced and deleted', async () => {
    const ownerId = await product();
    const size = { ownerId, namespace: 'custom', key: 'size', type: 'number_integer', value: '4' };
    const done = await set(own, size, { ownerId, key: 'demo_info', value: 'x' });
    expect(done.userErrors).toEqual([]);
    expect(done.metafields).toMatchObject([
      { namespace: 'custom', jsonValue: 4, value: '4', ownerType: 'PRODUCT' },
      { namespace: 'app--7000000001', jsonValue: 'x' },
    ]);
    expect((await own(READ, { id: ownerId })).data.product).toEqual({
      metafields: {
        nodes: [
          { namespace: 'custom', key: 'size', value: '4' },
          { namespace: 'app--7000000001', key: 'demo_info', value: 'x' },
        ],
        pageInfo: { hasNextPage: false },
      },
      own: { nodes: [{ key: 'demo_info' }] },
      keyed: { nodes: [{ key: 'size', jsonValue: 4 }] },
    });
    // The type that is stored is the type of the next value.
    expect((await set(own, { ...size, type: undefined, value: '5' })).metafields[0].value).toBe(
      '5',
    );
    const deleted = await own(
      `mutation($ids: [MetafieldIdentifierInput!]!) {
        metafieldsDelete(metafields: $ids) { deletedMetafields { key } userErrors { message } }
      }`,
      { ids: ['size', 'none'].map((key) => ({ ownerId, namespace: 'custom', key })) },
    );
    expect(deleted.data.metafieldsDelete.deletedMetafields).toEqual([{ key: 'size' }, null]);
    expect((await own(READ, { id: ownerId })).data.product.keyed.nodes).toEqual([]);
  });

  it('of one app are nothing to another', async () => {
    const ownerId = await product();
    await set(own, { ownerId, key: 'demo_info', value: 'x' });
    expect((await other(READ, { id: ownerId })).data.product.metafields.nodes).toEqual([]);
    const namespace = 'app--7000000001';
    const { userErrors } = await set(other, { ownerId, namespace, key: 'demo_info', value: 'y' });
    expect(userErrors).toMatchObject([{ code: 'APP_NOT_AUTHORIZED', elementIndex: 0 }]);
    const apart = await set(other, { ownerId, key: 'demo_info', type: 'boolean', value: 'true' });
    expect(apart.metafields).toMatchObject([{ namespace: 'app--7000000002', jsonValue: true }]);
  });

  it.each([
    ['number_integer', '4.5', 'INVALID_VALUE'],
    ['boolean', 'yes', 'INVALID_VALUE'],
    ['json', '{', 'INVALID_VALUE'],
    ['list.single_line_text_field', '"one"', 'INVALID_VALUE'],
    ['date', 'tomorrow', 'INVALID_VALUE'],
    ['single_line_text_field', 'two\nlines', 'INVALID_VALUE'],
    ['single_line_text_field', '', 'BLANK'],
    ['text', 'x', 'INCLUSION'],
    [undefined, 'x', 'BLANK'],
  ])('of the type %s are not %j: %s', async (type, value, code) => {
    const ownerId = await product();
    const good = { ownerId, namespace: 'custom', key: 'good', type: 'json', value: '{"a":1}' };
    const bad = { ownerId, namespace: 'custom', key: 'bad', type, value };
    const { metafields, userErrors } = await set(own, good, bad);
    expect([metafields, userErrors[0].code, userErrors[0].elementIndex]).toEqual([[], code, 1]);
    expect((await own(READ, { id: ownerId })).data.product.metafields.nodes).toEqual([]);
  });

  it('that were changed meanwhile are not changed again', async () => {
    const ownerId = await product();
    const first = { ownerId, key: 'demo_info', value: 'x' };
    const { compareDigest } = (await set(own, { ...first, compareDigest: null })).metafields[0];
    expect((await set(own, { ...first, value: 'y', compareDigest })).userErrors).toEqual([]);
    const refused = { field: ['metafields', '0'], elementIndex: null };
    for (const stale of [compareDigest, null, 'no digest'])
      expect((await set(own, { ...first, compareDigest: stale })).userErrors).toMatchObject([
        { ...refused, code: 'STALE_OBJECT' },
      ]);
    const same = await set(own, { ...first, value: 'y', compareDigest: 'no digest' });
    expect([same.metafields[0].value, same.userErrors]).toEqual(['y', []]);
    const other = { ...first, namespace: 'custom', key: 'new', type: 'single_line_text_field' };
    expect((await set(own, { ...other, compareDigest })).userErrors).toMatchObject([
      {
        ...refused,
        ...{ code: 'INVALID_COMPARE_DIGEST', message: 'Invalid `compareDigest` value.' },
      },
    ]);
  });

  it('need an owner, the scope of its type, and are 25 at most', async () => {
    const ownerId = await product();
    const one = { ownerId, namespace: 'custom', key: 'k', type: 'id', value: 'x' };
    expect(
      (await set(own, { ...one, ownerId: 'gid://shopify/Product/1' })).userErrors,
    ).toMatchObject([{ code: 'INVALID' }]);
    const many = Array.from({ length: 26 }, (_, index) => ({ ...one, key: `k${index}` }));
    expect((await set(own, ...many)).userErrors).toMatchObject([{ code: 'LESS_THAN_OR_EQUAL_TO' }]);
    const customer = { ...one, ownerId: 'gid://shopify/Customer/1' };
    const { errors } = await own(SET, { metafields: [customer] });
    expect(errors?.[0]?.extensions?.code).toBe('ACCESS_DENIED');
  });

  it('go with their product', async () => {
    const ownerId = await product();
    await set(own, { ownerId, key: 'demo_info', value: 'x' });
    await own(
      'mutation($input: ProductDeleteInput!) { productDelete(input: $input) { userErrors { message } } }',
      {
        input: { id: ownerId },
      },
    );
    expect((await set(own, { ownerId, key: 'demo_info', value: 'x' })).userErrors).toMatchObject([
      { message: 'Owner does not exist.' },
    ]);
  });

  it('come with what has no rules of its own, too, such as customers', async () => {
    const tier = { namespace: 'custom', key: 'tier', type: 'number_integer', value: '3' };
    const { data } = await open('own', 'write_customers')(
      `mutation($input: CustomerInput!) {
        customerCreate(input: $input) {
          customer { firstName metafield(namespace: "custom", key: "tier") { jsonValue } }
        }
      }`,
      { input: { firstName: 'Ada', metafields: [tier] } },
    );
    expect(data.customerCreate).toEqual({
      customer: { firstName: 'Ada', metafield: { jsonValue: 3 } },
    });
  });

  it.each(['Customer', 'Order', 'Collection', 'DraftOrder', 'Page', 'Location'])(
    'belong to a %s, too',
    async (type) => {
      const ownerId = devStore.shop().nodes.create(type).id;
      const all = open('own', WRITE_ALL);
      const size = { ownerId, namespace: 'custom', key: 'size', type: 'number_integer' };
      const { userErrors } = await set(all, { ...size, value: '1' });
      expect(userErrors).toEqual([]);
      const { data } = await all(
        `query ($id: ID!) { node(id: $id) { ... on HasMetafields {
          metafield(namespace: "custom", key: "size") { value owner { __typename } } } } }`,
        { id: ownerId },
      );
      expect(data.node.metafield).toEqual({ value: '1', owner: { __typename: type } });
    },
  );

  const READ_NOTE =
    'query ($id: ID!) { customer(id: $id) { metafield(namespace: "custom", key: "note") { value } } }';
  const note = { namespace: 'custom', key: 'note', type: 'single_line_text_field' };

  it('of an input come before those that are set or deleted later', async () => {
    const { nodes } = devStore.shop();
    const all = open('own', WRITE_ALL);
    const inline = { metafields: [{ ...note, value: 'inline' }] };
    const [changed, deleted] = [nodes.create('Customer', inline), nodes.create('Customer', inline)];
    await set(all, { ...note, ownerId: changed.id, value: 'later' });
    await all(
      `mutation ($metafields: [MetafieldIdentifierInput!]!) {
        metafieldsDelete(metafields: $metafields) { deletedMetafields { key } } }`,
      { metafields: [{ ownerId: deleted.id, namespace: 'custom', key: 'note' }] },
    );
    expect((await all(READ_NOTE, { id: changed.id })).data.customer.metafield.value).toBe('later');
    expect((await all(READ_NOTE, { id: deleted.id })).data.customer.metafield).toBeNull();
  });

  it('are refused with the customer whose input has them', async () => {
    const all = open('own', WRITE_ALL);
    const create = `mutation ($input: CustomerInput!) { customerCreate(input: $input) {
      customer { id metafield(namespace: "custom", key: "note") { value } }
      userErrors { field message } } }`;
    const before = devStore.shop().nodes.all().length;
    const { data, errors } = await all(create, {
      input: { firstName: 'Kay', metafields: [{ ...note, type: 'number_integer', value: 'x' }] },
    });
    expect(errors).toBeUndefined();
    expect(data.customerCreate).toMatchObject({
      customer: null,
      userErrors: [{ field: ['metafields', '0', 'value'] }],
    });
    expect(devStore.shop().nodes.all()).toHaveLength(before);
    const { data: made } = await all(create, {
      input: { firstName: 'Kay', metafields: [{ ...note, value: 'kept' }] },
    });
    const { id, metafield } = made.customerCreate.customer;
    expect(metafield).toEqual({ value: 'kept' });
    expect(devStore.shop().nodes.find(id)!.fields).not.toHaveProperty('metafields');
    expect(devStore.shop().nodes.all(['Metafield'])).toEqual([]);
  });
});

const WRITE_ALL =
  'write_customers,write_orders,write_products,write_draft_orders,write_content,write_locations';
