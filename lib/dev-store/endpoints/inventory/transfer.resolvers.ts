import type { GraphQLResolveInfo } from 'graphql';
import { isoTime } from '../../base/iso-time.js';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import type { NodeFields } from '../../state/nodes/node-store.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { runOnce } from './idempotent.js';
import { applyChanges, itemById } from './inventory-changes.js';
import { amountOf, listOf, shipmentsOf } from './transfer-fields.js';
import {
  itemErrors,
  locationErrors,
  NO_ITEM,
  NO_TRANSFER,
  stockErrors,
  type MovedItem,
  type TransferError,
} from './transfer-input.js';

interface CreateInput extends NodeFields {
  readonly originLocationId?: string | null;
  readonly destinationLocationId?: string | null;
  readonly lineItems: readonly MovedItem[];
}

interface EditArgs {
  readonly id: string;
  readonly input: NodeFields & {
    readonly originId?: string | null;
    readonly destinationId?: string | null;
  };
}

interface SetItemsArgs {
  readonly input: { readonly id: string; readonly lineItems: readonly MovedItem[] };
}

interface RemoveItemsArgs {
  readonly input: { readonly id: string; readonly transferLineItemIds?: readonly string[] | null };
}

/**
 * The resolvers of the mutations of transfers between locations. What is ready to be shipped is
 * reserved at the origin.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/objects/InventoryTransfer
 */
