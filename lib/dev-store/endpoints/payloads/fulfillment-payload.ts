import { actionsOf } from '../orders/fulfillment-orders.js';
import type { NodeFields, StoredNode } from '../../state/nodes/node-store.js';
import { addressOrNull } from './customer-payload.js';
import { lineItemPayload } from './line-item-payload.js';
import {
  amountText,
  listOf,
  lowerCase,
  moneySet,
  numberOrNull,
  textOrNull,
  timeText,
  valuesOf,
  type PayloadShop,
  type RestObject,
} from './payload-values.js';

/**
 * A shipment in REST responses and webhook payloads. @param place in an order it does not repeat
 * what that says
 */
export function fulfillmentPayload(
  node: StoredNode,
  shop: PayloadShop,
  place: 'alone' | 'in an order' = 'alone',
): RestObject {
  const { id, number, fields, createdAt, updatedAt } = node;
  const order = shop.nodes.fieldsOf(String(fields['order']));
  const parcels = listOf(fields['trackingInfo']).map((one) => Object(one) as NodeFields);
  const texts = (name: string): string[] =>
    parcels.flatMap((parcel) => textOrNull(parcel[name]) ?? []);
  const [parcel] = parcels;
  return {
    id: number,
    admin_graphql_api_id: id,
    order_id: numberOrNull(fields['order']),
    name: String(fields['name'] ?? '').replace(/-F(\d+)$/, '.$1'),
    status: lowerCase(fields['status']) ?? 'success',
    service: 'manual',
    shipment_status: lowerCase(fields['shipmentStatus']),
    location_id:
      numberOrNull(fields['location']) ?? shop.nodes.all(['Location'])[0]?.number ?? null,
    origin_address: {},
    ...(place === 'alone'
      ? {
          email: textOrNull(order['email']),
          destination: addressOrNull(order['shippingAddress'], shop),
        }
      : {}),
    line_items: listOf(fields['fulfillmentLineItems']).map((one) => {
      const { lineItem, quantity } = valuesOf(one, shop);
      const {
        attributed_staffs: _staff,
        current_quantity: _now,
        ...line
      } = lineItemPayload(lineItem, shop, order);
      const { sales_line_item_group_id: _group, ...rest } = line;
      return { ...rest, quantity: Number(quantity ?? rest['quantity']) };
    }),
    tracking_company: textOrNull(parcel?.['company']),
    tracking_number: textOrNull(parcel?.['number']),
    tracking_numbers: texts('number'),
    tracking_url: textOrNull(parcel?.['url']),
    tracking_urls: texts('url'),
    receipt: {},
    created_at: timeText(createdAt),
    updated_at: timeText(updatedAt),
  };
}

/** A refund in REST responses and webhook payloads. */
export function refundPayload(node: StoredNode, shop: PayloadShop): RestObject {
  const { id, number, fields, createdAt } = node;
  const order = shop.nodes.fieldsOf(String(fields['order']));
  return {
    id: number,
    admin_graphql_api_id: id,
    order_id: numberOrNull(fields['order']),
    created_at: timeText(createdAt),
    processed_at: timeText(fields['processedAt'] ?? createdAt),
    note: textOrNull(fields['note']),
    user_id: null,
    restock: listOf(fields['refundLineItems']).some((one) => valuesOf(one, shop)['restocked']),
    return: null,
    duties: [],
    total_duties_set: moneySet(0, shop.currency),
    order_adjustments: [],
    refund_shipping_lines: [],
    transactions: listOf(fields['transactions']).flatMap((one) => {
      const found = shop.nodes.find(String(one));
      return found ? [transactionPayload(found, shop)] : [];
    }),
    refund_line_items: listOf(fields['refundLineItems']).map((one) => {
      const values = valuesOf(one, shop);
      return {
        id: numberOrNull(typeof one === 'string' ? one : shop.nodes.idOf('RefundLineItem', values)),
        line_item_id: numberOrNull(values['lineItem']),
        line_item: lineItemPayload(values['lineItem'], shop, order),
        quantity: Number(values['quantity'] ?? 0),
        location_id: numberOrNull(values['location']),
        restock_type: lowerCase(values['restockType']) ?? 'no_restock',
        subtotal: Number(amountText(values['subtotalSet'])),
        subtotal_set: moneySet(values['subtotalSet'], shop.currency),
        total_tax: Number(amountText(values['totalTaxSet'])),
        total_tax_set: moneySet(values['totalTaxSet'], shop.currency),
      };
    }),
  };
}

