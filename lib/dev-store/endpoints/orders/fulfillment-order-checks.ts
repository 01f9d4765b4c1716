import { ForeignIdError } from '../../graphql/graphql.errors.js';
import type { NodeFields, NodeStore } from '../../state/nodes/node-store.js';
import { hasLeft, nodeOf, quantitiesToFulfill, splitOff } from './fulfillment-orders.js';

/** Which of the lines of a fulfillment order are meant, and how many of each; all when empty. */
export type Lines = ReadonlyArray<{ readonly id: string; readonly quantity: number }>;

/** Why a change of a fulfillment order is refused. */
export interface FulfillmentOrderError {
  readonly field: readonly string[] | null;
  readonly message: string;
  readonly code?: string;
}

export const WRONG_LINES = 'Invalid fulfillment order line item quantity requested.';

/**
 * The fields of a fulfillment order.
 * @throws ForeignIdError for an id that none has, as on the platform
 */
export function fulfillmentOrder(nodes: NodeStore, id: string): Readonly<NodeFields> {
  const fields = nodeOf(nodes, 'FulfillmentOrder', id);
  if (!fields) throw new ForeignIdError(id);
  return fields;
}

/** That a fulfillment order is in a state that does not allow what is asked. */
export function wrongState({ status }: Readonly<NodeFields>): FulfillmentOrderError {
  const message = `Expected fulfillment order status to be valid but it was ${String(status).toLowerCase()}.`;
  return { field: null, message };
}

/** Whether a fulfillment order has not as many as are asked for. */
export function hasTooFew(nodes: NodeStore, id: string, lines: Lines | null | undefined): boolean {
  return (
    !!lines?.length &&
    (lines.some(({ quantity }) => quantity <= 0) ||
      !hasLeft(nodes, id, quantitiesToFulfill(nodes, id, lines)))
  );
}

/** Leaves what is meant in a fulfillment order. Returns the one with the rest, if there is any. */
export function keepOnly(
  nodes: NodeStore,
  id: string,
  lines: Lines | null | undefined,
): string | undefined {
  const kept = quantitiesToFulfill(nodes, id, lines);
  const all = quantitiesToFulfill(nodes, id, null);
  const rest = [...all].map(
    ([line, quantity]) => [line, quantity - (kept.get(line) ?? 0)] as const,
  );
  return splitOff(nodes, id, new Map(rest));
}
