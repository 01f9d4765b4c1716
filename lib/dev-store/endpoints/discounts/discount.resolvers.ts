import type { NodeFields, StoredNode } from '../../state/nodes/node-store.js';
import { typeOfId } from '../nodes/node-reader.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { checkedRoot, type Check } from '../nodes/refusals.js';
import { inputError } from '../nodes/user-errors.js';
import { appDiscountRoot } from './app-discount.resolvers.js';
import { bulkDiscountRoot } from './bulk-discount.resolvers.js';
import { discountProblems } from './discount-checks.js';
import { movedDiscount } from './discount-fields.js';
import { discountIn, discountWithCode, METHODS, redeemCodesOf } from './discount-kinds.js';
import { discountPlace, noDiscount } from './discount-lookups.js';
import { redeemCodeRoot } from './redeem-code.resolvers.js';

type Args = { readonly id: string };

/** The arguments of the mutations that write discounts, and what those do. */
const INPUTS = [
  ['Code', 'Basic', 'basicCodeDiscount'],
  ['Code', 'Bxgy', 'bxgyCodeDiscount'],
  ['Code', 'FreeShipping', 'freeShippingCodeDiscount'],
  ['Automatic', 'Basic', 'automaticBasicDiscount'],
  ['Automatic', 'Bxgy', 'automaticBxgyDiscount'],
  ['Automatic', 'FreeShipping', 'freeShippingAutomaticDiscount'],
] as const;

/**
 * The resolvers of discounts: what their inputs are refused for, their start and end, their codes,
 * and what is done to many.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/discountCodeBasicCreate
 */
export function discountRoot(writer: NodeWriter): Record<string, unknown> {
  return {
    ...checkedRoot(Object.fromEntries(INPUTS.flatMap((row) => checksOf(writer, row)))),
    ...Object.fromEntries(Object.entries(METHODS).flatMap((method) => lifeOf(writer, method))),
    ...appDiscountRoot(writer),
    ...bulkDiscountRoot(writer),
    ...redeemCodeRoot(writer),
    codeDiscountNodeByCode: ({ code }: { readonly code: string }) => {
      const node = discountWithCode(writer.reader.store.nodes, code);
      return node ? writer.view(node.id) : null;
    },
  };
}

function checksOf(
  writer: NodeWriter,
  [method, kind, argument]: (typeof INPUTS)[number],
): Array<[string, Check<never>]> {
  const { nodes } = writer.reader.store;
  const check =
    (isNew: boolean): Check<Record<string, NodeFields> & { id?: string }> =>
    ({ id, [argument]: input = {} }) => {
      const node = isNew ? undefined : nodes.find(String(id));
      if (!isNew && node?.type !== METHODS[method].type)
        return [inputError('id', 'Discount does not exist')];
      const codes = node ? redeemCodesOf(discountIn(node)) : [];
      const { code } = input;
      if (codes.length > 1 && code != null && code !== codes[0]?.code)
        return [inputError('id', 'Cannot update the code of a bulk discount.')];
      return discountProblems(input, discountPlace(writer, { argument, kind, method }, node?.id));
    };
  const name = `discount${method}${kind}`;
  return [
    [`${name}Create`, check(true)],
    [`${name}Update`, check(false)],
  ];
}

/** The mutations that start, end and delete discounts of a kind. */
function lifeOf(
  { reader, changed, view }: NodeWriter,
  [method, { type, part }]: [string, (typeof METHODS)[keyof typeof METHODS]],
): Array<[string, unknown]> {
  const { nodes, defaults } = reader.store;
  const userErrors = [noDiscount(method)];
  const find = (id: string): StoredNode | undefined =>
    typeOfId(id) === type ? nodes.find(id) : undefined;
  const moved =
    (isStarted: boolean) =>
    ({ id }: Args): object => {
      const node = find(id);
      if (!node) return { [`${part}Node`]: null, userErrors };
      const discount = movedDiscount(discountIn(node), isStarted, defaults.now());
      nodes.update(id, { [part]: discount });
      changed('update', id, nodes.fieldsOf(id));
      return { [`${part}Node`]: view(id), userErrors: [] };
    };
  return [
    [`discount${method}Activate`, moved(true)],
    [`discount${method}Deactivate`, moved(false)],
    [
      `discount${method}Delete`,
      ({ id }: Args): object => {
        const deleted = `deleted${method}DiscountId`;
        const node = find(id);
        if (!node) return { [deleted]: null, userErrors };
        nodes.delete(id);
        changed('delete', id, node.fields);
        return { [deleted]: id, userErrors: [] };
      },
    ],
  ];
}
