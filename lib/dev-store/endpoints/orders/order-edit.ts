import { randomUUID } from 'node:crypto';
import { cents } from '../../base/amounts.js';
import { globalId } from '../../base/vendor.js';
import type { NodeFields, NodeStore } from '../../state/nodes/node-store.js';
import { listOf } from '../payloads/payload-values.js';
import { idsOf } from './fulfillment-orders.js';
import { amountOf, bagOf, mergedTaxes, taxOf } from './order-totals.js';

/** A discount on each piece of a line, in an edit: an amount, or a percentage. */
export interface EditDiscount {
  readonly id: string;
  readonly description: string;
  readonly amount?: number;
  readonly percentage?: number;
}

/** A line of an order that is edited. */
export interface EditLine {
  readonly id: string;
  /** The line of the order; undefined for one that is added. */
  readonly lineItem?: string;
  /** What the order, or the input, says of it. */
  readonly fields: Readonly<NodeFields>;
  /** The price of a piece, without discounts. */
  readonly price: number;
  /** The price of a piece before the edit. */
  readonly reduced: number;
  /** How many there were before the edit. */
  readonly before: number;
  quantity: number;
  discount?: EditDiscount | undefined;
  restock: boolean;
}

/** A shipping line of an order that is edited. */
export interface EditShipping {
  readonly id: string;
  title: string;
  price: number;
  stagedStatus: 'ADDED' | 'NONE' | 'REMOVED';
}

/** What an edit of an order has changed so far. */
export interface OrderEdit {
  readonly order: string;
  readonly currency: string;
  readonly lines: EditLine[];
  readonly shipping: EditShipping[];
}

/** An edit of an order in which nothing is changed yet. */
export function newEdit(nodes: NodeStore, order: string): OrderEdit {
  const { lineItems, shippingLines, currencyCode } = nodes.fieldsOf(order);
  const lines = idsOf(lineItems).map((lineItem): EditLine => {
    const fields = nodes.fieldsOf(lineItem);
    const quantity = Number(fields['currentQuantity'] ?? 0);
    return {
      ...{ id: lineItem.replace('/LineItem/', '/CalculatedLineItem/'), lineItem, fields },
      price: amountOf(fields['originalUnitPriceSet']),
      reduced: amountOf(fields['discountedUnitPriceSet']),
      ...{ before: quantity, quantity, restock: false },
    };
  });
  const shipping = listOf(shippingLines).map((one): EditShipping => {
    const fields = typeof one === 'string' ? nodes.fieldsOf(one) : (one as NodeFields);
    const price = amountOf(fields['priceSet'] ?? fields['originalPriceSet']);
    const id = globalId('CalculatedShippingLine', randomUUID());
    return { id, title: String(fields['title'] ?? ''), price, stagedStatus: 'NONE' };
  });
  return { order, currency: String(currencyCode), lines, shipping };
}

/** The price of a piece after an edit. */
export function unitOf({ reduced, discount }: EditLine): number {
  const { amount, percentage } = discount ?? {};
  const off = amount ?? (reduced * (percentage ?? 0)) / 100;
  return Math.max(0, cents(reduced - off));
}

/** What an edit changes of the amounts of an order. */
export function changesOf(nodes: NodeStore, edit: OrderEdit) {
  const { taxesIncluded } = nodes.fieldsOf(edit.order);
  const sum = (amount: (line: EditLine) => number): number =>
    edit.lines.reduce((total, line) => total + amount(line), 0);
  const taxesBefore = listOf(nodes.fieldsOf(edit.order)['currentTaxLines']);
  const taxes = taxesOf(edit, taxesBefore);
  const tax = taxOf(taxes) - taxOf(taxesBefore);
  return {
    taxes,
    tax,
    /** What is added to totals beside what lines cost. */
    others: (taxesIncluded ? 0 : tax) + shippingChange(edit),
    shipping: shippingChange(edit),
    quantity: sum(({ quantity, before }) => quantity - before),
    lines: sum((line) => line.quantity * unitOf(line) - line.before * line.reduced),
    /** What lines cost before any of them was taken off: only additions and discounts count. */
    original: sum(
      (line) =>
        Math.max(0, line.quantity - line.before) * unitOf(line) +
        line.before * (unitOf(line) - line.reduced),
    ),
    discounts: sum((line) => Math.max(line.quantity, line.before) * (line.reduced - unitOf(line))),
  };
}

/** The taxes of an order, with what more or fewer of its lines change of theirs. */
function taxesOf({ lines, currency }: OrderEdit, before: readonly unknown[]): NodeFields[] {
  const changes = lines.flatMap((line) =>
    lineTaxes(line.fields, line.quantity - line.before, currency),
  );
  return mergedTaxes([...before, ...changes], currency).filter((one) => taxOf([one]) > 0);
}

/** The taxes of so many of a line, which states those of all of it. */
export function lineTaxes(
  fields: Readonly<NodeFields>,
  quantity: number,
  currency: string,
): NodeFields[] {
  const share = quantity / (Number(fields['quantity']) || 1);
  return listOf(fields['taxLines']).map((one) => {
    const tax = one as NodeFields;
    const amount = amountOf(tax['priceSet'] ?? tax['price']) * share;
    return { ...tax, priceSet: bagOf(currency)(amount) };
  });
}

