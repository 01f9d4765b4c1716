import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openReceiver, type AppReceiver } from '../../app-receiver.js';
import { openNodeShop, type Data, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

const GROUP = `inventoryAdjustmentGroup { id reason referenceDocumentUri
    changes { name delta quantityAfterChange ledgerDocumentUri item { id } location { name } } }
  userErrors { field message code }`;
const NAMES = ['available', 'on_hand', 'committed', 'incoming', 'damaged'];

describe('inventory', () => {
  let store: NodeShopFixture;
  let locationId: string;
  let keys = 0;
  let app: AppReceiver;

  beforeAll(async () => {
    app = await openReceiver();
    store = await openNodeShop(['products', 'inventory', 'locations']);
    locationId = store.shop.nodes.all(['Location'])[0]!.id;
  });
  afterAll(async () => {
    await store.devStore.close();
    await app.close();
  });

  const newItem = async (): Promise<string> => {
    const { productSet } = await store.call(
      `mutation { productSet(input: { title: "Tin", productOptions: [{ name: "Title", values: [{ name: "Default Title" }] }],
        variants: [{ optionValues: [{ optionName: "Title", name: "Default Title" }], inventoryItem: { tracked: true } }] }) {
        product { variants(first: 1) { nodes { inventoryItem { id } } } } userErrors { message } } }`,
    );
    const { variants } = productSet!['product'] as {
      variants: { nodes: Array<{ inventoryItem: { id: string } }> };
    };
    return variants.nodes[0]!.inventoryItem.id;
  };
  const change = async (name: string, input: object, key = `key-${++keys}`): Promise<Data> => {
    const type = `I${name.slice(1)}Input`;
    const data = await store.call(
      `mutation ($input: ${type}!, $key: String!) { ${name}(input: $input) @idempotent(key: $key) { ${GROUP} } }`,
      { input: { reason: 'correction', ...input }, key },
    );
    return data[name]!;
  };
  const set = (inventoryItemId: string, quantity: number, more = {}): Promise<Data> =>
    change('inventorySetQuantities', {
      name: 'available',
      quantities: [{ inventoryItemId, locationId, quantity, changeFromQuantity: null, ...more }],
    });
  const read = async (id: string): Promise<Record<string, number>> => {
    const { inventoryItem } = await store.call(
      `query ($id: ID!, $at: ID!, $names: [String!]!) { inventoryItem(id: $id) {
        inventoryLevel(locationId: $at) { quantities(names: $names) { name quantity } } } }`,
      { id, at: locationId, names: NAMES },
    );
    const level = inventoryItem!['inventoryLevel'] as {
      quantities: Array<{ name: string; quantity: number }>;
    };
    return Object.fromEntries(level.quantities.map(({ name, quantity }) => [name, quantity]));
  };

  it('is set, adjusted and moved, and on_hand follows', async () => {
    const id = await newItem();
    const where = { item: { id }, location: { name: 'Shop location' } };
    const entry = (
      name: string,
      delta: number,
      ledgerDocumentUri: string | null = null,
    ): object => ({
      name,
      delta,
      quantityAfterChange: null,
      ledgerDocumentUri,
      ...where,
    });
    expect(await set(id, 5, { changeFromQuantity: 0 })).toEqual({
      inventoryAdjustmentGroup: {
        id: expect.stringContaining('gid://shopify/InventoryAdjustmentGroup/'),
        reason: 'correction',
        referenceDocumentUri: null,
        changes: [entry('available', 5), entry('on_hand', 5)],
      },
      userErrors: [],
    });
    const adjusted = await change('inventoryAdjustQuantities', {
      name: 'available',
      changes: [{ inventoryItemId: id, locationId, delta: 2, changeFromQuantity: 5 }],
    });
    expect(adjusted['userErrors']).toEqual([]);
    const end = { locationId, changeFromQuantity: null };
    const moved = await change('inventoryMoveQuantities', {
      referenceDocumentUri: 'logistics://move/1',
      changes: [
        {
          inventoryItemId: id,
          quantity: 3,
          from: { ...end, name: 'available' },
          to: { ...end, name: 'damaged', ledgerDocumentUri: 'ledger://1' },
        },
      ],
    });
    expect(moved).toMatchObject({
      inventoryAdjustmentGroup: {
        referenceDocumentUri: 'logistics://move/1',
        changes: [entry('available', -3), entry('damaged', 3, 'ledger://1')],
      },
      userErrors: [],
    });
    expect(await read(id)).toEqual({
      available: 4,
      on_hand: 7,
      committed: 0,
      incoming: 0,
      damaged: 3,
    });
    const onHand = await change('inventorySetQuantities', {
      name: 'on_hand',
      quantities: [{ inventoryItemId: id, locationId, quantity: 10, changeFromQuantity: 7 }],
    });
    expect(onHand['userErrors']).toEqual([]);
    expect(await read(id)).toMatchObject({ available: 7, on_hand: 10, damaged: 3 });
    const { productVariant } = await store.call(
      'query ($id: ID!) { productVariant(id: $id) { inventoryQuantity product { totalInventory } } }',
      { id: id.replace('InventoryItem', 'ProductVariant') },
    );
    expect(productVariant).toEqual({ inventoryQuantity: 7, product: { totalInventory: 7 } });
  });

  it('is no group when nothing changes', async () => {
    expect(await set(await newItem(), 0)).toEqual({
      inventoryAdjustmentGroup: null,
      userErrors: [],
    });
  });

  it('is changed once for each key, which stands for one input', async () => {
    const id = await newItem();
    const input = {
      name: 'available',
      changes: [{ inventoryItemId: id, locationId, delta: 2, changeFromQuantity: null }],
    };
    const first = await change('inventoryAdjustQuantities', input, 'again');
    expect(await change('inventoryAdjustQuantities', input, 'again')).toEqual(first);
    expect(await read(id)).toMatchObject({ available: 2 });
    const other = await change('inventoryAdjustQuantities', { ...input, reason: 'other' }, 'again');
    expect(other['userErrors']).toMatchObject([{ code: 'IDEMPOTENCY_KEY_PARAMETER_MISMATCH' }]);
  });

  it('is done for each app that gives the same key', async () => {
    const id = await newItem();
    const apiKey = 'b';
    store.devStore.addApp({ apiKey, apiSecretKey: 'secret of b', appUrl: 'https://b.example' });
    const token = store.shop.install(apiKey, { scopes: ['write_inventory'] });
    const ADJUST = `mutation ($input: InventoryAdjustQuantitiesInput!) {
      inventoryAdjustQuantities(input: $input) @idempotent(key: "of both") { userErrors { message } } }`;
    const changes = [{ inventoryItemId: id, locationId, delta: 2, changeFromQuantity: null }];
    const input = { name: 'available', reason: 'correction', changes };
    for (const caller of [undefined, token, token]) await store.call(ADJUST, { input }, caller);
    expect(await read(id)).toMatchObject({ available: 4 });
  });

  it('demands the key, and the quantity that is compared, as its version does', async () => {
    const id = await newItem();
    const mutation = (directive: string): string =>
      `mutation ($input: InventoryAdjustQuantitiesInput!) {
        inventoryAdjustQuantities(input: $input)${directive} { userErrors { message } } }`;
    const changes = [{ inventoryItemId: id, locationId, delta: 2 }];
    const input = { name: 'available', reason: 'correction', changes };
    const { errors: keyless } = await store.answer(mutation(''), { input });
    expect(keyless![0]).toMatchObject({
      message: 'The @idempotent directive is required for this mutation but was not provided.',
      extensions: { code: 'BAD_REQUEST' },
    });
    const { errors } = await store.answer(mutation(' @idempotent(key: "x")'), { input });
    expect(errors![0]).toMatchObject({
      message: 'InventoryChangeInput must include the following argument: changeFromQuantity.',
      extensions: { code: 'INVALID_FIELD_ARGUMENTS' },
    });
    expect(await read(id)).toMatchObject({ available: 0 });
  });

  it('is refused in the words of the platform', async () => {
    const id = await newItem();
    const path = ['input', 'quantities', '0'];
    const refusal = async (payload: Promise<Data>): Promise<unknown> => {
      const { inventoryAdjustmentGroup, userErrors } = await payload;
      expect(inventoryAdjustmentGroup).toBeNull();
      return userErrors;
    };
    expect(await refusal(set(id, -2_000_000_000))).toEqual([
      {
        field: [...path, 'quantity'],
        message: "The quantity can't be lower than -1,000,000,000.",
        code: 'INVALID_QUANTITY_TOO_LOW',
      },
    ]);
    expect(await refusal(set(id, 3, { changeFromQuantity: 1 }))).toMatchObject([
      { field: [...path, 'changeFromQuantity'], code: 'CHANGE_FROM_QUANTITY_STALE' },
    ]);
    const unknown = {
      inventoryItemId: 'gid://shopify/InventoryItem/42',
      locationId: 'gid://shopify/Location/9',
    };
    expect(await refusal(set(id, 3, unknown))).toEqual([
      {
        field: [...path, 'inventoryItemId'],
        message: 'The specified inventory item could not be found.',
        code: 'INVALID_INVENTORY_ITEM',
      },
      {
        field: [...path, 'locationId'],
        message: 'The specified location could not be found.',
        code: 'INVALID_LOCATION',
      },
    ]);
    const changes = [{ inventoryItemId: id, locationId, delta: 1, changeFromQuantity: null }];
    const named = change('inventoryAdjustQuantities', { name: 'on_hand', changes });
    expect(await refusal(named)).toEqual([
      {
        field: ['input', 'name'],
        message:
          'The specified quantity name is invalid. Valid values are: available, damaged, incoming, quality_control, reserved, safety_stock.',
        code: 'INVALID_QUANTITY_NAME',
      },
    ]);
    const why = change('inventoryAdjustQuantities', { name: 'available', reason: 'whim', changes });
    expect(await refusal(why)).toMatchObject([
      { field: ['input', 'reason'], code: 'INVALID_REASON' },
    ]);
  });

  it('is stocked at further locations, and no longer, but at one', async () => {
    const id = await newItem();
    const { locationAdd } = await store.call(
      'mutation { locationAdd(input: { name: "Depot", address: { countryCode: IE } }) { location { id } userErrors { message } } }',
    );
    const depot = (locationAdd!['location'] as { id: string }).id;
    const activate = (available: number | null): Promise<Record<string, Data>> =>
      store.call(
        `mutation ($id: ID!, $at: ID!, $available: Int, $key: String!) {
          inventoryActivate(inventoryItemId: $id, locationId: $at, available: $available) @idempotent(key: $key) {
            inventoryLevel { id isActive location { name } quantities(names: ["available"]) { quantity }
              item { variant { inventoryQuantity } } }
            userErrors { field message } } }`,
        { id, at: depot, available, key: `key-${++keys}` },
      );
    const deactivate = async (level: string): Promise<unknown> => {
      const { inventoryDeactivate } = await store.call(
        `mutation ($id: ID!, $key: String!) {
          inventoryDeactivate(inventoryLevelId: $id) @idempotent(key: $key) { userErrors { field message } } }`,
        { id: level, key: `key-${++keys}` },
      );
      return inventoryDeactivate!['userErrors'];
    };
    const { inventoryActivate } = await activate(6);
    const level = inventoryActivate!['inventoryLevel'] as { id: string };
    expect(inventoryActivate).toEqual({
      inventoryLevel: {
        id: `gid://shopify/InventoryLevel/${depot.split('/').at(-1)}?inventory_item_id=${id.split('/').at(-1)}`,
        isActive: true,
        location: { name: 'Depot' },
        quantities: [{ quantity: 6 }],
        item: { variant: { inventoryQuantity: 6 } },
      },
      userErrors: [],
    });
    expect((await activate(7))['inventoryActivate']!['userErrors']).toMatchObject([
      { field: ['available'] },
    ]);
    expect(await deactivate(level.id)).toEqual([]);
    const { inventoryItem, inventoryLevel, node } = await store.call(
      `query ($id: ID!, $level: ID!) {
        inventoryItem(id: $id) { variant { inventoryQuantity } active: inventoryLevels(first: 5) { nodes { isActive } }
          all: inventoryLevels(first: 5, includeInactive: true) { nodes { id isActive } } }
        inventoryLevel(id: $level) { isActive }
        node(id: $level) { id __typename } }`,
      { id, level: level.id },
    );
    expect({ inventoryItem, inventoryLevel, node }).toEqual({
      inventoryItem: {
        variant: { inventoryQuantity: 0 },
        active: { nodes: [{ isActive: true }] },
        all: {
          nodes: [
            { id: expect.any(String), isActive: true },
            { id: level.id, isActive: false },
          ],
        },
      },
      inventoryLevel: { isActive: false },
      node: { id: level.id, __typename: 'InventoryLevel' },
    });
    const first = (inventoryItem!['all'] as { nodes: Array<{ id: string }> }).nodes[0]!.id;
    expect(await deactivate(first)).toEqual([
      {
        field: null,
        message:
          "The product couldn't be unstocked from Shop location because products need to be stocked at a minimum of 1 location.",
      },
    ]);
    expect((await activate(null))['inventoryActivate']).toMatchObject({
      inventoryLevel: { isActive: true, quantities: [{ quantity: 6 }] },
    });
  });

  it('compares in the older versions only when it is told to', async () => {
    const old = await openNodeShop(['products', 'inventory'], '2025-10');
    const location = old.shop.nodes.all(['Location'])[0]!.id;
    const item = `gid://shopify/InventoryItem/${old.shop.products[0]!.variants[0]!.id}`;
    const setOld = async (more: object, quantity: object): Promise<unknown> => {
      const { inventorySetQuantities } = await old.call(
        `mutation ($input: InventorySetQuantitiesInput!) {
          inventorySetQuantities(input: $input) { userErrors { field message code } } }`,
        {
          input: {
            name: 'available',
            reason: 'correction',
            ...more,
            quantities: [{ inventoryItemId: item, locationId: location, quantity: 4, ...quantity }],
          },
        },
      );
      return inventorySetQuantities!['userErrors'];
    };
    expect(await setOld({}, {})).toEqual([
      {
        field: ['input', 'ignoreCompareQuantity'],
        message:
          'The compareQuantity argument must be given to each quantity or ignored using ignoreCompareQuantity.',
        code: 'COMPARE_QUANTITY_REQUIRED',
      },
    ]);
    expect(await setOld({}, { compareQuantity: 3 })).toMatchObject([
      { code: 'COMPARE_QUANTITY_STALE' },
    ]);
    expect(await setOld({ ignoreCompareQuantity: true }, {})).toEqual([]);
    expect(await setOld({}, { compareQuantity: 4, quantity: 1 })).toEqual([]);
    await old.devStore.close();
  });

  it('is told to the apps', async () => {
    const id = await newItem();
    const { devStore, shop } = store;
    await store.call(
      `mutation { webhookSubscriptionCreate(topic: INVENTORY_LEVELS_UPDATE, webhookSubscription: {
        uri: "${app.url}/hooks" }) { userErrors { message } } }`,
    );
    await set(id, 8);
    await devStore.settled();
    expect(app.received.map(({ body }) => JSON.parse(String(body)) as unknown)).toEqual([
      {
        inventory_item_id: Number(id.split('/').at(-1)),
        location_id: shop.nodes.all(['Location'])[0]!.number,
        available: 8,
        updated_at: expect.any(String),
        admin_graphql_api_id: expect.stringContaining('gid://shopify/InventoryLevel/'),
      },
    ]);
  });
});
