import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

const basic = {
  title: 'Tenth',
  code: 'TENTH',
  startsAt: '2026-03-01T00:00:00Z',
  customerGets: { value: { percentage: 0.1 }, items: { all: true } },
};
const bxgy = {
  ...{ title: 'Two for one', code: 'TWO', startsAt: '2026-03-01T00:00:00Z' },
  customerBuys: { value: { quantity: '1' }, items: { all: true } },
  customerGets: {
    value: { discountOnQuantity: { quantity: '1', effect: { percentage: 1 } } },
    items: { all: true },
  },
};
const shipping = { title: 'Free', code: 'FREE', startsAt: '2026-03-01T00:00:00Z' };

/** The mutations, by the name of their argument. */
const MUTATIONS: Record<string, readonly [mutation: string, input: string, node: string]> = {
  basicCodeDiscount: ['discountCodeBasic', 'DiscountCodeBasicInput', 'codeDiscountNode'],
  automaticBasicDiscount: [
    'discountAutomaticBasic',
    'DiscountAutomaticBasicInput',
    'automaticDiscountNode',
  ],
  bxgyCodeDiscount: ['discountCodeBxgy', 'DiscountCodeBxgyInput', 'codeDiscountNode'],
  freeShippingCodeDiscount: [
    'discountCodeFreeShipping',
    'DiscountCodeFreeShippingInput',
    'codeDiscountNode',
  ],
  freeShippingAutomaticDiscount: [
    'discountAutomaticFreeShipping',
    'DiscountAutomaticFreeShippingInput',
    'automaticDiscountNode',
  ],
};

type UserError = readonly [path: string, message: string, code: string];

