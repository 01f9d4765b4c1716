import { countView } from '../../graphql/graphql.views.js';
import type { NodeStore } from '../../state/nodes/node-store.js';
import type { OwnField } from '../nodes/node-reader.js';

/** The ids in a list of a node. */
export function listOf(nodes: NodeStore, id: string, name: string): string[] {
  const list = nodes.fieldsOf(id)[name];
  return Array.isArray(list) ? (list as string[]) : [];
}

/** A number of a node; 0 when it has none. */
export function amountOf(nodes: NodeStore, id: string, name: string): number {
  return Number(nodes.fieldsOf(id)[name] ?? 0);
}

/** The shipments of a transfer. */
export function shipmentsOf(nodes: NodeStore, transfer: string): string[] {
  return nodes
    .all(['InventoryShipment'])
    .filter(({ fields }) => fields['transfer'] === transfer)
    .map(({ id }) => id);
}

/** The lines of a shipment, or of a transfer, and the sum of one of their numbers. */
function sumOf(nodes: NodeStore, id: string, name: string): number {
  return listOf(nodes, id, 'lineItems').reduce((sum, line) => sum + amountOf(nodes, line, name), 0);
}

/** How many of the item of a line are in the shipments of its transfer. */
function inShipments(nodes: NodeStore, line: string, isDraft: boolean): number {
  const { transfer, inventoryItem } = nodes.fieldsOf(line);
  return shipmentsOf(nodes, String(transfer))
    .filter((id) => (nodes.fieldsOf(id)['status'] === 'DRAFT') === isDraft)
    .flatMap((id) => listOf(nodes, id, 'lineItems'))
    .filter((id) => nodes.fieldsOf(id)['inventoryItem'] === inventoryItem)
    .reduce((sum, id) => sum + amountOf(nodes, id, 'quantity'), 0);
}

/** How many of a line of a transfer are in no shipment yet. */
export function unshipped(nodes: NodeStore, line: string): number {
  return (
    amountOf(nodes, line, 'totalQuantity') -
    inShipments(nodes, line, true) -
    inShipments(nodes, line, false)
  );
}

/** The quantities of transfers and shipments, which follow from their lines. */
export function transferFields(nodes: NodeStore): Record<string, OwnField> {
  const left = (line: string): number => unshipped(nodes, line);
  const received = (id: string): number =>
    sumOf(nodes, id, 'acceptedQuantity') + sumOf(nodes, id, 'rejectedQuantity');
  const lines: OwnField = (id) => countView(listOf(nodes, id, 'lineItems').length);
  return {
    'InventoryTransfer.totalQuantity': (id) => sumOf(nodes, id, 'totalQuantity'),
    'InventoryTransfer.receivedQuantity': (id) =>
      shipmentsOf(nodes, id).reduce((sum, one) => sum + received(one), 0),
    'InventoryTransfer.shipments': (id) => shipmentsOf(nodes, id),
    'InventoryTransfer.lineItemsCount': lines,
    'InventoryTransferLineItem.pickedForShipmentQuantity': (id) => inShipments(nodes, id, true),
    'InventoryTransferLineItem.shippedQuantity': (id) => inShipments(nodes, id, false),
    'InventoryTransferLineItem.processableQuantity': left,
    'InventoryTransferLineItem.shippableQuantity': (id) => {
      const { status } = nodes.fieldsOf(String(nodes.fieldsOf(id)['transfer']));
      return status === 'READY_TO_SHIP' || status === 'IN_PROGRESS' ? left(id) : 0;
    },
    'InventoryShipment.lineItemTotalQuantity': (id) => sumOf(nodes, id, 'quantity'),
    'InventoryShipment.totalAcceptedQuantity': (id) => sumOf(nodes, id, 'acceptedQuantity'),
    'InventoryShipment.totalRejectedQuantity': (id) => sumOf(nodes, id, 'rejectedQuantity'),
    'InventoryShipment.totalReceivedQuantity': received,
    'InventoryShipment.lineItemsCount': lines,
    'InventoryShipmentLineItem.unreceivedQuantity': (id) => unreceived(nodes, id),
  };
}

/** How many of a line of a shipment are still on their way. */
export function unreceived(nodes: NodeStore, line: string): number {
  return (
    amountOf(nodes, line, 'quantity') -
    amountOf(nodes, line, 'acceptedQuantity') -
    amountOf(nodes, line, 'rejectedQuantity')
  );
}
