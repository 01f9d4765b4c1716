import type { GraphQLResolveInfo } from 'graphql';
import { html } from '../../http/page-html.js';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import type { NodeFields } from '../../state/nodes/node-store.js';
import { EMAIL } from '../nodes/contact-values.js';
import { addNode } from '../nodes/new-node.js';
import { NodeInputs } from '../nodes/node-inputs.js';
import { preparedFields } from '../nodes/node-rules.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { customerOfEmail, draftOrderProblems, type DraftOrderInput } from './draft-order-input.js';
import { idsOf, nodeOf } from './fulfillment-orders.js';
import { draftOrderFields } from './order-totals.js';

interface EmailInput {
  readonly to?: string | null;
  readonly subject?: string | null;
  readonly customMessage?: string | null;
}

interface InvoiceArgs {
  id: string;
  email?: EmailInput | null;
}

/**
 * The resolvers of the mutations of draft orders: created, changed, calculated, copied and sent to
 * their customers as invoices.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/objects/DraftOrder
 */
export function draftOrderRoot(writer: NodeWriter): Record<string, unknown> {
  const { reader, changed, view } = writer;
  const { nodes, defaults } = reader.store;
  const refused = (message: string, field: readonly string[] | null = null): object => ({
    draftOrder: null,
    userErrors: [{ field, message }],
  });

  /** Writes a draft by the conventions when its input is fine. */
  const written =
    (isUpdate: boolean) =>
    (args: { input: DraftOrderInput }, context: GraphqlContext, info: GraphQLResolveInfo) => {
      const userErrors = draftOrderProblems(args.input, reader, isUpdate);
      if (userErrors.length > 0) return { draftOrder: null, userErrors };
      const input = { ...args.input, ...(isUpdate ? {} : customerOfEmail(args.input)) };
      return context.missing(undefined, { ...args, input }, context, info);
    };

  /** A draft with copies of lines. */
  const copied = (fields: NodeFields): object => {
    const lineItems = idsOf(fields['lineItems']).map(
      (line) => nodes.create('DraftOrderLineItem', nodes.fieldsOf(line)).id,
    );
    const given = { ...fields, lineItems };
    const prepared = preparedFields('DraftOrder', given, { reader, id: undefined });
    return { draftOrder: view(addNode(writer, ['DraftOrder', prepared], false)), userErrors: [] };
  };

  return {
    draftOrderCreate: written(false),
    draftOrderUpdate: written(true),

    draftOrderCalculate: (
      { input }: { input: DraftOrderInput },
      _context: GraphqlContext,
      { schema }: GraphQLResolveInfo,
    ) => {
      const userErrors = draftOrderProblems(input, reader);
      if (userErrors.length > 0) return { calculatedDraftOrder: null, userErrors };
      const { billingAddress: _billing, shippingAddress: _shipping, ...rest } = input;
      const given = new NodeInputs(nodes, schema).fields(rest, schema.getType('DraftOrder')!);
      const fields = draftOrderFields(given, reader, undefined);
      const lines = idsOf(fields['lineItems']);
      const lineItems = lines.map((line) => ({ ...nodes.fieldsOf(line) }));
      // Nothing of what was calculated is kept.
      for (const part of [...lines, String(given['shippingLine'])]) nodes.delete(part);
      const currencyCode = rest['presentmentCurrencyCode'] ?? defaults.currency;
      const calculated = { ...fields, shippingLine: null, lineItems, currencyCode };
      return { calculatedDraftOrder: reader.objectOf(calculated), userErrors: [] };
    },

    draftOrderDuplicate: (args: { id?: string | null; draftOrderId?: string | null }) => {
      const name = args.draftOrderId == null ? 'id' : 'draftOrderId';
      const draft = nodeOf(nodes, 'DraftOrder', args[name] ?? '');
      if (!draft) return refused('Draft order does not exist', [name]);
      return copied(without(draft, ['invoiceSentAt', 'completedAt', 'order', ...OWN]));
    },

    draftOrderCreateFromOrder: ({ orderId }: { orderId: string }) => {
      const order = nodeOf(nodes, 'Order', orderId);
      if (!order) return refused('Order does not exist', ['orderId']);
      return copied(Object.fromEntries(COPIED.map((name) => [name, order[name]])));
    },

    draftOrderInvoicePreview: ({ id, email }: InvoiceArgs) => {
      const draft = nodeOf(nodes, 'DraftOrder', id);
      if (!draft) {
        const userErrors = [{ field: null, message: NOT_FOUND }];
        return { previewSubject: null, previewHtml: null, userErrors };
      }
      const page = html`<!DOCTYPE html>
        <html lang="en">
          <head>
            <title>Complete your purchase</title>
          </head>
          <body>
            <h1>${String(draft['name'])}</h1>
            <p>${email?.customMessage ?? ''}</p>
          </body>
        </html>`;
      return {
        previewSubject: email?.subject ?? `Invoice ${String(draft['name'])}`,
        previewHtml: page.text,
        userErrors: [],
      };
    },

    draftOrderInvoiceSend: ({ id, email }: InvoiceArgs) => {
      const draft = nodeOf(nodes, 'DraftOrder', id);
      if (!draft) return refused(NOT_FOUND);
      const customer = nodes.fieldsOf(String(draft['customer']));
      const to = String(email?.to ?? draft['email'] ?? customer['email'] ?? '');
      const errors = [
        ...(to === '' ? ["To can't be blank"] : []),
        ...(to !== '' && !EMAIL.test(to) ? ['To is invalid'] : []),
        ...(draft['status'] === 'COMPLETED' ? [ALREADY_PAID] : []),
      ];
      if (errors.length === 0) {
        nodes.update(id, { status: 'INVOICE_SENT', invoiceSentAt: defaults.now() });
        changed('update', id, nodes.fieldsOf(id));
      }
      const userErrors = errors.map((message) => ({ field: null, message }));
      return { draftOrder: view(id), userErrors };
    },
  };
}

/** What a copy has of its own. */
const OWN = ['status', 'name', 'number', 'shippingLine', 'invoiceUrl'];

/** What a draft takes from an order. */
const COPIED = [
  ...['lineItems', 'customer', 'email', 'phone', 'note', 'tags', 'customAttributes'],
  ...['billingAddress', 'shippingAddress', 'taxExempt', 'poNumber'],
];

function without(fields: Readonly<NodeFields>, names: readonly string[]): NodeFields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

const NOT_FOUND = 'Draft order not found';
const ALREADY_PAID = "Draft order Invoice can't be sent. This draft order is already paid.";
