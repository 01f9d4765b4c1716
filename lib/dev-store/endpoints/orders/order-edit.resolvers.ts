import { randomUUID } from 'node:crypto';
import { globalId } from '../../base/vendor.js';
import type { NodeFields } from '../../state/nodes/node-store.js';
import { numberOf } from '../nodes/node-reader.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { nodeOf } from './fulfillment-orders.js';
import { commitEdit } from './order-edit-commit.js';
import {
  calculatedOrder,
  lineView,
  newEdit,
  stagedDiscount,
  type EditDiscount,
  type EditLine,
  type EditShipping,
  type OrderEdit,
} from './order-edit.js';
import { amountOf } from './order-totals.js';

interface EditError {
  readonly field: readonly string[];
  readonly message: string;
  readonly code?: string;
}

interface Money {
  readonly amount: string | number;
  readonly currencyCode: string;
}

interface AddArgs {
  variantId: string;
  quantity: number;
  allowDuplicates?: boolean | null;
}

interface CustomArgs {
  title: string;
  quantity: number;
  price: Money;
  requiresShipping?: boolean | null;
  taxable?: boolean | null;
}

interface QuantityArgs {
  lineItemId: string;
  quantity: number;
  restock?: boolean | null;
}

interface DiscountArgs {
  lineItemId: string;
  discountApplicationId: string;
  discount: {
    readonly description?: string | null;
    readonly fixedValue?: Money | null;
    readonly percentValue?: number | null;
  };
}

interface ShippingArgs {
  shippingLineId: string;
  shippingLine: { readonly title?: string | null; readonly price?: Money | null };
}

interface CommitArgs {
  notifyCustomer?: boolean | null;
  staffNote?: string | null;
}

/** What a change of an edit answers beside the order: its other fields, or why it is refused. */
type Change<Args> = (edit: OrderEdit, args: Args) => NodeFields | readonly EditError[];

const LONGEST_TITLE = 255;

/**
 * The resolvers of the mutations that edit an order: what they change is kept in a session until it
 * is committed.
 * @see https://shopify.dev/docs/apps/build/orders-fulfillment/order-management-apps/edit-orders
 */
