import type { NodeFields } from '../../state/nodes/node-store.js';

/** What one field of an input stands for: a type, and its fields. */
type Choice = readonly [type: string, fields: (value: Readonly<NodeFields>) => NodeFields];

const customers: Choice = ['DiscountCustomers', ({ add }) => ({ customers: add })];
const segments: Choice = ['DiscountCustomerSegments', ({ add }) => ({ segments: add })];

/** The inputs that have one field for each type of a union, which no type has. */
const CHOICES: Readonly<Record<string, Readonly<Record<string, Choice>>>> = {
  DiscountItems: {
    all: ['AllDiscountItems', ({ value }) => ({ allItems: value })],
    collections: ['DiscountCollections', ({ add }) => ({ collections: add })],
    products: [
      'DiscountProducts',
      ({ productsToAdd, productVariantsToAdd }) => ({
        products: productsToAdd,
        productVariants: productVariantsToAdd,
      }),
    ],
  },
  DiscountCustomerGetsValue: {
    discountAmount: ['DiscountAmount', (value) => ({ ...value })],
    percentage: ['DiscountPercentage', ({ value }) => ({ percentage: value })],
    discountOnQuantity: [
      'DiscountOnQuantity',
      ({ quantity, effect }) => ({
        quantity: { quantity },
        effect: chosenObject('DiscountEffect', Object(effect) as NodeFields),
      }),
    ],
  },
  DiscountCustomerBuysValue: {
    quantity: ['DiscountQuantity', ({ value }) => ({ quantity: value })],
    amount: ['DiscountPurchaseAmount', ({ value }) => ({ amount: value })],
  },
  DiscountEffect: {
    percentage: ['DiscountPercentage', ({ value }) => ({ percentage: value })],
    amount: ['DiscountAmount', ({ value }) => ({ amount: value })],
  },
  DiscountMinimumRequirement: {
    quantity: ['DiscountMinimumQuantity', (value) => ({ ...value })],
    subtotal: ['DiscountMinimumSubtotal', (value) => ({ ...value })],
  },
  DiscountCustomerSelection: {
    all: ['DiscountCustomerAll', ({ value }) => ({ allCustomers: value })],
    customers,
    customerSegments: segments,
  },
  PurchasingEntity: {
    purchasingCompany: [
      'PurchasingCompany',
      ({ companyId, companyContactId, companyLocationId }) => ({
        company: companyId,
        contact: companyContactId,
        location: companyLocationId,
      }),
    ],
  },
  DiscountContext: {
    all: ['DiscountBuyerSelectionAll', ({ value }) => ({ all: value })],
    customers,
    customerSegments: segments,
    markets: ['DiscountMarkets', ({ add }) => ({ markets: add })],
  },
};

/**
 * The object that an input stands for in which one field says of which type it is, such as
 * `{ subtotal: { … } }`; undefined when the union has no such input.
 * @param union the name of the union
 */
export function chosenObject(union: string, input: Readonly<NodeFields>): NodeFields | undefined {
  const choices = CHOICES[union] ?? {};
  for (const [name, value] of Object.entries(input)) {
    const choice = value == null ? undefined : choices[name];
    if (!choice) continue;
    const [type, fields] = choice;
    const given = typeof value === 'object' ? (value as NodeFields) : { value };
    return { ...fields(given), __typename: type };
  }
  return undefined;
}
