import { capital } from '../../base/text-values.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import {
  fulfillmentOrder,
  CANCELLED_AFTER_PROGRESS,
  FULFILLMENT_ORDER_NOT_FOUND,
  hasTooFew,
  holdProblem,
  keepOnly,
  mergeProblems,
  MOVED_AFTER_PROGRESS,
  TakenQuantities,
  WRONG_LINES,
  wrongState,
  type FulfillmentOrderError,
  type FulfillmentOrderPart,
  type HoldInput,
  type Lines,
} from './fulfillment-order-checks.js';
import { idsOf, nodeOf, quantitiesToFulfill, settle, splitOff } from './fulfillment-orders.js';

interface HoldArgs {
  id: string;
  fulfillmentHold: HoldInput;
}

interface ReleaseArgs {
  id: string;
  holdIds?: readonly string[] | null;
  externalId?: string | null;
}

interface MoveArgs {
  id: string;
  newLocationId: string;
  fulfillmentOrderLineItems?: Lines | null;
}

const ACTIVE = ['OPEN', 'IN_PROGRESS', 'SCHEDULED', 'ON_HOLD', 'INCOMPLETE'];
const MOST_HOLDS = 10;

/**
 * The resolvers of the mutations of fulfillment orders: holds, moves, splits and merges.
 * @see https://shopify.dev/docs/apps/build/orders-fulfillment/fulfillment-service-apps
 */
