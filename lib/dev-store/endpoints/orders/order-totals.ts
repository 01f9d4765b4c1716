import { cents } from '../../base/amounts.js';
import type { NodeFields, NodeStore } from '../../state/nodes/node-store.js';
import type { NodeReader } from '../nodes/node-reader.js';
import { listOf } from '../payloads/payload-values.js';
import { orderNumber, type NumberedType } from './order-numbers.js';

/** What the totals of lines and of a shipping line add up to. */
interface Totals {
  readonly quantity: number;
  readonly lines: number;
  readonly discounts: number;
  readonly shipping: number;
  /** Those that an input states; none are calculated. */
  readonly taxes: readonly NodeFields[];
  readonly currency: string;
}

/**
 * The fields of a draft order: of its lines what their variants say, its name and its totals, with
 * the lines, the discount and the shipping that it has already. Taxes are not calculated.
 */
export function draftOrderFields(
  given: Readonly<NodeFields>,
  reader: NodeReader,
  id: string | undefined,
): NodeFields {
  const { nodes } = reader.store;
  const fields = { ...named(given, nodes, id, 'DraftOrder'), ...customerOf(given) };
  const before = id === undefined ? {} : nodes.fieldsOf(id);
  const totals = totalsOf({ ...before, ...given }, reader, draftLine);
  const sum = totals.lines - totals.discounts;
  const bag = bagOf(totals.currency);
  return {
    ...fields,
    ...(id === undefined ? { status: 'OPEN' } : {}),
    ...shippingLine(given, totals, nodes),
    totalQuantityOfLineItems: totals.quantity,
    lineItemsSubtotalPrice: bag(sum),
    subtotalPriceSet: bag(sum),
    totalDiscountsSet: bag(totals.discounts),
    totalShippingPriceSet: bag(totals.shipping),
    totalLineItemsPriceSet: bag(totals.lines),
    totalPriceSet: bag(sum + totals.shipping),
    totalPrice: amountText(sum + totals.shipping),
    subtotalPrice: amountText(sum),
  };
}

/**
 * The fields of an order: of its lines what their variants say, its number, its totals, and how
 * much of them is paid, with the taxes of its input. An order that is there keeps its lines.
 */
export function orderFields(
  given: Readonly<NodeFields>,
  reader: NodeReader,
  id: string | undefined,
): NodeFields {
  if (id !== undefined) return { ...given };
  const { nodes } = reader.store;
  const totals = totalsOf(given, reader, (line) => line);
  const bag = bagOf(totals.currency);
  const sum = totals.lines - totals.discounts;
  const tax = taxOf(totals.taxes);
  const total = sum + totals.shipping + (given['taxesIncluded'] ? 0 : tax);
  const status = given['financialStatus'] ?? statusOf(given, nodes, total);
  const paid = status === 'PAID' ? total : 0;
  return {
    ...named(given, nodes, id, 'Order'),
    displayFinancialStatus: status,
    displayFulfillmentStatus: given['fulfillmentStatus'] ?? 'UNFULFILLED',
    currencyCode: totals.currency,
    presentmentCurrencyCode: totals.currency,
    fullyPaid: status === 'PAID',
    subtotalLineItemsQuantity: totals.quantity,
    currentSubtotalLineItemsQuantity: totals.quantity,
    ...both('SubtotalPriceSet', bag(sum)),
    ...both('TotalDiscountsSet', bag(totals.discounts)),
    ...both('TotalPriceSet', bag(total)),
    ...both('TotalTaxSet', bag(tax)),
    ...both('TaxLines', totals.taxes),
    totalShippingPriceSet: bag(totals.shipping),
    originalTotalPriceSet: bag(total),
    totalOutstandingSet: bag(status === 'AUTHORIZED' ? 0 : total - paid),
    totalReceivedSet: bag(paid),
    netPaymentSet: bag(paid),
    capturable: status === 'AUTHORIZED',
    totalCapturable: amountText(status === 'AUTHORIZED' ? total : 0),
    totalCapturableSet: bag(status === 'AUTHORIZED' ? total : 0),
    totalPrice: amountText(total),
  };
}

