import type { GraphQLResolveInfo } from 'graphql';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import type { NodeFields } from '../../state/nodes/node-store.js';
import { namedFunction } from '../functions/shop-functions.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import { addNode } from '../nodes/new-node.js';
import { NodeInputs } from '../nodes/node-inputs.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { refusedPayload } from '../nodes/refusals.js';
import { inputError } from '../nodes/user-errors.js';
import { discountProblems } from './discount-checks.js';
import { discountFields } from './discount-fields.js';
import { discountIn, METHODS } from './discount-kinds.js';
import { discountPlace } from './discount-lookups.js';

type Args = Readonly<Record<string, NodeFields>> & { readonly id?: string };
type Method = keyof typeof METHODS;

/** The kinds of functions that give discounts. */
const FUNCTIONS = ['discount', 'product_discounts', 'order_discounts', 'shipping_discounts'];

/**
 * The resolvers of the discounts that functions of the app calculate. Nothing is calculated here.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/discountCodeAppCreate
 */
export function appDiscountRoot(writer: NodeWriter): Record<string, unknown> {
  const fields = (Object.keys(METHODS) as Method[]).flatMap((method) => [
    [`discount${method}AppCreate`, written(writer, method, true)],
    [`discount${method}AppUpdate`, written(writer, method, false)],
  ]);
  return Object.fromEntries(fields) as Record<string, unknown>;
}

function written(writer: NodeWriter, method: Method, isNew: boolean) {
  const { type, part } = METHODS[method];
  const argument = method === 'Code' ? 'codeAppDiscount' : 'automaticAppDiscount';
  const { reader, changed, apiKey } = writer;
  const { nodes, defaults } = reader.store;
  return (
    { id, [argument]: input = {} }: Args,
    _context: GraphqlContext,
    info: GraphQLResolveInfo,
  ): object => {
    const node = isNew ? undefined : nodes.find(String(id));
    if (!isNew && node?.type !== type)
      return refusedPayload(info, [inputError('id', 'Discount does not exist')]);
    const problems = discountProblems(
      input,
      discountPlace(writer, { argument, kind: 'App', method }, node?.id),
    );
    if (problems.length > 0) return refusedPayload(info, problems);
    const isNamed = isNew || input['functionId'] != null || input['functionHandle'] != null;
    const found = isNamed ? namedFunction(writer, input, FUNCTIONS) : undefined;
    if (found && found.kind !== 'found')
      return refusedPayload(info, [functionError(found, argument, input)]);
    const concrete = info.schema.getType(`Discount${method}App`);
    const own = concrete && new NodeInputs(nodes, info.schema).fields(input, concrete);
    const { functionId: _id, functionHandle: _handle, ...values } = own ?? {};
    const before = node ? discountIn(node) : {};
    const discount = discountFields(
      {
        ...before,
        ...values,
        ...(found ? { appDiscountType: appType(found.fields, apiKey) } : {}),
        __typename: `Discount${method}App`,
      },
      defaults.now(),
    );
    const result = (discountId: string): object => {
      nodes.update(discountId, { [part]: { ...discount, discountId } });
      return reader.objectOf(discountIn({ type, fields: { ...nodes.fieldsOf(discountId) } }));
    };
    if (node) {
      const view = result(node.id);
      changed('update', node.id, nodes.fieldsOf(node.id));
      return { [argument]: view, userErrors: [] };
    }
    let view: object | undefined;
    addNode(writer, [type, { [part]: discount }], false, (created) => (view = result(created)));
    return { [argument]: view, userErrors: [] };
  };
}

function appType({ id, title, description }: NodeFields, appKey: string | undefined): NodeFields {
  return { functionId: id, appKey, title, description, targetType: 'LINE_ITEM' };
}

function functionError(
  { kind, name }: { readonly kind: string; readonly name: string },
  argument: string,
  { functionId }: NodeFields,
): NodeError {
  const place = `${argument}.${functionId == null ? 'functionHandle' : 'functionId'}`;
  switch (kind) {
    case 'missing':
      return inputError(place, "Function id can't be blank.", 'MISSING_FUNCTION_IDENTIFIER');
    case 'several':
      return inputError(
        argument,
        'Only one of functionId or functionHandle is allowed.',
        'MULTIPLE_FUNCTION_IDENTIFIERS',
      );
    case 'unknown':
      return inputError(place, unreleased(name), 'INVALID');
    default:
      return inputError(
        place,
        'Unexpected Function API. The provided function must implement one of the following extension targets: [product_discounts, order_discounts, shipping_discounts, discount].',
      );
  }
}

/** What the platform says of a function that the app has not released. */
export function unreleased(name: string): string {
  return `Function ${name} not found. Ensure that it is released in the current app, and that the app is installed.`;
}
