import type { NodeFields, StoredNode } from '../../state/nodes/node-store.js';
import { customerPayload, deletedCustomerPayload } from './customer-payload.js';
import { fulfillmentPayload, refundPayload, transactionPayload } from './fulfillment-payload.js';
import { genericPayload } from './generic-payload.js';
import { draftOrderPayload, orderPayload } from './order-payload.js';
import {
  numberOrNull,
  timeText,
  valuesOf,
  type PayloadShop,
  type RestObject,
} from './payload-values.js';

type Describe = (node: StoredNode, shop: PayloadShop) => RestObject;

const PAYLOADS: Readonly<Record<string, Describe>> = {
  Customer: customerPayload,
  DiscountAutomaticNode: discountPayload,
  DiscountCodeNode: discountPayload,
  DraftOrder: draftOrderPayload,
  Fulfillment: fulfillmentPayload,
  Order: orderPayload,
  OrderTransaction: transactionPayload,
  Refund: refundPayload,
};

/**
 * A node as webhooks describe it: in the shape of the REST API where that knows its type.
 * @see https://shopify.dev/docs/api/webhooks
 */
export function nodePayload(node: StoredNode, shop: PayloadShop): RestObject {
  const describe: Describe = PAYLOADS[node.type] ?? genericPayload;
  return describe(node, shop);
}

/** What webhooks say of a node that was deleted. @param fields what it had */
export function deletedPayload(
  id: string,
  type: string,
  fields: Readonly<NodeFields>,
  now: Date,
): RestObject {
  const number = numberOrNull(id);
  switch (type) {
    case 'Customer':
      return deletedCustomerPayload(id, fields);
    case 'Collection':
      return { id: number, published_scope: 'web', admin_graphql_api_id: id };
    case 'DiscountAutomaticNode':
    case 'DiscountCodeNode':
      return { admin_graphql_api_id: id, deleted_at: timeText(now) };
    default:
      return { id: number };
  }
}

/** A discount, whose payload is that of neither API. */
function discountPayload(node: StoredNode, shop: PayloadShop): RestObject {
  const { id, fields, createdAt, updatedAt } = node;
  const discount = valuesOf(fields['codeDiscount'] ?? fields['automaticDiscount'], shop);
  return {
    admin_graphql_api_id: id,
    title: discount['title'] ?? null,
    status: discount['status'] ?? 'ACTIVE',
    created_at: timeText(createdAt),
    updated_at: timeText(updatedAt),
  };
}