/** A payment of an order, or back, in REST responses and webhook payloads. */
export function transactionPayload(node: StoredNode, shop: PayloadShop): RestObject {
  const { id, number, fields, createdAt } = node;
  return {
    id: number,
    admin_graphql_api_id: id,
    order_id: numberOrNull(fields['order'] ?? shop.nodes.naming(id, ['Order'])[0]?.id),
    kind: lowerCase(fields['kind']) ?? 'sale',
    gateway: textOrNull(fields['gateway']) ?? 'manual',
    status: lowerCase(fields['status']) ?? 'success',
    message: textOrNull(fields['message']),
    created_at: timeText(createdAt),
    processed_at: timeText(fields['processedAt'] ?? createdAt),
    test: fields['test'] ?? false,
    authorization: textOrNull(fields['authorizationCode']),
    location_id: null,
    user_id: null,
    parent_id: numberOrNull(fields['parentTransaction']),
    device_id: null,
    error_code: lowerCase(fields['errorCode']),
    source_name: 'web',
    receipt: {},
    amount: amountText(fields['amountSet'] ?? fields['amount']),
    currency: shop.currency,
    payment_id: textOrNull(fields['paymentId']),
  };
}

/** A fulfillment order in REST responses. */
export function fulfillmentOrderPayload(node: StoredNode, shop: PayloadShop): RestObject {
  const { number, fields, createdAt, updatedAt } = node;
  const order = numberOrNull(fields['order']);
  const { location, name } = Object(fields['assignedLocation']) as NodeFields;
  const locationId = numberOrNull(location);
  const destination = addressOrNull(fields['destination'], shop);
  return {
    id: number,
    created_at: timeText(createdAt),
    updated_at: timeText(updatedAt),
    shop_id: shop.id,
    order_id: order,
    assigned_location_id: locationId,
    request_status: lowerCase(fields['asked'] ?? fields['requestStatus']) ?? 'unsubmitted',
    status: lowerCase(fields['status']) ?? 'open',
    fulfill_at: timeText(fields['fulfillAt'] ?? createdAt),
    fulfill_by: timeText(fields['fulfillBy']),
    supported_actions: actionsOf(shop.nodes, node.id).map(({ action }) => lowerCase(action)),
    destination: destination && { id: number, email: null, ...destination },
    line_items: listOf(fields['lineItems']).map((one) => {
      const values = valuesOf(one, shop);
      const line = shop.nodes.fieldsOf(String(values['lineItem']));
      return {
        id: numberOrNull(one),
        shop_id: shop.id,
        fulfillment_order_id: number,
        quantity: Number(values['totalQuantity'] ?? 0),
        line_item_id: numberOrNull(values['lineItem']),
        inventory_item_id: numberOrNull(line['variant']),
        fulfillable_quantity: Number(values['remainingQuantity'] ?? 0),
        variant_id: numberOrNull(values['variant']),
      };
    }),
    international_duties: null,
    fulfillment_holds: listOf(fields['fulfillmentHolds']).map((one) => {
      const { reason, reasonNotes } = valuesOf(one, shop);
      return { reason: lowerCase(reason), reason_notes: textOrNull(reasonNotes) };
    }),
    delivery_method: null,
    assigned_location: { location_id: locationId, name: name ?? null },
    merchant_requests: listOf(fields['merchantRequests']).map((one) => {
      const { message, requestOptions, kind } = valuesOf(one, shop);
      return {
        message: textOrNull(message),
        request_options: requestOptions ?? {},
        kind: lowerCase(kind),
      };
    }),
  };
}