describe('what the inputs of discounts are refused for', () => {
  let fixture: NodeShopFixture;
  beforeAll(async () => {
    fixture = await openNodeShop(['discounts', 'products']);
  });
  afterAll(() => fixture.devStore.close());

  const create = async (argument: string, input: object): Promise<unknown> => {
    const [mutation, type, node] = MUTATIONS[argument]!;
    const { payload } = await fixture.call(
      `mutation ($input: ${type}!) { payload: ${mutation}Create(${argument}: $input) {
        node: ${node} { id } userErrors { field message code extraInfo } } }`,
      { input },
    );
    return payload;
  };

  const refusals: Array<[string, object, ...UserError[]]> = [
    [
      'basicCodeDiscount',
      { ...basic, code: '', startsAt: null },
      ['code', 'Code is too short (minimum is 1 character)', 'TOO_SHORT'],
      ['startsAt', "Starts at can't be blank", 'BLANK'],
    ],
    [
      'basicCodeDiscount',
      { ...basic, title: 'T'.repeat(256), code: 'a\nb' },
      ['title', 'Title is too long (maximum is 255 characters)', 'TOO_LONG'],
      ['code', 'Code cannot contain newline characters.', 'INVALID'],
    ],
    [
      'automaticBasicDiscount',
      {
        ...{ title: 'Ended', startsAt: '2026-03-02T00:00:00Z', endsAt: '2026-03-01T00:00:00Z' },
        customerGets: { value: { percentage: 1.5 }, items: { all: true } },
      },
      ['endsAt', 'Ends at needs to be after starts_at', 'INVALID'],
      ['customerGets.value.percentage', 'Value must be between 0.0 and 1.0', 'VALUE_OUTSIDE_RANGE'],
    ],
    [
      'basicCodeDiscount',
      {
        ...basic,
        customerGets: {
          value: { discountAmount: { amount: '-5', appliesOnEachItem: false } },
          items: {
            products: {
              productsToAdd: ['gid://shopify/Product/0'],
              productVariantsToAdd: ['gid://shopify/ProductVariant/0'],
            },
            collections: { add: ['gid://shopify/Collection/0'] },
          },
        },
      },
      [
        'customerGets.value.discountAmount.amount',
        'Value must be less than or equal to 0',
        'LESS_THAN_OR_EQUAL_TO',
      ],
      [
        'customerGets.items.collections.add',
        'Cannot entitle collections in combination with product variants or products',
        'CONFLICT',
      ],
      ['customerGets.items.products.productsToAdd', 'Product with id: 0 is invalid', 'INVALID'],
      [
        'customerGets.items.products.productVariantsToAdd',
        'Product variant with id: 0 is invalid',
        'INVALID',
      ],
    ],
    [
      'basicCodeDiscount',
      {
        ...basic,
        minimumRequirement: {
          quantity: { greaterThanOrEqualToQuantity: '2' },
          subtotal: { greaterThanOrEqualToSubtotal: '10.00' },
        },
        usageLimit: -1,
      },
      ['usageLimit', 'Usage limit must be greater than 0', 'GREATER_THAN'],
      [
        'minimumRequirement.subtotal.greaterThanOrEqualToSubtotal',
        'Minimum subtotal cannot be defined when minimum quantity is.',
        'CONFLICT',
      ],
      [
        'minimumRequirement.quantity.greaterThanOrEqualToQuantity',
        'Minimum quantity cannot be defined when minimum subtotal is.',
        'CONFLICT',
      ],
    ],
    [
      'basicCodeDiscount',
      { ...basic, title: '', context: { all: 'ALL' }, customerSelection: { all: true } },
      ['context', 'Only one of context or customerSelection can be provided.', 'INVALID'],
    ],
    [
      'bxgyCodeDiscount',
      { ...bxgy, title: '' },
      ['customerGets', "Items in 'customer get' cannot be set to all", 'INVALID'],
      ['title', "Title can't be blank", 'BLANK'],
      ['customerBuys.items', "Items in 'customer buys' must be defined", 'BLANK'],
    ],
    [
      'bxgyCodeDiscount',
      {
        ...bxgy,
        customerBuys: { value: { quantity: '0' }, items: {} },
        customerGets: { value: { percentage: 0.5 }, items: {} },
        usesPerOrderLimit: 0,
      },
      [
        'customerGets.value.percentage',
        'Only discountOnQuantity permitted with bxgy discounts.',
        'INVALID',
      ],
      ['customerGets.value.discountOnQuantity.quantity', 'Quantity cannot be blank.', 'BLANK'],
      ['usesPerOrderLimit', 'Allocation limit cannot be zero', 'VALUE_OUTSIDE_RANGE'],
      [
        'customerBuys.value.quantity',
        'Prerequisite to entitlement quantity ratio antecedent must be greater than 0',
        'GREATER_THAN',
      ],
    ],
    [
      'freeShippingCodeDiscount',
      { ...shipping, title: '', combinesWith: { shippingDiscounts: true } },
      [
        'combinesWith',
        'The combinesWith settings are not valid for the discount class.',
        'INVALID_COMBINES_WITH_FOR_DISCOUNT_CLASS',
      ],
      ['title', "Title can't be blank", 'BLANK'],
    ],
    [
      'freeShippingAutomaticDiscount',
      { title: '', startsAt: shipping.startsAt, combinesWith: { shippingDiscounts: true } },
      [
        'combinesWith',
        'The combinesWith settings are not valid for the discount class.',
        'INVALID_COMBINES_WITH_FOR_DISCOUNT_CLASS',
      ],
    ],
  ];
  it.each(refusals)('is said of each part of a %s', async (argument, input, ...errors) => {
    expect(await create(argument, input)).toEqual({
      node: null,
      userErrors: errors.map(([path, message, code]) => ({
        ...{ field: [argument, ...path.split('.')], message, code },
        extraInfo: null,
      })),
    });
  });

  it('is a code that another discount has, whatever its case, and an unknown discount', async () => {
    await create('basicCodeDiscount', { ...basic, code: 'Once' });
    expect(await create('basicCodeDiscount', { ...basic, code: 'ONCE' })).toMatchObject({
      userErrors: [
        {
          field: ['basicCodeDiscount', 'code'],
          message: 'Code must be unique. Please try a different code.',
          code: 'TAKEN',
        },
      ],
    });
    const { payload } = await fixture.call(
      `mutation ($input: DiscountCodeBasicInput!) {
        payload: discountCodeBasicUpdate(id: "gid://shopify/DiscountCodeNode/0"
          basicCodeDiscount: $input) { codeDiscountNode { id } userErrors { field message code } } }`,
      { input: basic },
    );
    expect(payload).toEqual({
      codeDiscountNode: null,
      userErrors: [{ field: ['id'], message: 'Discount does not exist', code: null }],
    });
  });

  it('is a contradiction, as an error of the call', async () => {
    const contradictions = {
      'A discount can only have one of percentage, discountOnQuantity or discountAmount.': {
        customerGets: {
          value: { percentage: 0.1, discountAmount: { amount: '5' } },
          items: { all: true },
        },
      },
      'A discount cannot have customerSelection set to all, when customerSegments is specified.': {
        customerSelection: { all: true, customerSegments: { add: ['gid://shopify/Segment/1'] } },
      },
    };
    for (const [message, input] of Object.entries(contradictions)) {
      const { data, errors } = await fixture.answer(
        `mutation ($input: DiscountCodeBasicInput!) {
          discountCodeBasicCreate(basicCodeDiscount: $input) { userErrors { message } } }`,
        { input: { ...basic, ...input } },
      );
      expect(data).toEqual({ discountCodeBasicCreate: null });
      expect(errors).toMatchObject([{ message, extensions: { code: 'BAD_REQUEST' } }]);
    }
  });

  it('is a selector of many discounts that names none, or names them twice', async () => {
    const data = await fixture.call(`mutation {
      none: discountCodeBulkActivate { job { id } userErrors { field message code } }
      blank: discountCodeBulkDeactivate(search: "") { userErrors { field message code } }
      two: discountCodeBulkDelete(ids: ["gid://shopify/DiscountCodeNode/0"], search: "status:active") {
        userErrors { field message code } }
      saved: discountCodeBulkDelete(savedSearchId: "gid://shopify/SavedSearch/0") {
        userErrors { field message code } }
      field: discountCodeBulkDelete(search: "frobnicate:x") { userErrors { field message code } }
      noneAutomatic: discountAutomaticBulkDelete { userErrors { field message code } }
      blankAutomatic: discountAutomaticBulkDelete(search: "") { userErrors { field message code } }
    }`);
    const message = "Missing expected argument key: 'ids', 'search' or 'saved_search_id'.";
    expect(data['none']).toEqual({
      job: null,
      userErrors: [{ field: null, message, code: 'MISSING_ARGUMENT' }],
    });
    const [blank, two, saved, field, noneAutomatic] = [
      { field: ['search'], message: "'Search' can't be blank.", code: 'BLANK' },
      {
        field: null,
        message: "Only one of 'ids', 'search' or 'saved_search_id' is allowed.",
        code: 'TOO_MANY_ARGUMENTS',
      },
      { field: ['savedSearchId'], message: "Invalid 'saved_search_id'.", code: 'INVALID' },
      {
        field: ['search'],
        message: 'Invalid search field(s): frobnicate. Check the query syntax.',
        code: 'INVALID',
      },
      {
        field: null,
        message: 'One of IDs, search argument or saved search ID is required.',
        code: 'MISSING_ARGUMENT',
      },
    ].map((error) => ({ userErrors: [error] }));
    expect(data).toMatchObject({
      ...{ blank, two, saved, field, noneAutomatic },
      blankAutomatic: { userErrors: [] },
    });
  });
});