export function orderEditRoot(writer: NodeWriter): Record<string, unknown> {
  const { reader, view } = writer;
  const { nodes } = reader.store;
  const sessionOf = (id: string): object => ({
    __typename: 'OrderEditSession',
    id: globalId('OrderEditSession', numberOf(id) ?? 0),
  });
  /** An edit that is not committed. */
  const editOf = (id: string): OrderEdit | undefined => {
    const fields = nodeOf(nodes, 'CalculatedOrder', id);
    return fields?.['committed'] ? undefined : (fields?.['edit'] as OrderEdit | undefined);
  };
  const refused = (...userErrors: EditError[]): object => ({
    calculatedOrder: null,
    calculatedLineItem: null,
    calculatedShippingLine: null,
    addedDiscountStagedChange: null,
    orderEditSession: null,
    userErrors,
  });
  const changing =
    <Args>(change: Change<Args>) =>
    ({ id, ...args }: Args & { id: string }): object => {
      const edit = editOf(id);
      if (!edit) return refused(NO_EDIT);
      const result = change(edit, args as unknown as Args);
      if (Array.isArray(result)) return refused(...(result as EditError[]));
      nodes.update(id, calculatedOrder(nodes, edit));
      return {
        calculatedOrder: view(id),
        orderEditSession: sessionOf(id),
        ...Object.fromEntries(
          Object.entries(result).map(([name, value]) => [name, reader.objectOf(value)]),
        ),
        userErrors: [],
      };
    };
  const inCurrency = ({ currency }: OrderEdit, money: Money | null | undefined): EditError[] => {
    if (!money || money.currencyCode === currency) return [];
    const message = `Currency must be ${currency}`;
    return [{ field: ['price'], message, code: 'INVALID' }];
  };
  const lineAt = ({ lines }: OrderEdit, id: string): EditLine | undefined =>
    lines.find((one) => one.id === id);
  const lineResult = (line: EditLine, { currency }: OrderEdit): NodeFields => ({
    calculatedLineItem: lineView(line, currency),
  });
  const added = (edit: OrderEdit, fields: NodeFields, quantity: number): NodeFields => {
    const price = amountOf(fields['price']);
    const line: EditLine = {
      ...{ id: globalId('CalculatedLineItem', randomUUID()), fields, price, reduced: price },
      ...{ before: 0, quantity, restock: false },
    };
    edit.lines.push(line);
    return lineResult(line, edit);
  };
  const shippingAt = ({ shipping }: OrderEdit, id: string): EditShipping | undefined =>
    shipping.find((one) => one.id === id && one.stagedStatus !== 'REMOVED');
  const withoutDiscount = (isPart: boolean): Change<DiscountArgs> => {
    return (edit, { discountApplicationId }) => {
      const line = edit.lines.find(({ discount }) => discount?.id === discountApplicationId);
      if (!line) return [NO_DISCOUNT];
      line.discount = undefined;
      return isPart ? lineResult(line, edit) : {};
    };
  };

  return {
    orderEditBegin: ({ id }: { id: string }) => {
      const order = nodeOf(nodes, 'Order', id);
      if (!order) return refused({ field: ['id'], message: 'The order does not exist.' });
      if (order['cancelledAt'])
        return refused({ field: ['id'], message: 'The order cannot be edited.' });
      const edit = newEdit(nodes, id);
      const { id: made } = nodes.create('CalculatedOrder', calculatedOrder(nodes, edit));
      return { calculatedOrder: view(made), orderEditSession: sessionOf(made), userErrors: [] };
    },

    orderEditAddVariant: changing<AddArgs>((edit, { variantId, quantity, allowDuplicates }) => {
      const found = writer.catalog.variant(numberOf(variantId));
      if (quantity <= 0) return [NOT_POSITIVE, ...(quantity < 0 ? [NEGATIVE] : [])];
      if (!found)
        return [
          {
            field: ['variantId'],
            message: variantId.endsWith('/0') ? NO_ID : 'The variant does not exist.',
          },
        ];
      const { title } = found.product;
      if (!allowDuplicates && edit.lines.some(({ fields }) => fields['variant'] === variantId))
        return [
          {
            field: ['id'],
            message: `${title} was not added because it's already on the order.`,
          },
        ];
      const { price, sku, title: variantTitle } = found.variant;
      return added(edit, { title, sku, price, variant: variantId, variantTitle }, quantity);
    }),

    orderEditAddCustomItem: changing<CustomArgs>((edit, { quantity, ...fields }) => {
      const { title, price } = fields;
      const [field, message] = [['title'], `is too long (maximum is ${LONGEST_TITLE} characters)`];
      if (title.trim() === '') return [{ field, message: "can't be blank" }];
      if (title.length > LONGEST_TITLE) return [{ field, message }];
      if (quantity <= 0) return [NOT_POSITIVE];
      if (Number(price.amount) < 0) return [{ ...NEGATIVE, field: ['price', 'amount'] }];
      const errors = inCurrency(edit, price);
      return errors.length > 0 ? errors : added(edit, fields, quantity);
    }),

    orderEditSetQuantity: changing<QuantityArgs>((edit, { lineItemId, quantity, restock }) => {
      if (quantity < 0) return [NEGATIVE];
      const line = lineAt(edit, lineItemId);
      if (!line) return [NO_LINE];
      line.quantity = quantity;
      line.restock = restock ?? false;
      return lineResult(line, edit);
    }),

    orderEditAddLineItemDiscount: changing<DiscountArgs>((edit, { lineItemId, discount }) => {
      const line = lineAt(edit, lineItemId);
      if (!line) return [NO_LINE];
      line.discount = discountOf(discount, discountId());
      return {
        ...lineResult(line, edit),
        addedDiscountStagedChange: stagedDiscount(line.discount, edit.currency),
      };
    }),
    orderEditUpdateDiscount: changing<DiscountArgs>((edit, { discountApplicationId, discount }) => {
      const line = edit.lines.find((one) => one.discount?.id === discountApplicationId);
      if (!line) return [NO_DISCOUNT];
      line.discount = discountOf(discount, discountApplicationId);
      return {};
    }),
    orderEditRemoveDiscount: changing(withoutDiscount(false)),
    orderEditRemoveLineItemDiscount: changing(withoutDiscount(true)),

    orderEditAddShippingLine: changing<ShippingArgs>((edit, { shippingLine: { title, price } }) => {
      const errors = inCurrency(edit, price);
      if (errors.length > 0) return errors;
      const line: EditShipping = {
        id: globalId('CalculatedShippingLine', randomUUID()),
        title: title ?? '',
        price: amountOf(price),
        stagedStatus: 'ADDED',
      };
      edit.shipping.push(line);
      return { calculatedShippingLine: line };
    }),
    orderEditUpdateShippingLine: changing<ShippingArgs>(
      (edit, { shippingLineId, shippingLine }) => {
        const line = shippingAt(edit, shippingLineId);
        // Only those of the edit can be changed, as on the platform.
        if (line?.stagedStatus !== 'ADDED') return [NO_SHIPPING];
        const errors = inCurrency(edit, shippingLine.price);
        if (errors.length > 0) return errors;
        line.title = shippingLine.title ?? line.title;
        if (shippingLine.price) line.price = amountOf(shippingLine.price);
        return {};
      },
    ),
    orderEditRemoveShippingLine: changing<ShippingArgs>((edit, { shippingLineId }) => {
      const line = shippingAt(edit, shippingLineId);
      if (!line) return [NO_SHIPPING];
      if (line.stagedStatus === 'ADDED') edit.shipping.splice(edit.shipping.indexOf(line), 1);
      else line.stagedStatus = 'REMOVED';
      return {};
    }),

    orderEditCommit: ({ id, notifyCustomer, staffNote }: CommitArgs & { id: string }) => {
      const edit = editOf(id);
      if (!edit) return { order: null, successMessages: null, userErrors: [NO_EDIT] };
      const { closed } = nodes.fieldsOf(edit.order);
      commitEdit(writer, edit, { id, notifyCustomer, staffNote });
      nodes.update(id, { committed: true });
      return {
        order: view(edit.order),
        successMessages: [
          'Order updated',
          ...(closed ? ['Order unarchived'] : []),
          ...(notifyCustomer ? ['Notification sent'] : []),
        ],
        userErrors: [],
      };
    },
  };
}

function discountId(): string {
  return globalId('CalculatedManualDiscountApplication', randomUUID());
}

function discountOf(
  { description, fixedValue, percentValue }: DiscountArgs['discount'],
  id: string,
): EditDiscount {
  const value = fixedValue ? { amount: amountOf(fixedValue) } : { percentage: percentValue ?? 0 };
  return { id, description: description ?? '', ...value };
}

const NO_EDIT: EditError = { field: ['id'], message: 'The calculated order does not exist.' };
const NO_LINE: EditError = { field: ['lineItemId'], message: 'The line item does not exist.' };
const NO_SHIPPING: EditError = {
  field: ['shippingLineId'],
  message: 'The shipping line does not exist.',
  code: 'INVALID',
};
const NO_DISCOUNT: EditError = {
  field: ['discountApplicationId'],
  message: 'The discount application does not exist.',
  code: 'INVALID',
};
const NOT_POSITIVE: EditError = { field: ['quantity'], message: 'must be greater than 0' };
const NEGATIVE: EditError = {
  field: ['quantity'],
  message: 'must be greater than or equal to 0',
};
const NO_ID = "can't convert Integer[0] to a positive Integer to use as an untrusted id";
