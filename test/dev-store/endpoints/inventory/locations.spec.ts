import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  openNodeShop,
  trackedVariant,
  type Data,
  type NodeShopFixture,
} from '../nodes/node-shop.fixture.js';

const STATE = `id isActive activatable deactivatable deletable hasActiveInventory deactivatedAt
  fulfillsOnlineOrders shipsInventory`;

describe('locations', () => {
  let store: NodeShopFixture;
  let shopLocation: string;
  let keys = 0;

  beforeAll(async () => {
    store = await openNodeShop(['products', 'inventory', 'locations']);
    shopLocation = store.shop.nodes.all(['Location'])[0]!.id;
  });
  afterAll(() => store.devStore.close());

  const add = async (name: string, input: object = {}): Promise<Data> => {
    const { locationAdd } = await store.call(
      `mutation ($input: LocationAddInput!) { locationAdd(input: $input) {
        location { ${STATE} } userErrors { field message code } } }`,
      { input: { name, address: { countryCode: 'US' }, ...input } },
    );
    return locationAdd!;
  };
  const added = async (name: string, input?: object): Promise<string> =>
    ((await add(name, input))['location'] as Data)['id'] as string;
  const move = async (
    mutation: 'locationActivate' | 'locationDeactivate',
    locationId: string,
    to?: string,
  ): Promise<Data> => {
    const destination = to ? `, destinationLocationId: "${to}"` : '';
    const data = await store.call(
      `mutation ($id: ID!, $key: String!) {
        ${mutation}(locationId: $id${destination}) @idempotent(key: $key) {
          location { ${STATE} } ${mutation}UserErrors { field message code } } }`,
      { id: locationId, key: `key-${++keys}` },
    );
    const { location, [`${mutation}UserErrors`]: errors } = data[mutation]!;
    return { location, errors };
  };
  const remove = async (locationId: string): Promise<Data> => {
    const { locationDelete } = await store.call(
      `mutation ($id: ID!) { locationDelete(locationId: $id) {
        deletedLocationId locationDeleteUserErrors { field message code } } }`,
      { id: locationId },
    );
    return locationDelete!;
  };
  const stock = async (locationId: string, available: number): Promise<string> => {
    const variantId = await trackedVariant(store);
    const inventoryItemId = variantId.replace('ProductVariant', 'InventoryItem');
    await store.call(
      `mutation ($item: ID!, $at: ID!, $available: Int, $key: String!) {
        inventoryActivate(inventoryItemId: $item, locationId: $at, available: $available)
          @idempotent(key: $key) { userErrors { message } } }`,
      { item: inventoryItemId, at: locationId, available, key: `key-${++keys}` },
    );
    return inventoryItemId;
  };

  it('are deactivated, deleted, and activated again under a name that is free', async () => {
    const id = await added('Back room', { fulfillsOnlineOrders: false });
    expect(await remove(id)).toEqual({
      deletedLocationId: null,
      locationDeleteUserErrors: [
        {
          field: ['locationId'],
          message: 'The location cannot be deleted while it is active.',
          code: 'LOCATION_IS_ACTIVE',
        },
      ],
    });
    expect(await move('locationDeactivate', id)).toEqual({
      location: {
        id,
        isActive: false,
        activatable: true,
        deactivatable: true,
        deletable: true,
        hasActiveInventory: false,
        deactivatedAt: expect.any(String),
        fulfillsOnlineOrders: false,
        shipsInventory: false,
      },
      errors: [],
    });
    const other = await added('Back room');
    expect(await move('locationActivate', id)).toMatchObject({
      location: { isActive: false, activatable: false },
      errors: [
        {
          field: ['locationId'],
          message:
            'This location currently cannot be activated because there exists an active location with the same name.',
          code: 'HAS_NON_UNIQUE_NAME',
        },
      ],
    });
    await move('locationDeactivate', other);
    expect(await move('locationActivate', id)).toMatchObject({
      location: { isActive: true, deactivatedAt: null },
      errors: [],
    });
    expect(await remove(other)).toEqual({ deletedLocationId: other, locationDeleteUserErrors: [] });
    const gone = {
      field: ['locationId'],
      message: 'Location not found.',
      code: 'LOCATION_NOT_FOUND',
    };
    expect(await move('locationActivate', other)).toEqual({ location: null, errors: [gone] });
    expect(await remove(other)).toEqual({
      deletedLocationId: null,
      locationDeleteUserErrors: [gone],
    });
  });

  it('keep what is stocked there until another location takes it', async () => {
    const id = await added('Stocked', { fulfillsOnlineOrders: false });
    const to = await added('Successor', { fulfillsOnlineOrders: false });
    const item = await stock(id, 7);
    const codes = async (...args: Parameters<typeof move>): Promise<unknown[]> =>
      ((await move(...args))['errors'] as Data[]).map(({ field, code }) => [field, code]);
    expect(await codes('locationDeactivate', id)).toEqual([
      [['locationId'], 'HAS_ACTIVE_INVENTORY_ERROR'],
    ]);
    expect(await codes('locationDeactivate', id, id)).toEqual([
      [['destinationLocationId'], 'DESTINATION_LOCATION_IS_THE_SAME_LOCATION'],
    ]);
    const closed = await added('Closed', { fulfillsOnlineOrders: false });
    await move('locationDeactivate', closed);
    expect(await codes('locationDeactivate', id, closed)).toEqual([
      [['destinationLocationId'], 'DESTINATION_LOCATION_NOT_FOUND_OR_INACTIVE'],
    ]);
    const { locationDeleteUserErrors: errors } = await remove(id);
    expect((errors as Data[]).map(({ code }) => code)).toEqual([
      'LOCATION_IS_ACTIVE',
      'LOCATION_HAS_INVENTORY',
    ]);
    expect(await move('locationDeactivate', id, to)).toMatchObject({
      location: { isActive: false, hasActiveInventory: false },
      errors: [],
    });
    const { inventoryItem } = await store.call(
      `query ($id: ID!, $at: ID!) { inventoryItem(id: $id) {
        inventoryLevel(locationId: $at) { quantities(names: ["available"]) { quantity } } } }`,
      { id: item, at: to },
    );
    expect(inventoryItem).toEqual({ inventoryLevel: { quantities: [{ quantity: 7 }] } });
  });

  it('include one that stays, and one that fulfills online orders', async () => {
    expect(await move('locationDeactivate', shopLocation)).toMatchObject({
      location: { isActive: true, deactivatable: false },
      errors: [{ code: 'PERMANENTLY_BLOCKED_FROM_DEACTIVATION_ERROR' }],
    });
    const only = await added('Only');
    const edit = async (id: string): Promise<Data> => {
      const { locationEdit } = await store.call(
        `mutation ($id: ID!) { locationEdit(id: $id, input: { fulfillsOnlineOrders: false }) {
          location { fulfillsOnlineOrders } userErrors { code } } }`,
        { id },
      );
      return locationEdit!;
    };
    expect(await edit(shopLocation)).toEqual({
      location: { fulfillsOnlineOrders: false },
      userErrors: [],
    });
    expect(await edit(only)).toEqual({
      location: null,
      userErrors: [{ code: 'CANNOT_DISABLE_ONLINE_ORDER_FULFILLMENT' }],
    });
    expect(await move('locationDeactivate', only)).toMatchObject({
      errors: [
        {
          field: ['locationId'],
          message: 'At least one location must fulfill online orders.',
          code: 'CANNOT_DISABLE_ONLINE_ORDER_FULFILLMENT',
        },
      ],
    });
  });

  it('have names and addresses of a bounded length', async () => {
    const long = 'x'.repeat(256);
    expect(await add(long)).toEqual({
      location: null,
      userErrors: [
        {
          field: ['input', 'name'],
          message: 'Use a shorter location name (up to 100 characters)',
          code: 'TOO_LONG',
        },
      ],
    });
    for (const [line, words] of [
      ['address1', 'name for the street'],
      ['city', 'city name'],
      ['zip', 'postal / ZIP code'],
    ] as const)
      expect(await add(`With ${line}`, { address: { countryCode: 'US', [line]: long } })).toEqual({
        location: null,
        userErrors: [
          {
            field: ['input', 'address', line],
            message: `Use a shorter ${words} (up to 255 characters)`,
            code: 'TOO_LONG',
          },
        ],
      });
  });
});