/** `totalPriceSet` and `currentTotalPriceSet`, which differ only after an order was edited. */
function both(name: string, value: object | readonly object[]): NodeFields {
  return { [name.charAt(0).toLowerCase() + name.slice(1)]: value, [`current${name}`]: value };
}

function named(
  given: Readonly<NodeFields>,
  nodes: NodeStore,
  id: string | undefined,
  type: NumberedType,
): NodeFields {
  if (id !== undefined || given['name'] != null) return { ...given };
  return { ...given, ...orderNumber(type, { ordinal: nodes.nextOrdinal(type) }) };
}

/** A draft names its customer in `purchasingEntity`, too. */
function customerOf({ purchasingEntity }: Readonly<NodeFields>): NodeFields {
  return typeof purchasingEntity === 'string' ? { customer: purchasingEntity } : {};
}

/** How an order is paid, by its transactions; null when it has none. */
function statusOf(given: Readonly<NodeFields>, nodes: NodeStore, total: number): string | null {
  const transactions = listOf(given['transactions']).map((one) =>
    typeof one === 'string' ? nodes.fieldsOf(one) : (one as NodeFields),
  );
  if (transactions.length === 0 && total > 0) return null;
  const sumOf = (...kinds: string[]): number =>
    transactions
      .filter(({ kind, status }) => kinds.includes(String(kind)) && status !== 'FAILURE')
      .reduce((sum, { amountSet }) => sum + amountOf(amountSet), 0);
  const paid = sumOf('SALE', 'CAPTURE');
  if (paid >= total && (paid > 0 || total === 0)) return 'PAID';
  if (paid > 0) return 'PARTIALLY_PAID';
  return sumOf('AUTHORIZATION') > 0 ? 'AUTHORIZED' : 'PENDING';
}

/** Completes the lines of an order or a draft, and adds them up. */
function totalsOf(
  given: Readonly<NodeFields>,
  reader: NodeReader,
  lineOf: (line: Readonly<NodeFields>, reader: NodeReader) => Readonly<NodeFields>,
): Totals {
  const { nodes, defaults } = reader.store;
  const currency = String(
    given['currency'] ?? given['presentmentCurrencyCode'] ?? defaults.currency,
  );
  let [quantity, lines, discounts] = [0, 0, 0];
  const taxLines: unknown[] = [];
  for (const id of listOf(given['lineItems'])) {
    if (typeof id !== 'string') continue;
    const line = completedLine(lineOf(nodes.fieldsOf(id), reader), reader, currency);
    nodes.update(id, line);
    quantity += Number(line['quantity'] ?? 0);
    lines += amountOf(line['originalTotalSet']);
    discounts += amountOf(line['totalDiscountSet']);
    taxLines.push(...listOf(line['taxLines']));
  }
  const own = given['appliedDiscount'] as Readonly<NodeFields> | null | undefined;
  discounts += discountOf(own, lines - discounts);
  const shipped = [given['shippingLine'], ...listOf(given['shippingLines'])].map((one) =>
    typeof one === 'string' ? nodes.fieldsOf(one) : ((one ?? {}) as Readonly<NodeFields>),
  );
  const shipping = shipped.reduce(
    (sum, line) =>
      sum + amountOf(line['priceWithCurrency'] ?? line['priceSet'] ?? line['price'] ?? 0),
    0,
  );
  taxLines.push(...shipped.flatMap((line) => listOf(line['taxLines'])));
  const stated = listOf(given['taxLines']);
  const taxes = mergedTaxes(stated.length > 0 ? stated : taxLines, currency);
  return { quantity, lines, discounts, shipping, taxes, currency };
}

/** Taxes of the same name and rate as one. */
export function mergedTaxes(lines: readonly unknown[], currency: string): NodeFields[] {
  const merged = new Map<string, NodeFields>();
  for (const one of lines as NodeFields[]) {
    const { title, rate, priceSet, price } = one;
    const name = `${String(title)} ${String(rate)}`;
    const amount = amountOf(merged.get(name)?.['priceSet']) + amountOf(priceSet ?? price);
    merged.set(name, { ...one, priceSet: bagOf(currency)(amount), price: amountText(amount) });
  }
  return [...merged.values()];
}