export function fulfillmentOrderRoot({
  reader,
  changed,
  view,
}: NodeWriter): Record<string, unknown> {
  const { nodes } = reader.store;
  const seen = (id: string | undefined): object | null => (id ? view(id) : null);
  const told = (topic: string, id: string): void =>
    changed.topic(`fulfillment_orders/${topic}`, id);
  return {
    fulfillmentOrderHold: ({ id, fulfillmentHold: hold }: HoldArgs) => {
      const fields = fulfillmentOrder(nodes, id);
      const holds = idsOf(fields['fulfillmentHolds']);
      const { fulfillmentOrderLineItems: lines, handle } = hold;
      const refused = (code: string | undefined, message: string, ...field: string[]): object => ({
        fulfillmentHold: null,
        fulfillmentOrder: null,
        remainingFulfillmentOrder: null,
        userErrors: [{ field: ['fulfillmentHold', ...field], message, code }],
      });
      const error = holdProblem(hold);
      if (error) return refused(...error);
      if (lines?.length && holds.length > 0)
        return refused(
          'FULFILLMENT_ORDER_NOT_SPLITTABLE',
          'The fulfillment order is not in a splittable state.',
          'fulfillmentOrderLineItems',
        );
      if (holds.some((one) => nodes.fieldsOf(one)['handle'] === (handle ?? '')))
        return refused('DUPLICATE_FULFILLMENT_HOLD_HANDLE', SAME_HANDLE, 'handle');
      if (holds.length >= MOST_HOLDS)
        return refused('FULFILLMENT_ORDER_HOLD_LIMIT_REACHED', TOO_MANY_HOLDS);
      if (hasTooFew(nodes, id, lines))
        return refused('INVALID_LINE_ITEM_QUANTITY', WRONG_LINES, 'fulfillmentOrderLineItems');
      if (!ACTIVE.includes(String(fields['status'])))
        return { ...refused('', ''), userErrors: [wrongState(fields)] };
      const rest = lines?.length ? keepOnly(nodes, id, lines) : undefined;
      const { id: made } = nodes.create('FulfillmentHold', {
        ...{ handle: handle ?? '', reason: hold.reason, reasonNotes: hold.reasonNotes ?? null },
        externalId: hold.externalId ?? null,
        displayReason: capital(hold.reason.toLowerCase().replaceAll('_', ' ')),
        heldByRequestingApp: true,
      });
      nodes.update(id, { fulfillmentHolds: [...holds, made] });
      settle(nodes, id, 'ON_HOLD');
      told('placed_on_hold', id);
      return {
        fulfillmentHold: view(made),
        fulfillmentOrder: view(id),
        remainingFulfillmentOrder: seen(rest),
        userErrors: [],
      };
    },

    fulfillmentOrderReleaseHold: ({ id, holdIds, externalId }: ReleaseArgs) => {
      const holds = idsOf(fulfillmentOrder(nodes, id)['fulfillmentHolds']);
      const kept = holds.filter((one) =>
        holdIds?.length
          ? !holdIds.includes(one)
          : externalId != null && nodes.fieldsOf(one)['externalId'] !== externalId,
      );
      nodes.update(id, { fulfillmentHolds: kept });
      if (kept.length === 0 && holds.length > 0) {
        settle(nodes, id, 'OPEN');
        told('hold_released', id);
      }
      return { fulfillmentOrder: view(id), userErrors: [] };
    },

    fulfillmentOrderMove: ({ id, newLocationId, fulfillmentOrderLineItems }: MoveArgs) => {
      const fields = fulfillmentOrder(nodes, id);
      const location = nodeOf(nodes, 'Location', newLocationId);
      const refused = (error: FulfillmentOrderError): object => ({
        movedFulfillmentOrder: null,
        originalFulfillmentOrder: null,
        remainingFulfillmentOrder: null,
        userErrors: [error],
      });
      if (!location) return refused({ field: null, message: 'Location not found.' });
      if (!ACTIVE.includes(String(fields['status'])))
        return refused({ field: null, message: 'Cannot change location.' });
      if (fields['hasReported'])
        return refused({
          field: ['id'],
          message: MOVED_AFTER_PROGRESS,
          code: 'CANNOT_MOVE_FULFILLMENT_ORDER_WITH_REPORTED_PROGRESS',
        });
      if (hasTooFew(nodes, id, fulfillmentOrderLineItems))
        return refused({ field: ['fulfillmentOrderLineItems'], message: WRONG_LINES });
      const rest = keepOnly(nodes, id, fulfillmentOrderLineItems);
      const { name } = location;
      nodes.update(id, { assignedLocation: { location: newLocationId, name } });
      told('moved', id);
      return {
        movedFulfillmentOrder: view(id),
        originalFulfillmentOrder: view(id),
        remainingFulfillmentOrder: seen(rest),
        userErrors: [],
      };
    },

    fulfillmentOrderSplit: ({
      fulfillmentOrderSplits,
    }: {
      fulfillmentOrderSplits: FulfillmentOrderPart[];
    }) => {
      const taken = new TakenQuantities(nodes);
      const errors = fulfillmentOrderSplits.flatMap((part, index): FulfillmentOrderError[] => {
        const { fulfillmentOrderId: id, fulfillmentOrderLineItems: lines } = part;
        const place = ['fulfillmentOrderSplits', String(index)];
        const field = [...place, 'fulfillmentOrderLineItems'];
        if (!nodeOf(nodes, 'FulfillmentOrder', id))
          return [{ ...FULFILLMENT_ORDER_NOT_FOUND, field: [...place, 'fulfillmentOrderId'] }];
        if (!lines?.length)
          return [{ field, message: NO_LINES, code: 'NO_LINE_ITEMS_PROVIDED_TO_SPLIT' }];
        const none = lines.findIndex(({ quantity }) => quantity <= 0);
        if (none >= 0)
          return [
            {
              field: [...field, String(none), 'quantity'],
              message: 'Quantity must be greater than 0',
              code: 'GREATER_THAN',
            },
          ];
        return taken.take(id, lines)
          ? [{ field, message: WRONG_LINES, code: 'INVALID_LINE_ITEM_QUANTITY' }]
          : [];
      });
      if (errors.length > 0) return { fulfillmentOrderSplits: null, userErrors: errors };
      const splits = fulfillmentOrderSplits.map(({ fulfillmentOrderId: id, ...part }) => {
        const taken = quantitiesToFulfill(nodes, id, part.fulfillmentOrderLineItems);
        const other = splitOff(nodes, id, taken);
        told('split', id);
        return {
          fulfillmentOrder: view(id),
          remainingFulfillmentOrder: seen(other),
          replacementFulfillmentOrder: null,
        };
      });
      return { fulfillmentOrderSplits: splits, userErrors: [] };
    },

    fulfillmentOrderMerge: ({
      fulfillmentOrderMergeInputs: inputs,
    }: {
      fulfillmentOrderMergeInputs: ReadonlyArray<{ mergeIntents: readonly FulfillmentOrderPart[] }>;
    }) => {
      const errors = mergeProblems(
        nodes,
        inputs.map(({ mergeIntents }) => mergeIntents),
      );
      if (errors.length > 0) return { fulfillmentOrderMerges: null, userErrors: errors };
      const merges = inputs.flatMap(({ mergeIntents: [first, ...others] }) => {
        if (!first) return [];
        const id = first.fulfillmentOrderId;
        for (const { fulfillmentOrderId: other, fulfillmentOrderLineItems: lines } of others)
          if (other !== id) splitOff(nodes, other, quantitiesToFulfill(nodes, other, lines), id);
        told('merged', id);
        return [{ fulfillmentOrder: view(id) }];
      });
      return { fulfillmentOrderMerges: merges, userErrors: [] };
    },

    fulfillmentOrderCancel: ({ id }: { id: string }) => {
      const fields = fulfillmentOrder(nodes, id);
      if (!ACTIVE.includes(String(fields['status'])))
        return {
          fulfillmentOrder: null,
          replacementFulfillmentOrder: null,
          userErrors: [wrongState(fields)],
        };
      if (fields['hasReported'])
        return {
          fulfillmentOrder: null,
          replacementFulfillmentOrder: null,
          userErrors: [
            {
              field: ['id'],
              message: CANCELLED_AFTER_PROGRESS,
              code: 'FULFILLMENT_ORDER_HAS_MANUALLY_REPORTED_PROGRESS',
            },
          ],
        };
      const all = quantitiesToFulfill(nodes, id, null);
      nodes.update(id, { fulfillmentHolds: [] });
      const replacement = splitOff(nodes, id, all);
      settle(nodes, id, 'CANCELLED');
      if (replacement) settle(nodes, replacement, 'OPEN');
      told('cancelled', id);
      return {
        fulfillmentOrder: view(id),
        replacementFulfillmentOrder: seen(replacement),
        userErrors: [],
      };
    },
  };
}

const NO_LINES = 'There must be at least one item selected in this fulfillment to split it.';
const SAME_HANDLE =
  'The handle provided for the fulfillment hold is already in use by this app for another hold on this fulfillment order.';
const TOO_MANY_HOLDS = `The maximum number of fulfillment holds for this fulfillment order has been reached for this app. An app can only have up to ${MOST_HOLDS} holds on a single fulfillment order at any one time.`;
