import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  openNodeShop,
  trackedVariant,
  type Data,
  type NodeShopFixture,
} from '../nodes/node-shop.fixture.js';

const TRANSFER = `inventoryTransfer { id name status totalQuantity receivedQuantity tags
    origin { name location { id } } shipments(first: 5) { nodes { name status } }
    lineItems(first: 5) { nodes { id totalQuantity shippableQuantity shippedQuantity
      processableQuantity pickedForShipmentQuantity } } }
  userErrors { field message code }`;
const SHIPMENT = `inventoryShipment { id name status lineItemTotalQuantity totalAcceptedQuantity
    totalReceivedQuantity totalRejectedQuantity tracking { trackingNumber company }
    lineItems(first: 5) { nodes { id quantity unreceivedQuantity } } }
  userErrors { field message code }`;
const NAMES = ['available', 'reserved', 'on_hand', 'incoming'];

describe('transfers of inventory', () => {
  let store: NodeShopFixture;
  let origin: string;
  let destination: string;
  let item: string;

  beforeAll(async () => {
    const scopes = ['products', 'inventory', 'inventory_transfers', 'inventory_shipments'];
    store = await openNodeShop(scopes, '2025-10');
    origin = store.shop.nodes.all(['Location'])[0]!.id;
    destination = store.shop.nodes.create('Location', { name: 'Overflow', isActive: true }).id;
    item = (await trackedVariant(store)).replace('ProductVariant', 'InventoryItem');
    await store.call(
      `mutation ($quantities: [InventoryQuantityInput!]!) { inventorySetQuantities(input: {
        name: "available", reason: "correction", ignoreCompareQuantity: true, quantities: $quantities
      }) { userErrors { message } } }`,
      { quantities: [{ inventoryItemId: item, locationId: origin, quantity: 5 }] },
    );
  });
  afterAll(() => store.devStore.close());

  const run = async (name: string, args: Readonly<Record<string, unknown>>): Promise<Data> => {
    const payload = name.startsWith('inventoryTransfer') ? TRANSFER : SHIPMENT;
    const text = Object.entries(args)
      .map(([key, value]) => `${key}: ${literal(value)}`)
      .join(', ');
    return (await store.call(`mutation { ${name}(${text}) { ${payload} } }`))[name]!;
  };
  const create = (input: object, name = 'inventoryTransferCreate'): Promise<Data> =>
    run(name, {
      input: {
        originLocationId: origin,
        destinationLocationId: destination,
        lineItems: [{ inventoryItemId: item, quantity: 2 }],
        ...input,
      },
    });
  /** A change of a shipment, whose payload has not the same name in each. */
  const write = async (name: string, args: Readonly<Record<string, unknown>>): Promise<Data> => {
    const text = Object.entries(args).map(([key, value]) => `${key}: ${literal(value)}`);
    const field = `inventoryShipment${name}`;
    const data = await store.call(
      `mutation { ${field}(${text.join(', ')}) { userErrors { field code } } }`,
    );
    return data[field]!;
  };
  const quantities = async (locationId: string): Promise<number[]> => {
    const { inventoryItem } = await store.call(
      `query ($id: ID!, $at: ID!, $names: [String!]!) { inventoryItem(id: $id) {
        inventoryLevel(locationId: $at) { quantities(names: $names) { quantity } } } }`,
      { id: item, at: locationId, names: NAMES },
    );
    const level = inventoryItem!['inventoryLevel'] as { quantities: Array<{ quantity: number }> };
    return level.quantities.map(({ quantity }) => quantity);
  };
  const idOf = (payload: Data, name: string): string => (payload[name] as Data)['id'] as string;

  it('reserve at the origin what is ready to be shipped, until they are cancelled', async () => {
    const draft = await create({ tags: ['spring'], note: 'for the fair' });
    expect(draft).toMatchObject({
      inventoryTransfer: {
        name: '#T0001',
        status: 'DRAFT',
        totalQuantity: 2,
        tags: ['spring'],
        origin: { name: 'Shop location', location: { id: origin } },
        shipments: { nodes: [] },
        lineItems: {
          nodes: [
            {
              totalQuantity: 2,
              shippableQuantity: 0,
              shippedQuantity: 0,
              processableQuantity: 2,
              pickedForShipmentQuantity: 0,
            },
          ],
        },
      },
      userErrors: [],
    });
    const id = idOf(draft, 'inventoryTransfer');
    expect(await quantities(origin)).toEqual([5, 0, 5, 0]);
    expect(await run('inventoryTransferMarkAsReadyToShip', { id })).toMatchObject({
      inventoryTransfer: {
        status: 'READY_TO_SHIP',
        lineItems: { nodes: [{ shippableQuantity: 2 }] },
      },
    });
    expect(await quantities(origin)).toEqual([3, 2, 5, 0]);
    const { inventoryTransferDelete } = await store.call(
      `mutation ($id: ID!) { inventoryTransferDelete(id: $id) { deletedId userErrors { field message code } } }`,
      { id },
    );
    expect(inventoryTransferDelete).toEqual({
      deletedId: null,
      userErrors: [
        {
          field: ['id'],
          message: "Can't delete the transfer if it's not in the draft status.",
          code: 'INVALID_TRANSFER_STATUS',
        },
      ],
    });
    const more = { input: { id, lineItems: [{ inventoryItemId: item, quantity: 3 }] } };
    expect(await run('inventoryTransferSetItems', more)).toMatchObject({
      inventoryTransfer: { totalQuantity: 3 },
      userErrors: [],
    });
    expect(await quantities(origin)).toEqual([2, 3, 5, 0]);
    expect(await run('inventoryTransferCancel', { id })).toMatchObject({
      inventoryTransfer: { status: 'CANCELED' },
      userErrors: [],
    });
    expect(await quantities(origin)).toEqual([5, 0, 5, 0]);
  });

  it('arrive by shipments, of which a part may be rejected', async () => {
    const ready = await create({}, 'inventoryTransferCreateAsReadyToShip');
    const transfer = idOf(ready, 'inventoryTransfer');
    const { name } = ready['inventoryTransfer'] as Data;
    const made = await run('inventoryShipmentCreate', {
      input: {
        movementId: transfer,
        trackingInput: { trackingNumber: '1Z', company: 'UPS' },
        lineItems: [{ inventoryItemId: item, quantity: 2 }],
      },
    });
    expect(made).toMatchObject({
      inventoryShipment: {
        name: `${String(name)}-1`,
        status: 'DRAFT',
        lineItemTotalQuantity: 2,
        totalReceivedQuantity: 0,
        tracking: { trackingNumber: '1Z', company: 'UPS' },
        lineItems: { nodes: [{ quantity: 2, unreceivedQuantity: 2 }] },
      },
      userErrors: [],
    });
    const id = idOf(made, 'inventoryShipment');
    const edited = await run('inventoryTransferEdit', { id: transfer, input: { note: 'packed' } });
    expect(edited).toMatchObject({
      inventoryTransfer: {
        lineItems: { nodes: [{ pickedForShipmentQuantity: 2, shippableQuantity: 0 }] },
      },
    });
    await run('inventoryShipmentMarkInTransit', { id });
    expect([await quantities(origin), await quantities(destination)]).toEqual([
      [3, 0, 3, 0],
      [0, 0, 0, 2],
    ]);
    const { lineItems } = made['inventoryShipment'] as { lineItems: { nodes: Data[] } };
    const shipmentLineItemId = lineItems.nodes[0]!['id'];
    const receive = (reason: object): Promise<Data> =>
      run('inventoryShipmentReceive', {
        id,
        lineItems: [{ shipmentLineItemId, quantity: 1, reason }],
      });
    expect(await receive(new Name('ACCEPTED'))).toMatchObject({
      inventoryShipment: { status: 'PARTIALLY_RECEIVED', totalAcceptedQuantity: 1 },
    });
    expect(await receive(new Name('REJECTED'))).toMatchObject({
      inventoryShipment: { status: 'RECEIVED', totalRejectedQuantity: 1, totalReceivedQuantity: 2 },
    });
    expect(await quantities(destination)).toEqual([1, 0, 1, 0]);
    const { inventoryTransfer } = await store.call(
      'query ($id: ID!) { inventoryTransfer(id: $id) { status receivedQuantity } }',
      { id: transfer },
    );
    expect(inventoryTransfer).toEqual({ status: 'TRANSFERRED', receivedQuantity: 2 });
  });

  it('have shipments of no more than there is, each line once', async () => {
    const transfer = idOf(
      await create({}, 'inventoryTransferCreateAsReadyToShip'),
      'inventoryTransfer',
    );
    const before = [await quantities(origin), await quantities(destination)];
    const ship = (quantity: number, name = 'inventoryShipmentCreateInTransit'): Promise<Data> =>
      run(name, {
        input: { movementId: transfer, lineItems: [{ inventoryItemId: item, quantity }] },
      });
    const above = (...field: string[]): object => ({
      userErrors: [{ field, code: 'INVALID_QUANTITY' }],
    });
    const place = ['input', 'lineItems', '0', 'quantity'];
    expect(await ship(400)).toMatchObject(above(...place));
    expect(await ship(3, 'inventoryShipmentCreate')).toMatchObject(above(...place));
    expect([await quantities(origin), await quantities(destination)]).toEqual(before);
    const made = await ship(1);
    const id = idOf(made, 'inventoryShipment');
    const { lineItems } = made['inventoryShipment'] as { lineItems: { nodes: Data[] } };
    const line = String(lineItems.nodes[0]!['id']);
    const sent = [await quantities(origin), await quantities(destination)];
    const lines = (...amounts: number[]): object[] =>
      amounts.map((quantity) => ({ shipmentLineItemId: line, quantity }));
    const accepted = (...amounts: number[]): object[] =>
      lines(...amounts).map((one) => ({ ...one, reason: new Name('ACCEPTED') }));
    const more = [{ inventoryItemId: item, quantity: 2 }];
    for (const [name, args, ...field] of [
      ['AddItems', { lineItems: more }, 'lineItems', '0', 'quantity'],
      ['UpdateItemQuantities', { items: lines(3) }, 'items', '0', 'quantity'],
      ['Receive', { lineItems: accepted(2) }, 'lineItems', '0', 'quantity'],
      ['Receive', { lineItems: accepted(1, 1) }, 'lineItems', '1', 'quantity'],
    ] as const)
      expect(await write(name, { id, ...args })).toMatchObject(above(...field));
    const twice = (...field: string[]): object => ({
      userErrors: [{ field, code: 'ITEM_NOT_FOUND' }],
    });
    expect(await write('RemoveItems', { id, lineItems: [line, line] })).toMatchObject(
      twice('lineItems', '1'),
    );
    expect(await write('UpdateItemQuantities', { id, items: lines(1, 2) })).toMatchObject(
      twice('items', '1', 'shipmentLineItemId'),
    );
    expect([await quantities(origin), await quantities(destination)]).toEqual(sent);
    expect(await write('UpdateItemQuantities', { id, items: lines(2) })).toMatchObject({
      userErrors: [],
    });
    expect(await write('Receive', { id, lineItems: accepted(1) })).toMatchObject({
      userErrors: [],
    });
    expect(await write('UpdateItemQuantities', { id, items: lines(0) })).toMatchObject(
      above('items', '0', 'quantity'),
    );
  });

  it('are refused with what is wrong about them', async () => {
    const none = item.replace(/\d+$/, '999999999999');
    const nowhere = origin.replace(/\d+$/, '999999999999');
    const one = { inventoryItemId: item, quantity: 1 };
    const twice = 'The inventory item is already present in the list. Each item must be unique.';
    for (const [input, ...errors] of [
      [
        { destinationLocationId: origin },
        [
          ['input', 'destinationLocationId'],
          'The origin location cannot be the same as the destination location.',
          'TRANSFER_ORIGIN_CANNOT_BE_THE_SAME_AS_DESTINATION',
        ],
      ],
      [
        { originLocationId: nowhere },
        [
          ['input', 'originLocationId'],
          "The location selected can't be found.",
          'LOCATION_NOT_FOUND',
        ],
      ],
      [
        { lineItems: [{ inventoryItemId: none, quantity: 1 }] },
        [at(0), 'The inventory item could not be found.', 'ITEM_NOT_FOUND'],
      ],
      [
        { lineItems: [one, one] },
        [at(0), twice, 'DUPLICATE_ITEM'],
        [at(1), twice, 'DUPLICATE_ITEM'],
      ],
      [
        { lineItems: [{ ...one, quantity: -1 }] },
        [
          ['input', 'lineItems', '0', 'quantity'],
          "The quantity can't be negative.",
          'INVALID_QUANTITY',
        ],
      ],
    ] as ReadonlyArray<[object, ...unknown[][]]>)
      expect(await create(input)).toEqual({
        inventoryTransfer: null,
        userErrors: errors.map(([field, message, code]) => ({ field, message, code })),
      });
    const id = 'gid://shopify/InventoryTransfer/999';
    expect((await run('inventoryTransferCancel', { id }))['userErrors']).toEqual([
      {
        field: ['id'],
        message: "The inventory transfer can't be found.",
        code: 'TRANSFER_NOT_FOUND',
      },
    ]);
    const shipment = 'gid://shopify/InventoryShipment/999';
    expect(await run('inventoryShipmentMarkInTransit', { id: shipment })).toMatchObject({
      inventoryShipment: null,
      userErrors: [{ code: 'SHIPMENT_NOT_FOUND' }],
    });
  });
});

function at(index: number): string[] {
  return ['input', 'lineItems', String(index), 'inventoryItemId'];
}

/** The value of an enum in a document. */
class Name {
  constructor(readonly name: string) {}
}

/** A value as it is written in a document. */
function literal(value: unknown): string {
  if (value instanceof Name) return value.name;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, one]) => `${key}: ${literal(one)}`);
  return `{ ${fields.join(', ')} }`;
}
