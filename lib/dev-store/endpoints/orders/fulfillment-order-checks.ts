import { ForeignIdError } from '../../graphql/graphql.errors.js';
import type { NodeFields, NodeStore } from '../../state/nodes/node-store.js';
import { hasLeft, idsOf, nodeOf, quantitiesToFulfill, splitOff } from './fulfillment-orders.js';

/** Which of the lines of a fulfillment order are meant, and how many of each; all when empty. */
export type Lines = ReadonlyArray<{ readonly id: string; readonly quantity: number }>;

/** Why a change of a fulfillment order is refused. */
export interface FulfillmentOrderError {
  readonly field: readonly string[] | null;
  readonly message: string;
  readonly code?: string;
}

/** How a fulfillment order is held. */
export interface HoldInput {
  readonly reason: string;
  readonly reasonNotes?: string | null;
  readonly handle?: string | null;
  readonly externalId?: string | null;
  readonly fulfillmentOrderLineItems?: Lines | null;
}

/** A fulfillment order, with some of its lines. */
export interface FulfillmentOrderPart {
  readonly fulfillmentOrderId: string;
  readonly fulfillmentOrderLineItems?: Lines | null;
}

export const FULFILLMENT_ORDER_NOT_FOUND = {
  message: 'Fulfillment order does not exist.',
  code: 'FULFILLMENT_ORDER_NOT_FOUND',
};
export const MOVED_AFTER_PROGRESS =
  'Cannot move a fulfillment order that has had progress reported. To move a fulfillment order that has had progress reported, the fulfillment order must first be marked as open resolving the ongoing progress state.';
export const CANCELLED_AFTER_PROGRESS =
  'Cannot cancel fulfillment order that has had progress reported. Mark as unfulfilled first.';
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
  return !!lines?.length && new TakenQuantities(nodes).take(id, lines);
}

/** What several parts of one call take from fulfillment orders. */
export class TakenQuantities {
  private readonly taken = new Map<string, ReadonlyMap<string, number>>();

  constructor(private readonly nodes: NodeStore) {}

  /** Takes some lines, or all. Returns whether there are too few of them by then. */
  take(id: string, lines: Lines | null | undefined): boolean {
    const sums = quantitiesToFulfill(this.nodes, id, lines, this.taken.get(id));
    this.taken.set(id, sums);
    return !!lines?.some(({ quantity }) => quantity <= 0) || !hasLeft(this.nodes, id, sums);
  }
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

/** Why a fulfillment order is not held like that: a code, a message and a field. */
export function holdProblem({
  handle,
  fulfillmentOrderLineItems,
}: HoldInput): [code: string | undefined, message: string, field: string] | undefined {
  const lines = fulfillmentOrderLineItems ?? [];
  const field = 'fulfillmentOrderLineItems';
  if ((handle ?? '').length > MOST_LETTERS)
    return [undefined, `Handle is too long (maximum is ${MOST_LETTERS} characters)`, 'handle'];
  if (new Set(lines.map(({ id }) => id)).size < lines.length)
    return ['DUPLICATED_FULFILLMENT_ORDER_LINE_ITEMS', 'must contain unique line item ids', field];
  return lines.some(({ quantity }) => quantity <= 0)
    ? ['GREATER_THAN_ZERO', 'You must select at least one item to place on partial hold.', field]
    : undefined;
}

const MOST_LETTERS = 64;

/** Why the merges of a call are refused. */
export function mergeProblems(
  nodes: NodeStore,
  merges: ReadonlyArray<readonly FulfillmentOrderPart[]>,
): FulfillmentOrderError[] {
  const taken = new TakenQuantities(nodes);
  return merges.flatMap((parts) => {
    const [into] = parts.map(({ fulfillmentOrderId }) => fulfillmentOrderId);
    const orders = new Set(parts.map(({ fulfillmentOrderId: id }) => nodes.fieldsOf(id)['order']));
    const errors = parts.flatMap((part): readonly FulfillmentOrderError[] => {
      const { fulfillmentOrderId: id, fulfillmentOrderLineItems: lines } = part;
      const problem = mergeProblem(nodes, part);
      if (problem) return [problem];
      if (id === into) return [];
      return taken.take(id, lines) ? [{ field: null, message: WRONG_LINES }] : [];
    });
    if (errors.length > 0 || orders.size <= 1) return errors;
    return [{ field: null, message: 'Fulfillment orders must belong to the same order.' }];
  });
}

/** Why a fulfillment order is not merged with others. */
function mergeProblem(
  nodes: NodeStore,
  { fulfillmentOrderId: id, fulfillmentOrderLineItems: lines }: FulfillmentOrderPart,
): FulfillmentOrderError | undefined {
  const fields = nodeOf(nodes, 'FulfillmentOrder', id);
  if (!fields) return { field: null, ...FULFILLMENT_ORDER_NOT_FOUND };
  if (fields['status'] !== 'OPEN')
    return {
      field: null,
      message: `Fulfillment order: ${String(nodes.find(id)?.number)} is currently not in a mergeable state.`,
    };
  const own = idsOf(fields['lineItems']);
  if (lines?.some((line) => !own.includes(line.id)))
    return { field: null, message: 'Fulfillment order line item does not exist.' };
  return hasTooFew(nodes, id, lines) ? { field: null, message: WRONG_LINES } : undefined;
}
