import type { GraphQLResolveInfo } from 'graphql';
import { isoTime } from '../../base/iso-time.js';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import { newLevel, type KeptQuantity } from '../../state/inventory/inventory-level.js';
import type { NodeFields } from '../../state/nodes/node-store.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { runOnce } from './idempotent.js';
import { applyChanges, itemById } from './inventory-changes.js';
import { amountOf, listOf, shipmentsOf, unreceived } from './transfer-fields.js';
import {
  notChangeable,
  notReceivable,
  repeatedLines,
  tooMany,
  unknownLines,
  type LineQuantity,
} from './shipment-input.js';
import { itemErrors, NO_TRANSFER, type MovedItem, type TransferError } from './transfer-input.js';

interface CreateInput {
  readonly movementId: string;
  readonly lineItems: readonly MovedItem[];
  readonly trackingInput?: NodeFields | null;
  readonly barcode?: string | null;
  readonly dateCreated?: string | null;
}

interface ReceivedItem extends LineQuantity {
  readonly reason: string;
}

interface ShipmentArgs {
  readonly id: string;
  readonly lineItems?: unknown;
  readonly items?: readonly LineQuantity[];
  readonly tracking?: NodeFields;
  readonly barcode?: string;
  readonly dateShipped?: string | null;
  readonly dateReceived?: string | null;
  readonly bulkReceiveAction?: string | null;
}

type Result = object | readonly TransferError[];

/**
 * The resolvers of the mutations of shipments. What is on its way is incoming at the destination of
 * its transfer, and no longer at the origin.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/objects/InventoryShipment
 */
