import { openNodeShop, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

/** An order that was paid and shipped, by the ids of what it has. */
export interface ShippedOrder {
  readonly id: string;
  /** Of its line. */
  readonly line: string;
  /** Of the line of its fulfillment. */
  readonly shipped: string;
  readonly transaction: string;
}

/** A shop with an app that ships orders and takes them back. */
export function openReturnsShop(): Promise<NodeShopFixture> {
  return openNodeShop(['orders', 'returns', 'merchant_managed_fulfillment_orders', 'products']);
}

const money = (amount: string): object => ({ shopMoney: { amount, currencyCode: 'EUR' } });

/**
 * An order of three kites at 20.00, paid and shipped.
 * @param shipping its price, which is not paid. Default: none
 */
export async function shippedOrder(
  { call, shop }: NodeShopFixture,
  shipping?: string,
): Promise<ShippedOrder> {
  const { orderCreate } = await call(
    `mutation ($order: OrderCreateOrderInput!) { orderCreate(order: $order) { order {
      id transactions { id } lineItems(first: 1) { nodes { id } }
      fulfillmentOrders(first: 1) { nodes { id } } } } }`,
    {
      order: {
        lineItems: [
          {
            ...{ title: 'Kite', quantity: 3, priceSet: money('20.00') },
            taxLines: [{ title: 'VAT', rate: 0.05, priceSet: money('3.00') }],
          },
        ],
        transactions: [
          { kind: 'SALE', status: 'SUCCESS', gateway: 'manual', amountSet: money('63.00') },
        ],
        ...(shipping ? { shippingLines: [{ title: 'Van', priceSet: money(shipping) }] } : {}),
      },
    },
  );
  const { id, transactions, lineItems, fulfillmentOrders } = orderCreate!['order'] as {
    id: string;
    transactions: Array<{ id: string }>;
    lineItems: { nodes: Array<{ id: string }> };
    fulfillmentOrders: { nodes: Array<{ id: string }> };
  };
  await call(
    `mutation ($id: ID!) { fulfillmentCreate(fulfillment: {
      lineItemsByFulfillmentOrder: [{ fulfillmentOrderId: $id }] }) { fulfillment { id } } }`,
    { id: fulfillmentOrders.nodes[0]!.id },
  );
  const line = lineItems.nodes[0]!.id;
  const shipped = shop.nodes
    .all(['FulfillmentLineItem'])
    .find(({ fields }) => fields['lineItem'] === line)!.id;
  return { id, line, shipped, transaction: transactions[0]!.id };
}
