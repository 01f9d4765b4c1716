import type { NodeFields } from '../../state/nodes/node-store.js';
import { typeOfId } from './node-reader.js';
import type { NodeWriter } from './node-writer.js';

type Args = { readonly id: string };

/** How the two kinds of discounts are called. */
const KINDS = [
  { kind: 'Code', type: 'DiscountCodeNode', part: 'codeDiscount' },
  { kind: 'Automatic', type: 'DiscountAutomaticNode', part: 'automaticDiscount' },
] as const;

/**
 * The resolvers of the mutations that start and end discounts. They change the dates and the status
 * of the discount in the node.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/discountCodeDeactivate
 */
export function discountRoot({ reader, changed, view }: NodeWriter): Record<string, unknown> {
  const { nodes, defaults } = reader.store;
  const now = (): string => defaults.now().toISOString();
  const fields = KINDS.flatMap(({ kind, type, part }) => {
    const moved =
      (values: (discount: Readonly<NodeFields>) => NodeFields) =>
      ({ id }: Args): object => {
        const result = `${part}Node`;
        const node = typeOfId(id) === type ? nodes.find(id) : undefined;
        if (!node) {
          const message = `${kind} discount does not exist.`;
          return { [result]: null, userErrors: [{ field: ['id'], message, code: 'INVALID' }] };
        }
        const discount = Object(node.fields[part]) as Readonly<NodeFields>;
        nodes.update(id, { [part]: { ...discount, ...values(discount) } });
        changed('update', id, nodes.fieldsOf(id));
        return { [result]: view(id), userErrors: [] };
      };
    const activated = ({ startsAt }: Readonly<NodeFields>): NodeFields => ({
      status: 'ACTIVE',
      endsAt: null,
      startsAt: isLater(startsAt, defaults.now()) ? now() : startsAt,
    });
    return [
      [`discount${kind}Activate`, moved(activated)],
      [`discount${kind}Deactivate`, moved(() => ({ status: 'EXPIRED', endsAt: now() }))],
    ];
  });
  return Object.fromEntries(fields) as Record<string, unknown>;
}

function isLater(date: unknown, now: Date): boolean {
  return date == null || new Date(String(date)) > now;
}
