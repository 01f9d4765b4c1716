import type { NodeStore } from '../../state/nodes/node-store.js';
import { amountOf, listOf, unreceived, unshipped } from './transfer-fields.js';
import { NO_ITEM, type MovedItem, type TransferError } from './transfer-input.js';

type Path = (index: number) => readonly string[];

/** A line of a shipment, and how many of it, in an input. */
export interface LineQuantity {
  readonly shipmentLineItemId: string;
  readonly quantity: number;
}

/** Which of some lines a shipment does not have. @param path of a line, by its index */
export function unknownLines(
  nodes: NodeStore,
  shipment: string,
  lines: readonly string[],
  path: Path,
): TransferError[] {
  const own = listOf(nodes, shipment, 'lineItems');
  return lines.flatMap((line, index) =>
    own.includes(line) ? [] : [{ field: path(index), ...NO_ITEM }],
  );
}

/** Which of some lines are named a second time. @param path of a line, by its index */
export function repeatedLines(lines: readonly string[], path: Path): TransferError[] {
  return lines.flatMap((line, index) =>
    lines.indexOf(line) === index ? [] : [{ field: path(index), ...REPEATED }],
  );
}

/** Which items are more than what no shipment of a transfer has yet. @param path of their list */
export function tooMany(
  nodes: NodeStore,
  transfer: string,
  items: readonly MovedItem[],
  path: readonly string[],
): TransferError[] {
  const lines = listOf(nodes, transfer, 'lineItems');
  return items.flatMap(({ inventoryItemId, quantity }, index) => {
    const line = lines.find((one) => nodes.fieldsOf(one)['inventoryItem'] === inventoryItemId);
    const left = line === undefined ? 0 : unshipped(nodes, line);
    return quantity <= Math.max(0, left)
      ? []
      : [{ field: [...path, String(index), 'quantity'], ...ABOVE_TRANSFER }];
  });
}

/** Which quantities are negative, or more than what of their line is still on its way. */
export function notReceivable(
  nodes: NodeStore,
  items: readonly LineQuantity[],
  path: Path,
): TransferError[] {
  const sums = new Map<string, number>();
  return items.flatMap(({ shipmentLineItemId: line, quantity }, index) => {
    if (quantity < 0) return [{ field: path(index), ...NEGATIVE }];
    const sum = (sums.get(line) ?? 0) + quantity;
    sums.set(line, sum);
    return sum <= unreceived(nodes, line) ? [] : [{ field: path(index), ...ABOVE_SHIPMENT }];
  });
}

/** Which new quantities of lines are negative, or less than what of the line was received. */
export function notChangeable(
  nodes: NodeStore,
  items: readonly LineQuantity[],
  path: Path,
): TransferError[] {
  return items.flatMap(({ shipmentLineItemId: line, quantity }, index) => {
    if (quantity < 0) return [{ field: path(index), ...NEGATIVE }];
    const received = amountOf(nodes, line, 'quantity') - unreceived(nodes, line);
    return quantity >= received ? [] : [{ field: path(index), ...BELOW_RECEIVED }];
  });
}

const REPEATED = { message: 'Each shipment line item must be unique.', code: 'ITEM_NOT_FOUND' };
const NEGATIVE = { message: "The quantity can't be negative.", code: 'INVALID_QUANTITY' };
const ABOVE_TRANSFER = {
  message: "The quantity can't be more than what is left to ship of the transfer.",
  code: 'INVALID_QUANTITY',
};
const ABOVE_SHIPMENT = {
  message: "The quantity can't be more than what is left to receive.",
  code: 'INVALID_QUANTITY',
};
const BELOW_RECEIVED = {
  message: "The quantity can't be less than what was received.",
  code: 'INVALID_QUANTITY',
};