export function shipmentRoot(writer: NodeWriter): Record<string, unknown> {
  const { reader, catalog, notify, view } = writer;
  const { nodes, defaults } = reader.store;
  const linesOf = (id: string): string[] => listOf(nodes, id, 'lineItems');
  const itemOf = (line: string): string => String(nodes.fieldsOf(line)['inventoryItem']);
  const isOnTheWay = (id: string): boolean => nodes.fieldsOf(id)['status'] !== 'DRAFT';

  /** Changes quantities at one end of the transfer of a shipment. */
  const change = (
    id: string,
    end: 'origin' | 'destination',
    deltas: ReadonlyArray<readonly [itemId: string, name: KeptQuantity, delta: number]>,
  ): void => {
    const transfer = nodes.fieldsOf(String(nodes.fieldsOf(id)['transfer']));
    const locationId = String(Object(transfer[end]).location);
    for (const [itemId] of deltas) {
      const { levels = [] } = itemById(catalog, itemId)?.variant ?? {};
      if (!levels.some((level) => level.locationId === locationId))
        levels.push(newLevel(locationId, defaults.now()));
    }
    const changes = deltas.map(([itemId, name, delta]) => ({ itemId, locationId, name, delta }));
    applyChanges(catalog, changes, defaults.now(), notify);
  };
  /** Sends items on their way, or, with negative quantities, takes them back. */
  const send = (id: string, items: readonly MovedItem[]): void => {
    change(
      id,
      'origin',
      items.map((one) => [one.inventoryItemId, 'reserved', -one.quantity]),
    );
    change(
      id,
      'destination',
      items.map((one) => [one.inventoryItemId, 'incoming', one.quantity]),
    );
  };
  const itemsOf = (lines: readonly string[]): MovedItem[] =>
    lines.map((line) => ({ inventoryItemId: itemOf(line), quantity: unreceived(nodes, line) }));

  const addLines = (items: readonly MovedItem[]): string[] =>
    items.map(
      ({ inventoryItemId: inventoryItem, quantity }) =>
        nodes.create('InventoryShipmentLineItem', {
          ...{ inventoryItem, quantity, acceptedQuantity: 0, rejectedQuantity: 0 },
        }).id,
    );

  /** Marks a transfer by how far its shipments are. */
  const settle = (id: string): void => {
    const transfer = String(nodes.fieldsOf(id)['transfer']);
    const states = shipmentsOf(nodes, transfer).map((one) => nodes.fieldsOf(one)['status']);
    const isDone = states.length > 0 && states.every((status) => status === 'RECEIVED');
    const isMoving = states.some((status) => status !== 'DRAFT');
    const status = isDone ? 'TRANSFERRED' : isMoving ? 'IN_PROGRESS' : 'READY_TO_SHIP';
    nodes.update(transfer, { status });
  };

  const created =
    (isSent: boolean) =>
    (args: { input: CreateInput }, _context: GraphqlContext, info: GraphQLResolveInfo): object =>
      runOnce(writer, args, info, () => {
        const { movementId, lineItems, trackingInput, barcode, dateCreated } = args.input;
        const transfer = nodes.find(movementId);
        const errors: TransferError[] =
          transfer?.type === 'InventoryTransfer'
            ? itemErrors({ nodes, catalog }, lineItems, ['input', 'lineItems'])
            : [{ field: ['input', 'movementId'], ...NO_TRANSFER }];
        if (errors.length === 0 && lineItems.length === 0)
          errors.push({ field: ['input', 'lineItems'], ...EMPTY });
        const { status, name } = nodes.fieldsOf(movementId);
        if (errors.length === 0 && status !== 'READY_TO_SHIP' && status !== 'IN_PROGRESS')
          errors.push({ field: ['input', 'movementId'], ...NOT_READY });
        if (errors.length === 0)
          errors.push(...tooMany(nodes, movementId, lineItems, ['input', 'lineItems']));
        if (errors.length > 0) return { inventoryShipment: null, userErrors: errors };
        const { id } = nodes.create('InventoryShipment', {
          transfer: movementId,
          name: `${String(name)}-${shipmentsOf(nodes, movementId).length + 1}`,
          status: isSent ? 'IN_TRANSIT' : 'DRAFT',
          tracking: trackingInput ?? null,
          barcode: barcode ?? null,
          dateCreated: dateCreated ?? isoTime(defaults.now()),
          dateShipped: isSent ? isoTime(defaults.now()) : null,
        });
        nodes.update(id, { lineItems: addLines(lineItems) });
        if (isSent) send(id, lineItems);
        settle(id);
        return { inventoryShipment: view(id), userErrors: [] };
      });

  /** A mutation of a shipment in one of some states, once for each key where keys count. */
  const onShipment =
    (states: readonly string[] | null, hasKey: boolean, run: (args: ShipmentArgs) => Result) =>
    (args: ShipmentArgs, _context: GraphqlContext, info: GraphQLResolveInfo): object => {
      const { id } = args;
      const answer = (): object => {
        const refused = (userErrors: readonly TransferError[]): object => ({
          ...{ inventoryShipment: null, shipment: null, id: null },
          userErrors,
        });
        if (nodes.find(id)?.type !== 'InventoryShipment')
          return refused([{ field: ['id'], ...NOT_FOUND }]);
        if (states && !states.includes(String(nodes.fieldsOf(id)['status'])))
          return refused([{ field: ['id'], ...WRONG_STATUS }]);
        const result = run(args);
        if (Array.isArray(result)) return refused(result);
        if (nodes.find(id)) settle(id);
        const shipment = view(id);
        return { inventoryShipment: shipment, shipment, userErrors: [], ...result };
      };
      return hasKey ? runOnce(writer, args, info, answer) : answer();
    };

  const transferOf = (id: string): string => String(nodes.fieldsOf(id)['transfer']);

  return {
    inventoryShipmentCreate: created(false),
    inventoryShipmentCreateInTransit: created(true),

    inventoryShipmentAddItems: onShipment(OPEN, true, ({ id, lineItems }) => {
      const items = lineItems as readonly MovedItem[];
      const errors = itemErrors({ nodes, catalog }, items, ['lineItems']);
      if (errors.length === 0) errors.push(...tooMany(nodes, transferOf(id), items, ['lineItems']));
      if (errors.length > 0) return errors;
      const added = addLines(items);
      nodes.update(id, { lineItems: [...linesOf(id), ...added] });
      if (isOnTheWay(id)) send(id, items);
      return { addedItems: added.map(view) };
    }),

    inventoryShipmentRemoveItems: onShipment(OPEN, false, ({ id, lineItems }) => {
      const lines = lineItems as readonly string[];
      const path = (index: number): string[] => ['lineItems', String(index)];
      const errors = [...unknownLines(nodes, id, lines, path), ...repeatedLines(lines, path)];
      if (errors.length > 0) return errors;
      if (isOnTheWay(id))
        send(
          id,
          itemsOf(lines).map((one) => ({ ...one, quantity: -one.quantity })),
        );
      nodes.update(id, { lineItems: linesOf(id).filter((line) => !lines.includes(line)) });
      return {};
    }),

    inventoryShipmentUpdateItemQuantities: onShipment(OPEN, false, ({ id, items = [] }) => {
      const ids = items.map((one) => one.shipmentLineItemId);
      const path = (index: number): string[] => ['items', String(index), 'shipmentLineItemId'];
      const amount = (index: number): string[] => ['items', String(index), 'quantity'];
      const errors = [...unknownLines(nodes, id, ids, path), ...repeatedLines(ids, path)];
      if (errors.length === 0) errors.push(...notChangeable(nodes, items, amount));
      if (errors.length > 0) return errors;
      const deltas = items.map(({ shipmentLineItemId: line, quantity }) => ({
        inventoryItemId: itemOf(line),
        quantity: quantity - amountOf(nodes, line, 'quantity'),
      }));
      const above = tooMany(nodes, transferOf(id), deltas, ['items']);
      if (above.length > 0) return above;
      if (isOnTheWay(id)) send(id, deltas);
      for (const { shipmentLineItemId: line, quantity } of items) nodes.update(line, { quantity });
      return { updatedLineItems: ids.map(view) };
    }),

    inventoryShipmentMarkInTransit: onShipment(['DRAFT'], false, ({ id, dateShipped }) => {
      if (linesOf(id).length === 0) return [{ field: ['id'], ...EMPTY, code: 'ITEMS_EMPTY' }];
      nodes.update(id, {
        status: 'IN_TRANSIT',
        dateShipped: dateShipped ?? isoTime(defaults.now()),
      });
      send(id, itemsOf(linesOf(id)));
      return {};
    }),

    inventoryShipmentReceive: onShipment(MOVING, true, (args) => {
      const { id, bulkReceiveAction, dateReceived } = args;
      const given = (args.lineItems ?? []) as readonly ReceivedItem[];
      const items = bulkReceiveAction
        ? linesOf(id).map((line) => ({
            shipmentLineItemId: line,
            quantity: unreceived(nodes, line),
            reason: bulkReceiveAction,
          }))
        : given;
      const ids = items.map((one) => one.shipmentLineItemId);
      const path = (index: number): string[] => ['lineItems', String(index), 'shipmentLineItemId'];
      const amount = (index: number): string[] => ['lineItems', String(index), 'quantity'];
      const errors = unknownLines(nodes, id, ids, path);
      if (errors.length === 0) errors.push(...notReceivable(nodes, items, amount));
      if (errors.length > 0) return errors;
      for (const { shipmentLineItemId: line, quantity, reason } of items) {
        const name = reason === 'ACCEPTED' ? 'acceptedQuantity' : 'rejectedQuantity';
        nodes.update(line, { [name]: amountOf(nodes, line, name) + quantity });
        const accepted = reason === 'ACCEPTED' ? quantity : 0;
        change(id, 'destination', [
          [itemOf(line), 'incoming', -quantity],
          [itemOf(line), 'available', accepted],
        ]);
      }
      const isDone = linesOf(id).every((line) => unreceived(nodes, line) <= 0);
      nodes.update(id, {
        status: isDone ? 'RECEIVED' : 'PARTIALLY_RECEIVED',
        dateReceived: dateReceived ?? isoTime(defaults.now()),
      });
      return {};
    }),

    inventoryShipmentSetTracking: onShipment(null, false, ({ id, tracking }) => {
      nodes.update(id, { tracking });
      return {};
    }),

    inventoryShipmentSetBarcode: onShipment(null, false, ({ id, barcode }) => {
      nodes.update(id, { barcode });
      return {};
    }),

    inventoryShipmentDelete: onShipment(OPEN, false, ({ id }) => {
      if (isOnTheWay(id))
        change(
          id,
          'destination',
          itemsOf(linesOf(id)).map((one) => [one.inventoryItemId, 'incoming', -one.quantity]),
        );
      for (const line of linesOf(id)) nodes.delete(line);
      const { transfer } = nodes.fieldsOf(id);
      nodes.delete(id);
      const isLast = shipmentsOf(nodes, String(transfer)).length === 0;
      if (isLast) nodes.update(String(transfer), { status: 'READY_TO_SHIP' });
      return { id };
    }),
  };
}

const OPEN = ['DRAFT', 'IN_TRANSIT', 'PARTIALLY_RECEIVED'];
const MOVING = ['IN_TRANSIT', 'PARTIALLY_RECEIVED'];
const NOT_READY = {
  message: 'The transfer is not ready to be shipped.',
  code: 'INVALID_TRANSFER_STATUS',
};
const EMPTY = { message: 'The list of line items is empty.', code: 'EMPTY_SHIPMENT_INPUT' };
const NOT_FOUND = { message: "The shipment can't be found.", code: 'SHIPMENT_NOT_FOUND' };
const WRONG_STATUS = {
  message: 'The status of the shipment does not allow this.',
  code: 'INVALID_SHIPMENT_STATUS',
};
