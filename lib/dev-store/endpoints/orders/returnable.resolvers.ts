import { randomUUID } from 'node:crypto';
import { globalId } from '../../base/vendor.js';
import { connection, type ConnectionArgs } from '../../graphql/graphql.connection.js';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import type { NodeFields, StoredNode } from '../../state/nodes/node-store.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { listOf } from '../payloads/payload-values.js';
import { idsOf, nodeOf } from './fulfillment-orders.js';
import { amountOf, bagOf, taxOf } from './order-totals.js';
import { REASON_DEFINITIONS, returnable } from './return-checks.js';

interface ReturnableArgs extends ConnectionArgs {
  orderId: string;
}

interface CalculateInput {
  readonly orderId: string;
  readonly returnLineItems?: ReadonlyArray<{
    readonly fulfillmentLineItemId: string;
    readonly quantity: number;
    readonly restockingFee?: { readonly percentage: number } | null;
  }> | null;
  readonly returnShippingFee?: { readonly amount: { readonly amount: unknown } } | null;
}

interface ReasonsArgs extends ConnectionArgs {
  ids?: readonly string[] | null;
  handles?: readonly string[] | null;
}

/**
 * The resolvers of the queries of what may come back, for which reasons, and for how much.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/queries/returnableFulfillments
 */
export function returnableRoot({ reader }: NodeWriter): Record<string, unknown> {
  const { nodes } = reader.store;

  /** What of a fulfillment may come back; undefined when nothing may. */
  const viewOf = ({ id, number, fields }: StoredNode): object | undefined => {
    const lines = idsOf(fields['fulfillmentLineItems']).flatMap((line) => {
      const quantity = returnable(nodes, line, fields);
      return quantity > 0 ? [{ fulfillmentLineItem: line, quantity }] : [];
    });
    if (lines.length === 0) return undefined;
    return reader.objectOf({
      id: globalId('ReturnableFulfillment', number),
      ...{ fulfillment: id, returnableFulfillmentLineItems: lines },
    });
  };

  return {
    returnableFulfillments: (args: ReturnableArgs, context: GraphqlContext) => {
      const all = nodes.naming(args.orderId, ['Fulfillment']).flatMap((node) => {
        const view = viewOf(node);
        return view ? [{ id: node.number, view }] : [];
      });
      return connection(all, args, context, ({ view }) => view);
    },

    returnableFulfillment: ({ id }: { id: string }) => {
      const node = nodes.find(globalId('Fulfillment', id.split('/').at(-1) ?? ''));
      return (node && viewOf(node)) ?? null;
    },

    returnReasonDefinitions: (args: ReasonsArgs, context: GraphqlContext) => {
      const { ids, handles } = args;
      const all = REASON_DEFINITIONS.filter(
        ({ fields }) =>
          (!ids || ids.includes(fields.id)) && (!handles || handles.includes(fields.handle)),
      ).map(({ number, fields }) => ({ id: number, fields }));
      return connection(all, args, context, ({ fields }) => reader.objectOf({ ...fields }));
    },

    returnCalculate: ({ input }: { input: CalculateInput }) => {
      const order = nodeOf(nodes, 'Order', input.orderId);
      if (!order) return null;
      const bag = bagOf(String(order['currencyCode']));
      const fee = input.returnShippingFee?.amount;
      return reader.objectOf({
        id: globalId('CalculatedReturn', randomUUID()),
        exchangeLineItems: [],
        returnLineItems: (input.returnLineItems ?? []).map((given) => {
          const { lineItem } = nodes.fieldsOf(given.fulfillmentLineItemId);
          return calculated(nodes.fieldsOf(String(lineItem)), given, bag);
        }),
        returnShippingFee: fee
          ? {
              id: globalId('CalculatedReturnShippingFee', randomUUID()),
              amountSet: bag(Number(fee.amount)),
            }
          : null,
      });
    },
  };
}

/** What a customer gets for a line, less what it costs to take it back. */
function calculated(
  line: Readonly<NodeFields>,
  given: NonNullable<CalculateInput['returnLineItems']>[number],
  bag: (amount: number) => object,
): NodeFields {
  const { fulfillmentLineItemId: fulfillmentLineItem, quantity, restockingFee: fee } = given;
  const price = amountOf(line['discountedUnitPriceSet']) * quantity;
  const tax = taxOf(listOf(line['taxLines'])) / (Number(line['quantity']) || 1);
  return {
    ...{ fulfillmentLineItem, quantity },
    restockingFee: fee
      ? {
          id: globalId('CalculatedRestockingFee', randomUUID()),
          percentage: fee.percentage,
          amountSet: bag((price * fee.percentage) / 100),
        }
      : null,
    subtotalBeforeOrderDiscountsSet: bag(-price),
    subtotalSet: bag(-price),
    totalTaxSet: bag(-tax * quantity),
  };
}