function shippingChange({ shipping }: OrderEdit): number {
  return shipping.reduce(
    (sum, { price, stagedStatus }) =>
      sum + (stagedStatus === 'ADDED' ? price : stagedStatus === 'REMOVED' ? -price : 0),
    0,
  );
}

/** The fields of the `CalculatedOrder` of an edit. */
export function calculatedOrder(nodes: NodeStore, edit: OrderEdit): NodeFields {
  const { order, lines, shipping, currency } = edit;
  const fields = nodes.fieldsOf(order);
  const bag = bagOf(currency);
  const { lines: changed, others, quantity, taxes } = changesOf(nodes, edit);
  const total = amountOf(fields['currentTotalPriceSet']) + changed + others;
  return {
    edit,
    originalOrder: order,
    committed: false,
    lineItems: lines.filter(({ lineItem }) => lineItem).map((one) => lineView(one, currency)),
    addedLineItems: lines.filter(({ lineItem }) => !lineItem).map((one) => lineView(one, currency)),
    addedDiscountApplications: lines.flatMap(({ discount }) =>
      discount ? [applicationView(discount, currency)] : [],
    ),
    shippingLines: shipping.map((one) => ({ ...one, price: bag(one.price) })),
    stagedChanges: lines.flatMap((line) => stagedChanges(line, currency)),
    subtotalLineItemsQuantity: Number(fields['currentSubtotalLineItemsQuantity'] ?? 0) + quantity,
    subtotalPriceSet: bag(amountOf(fields['currentSubtotalPriceSet']) + changed),
    totalPriceSet: bag(total),
    totalOutstandingSet: bag(total - amountOf(fields['netPaymentSet'])),
    taxLines: taxes,
  };
}

/** A line as the schema describes it. */
export function lineView(line: EditLine, currency: string): NodeFields {
  const { id, fields, price, before, quantity, discount, restock } = line;
  const bag = bagOf(currency);
  const unit = unitOf(line);
  return {
    __typename: 'CalculatedLineItem',
    ...{ id, quantity },
    title: fields['title'],
    sku: fields['sku'],
    variant: fields['variant'],
    variantTitle: fields['variantTitle'],
    customAttributes: fields['customAttributes'],
    originalUnitPriceSet: bag(price),
    discountedUnitPriceSet: bag(unit),
    editableQuantity: quantity,
    editableQuantityBeforeChanges: before,
    editableSubtotalSet: bag(quantity * unit),
    uneditableSubtotalSet: bag(0),
    hasStagedLineItemDiscount: discount !== undefined,
    restockable: true,
    restocking: restock,
    stagedChanges: stagedChanges(line, currency),
    calculatedDiscountAllocations: discount
      ? [
          {
            allocatedAmountSet: bag(quantity * (line.reduced - unit)),
            discountApplication: applicationView(discount, currency),
          },
        ]
      : [],
  };
}

function applicationView(discount: EditDiscount, currency: string): NodeFields {
  return {
    __typename: 'CalculatedManualDiscountApplication',
    id: discount.id,
    description: discount.description,
    allocationMethod: 'EACH',
    appliedTo: 'LINE',
    targetSelection: 'EXPLICIT',
    targetType: 'LINE_ITEM',
    value: valueOf(discount, currency),
  };
}

/** The discount of a line as a staged change. */
export function stagedDiscount(discount: EditDiscount, currency: string): NodeFields {
  const { id, description } = discount;
  return {
    __typename: 'OrderStagedChangeAddLineItemDiscount',
    id: id.replace('CalculatedManualDiscountApplication', 'OrderStagedChangeAddLineItemDiscount'),
    description,
    value: valueOf(discount, currency),
  };
}

function valueOf({ amount, percentage }: EditDiscount, currencyCode: string): NodeFields {
  return amount === undefined
    ? { __typename: 'PricingPercentageValue', percentage }
    : { __typename: 'MoneyV2', amount: amount.toFixed(2), currencyCode };
}

function stagedChanges(line: EditLine, currency: string): NodeFields[] {
  const { lineItem, fields, quantity, before, price, discount, restock } = line;
  const { title, variant } = fields;
  const delta = Math.abs(quantity - before);
  const added = variant
    ? { __typename: 'OrderStagedChangeAddVariant', quantity, variant }
    : {
        ...{ __typename: 'OrderStagedChangeAddCustomItem', quantity, title },
        originalUnitPrice: { amount: price.toFixed(2), currencyCode: currency },
      };
  const changed =
    quantity > before
      ? { __typename: 'OrderStagedChangeIncrementItem', delta, lineItem }
      : { __typename: 'OrderStagedChangeDecrementItem', delta, lineItem, restock };
  return [
    ...(!lineItem ? [added] : delta > 0 ? [changed] : []),
    ...(discount ? [stagedDiscount(discount, currency)] : []),
  ];
}
