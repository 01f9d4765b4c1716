import type { GraphQLResolveInfo } from 'graphql';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import type { NodeFields } from '../../state/nodes/node-store.js';
import { PHONE } from '../nodes/contact-values.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { listOf } from '../payloads/payload-values.js';
import { customerOfEmail } from './draft-order-input.js';
import { nodeOf } from './fulfillment-orders.js';

interface CreatedInput extends Readonly<NodeFields> {
  readonly lineItems?: ReadonlyArray<Readonly<NodeFields>> | null;
  readonly processedAt?: string | null;
  readonly transactions?: ReadonlyArray<Readonly<NodeFields>> | null;
}

interface UpdatedInput extends Readonly<NodeFields> {
  readonly id: string;
  readonly phone?: string | null;
  readonly shippingAddress?: Readonly<NodeFields> | null;
}

type Rest = [context: GraphqlContext, info: GraphQLResolveInfo];

/**
 * The resolvers of the mutations that create, change, close and reopen orders: they check the
 * input, and leave what is written to the conventions.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/orderCreate
 */
export function orderInputRoot({ reader, changed, view }: NodeWriter): Record<string, unknown> {
  const { nodes, defaults } = reader.store;
  const moved = (id: string, fields: NodeFields): object => {
    const order = nodeOf(nodes, 'Order', id);
    if (!order)
      return { order: null, userErrors: [{ field: ['id'], message: 'Order does not exist' }] };
    // An order that is closed, or open, already stays as it is.
    if ((order['closed'] ?? false) !== fields['closed']) {
      nodes.update(id, fields);
      changed('update', id, nodes.fieldsOf(id));
    }
    return { order: view(id), userErrors: [] };
  };
  return {
    orderClose: ({ input }: { input: { id: string } }) =>
      moved(input.id, { closed: true, closedAt: defaults.now().toISOString() }),
    orderOpen: ({ input }: { input: { id: string } }) =>
      moved(input.id, { closed: false, closedAt: null }),

    orderCreate: (args: { order: CreatedInput }, ...[context, info]: Rest) => {
      const { order } = args;
      const error = createdProblem(order, defaults.now());
      if (error) return { order: null, userErrors: [error] };
      return context.missing(undefined, { ...args, order: completed(order) }, context, info);
    },

    orderUpdate: (args: { input: UpdatedInput }, ...[context, info]: Rest) => {
      const { input } = args;
      const isKnown = nodeOf(nodes, 'Order', input.id) !== undefined;
      const userErrors = isKnown ? updatedProblems(input) : [];
      if (userErrors.length > 0) return { order: view(input.id), userErrors };
      return context.missing(undefined, args, context, info);
    },
  };
}

function createdProblem(order: CreatedInput, now: Date): NodeError | undefined {
  const { processedAt, lineItems, customerId, customer } = order;
  if (processedAt != null && !(new Date(processedAt) <= now))
    return {
      ...{ field: ['order', 'processedAt'], message: 'Processed at is invalid' },
      code: 'PROCESSED_AT_INVALID',
    };
  if (customerId != null && customer != null)
    return {
      ...{ field: ['order'], message: 'Customer fields are redundant' },
      code: 'REDUNDANT_CUSTOMER_FIELDS',
    };
  if (listOf(lineItems).length === 0)
    return {
      ...{ field: ['order', 'lineItems'], code: 'INVALID' },
      message: 'Line items must have at least one line item',
    };
  return undefined;
}

/** An input as the fields of an order: with its customer, and how it was paid. */
function completed(order: CreatedInput): CreatedInput {
  const { lineItems, transactions } = order;
  const gateways = (transactions ?? []).flatMap(({ gateway, status }) =>
    gateway == null || status === 'FAILURE' ? [] : [gateway],
  );
  return {
    ...order,
    ...customerOfEmail(order),
    lineItems: (lineItems ?? []).map(({ properties, ...line }) => ({
      ...line,
      ...(properties == null ? {} : { customAttributes: attributesOf(properties) }),
    })),
    ...(gateways.length > 0 ? { paymentGatewayNames: [...new Set(gateways)] } : {}),
  };
}

/** The properties of a line as its custom attributes. */
function attributesOf(properties: unknown): NodeFields[] {
  return (listOf(properties) as NodeFields[]).map(({ name, value }) => ({ key: name, value }));
}

/** Why a change of an order is refused. */
function updatedProblems({ id: _id, ...input }: UpdatedInput): NodeError[] {
  if (Object.keys(input).length === 0)
    return [{ field: null, message: 'No valid update parameters have been provided' }];
  const { phone, shippingAddress } = input;
  return [
    ...(phone && !PHONE.test(phone) ? [{ field: ['phone'], message: 'Phone is invalid' }] : []),
    ...(shippingAddress ? addressProblems(shippingAddress) : []),
  ];
}

/** What an address lacks. */
function addressProblems(address: Readonly<NodeFields>): NodeError[] {
  const isUs = address['countryCode'] === 'US';
  const lacks = (name: string, message: string): NodeError[] =>
    String(address[name] ?? '').trim() === ''
      ? [{ field: ['shippingAddress', name], message }]
      : [];
  return [
    ...lacks('lastName', 'Enter a last name'),
    ...(isUs ? lacks('zip', 'Enter a ZIP code') : []),
  ];
}
