import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openReceiver, type AppReceiver } from '../../app-receiver.js';
import { openNodeShop, type Data, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

const NOWHERE = 'gid://shopify/Location/999999';

describe('where items are stocked', () => {
  let store: NodeShopFixture;
  let app: AppReceiver;
  let depot: string;
  let keys = 0;

  beforeAll(async () => {
    app = await openReceiver();
    store = await openNodeShop(['products', 'inventory', 'locations']);
    depot = store.shop.nodes.create('Location', { name: 'Depot', isActive: true }).id;
    for (const topic of ['CONNECT', 'UPDATE', 'DISCONNECT'])
      await store.call(
        `mutation { webhookSubscriptionCreate(topic: INVENTORY_LEVELS_${topic}, webhookSubscription: {
          uri: "${app.url}/${topic.toLowerCase()}" }) { userErrors { message } } }`,
      );
  });
  afterAll(async () => {
    await store.devStore.close();
    await app.close();
  });

  /** The topics that were told since the last time, with what is available. */
  const told = async (): Promise<unknown[]> => {
    await store.devStore.settled();
    return app.received
      .splice(0)
      .map(({ path, body }) => [path.slice(1), (JSON.parse(String(body)) as Data)['available']])
      .sort();
  };
  const itemOf = (index: number): string =>
    `gid://shopify/InventoryItem/${store.shop.products[index]!.variants[0]!.id}`;
  const activate = async (id: string, quantity: string): Promise<Data> => {
    const { inventoryActivate } = await store.call(
      `mutation { inventoryActivate(inventoryItemId: "${id}", locationId: "${depot}" ${quantity})
        @idempotent(key: "${++keys}") {
          inventoryLevel { quantities(names: ["available"]) { quantity } } userErrors { field } } }`,
    );
    return inventoryActivate!;
  };

  it('is told with what is there then, and once', async () => {
    expect((await activate(itemOf(0), 'available: 7'))['userErrors']).toEqual([]);
    expect(await told()).toEqual([
      ['connect', 7],
      ['update', 7],
    ]);
    expect((await activate(itemOf(0), ''))['userErrors']).toEqual([]);
    expect(await told()).toEqual([]);
  });

  it('has no negative quantity on hand', async () => {
    expect(await activate(itemOf(1), 'onHand: -5')).toEqual({
      inventoryLevel: null,
      userErrors: [{ field: ['onHand'] }],
    });
    expect(await told()).toEqual([]);
  });

  it('is changed in bulk as a whole or not at all', async () => {
    const toggle = async (updates: string): Promise<unknown> => {
      const { inventoryBulkToggleActivation: toggled } = await store.call(
        `mutation { inventoryBulkToggleActivation(inventoryItemId: "${itemOf(2)}",
          inventoryItemUpdates: [${updates}]) @idempotent(key: "${++keys}") {
            inventoryLevels { location { name } } userErrors { code } } }`,
      );
      return toggled;
    };
    const first = store.shop.nodes.first('Location')!.id;
    const entry = (id: string, isOn: boolean): string =>
      `{ locationId: "${id}", activate: ${isOn} }`;
    const { levels } = store.shop.products[2]!.variants[0]!;
    const before = levels.map(({ locationId, isActive }) => ({ locationId, isActive }));
    expect(await toggle(entry(depot, true) + entry(NOWHERE, true))).toMatchObject({
      userErrors: [{ code: 'LOCATION_NOT_FOUND' }],
    });
    expect(await toggle(entry(first, false) + entry(depot, false))).toMatchObject({
      userErrors: [{ code: 'CANNOT_DEACTIVATE_FROM_ONLY_LOCATION' }],
    });
    const all = entry(depot, true) + entry(first, false) + entry(depot, false);
    expect(await toggle(all)).toMatchObject({
      userErrors: [{ code: 'CANNOT_DEACTIVATE_FROM_ONLY_LOCATION' }],
    });
    expect(store.shop.products[2]!.variants[0]!.levels).toMatchObject(before);
    expect(await told()).toEqual([]);
    expect(await toggle(entry(depot, true) + entry(first, false))).toEqual({
      inventoryLevels: [{ location: { name: 'Depot' } }],
      userErrors: [],
    });
    expect(await told()).toEqual([
      ['connect', 0],
      ['disconnect', expect.any(Number)],
    ]);
  });

  it('is told of new variants, whose locations are checked', async () => {
    const { id } = store.shop.products[1]!;
    const create = async (locationId: string): Promise<unknown> => {
      const { productVariantsBulkCreate: created } = await store.call(
        `mutation { productVariantsBulkCreate(productId: "gid://shopify/Product/${id}", variants: [{
          optionValues: [{ optionName: "Title", name: "B" }],
          inventoryQuantities: [{ locationId: "${locationId}", availableQuantity: 5 }] }]) {
            productVariants { inventoryQuantity } userErrors { code field } } }`,
      );
      return created;
    };
    const place = ['variants', '0', 'inventoryQuantities', '0', 'locationId'];
    expect(await create(NOWHERE)).toEqual({
      productVariants: [],
      userErrors: [{ code: 'TRACKED_VARIANT_LOCATION_NOT_FOUND', field: place }],
    });
    expect(await told()).toEqual([]);
    expect(await create(depot)).toEqual({
      productVariants: [{ inventoryQuantity: 5 }],
      userErrors: [],
    });
    expect(await told()).toEqual([
      ['connect', 5],
      ['update', 5],
    ]);
    const set = async (locationId: string): Promise<unknown> => {
      const { productSet } = await store.call(
        `mutation { productSet(synchronous: true, input: { title: "Tin",
          productOptions: [{ name: "A", values: [{ name: "1" }] }],
          variants: [{ optionValues: [{ optionName: "A", name: "1" }], inventoryQuantities: [
            { locationId: "${locationId}", name: "available", quantity: 4 }] }] }) {
            product { totalInventory } userErrors { code field } } }`,
      );
      return productSet;
    };
    expect(await set(NOWHERE)).toEqual({
      product: null,
      userErrors: [{ code: 'INVALID_VARIANT', field: ['input', ...place] }],
    });
    expect(await told()).toEqual([]);
    expect(await set(depot)).toMatchObject({ userErrors: [] });
    expect(await told()).toEqual([
      ['connect', 4],
      ['update', 4],
    ]);
  });
});