/** What taxes add up to. */
export function taxOf(lines: readonly unknown[]): number {
  return (lines as NodeFields[]).reduce((sum, { priceSet }) => sum + amountOf(priceSet), 0);
}

/**
 * What the line of a draft states: of a variant all but its price is the variant's, and that, too,
 * unless it is overridden.
 */
function draftLine(line: Readonly<NodeFields>, reader: NodeReader): Readonly<NodeFields> {
  const { variant, priceOverride } = line;
  if (typeof variant !== 'string' || !reader.view(variant)) return line;
  return {
    ...line,
    title: undefined,
    sku: undefined,
    taxable: undefined,
    requiresShipping: undefined,
    originalUnitPriceWithCurrency: undefined,
    originalUnitPrice: priceOverride,
  };
}

/** A line with what its variant says and what it costs. */
export function completedLine(
  line: Readonly<NodeFields>,
  reader: NodeReader,
  currency: string,
): NodeFields {
  const bag = bagOf(currency);
  const { variant } = line;
  const view = typeof variant === 'string' ? (reader.view(variant) as VariantView | null) : null;
  const title = line['title'] ?? view?.product().title ?? '';
  const unit = amountOf(
    line['priceSet'] ??
      line['originalUnitPriceWithCurrency'] ??
      line['originalUnitPrice'] ??
      view?.price ??
      0,
  );
  const quantity = Number(line['quantity'] ?? 1);
  const total = unit * quantity;
  const discount = discountOf(line['appliedDiscount'] as NodeFields | undefined, total);
  return {
    ...line,
    title,
    name: title,
    quantity,
    sku: line['sku'] ?? view?.sku ?? null,
    variantTitle: view && view.title !== 'Default Title' ? view.title : null,
    ...(view ? { product: view.product().id } : {}),
    custom: !view,
    requiresShipping: line['requiresShipping'] ?? true,
    taxable: line['taxable'] ?? true,
    currentQuantity: quantity,
    unfulfilledQuantity: quantity,
    fulfillableQuantity: quantity,
    refundableQuantity: quantity,
    originalUnitPrice: amountText(unit),
    originalUnitPriceSet: bag(unit),
    originalTotalSet: bag(total),
    totalDiscountSet: bag(discount),
    discountedTotalSet: bag(total - discount),
    discountedUnitPriceSet: bag(quantity ? (total - discount) / quantity : unit),
  };
}

/** What the lines of an order read of a variant. */
interface VariantView {
  readonly title: string;
  readonly price: string;
  readonly sku: string | null;
  product(): { readonly id: string; readonly title: string };
}

/** The amount of a discount in an input, of what it reduces. */
function discountOf(discount: Readonly<NodeFields> | null | undefined, of: number): number {
  if (!discount) return 0;
  if (discount['amount'] != null) return amountOf(discount['amount']);
  const value = Number(discount['value'] ?? 0);
  return Math.min(of, discount['valueType'] === 'PERCENTAGE' ? (of * value) / 100 : value);
}

function shippingLine(
  given: Readonly<NodeFields>,
  { shipping, currency }: Totals,
  nodes: NodeStore,
): NodeFields {
  const line = given['shippingLine'];
  const price = bagOf(currency)(shipping);
  const values = {
    code: 'custom',
    custom: true,
    originalPriceSet: price,
    discountedPriceSet: price,
  };
  if (typeof line === 'string') nodes.update(line, values);
  return typeof line === 'object' && line !== null ? { shippingLine: { ...line, ...values } } : {};
}

/** The number in an amount, an amount with its currency, or one in two currencies. */
export function amountOf(value: unknown): number {
  const { shopMoney = value } = Object(value) as { shopMoney?: unknown };
  const { amount = shopMoney } = Object(shopMoney) as { amount?: unknown };
  return Number(amount) || 0;
}

/** Makes amounts in a currency, rounded to cents. */
export function bagOf(currencyCode: string): (amount: number) => object {
  return (amount) => {
    const money = { amount: amountText(amount), currencyCode };
    return { shopMoney: money, presentmentMoney: money };
  };
}

function amountText(amount: number): string {
  return cents(amount).toFixed(2);
}
