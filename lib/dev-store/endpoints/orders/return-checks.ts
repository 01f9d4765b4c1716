import { globalId, idOf } from '../../base/vendor.js';
import type { NodeFields, NodeStore } from '../../state/nodes/node-store.js';
import type { NodeReader } from '../nodes/node-reader.js';

/** What is to come back of an order. */
export interface ReturnInput {
  readonly orderId: string;
  readonly requestedAt?: string | null;
  readonly returnLineItems: readonly ReturnLine[];
  readonly exchangeLineItems?: readonly ExchangeLine[] | null;
  readonly returnShippingFee?: { readonly amount: { readonly amount: unknown } } | null;
}

/** What is sent in place of what comes back. */
interface ExchangeLine {
  readonly variantId?: string | null;
  readonly quantity: number;
}

interface ReturnLine extends NodeFields {
  readonly fulfillmentLineItemId: string;
  readonly quantity: number;
  readonly returnReason?: string | null;
  readonly returnReasonDefinitionId?: string | null;
  readonly returnReasonNote?: string | null;
  readonly restockingFee?: { readonly percentage: number } | null;
}

/** Why a change of a return is refused. */
export interface ReturnError {
  readonly field: readonly string[] | null;
  readonly message: string;
  readonly code: string | null;
}

export const INVALID_QUANTITY = {
  message: 'Return line item has an invalid quantity.',
  code: 'INVALID',
};

/** That something is not there. */
export function missing(what: string, ...field: string[]): ReturnError {
  return { field, message: `${what} was not found.`, code: 'NOT_FOUND' };
}

/** That a return is in a state that does not allow what is asked. */
export function wrongStatus(...field: string[]): ReturnError {
  return { field, message: 'Return status is invalid.', code: 'INVALID_STATE' };
}

/** The reasons of returns that every shop has: the handle, the name, and the older enum. */
const REASONS = [
  ['unknown', 'Unknown', 'UNKNOWN'],
  ['changed-my-mind', 'Changed my mind', 'UNWANTED'],
  ['item-not-as-described', 'Item not as described', 'NOT_AS_DESCRIBED'],
  ['received-the-wrong-item', 'Received the wrong item', 'WRONG_ITEM'],
  ['other-reason', 'Other', 'OTHER'],
  ['damaged-or-defective', 'Damaged or defective', 'DEFECTIVE'],
  ['too-small', 'Too small', 'SIZE_TOO_SMALL'],
  ['too-big', 'Too big', 'SIZE_TOO_LARGE'],
  ['style', 'Style', 'STYLE'],
  ['color', 'Color', 'COLOR'],
] as const;

/** The definitions of the reasons of returns. */
export const REASON_DEFINITIONS = REASONS.map(([handle, name, reason], index) => ({
  number: index + 1,
  reason,
  fields: { id: globalId('ReturnReasonDefinition', index + 1), name, handle, deleted: false },
}));

/** The fields of a line of a return that its reason sets, whether it is named or defined. */
export function reasonFields(line: ReturnLine): NodeFields {
  const { returnReason, returnReasonDefinitionId: id } = line;
  const known = REASON_DEFINITIONS.find((one) =>
    id == null ? one.reason === returnReason : one.fields.id === id,
  );
  return known
    ? { returnReason: known.reason, returnReasonDefinition: known.fields }
    : { returnReason: returnReason ?? 'UNKNOWN' };
}

/** How many of what was shipped may still come back: none of what was not shipped at last. */
export function returnable(
  nodes: NodeStore,
  fulfillmentLine: string,
  fulfillment: Readonly<NodeFields>,
): number {
  if (fulfillment['status'] === 'CANCELLED') return 0;
  const shipped = Number(nodes.fieldsOf(fulfillmentLine)['quantity'] ?? 0);
  const lines = nodes.naming(fulfillmentLine, ['ReturnLineItem']).filter(({ fields }) => {
    const { status } = nodes.fieldsOf(String(fields['return']));
    return status !== 'CANCELED' && status !== 'DECLINED';
  });
  return lines.reduce((left, { fields }) => left - Number(fields['quantity'] ?? 0), shipped);
}

/**
 * Why the lines of a return are refused.
 * @param argument the name of the input: `input` of a request, `returnInput` of a return
 */
export function lineErrors(nodes: NodeStore, input: ReturnInput, argument: string): ReturnError[] {
  const left = new Map<string, number>();
  return input.returnLineItems.flatMap((line, index) => {
    const { fulfillmentLineItemId: id, quantity } = line;
    const path = [argument, 'returnLineItems', String(index)];
    const [fulfillment] = nodes.naming(id, ['Fulfillment']);
    if (fulfillment?.fields['order'] !== input.orderId)
      return [missing('Fulfillment Line Item', ...path, 'fulfillmentLineItemId')];
    const rest = (left.get(id) ?? returnable(nodes, id, fulfillment.fields)) - quantity;
    left.set(id, rest);
    if (quantity <= 0 || rest < 0) return [{ ...INVALID_QUANTITY, field: [...path, 'quantity'] }];
    return reasonErrors(line, path);
  });
}

/**
 * Why what is sent in place of what comes back is refused.
 * @param argument as of {@link lineErrors}
 */
export function exchangeErrors(
  reader: NodeReader,
  { exchangeLineItems }: Pick<ReturnInput, 'exchangeLineItems'>,
  argument: string,
): ReturnError[] {
  return (exchangeLineItems ?? []).flatMap(({ variantId, quantity }, index) => {
    const path = [argument, 'exchangeLineItems', String(index)];
    if (variantId != null && !isVariant(reader, variantId))
      return [missing('Variant', ...path, 'variantId')];
    const message = 'Exchange line item has an invalid quantity.';
    return quantity > 0 ? [] : [{ field: [...path, 'quantity'], message, code: 'INVALID' }];
  });
}

/** Whether an id is that of a variant of the shop. */
export function isVariant(reader: NodeReader, id: string): boolean {
  return idOf('ProductVariant', id) !== undefined && reader.view(id) != null;
}

function reasonErrors(line: ReturnLine, path: readonly string[]): ReturnError[] {
  const { returnReason, returnReasonDefinitionId, returnReasonNote } = line;
  const isRequest = path[0] === 'input';
  if (returnReason == null && returnReasonDefinitionId == null)
    return isRequest
      ? [
          {
            field: [...path, 'returnReason'],
            message: "Return reason can't be blank",
            code: 'BLANK',
          },
        ]
      : [{ field: path, message: `${PREFIX} ${NO_REASON}`, code: 'NOT_FOUND' }];
  if (isRequest || returnReason !== 'OTHER' || returnReasonNote?.trim()) return [];
  const message = `${PREFIX} return reason note ${NO_NOTE}`;
  return [{ field: [...path, 'returnReasonNote'], message, code: 'BLANK' }];
}

const PREFIX = 'Return line items';
const NO_REASON = 'Either return reason or return reason definition must be provided';
const NO_NOTE = 'The note is required when the return reason is "Other"';
