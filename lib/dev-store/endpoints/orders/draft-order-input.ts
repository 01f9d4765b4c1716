import { idOf } from '../../base/vendor.js';
import type { NodeFields } from '../../state/nodes/node-store.js';
import { EMAIL } from '../nodes/contact-values.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import type { NodeReader } from '../nodes/node-reader.js';
import { isVariant } from './return-checks.js';

interface DiscountInput {
  readonly value?: number | null;
  readonly valueType?: string | null;
}

interface LineInput {
  readonly variantId?: string | null;
  readonly title?: string | null;
  readonly quantity: number;
  readonly originalUnitPrice?: unknown;
  readonly originalUnitPriceWithCurrency?: { readonly amount: unknown } | null;
  readonly appliedDiscount?: DiscountInput | null;
}

/** What is set of a draft order, as far as the platform checks it. */
export interface DraftOrderInput extends Readonly<NodeFields> {
  readonly email?: string | null;
  readonly lineItems?: readonly LineInput[] | null;
  readonly tags?: readonly string[] | null;
  readonly appliedDiscount?: DiscountInput | null;
  readonly paymentTerms?: { readonly paymentTermsTemplateId?: string | null } | null;
  readonly reserveInventoryUntil?: string | null;
}

const LONGEST_TAG = 40;

/**
 * The customer of an order, or of a draft, whose input has an email and names nobody: the one with
 * that email, else a new one.
 */
export function customerOfEmail(input: Readonly<NodeFields>): NodeFields {
  const { email, customer, customerId, purchasingEntity, companyLocationId } = input;
  const isNamed = (customer ?? customerId ?? purchasingEntity ?? companyLocationId) != null;
  if (isNamed || typeof email !== 'string' || !EMAIL.test(email)) return {};
  return { customer: { toUpsert: { email: email.toLowerCase() } } };
}

/**
 * Why the input of a draft order is refused.
 * @param isUpdate whether the draft is there: the paths of the errors begin with `input` then, and
 *   tags are counted from 1
 */
export function draftOrderProblems(
  input: DraftOrderInput,
  reader: NodeReader,
  isUpdate = false,
): NodeError[] {
  const at = (...path: readonly unknown[]): readonly string[] => [
    ...(isUpdate ? ['input'] : []),
    ...path.map(String),
  ];
  const base = (message: string): NodeError => ({ field: null, message });
  const { email, lineItems, tags, paymentTerms, reserveInventoryUntil } = input;
  if (isUpdate ? lineItems?.length === 0 : !lineItems?.length)
    return [base('Add at least 1 product')];
  const long = (tags ?? []).flatMap((tag, index) =>
    tag.length > LONGEST_TAG ? [at('tags', isUpdate ? index + 1 : index)] : [],
  );
  const message = `Title Tag exceeds the maximum length of ${LONGEST_TAG} characters`;
  const until = reserveInventoryUntil == null ? undefined : new Date(reserveInventoryUntil);
  return [
    ...(email && !EMAIL.test(email) ? [{ field: at('email'), message: 'Email is invalid' }] : []),
    ...long.map((field) => ({ field, message })),
    ...discountProblem(input.appliedDiscount, at('appliedDiscount', 'value')),
    ...(lineItems ?? []).flatMap((line, index) => [
      ...lineProblem(line, at('lineItems', index, 'quantity'), reader),
      ...discountProblem(line.appliedDiscount, at('lineItems', index, 'appliedDiscount', 'value')),
    ]),
    ...(paymentTerms && !paymentTerms.paymentTermsTemplateId
      ? [base('Payment terms template id can not be empty.')]
      : []),
    ...(until && until <= reader.store.defaults.now()
      ? [base("Reserve until can't be in the past")]
      : []),
  ];
}

function lineProblem(line: LineInput, place: readonly string[], reader: NodeReader): NodeError[] {
  const { variantId, title, quantity, originalUnitPrice, originalUnitPriceWithCurrency } = line;
  const base = (message: string): NodeError[] => [{ field: null, message }];
  if (variantId != null && !isVariant(reader, variantId))
    return base(
      `Product with ID ${idOf('ProductVariant', variantId) ?? variantId.split('/').at(-1)} is no longer available.`,
    );
  if (variantId == null && !title?.trim()) return base('Merchandise title is empty.');
  if (quantity < 1)
    return [{ field: place, message: 'Quantity must be greater than or equal to 1' }];
  const price = Number(originalUnitPriceWithCurrency?.amount ?? originalUnitPrice ?? 0);
  return price < 0 ? base('Cannot send negative price for line_item') : [];
}

function discountProblem(
  discount: DiscountInput | null | undefined,
  field: readonly string[],
): NodeError[] {
  const value = Number(discount?.value ?? 0);
  const refused = (words: string): NodeError[] => [
    { field, message: `Applied discount value ${words}` },
  ];
  if (discount?.valueType === 'PERCENTAGE' && value > 100)
    return refused('must be less than or equal to 100%');
  return Math.abs(value * 100 - Math.round(value * 100)) > 1e-9
    ? refused('can have at most 2 digits after decimal point')
    : [];
}