export function transferRoot(writer: NodeWriter): Record<string, unknown> {
  const { reader, catalog, changed, notify, view } = writer;
  const { nodes, defaults } = reader.store;
  const shop = { nodes, catalog };
  const statusOf = (id: string): unknown =>
    nodes.find(id)?.type === 'InventoryTransfer' ? nodes.fieldsOf(id)['status'] : undefined;

  const linesOf = (id: string): Array<MovedItem & { readonly id: string }> =>
    listOf(nodes, id, 'lineItems').map((line) => ({
      id: line,
      inventoryItemId: String(nodes.fieldsOf(line)['inventoryItem']),
      quantity: amountOf(nodes, line, 'totalQuantity'),
    }));
  const originOf = (id: string): string => String(Object(nodes.fieldsOf(id)['origin']).location);

  /** Reserves items at the origin of a transfer that is ready; negative quantities are released. */
  const reserve = (id: string, items: readonly MovedItem[]): void => {
    const locationId = originOf(id);
    const changes = items.flatMap(({ inventoryItemId: itemId, quantity }) => [
      { itemId, locationId, name: 'available' as const, delta: -quantity },
      { itemId, locationId, name: 'reserved' as const, delta: quantity },
    ]);
    applyChanges(catalog, changes, defaults.now(), notify);
  };
  const isReserved = (id: string): boolean =>
    ['READY_TO_SHIP', 'IN_PROGRESS'].includes(String(statusOf(id)));

  const addLine = (transfer: string, { inventoryItemId, quantity }: MovedItem): string => {
    const found = itemById(catalog, inventoryItemId);
    return nodes.create('InventoryTransferLineItem', {
      transfer,
      inventoryItem: inventoryItemId,
      title: found?.product.title,
      totalQuantity: quantity,
    }).id;
  };

  /** A location as a transfer keeps it. */
  const snapshot = (id: string | null | undefined): NodeFields | null => {
    if (id == null) return null;
    const { name, address } = nodes.fieldsOf(id);
    return { location: id, name, address, snapshottedAt: isoTime(defaults.now()) };
  };

  const create = (input: CreateInput, isReady: boolean): object => {
    const { originLocationId, destinationLocationId, lineItems, ...fields } = input;
    const path = ['input', 'lineItems'];
    const errors = [
      ...locationErrors(
        shop,
        [originLocationId, destinationLocationId],
        ['originLocationId', 'destinationLocationId'],
      ),
      ...itemErrors(shop, lineItems, path),
    ];
    if (errors.length === 0 && isReady)
      errors.push(...stockErrors(shop, lineItems, originLocationId, path));
    if (errors.length > 0) return { inventoryTransfer: null, userErrors: errors };
    const number = String(nodes.nextOrdinal('InventoryTransfer')).padStart(4, '0');
    const { id } = nodes.create('InventoryTransfer', {
      dateCreated: isoTime(defaults.now()),
      tags: [],
      ...fields,
      name: `#T${number}`,
      status: isReady ? 'READY_TO_SHIP' : 'DRAFT',
      origin: snapshot(originLocationId),
      destination: snapshot(destinationLocationId),
    });
    nodes.update(id, { lineItems: lineItems.map((item) => addLine(id, item)) });
    if (isReady) reserve(id, lineItems);
    changed('create', id, nodes.fieldsOf(id));
    return { inventoryTransfer: view(id), userErrors: [] };
  };
  /** Runs a mutation once for each key. */
  const once =
    <Args extends object>(run: (args: Args) => object) =>
    (args: Args, _context: GraphqlContext, info: GraphQLResolveInfo): object =>
      runOnce(writer, args, info, () => run(args));

  /** Runs a mutation of a transfer in one of some states. @param words what it does */
  const onTransfer = (
    id: string,
    field: readonly string[],
    [states, words]: readonly [states: readonly string[] | null, words: string],
    run: () => object | readonly TransferError[],
  ): object => {
    const refused = (userErrors: readonly TransferError[]): object => ({
      inventoryTransfer: null,
      deletedId: null,
      userErrors,
    });
    const status = statusOf(id);
    if (status === undefined) return refused([{ field, ...NO_TRANSFER }]);
    if (states && !states.includes(String(status)))
      return refused([{ field, message: `Can't ${words}.`, code: 'INVALID_TRANSFER_STATUS' }]);
    const result = run();
    if (Array.isArray(result)) return refused(result);
    if (nodes.find(id)) changed('update', id, nodes.fieldsOf(id));
    return { inventoryTransfer: view(id), userErrors: [], ...result };
  };

  return {
    inventoryTransferCreate: once(({ input }: { input: CreateInput }) => create(input, false)),
    inventoryTransferCreateAsReadyToShip: once(({ input }: { input: CreateInput }) =>
      create(input, true),
    ),

    inventoryTransferEdit: ({ id, input }: EditArgs) =>
      onTransfer(id, ['id'], [null, ''], () => {
        const { originId, destinationId, ...fields } = input;
        const names = ['originId', 'destinationId'] as const;
        const errors = locationErrors(shop, [originId, destinationId], names);
        const moved = originId == null ? (destinationId == null ? null : names[1]) : names[0];
        if (errors.length > 0) return errors;
        if (moved && statusOf(id) !== 'DRAFT') return [{ field: ['input', moved], ...IMMUTABLE }];
        nodes.update(id, {
          ...fields,
          ...(originId == null ? {} : { origin: snapshot(originId) }),
          ...(destinationId == null ? {} : { destination: snapshot(destinationId) }),
        });
        return {};
      }),

    inventoryTransferSetItems: once(({ input: { id, lineItems } }: SetItemsArgs) =>
      onTransfer(id, ['input', 'id'], [OPEN, 'set the items of a transfer that is closed'], () => {
        const path = ['input', 'lineItems'];
        const errors = itemErrors(shop, lineItems, path);
        if (errors.length === 0 && isReserved(id))
          errors.push(...stockErrors(shop, lineItems, originOf(id), path));
        if (errors.length > 0) return errors;
        const before = linesOf(id);
        const known = (item: MovedItem) =>
          before.find((line) => line.inventoryItemId === item.inventoryItemId);
        const updatedLineItems = lineItems.map((item) => ({
          inventoryItemId: item.inventoryItemId,
          newQuantity: item.quantity,
          deltaQuantity: item.quantity - (known(item)?.quantity ?? 0),
        }));
        if (isReserved(id))
          reserve(
            id,
            updatedLineItems.map((one) => ({ ...one, quantity: one.deltaQuantity })),
          );
        const added = lineItems.flatMap((item) => {
          const line = known(item);
          if (!line) return [addLine(id, item)];
          nodes.update(line.id, { totalQuantity: item.quantity });
          return [];
        });
        nodes.update(id, { lineItems: [...before.map((line) => line.id), ...added] });
        return { updatedLineItems };
      }),
    ),

    inventoryTransferRemoveItems: ({ input: { id, transferLineItemIds } }: RemoveItemsArgs) =>
      onTransfer(id, ['input', 'id'], [OPEN, 'remove items from a transfer that is closed'], () => {
        const before = linesOf(id);
        const ids = transferLineItemIds ?? [];
        const unknown = ids.findIndex((one) => !before.some((line) => line.id === one));
        if (unknown >= 0) return [{ field: [...LINES, String(unknown)], ...NO_ITEM }];
        const removed = before.filter((line) => ids.includes(line.id));
        if (isReserved(id) && removed.length === before.length)
          return [{ field: LINES, ...ALL_ITEMS }];
        if (isReserved(id))
          reserve(
            id,
            removed.map((line) => ({ ...line, quantity: -line.quantity })),
          );
        nodes.update(id, {
          lineItems: before.filter((line) => !removed.includes(line)).map((line) => line.id),
        });
        for (const line of removed) nodes.delete(line.id);
        return {
          removedQuantities: removed.map(({ inventoryItemId, quantity }) => ({
            inventoryItemId,
            newQuantity: 0,
            deltaQuantity: -quantity,
          })),
        };
      }),

    inventoryTransferMarkAsReadyToShip: ({ id }: { id: string }) =>
      onTransfer(id, ['id'], [['DRAFT'], `mark the transfer as ready to ship ${DRAFTS}`], () => {
        const items = linesOf(id);
        const { origin, destination } = nodes.fieldsOf(id);
        const field = ['id'];
        if (items.length === 0)
          return [{ field, message: 'The list of line items is empty.', code: 'ITEMS_EMPTY' }];
        if (!origin || !destination)
          return [{ field, message: 'A location is required.', code: 'LOCATION_REQUIRED' }];
        const errors = stockErrors(shop, items, originOf(id), ['lineItems']);
        if (errors.length > 0)
          return errors.map(({ message }) => ({ field, message, code: 'INVALID_ITEM' }));
        nodes.update(id, { status: 'READY_TO_SHIP' });
        reserve(id, items);
        return {};
      }),

    inventoryTransferCancel: ({ id }: { id: string }) =>
      onTransfer(id, ['id'], [OPEN, 'cancel a transfer that is closed'], () => {
        if (shipmentsOf(nodes, id).length > 0) return [{ field: ['id'], ...SHIPMENTS }];
        if (isReserved(id))
          reserve(
            id,
            linesOf(id).map((line) => ({ ...line, quantity: -line.quantity })),
          );
        nodes.update(id, { status: 'CANCELED' });
        return {};
      }),

    inventoryTransferDuplicate: once(({ id }: { id: string }) =>
      onTransfer(id, ['id'], [null, ''], () => {
        const { origin, destination, note, tags, referenceName } = nodes.fieldsOf(id);
        return create(
          {
            ...{ note, tags, referenceName },
            originLocationId: Object(origin).location,
            destinationLocationId: Object(destination).location,
            lineItems: linesOf(id),
          },
          false,
        );
      }),
    ),

    inventoryTransferDelete: ({ id }: { id: string }) =>
      onTransfer(id, ['id'], [['DRAFT'], `delete the transfer ${DRAFTS}`], () => {
        for (const line of linesOf(id)) nodes.delete(line.id);
        nodes.delete(id);
        return { deletedId: id };
      }),
  };
}

const OPEN = ['DRAFT', 'READY_TO_SHIP', 'IN_PROGRESS'];
const DRAFTS = "if it's not in the draft status";
const LINES = ['input', 'transferLineItemIds'];
const IMMUTABLE = {
  message: "Can't change the location of a transfer that is not in the draft status.",
  code: 'TRANSFER_LOCATION_IMMUTABLE',
};
const ALL_ITEMS = {
  message: "Can't remove all items from a transfer that is ready to ship.",
  code: 'CANT_REMOVE_ALL_ITEMS_FROM_READY_TO_SHIP_TRANSFER',
};
const SHIPMENTS = {
  message: "Can't cancel a transfer with shipments.",
  code: 'SHIPMENT_EXISTS',
};
