import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DevStore } from '../../../../lib/dev-store/index.js';
import { openStore, type Call } from '../custom-data.fixture.js';

// The refusals are those of the platform, with their words.

const USER_ERRORS = 'userErrors { field message code }';
const GONE = 'gid://shopify/ProductVariant/999';
const NO_LIST = 'gid://shopify/PriceList/999';
const cad = (amount: string) => ({ amount, currencyCode: 'CAD' });
const usd = (amount: string) => ({ amount, currencyCode: 'USD' });

describe('prices of a price list', () => {
  let devStore: DevStore;
  let call: Call;
  let list: string;
  let product: string;
  let variant: string;

  beforeAll(async () => {
    const opened = await openStore({ limits: { graphql: 'off' } });
    devStore = opened.devStore;
    call = opened.call('own', 'write_markets,write_products');
    const { data } = await call(`mutation {
      productCreate(product: { title: "Snowboard" }) {
        product { id variants(first: 1) { nodes { id } } } }
      priceListCreate(input: { name: "Buyers", currency: CAD,
        parent: { adjustment: { type: PERCENTAGE_DECREASE, value: 10 } } }) { priceList { id } } }`);
    product = data.productCreate.product.id;
    variant = data.productCreate.product.variants.nodes[0].id;
    list = data.priceListCreate.priceList.id;
  });
  afterAll(() => devStore.close());

  const refusal = (field: string[] | null, message: string, code: string) => [
    { field, message, code },
  ];
  const noList = (code: string, message = 'Price list does not exist.') =>
    refusal(['priceListId'], message, code);
  const mismatch = (...path: string[]) =>
    refusal(
      [...path, 'currencyCode'],
      "The specified currency does not match the price list's currency.",
      'PRICE_LIST_CURRENCY_MISMATCH',
    );
  const add = async (prices: object[], priceListId = list) => {
    const { data } = await call(
      `mutation ($priceListId: ID!, $prices: [PriceListPriceInput!]!) {
        priceListFixedPricesAdd(priceListId: $priceListId, prices: $prices) {
          prices { price { amount currencyCode } originType variant { id product { title } } }
          ${USER_ERRORS} } }`,
      { priceListId, prices },
    );
    return data.priceListFixedPricesAdd;
  };
  const fixed = async () => {
    const { data } = await call(
      `query ($id: ID!) { priceList(id: $id) { fixedPricesCount
        prices(first: 5, originType: FIXED) { nodes { price { amount }
          quantityPriceBreaks(first: 5) { nodes { minimumQuantity price { amount } } } } }
        quantityRules(first: 5, originType: FIXED) { nodes { minimum increment isDefault } } } }`,
      { id: list },
    );
    return data.priceList;
  };

  it('are fixed for variants, the last of several for one', async () => {
    expect(
      await add([
        { variantId: variant, price: cad('812.34') },
        { variantId: variant, price: cad('813.45') },
      ]),
    ).toEqual({
      prices: [
        {
          price: cad('813.45'),
          originType: 'FIXED',
          variant: { id: variant, product: { title: 'Snowboard' } },
        },
      ],
      userErrors: [],
    });
    expect(await fixed()).toMatchObject({ fixedPricesCount: 1 });
    const { data } = await call(
      `mutation ($list: ID!, $ids: [ID!]!, $again: [ID!]!, $gone: [ID!]!) {
        first: priceListFixedPricesDelete(priceListId: $list, variantIds: $ids) {
          deletedFixedPriceVariantIds ${USER_ERRORS} }
        again: priceListFixedPricesDelete(priceListId: $list, variantIds: $again) {
          deletedFixedPriceVariantIds ${USER_ERRORS} }
        gone: priceListFixedPricesDelete(priceListId: $list, variantIds: $gone) {
          deletedFixedPriceVariantIds ${USER_ERRORS} } }`,
      { list, ids: [variant], again: [variant], gone: [GONE] },
    );
    expect(data).toEqual({
      first: { deletedFixedPriceVariantIds: [variant], userErrors: [] },
      again: {
        deletedFixedPriceVariantIds: [],
        userErrors: refusal(
          ['variantIds', '0'],
          'Only fixed prices can be deleted.',
          'PRICE_NOT_FIXED',
        ),
      },
      gone: {
        deletedFixedPriceVariantIds: [],
        userErrors: refusal(
          ['variantIds', '0'],
          'Product variant ID does not exist.',
          'VARIANT_NOT_FOUND',
        ),
      },
    });
  });

  it('are refused in another currency, and for what is not there', async () => {
    expect(
      await add([
        { variantId: variant, price: cad('1'), compareAtPrice: usd('2') },
        { variantId: variant, price: usd('1'), compareAtPrice: usd('2') },
      ]),
    ).toEqual({
      prices: [],
      userErrors: [
        ...mismatch('prices', '0', 'compareAtPrice'),
        ...mismatch('prices', '1', 'price'),
        ...mismatch('prices', '1', 'compareAtPrice'),
      ],
    });
    expect((await add([{ variantId: GONE, price: cad('1') }])).userErrors).toEqual(
      refusal(
        ['prices', '0', 'variantId'],
        'Product variant ID does not exist.',
        'VARIANT_NOT_FOUND',
      ),
    );
    expect(await add([{ variantId: variant, price: cad('1') }], NO_LIST)).toEqual({
      prices: null,
      userErrors: noList('PRICE_LIST_NOT_FOUND'),
    });
  });

  it('are updated together with those that go', async () => {
    const update = async (priceListId: string, pricesToAdd: object[]) => {
      const { data } = await call(
        `mutation ($priceListId: ID!, $pricesToAdd: [PriceListPriceInput!]!) {
          priceListFixedPricesUpdate(
            priceListId: $priceListId, pricesToAdd: $pricesToAdd, variantIdsToDelete: []
          ) { priceList { fixedPricesCount } pricesAdded { price { amount } }
            deletedFixedPriceVariantIds ${USER_ERRORS} } }`,
        { priceListId, pricesToAdd },
      );
      return data.priceListFixedPricesUpdate;
    };
    expect(await update(list, [{ variantId: variant, price: usd('1') }])).toEqual({
      priceList: { fixedPricesCount: 0 },
      pricesAdded: [],
      deletedFixedPriceVariantIds: [],
      userErrors: mismatch('pricesToAdd', '0', 'price'),
    });
    expect(await update(list, [{ variantId: variant, price: cad('818.88') }])).toEqual({
      priceList: { fixedPricesCount: 1 },
      pricesAdded: [{ price: { amount: '818.88' } }],
      deletedFixedPriceVariantIds: [],
      userErrors: [],
    });
    expect(await update(NO_LIST, [])).toEqual({
      priceList: null,
      pricesAdded: null,
      deletedFixedPriceVariantIds: null,
      userErrors: noList('PRICE_LIST_NOT_FOUND'),
    });
  });

  it('are fixed for all variants of products', async () => {
    const update = async (variables: object) => {
      const { data } = await call(
        `mutation ($list: ID!, $add: [PriceListProductPriceInput!], $delete: [ID!]) {
          priceListFixedPricesByProductUpdate(
            priceListId: $list, pricesToAdd: $add, pricesToDeleteByProductIds: $delete
          ) { priceList { fixedPricesCount } pricesToAddProducts { id }
            pricesToDeleteProducts { id } ${USER_ERRORS} } }`,
        { list, ...variables },
      );
      return data.priceListFixedPricesByProductUpdate;
    };
    const refused = (...userErrors: object[]) => ({
      priceList: null,
      pricesToAddProducts: null,
      pricesToDeleteProducts: null,
      userErrors,
    });
    const price = { productId: product, price: cad('12.00') };
    expect(await update({ add: [], delete: [] })).toEqual(
      refused(
        ...refusal(
          null,
          'No update operations are specified. `pricesToAdd` and `pricesToDeleteByProductIds` are empty.',
          'NO_UPDATE_OPERATIONS_SPECIFIED',
        ),
      ),
    );
    expect(await update({ add: [{ ...price, price: usd('12.00') }] })).toEqual(
      refused(
        ...refusal(
          ['pricesToAdd', '0', 'price', 'currencyCode'],
          `The currency specified in \`pricesToAdd\` for product ID ${product} does not match the price list's currency of CAD.`,
          'PRICES_TO_ADD_CURRENCY_MISMATCH',
        ),
      ),
    );
    const twice = (name: string) =>
      refusal([name], `Duplicate ID exists in \`${name}\`.`, 'DUPLICATE_ID_IN_INPUT');
    expect(await update({ add: [price, price] })).toEqual(refused(...twice('pricesToAdd')));
    expect(await update({ delete: [product, product] })).toEqual(
      refused(...twice('pricesToDeleteByProductIds')),
    );
    expect(await update({ add: [price], delete: [product] })).toEqual(
      refused(
        ...refusal(
          null,
          'IDs specified in `pricesToAdd` and `pricesToDeleteByProductIds` must be mutually exclusive.',
          'ID_MUST_BE_MUTUALLY_EXCLUSIVE',
        ),
      ),
    );
    expect(await update({ add: [price] })).toEqual({
      priceList: { fixedPricesCount: 1 },
      pricesToAddProducts: [{ id: product }],
      pricesToDeleteProducts: [],
      userErrors: [],
    });
  });

  it.each([
    [
      [0, 10, 1],
      [
        ['minimum', 'Minimum must be greater than or equal to one.', 'GREATER_THAN_OR_EQUAL_TO'],
        [
          'increment',
          'Increment must be lower than or equal to the minimum.',
          'INCREMENT_IS_GREATER_THAN_MINIMUM',
        ],
      ],
      [
        ['Minimum is less than one', 'MINIMUM_IS_LESS_THAN_ONE'],
        ['Increment is greater than minimum', 'INCREMENT_IS_GREATER_THAN_MINIMUM'],
      ],
    ],
    [
      [1, 10, 0],
      [
        [
          'increment',
          'Increment must be greater than or equal to one.',
          'GREATER_THAN_OR_EQUAL_TO',
        ],
      ],
      [['Increment is less than one', 'INCREMENT_IS_LESS_THAN_ONE']],
    ],
    [
      [10, 5, 1],
      [
        [
          'minimum',
          'Minimum must be lower than or equal to the maximum.',
          'MINIMUM_IS_GREATER_THAN_MAXIMUM',
        ],
      ],
      [['Minimum is greater than maximum', 'MINIMUM_GREATER_THAN_MAXIMUM']],
    ],
    [
      [5, 12, 3],
      [
        [
          'minimum',
          'Minimum must be a multiple of the increment.',
          'MINIMUM_NOT_MULTIPLE_OF_INCREMENT',
        ],
      ],
      [['minimum is not a multiple of increment', 'MINIMUM_NOT_A_MULTIPLE_OF_INCREMENT']],
    ],
    [
      [6, 10, 3],
      [
        [
          'maximum',
          'Maximum must be a multiple of the increment.',
          'MAXIMUM_NOT_MULTIPLE_OF_INCREMENT',
        ],
      ],
      [['Maximum is not a multiple of increment', 'MAXIMUM_NOT_A_MULTIPLE_OF_INCREMENT']],
    ],
  ])('have quantity rules, of which %j is refused', async (numbers, ofRules, ofPricing) => {
    const [minimum, maximum, increment] = numbers;
    const rule = { variantId: variant, minimum, maximum, increment };
    const answers = await call(
      `mutation ($list: ID!, $rules: [QuantityRuleInput!]!) {
        quantityRulesAdd(priceListId: $list, quantityRules: $rules) {
          quantityRules { minimum } ${USER_ERRORS} } }`,
      { list, rules: [rule] },
    );
    expect(answers.data.quantityRulesAdd).toEqual({
      quantityRules: [],
      userErrors: ofRules.map(([field, message, code]) => ({
        field: ['quantityRules', '0', field],
        message,
        code,
      })),
    });
    expect(await price({ quantityRulesToAdd: [rule] })).toEqual({
      productVariants: null,
      userErrors: ofPricing.map(([message, code]) => ({
        field: ['input', 'quantityRulesToAdd', '0'],
        message,
        code: `QUANTITY_RULE_ADD_${code}`,
      })),
    });
  });

  it('have quantity rules once for each variant, until these are deleted', async () => {
    const rules = (quantityRules: object[]) =>
      call(
        `mutation ($list: ID!, $quantityRules: [QuantityRuleInput!]!) {
          quantityRulesAdd(priceListId: $list, quantityRules: $quantityRules) {
            quantityRules { minimum productVariant { id } } ${USER_ERRORS} } }`,
        { list, quantityRules },
      );
    const rule = { variantId: variant, minimum: 2, maximum: 10, increment: 2 };
    const message = 'Quantity rule inputs must be unique by variant id.';
    expect((await rules([rule, rule])).data.quantityRulesAdd.userErrors).toEqual(
      ['0', '1'].map((index) => ({
        field: ['quantityRules', index, 'variantId'],
        message,
        code: 'DUPLICATE_INPUT_FOR_VARIANT',
      })),
    );
    expect((await rules([rule])).data.quantityRulesAdd).toEqual({
      quantityRules: [{ minimum: 2, productVariant: { id: variant } }],
      userErrors: [],
    });
    expect((await fixed()).quantityRules.nodes).toEqual([
      { minimum: 2, increment: 2, isDefault: false },
    ]);
    const { data } = await call(
      `mutation ($list: ID!, $none: ID!, $ids: [ID!]!) {
        quantityRulesDelete(priceListId: $list, variantIds: $ids) {
          deletedQuantityRulesVariantIds ${USER_ERRORS} }
        none: quantityRulesDelete(priceListId: $none, variantIds: $ids) {
          deletedQuantityRulesVariantIds ${USER_ERRORS} } }`,
      { list, none: NO_LIST, ids: [variant, GONE] },
    );
    expect(data).toEqual({
      quantityRulesDelete: {
        deletedQuantityRulesVariantIds: [variant],
        userErrors: refusal(
          ['variantIds', '1'],
          'Product variant ID does not exist.',
          'PRODUCT_VARIANT_DOES_NOT_EXIST',
        ),
      },
      none: {
        deletedQuantityRulesVariantIds: [],
        userErrors: noList('PRICE_LIST_DOES_NOT_EXIST'),
      },
    });
  });

  const price = async (input: object, priceListId = list) => {
    const { data, errors } = await call(
      `mutation ($priceListId: ID!, $input: QuantityPricingByVariantUpdateInput!) {
        quantityPricingByVariantUpdate(priceListId: $priceListId, input: $input) {
          productVariants { id } ${USER_ERRORS} } }`,
      { priceListId, input: { ...EMPTY, ...input } },
    );
    expect(errors).toBeUndefined();
    return data.quantityPricingByVariantUpdate;
  };

  it('are set by quantity', async () => {
    const priceBreak = { variantId: variant, minimumQuantity: 10, price: cad('9.00') };
    expect(
      await price({
        pricesToAdd: [{ variantId: variant, price: cad('12.00') }],
        quantityPriceBreaksToAdd: [priceBreak],
      }),
    ).toEqual({ productVariants: [{ id: variant }], userErrors: [] });
    expect((await fixed()).prices.nodes).toEqual([
      {
        price: { amount: '12.0' },
        quantityPriceBreaks: { nodes: [{ minimumQuantity: 10, price: { amount: '9.0' } }] },
      },
    ]);
    const gone = await price({ pricesToDeleteByVariantId: [variant, variant] });
    expect(gone).toEqual({ productVariants: [{ id: variant }], userErrors: [] });
  });

  it.each([
    [
      { pricesToAdd: [{ variantId: 'own', price: usd('1') }] },
      'Currency mismatch.',
      'PRICE_ADD_CURRENCY_MISMATCH',
    ],
    [{ pricesToDeleteByVariantId: [GONE] }, 'Variant not found.', 'PRICE_DELETE_VARIANT_NOT_FOUND'],
    [
      { quantityRulesToDeleteByVariantId: [GONE] },
      'Variant not found.',
      'QUANTITY_RULE_DELETE_VARIANT_NOT_FOUND',
    ],
    [
      { quantityPriceBreaksToDeleteByVariantId: [GONE] },
      'Variant to delete by is not found.',
      'QUANTITY_PRICE_BREAK_DELETE_BY_VARIANT_ID_VARIANT_NOT_FOUND',
    ],
    [
      { quantityPriceBreaksToDelete: ['gid://shopify/QuantityPriceBreak/9'] },
      'Quantity price break not found.',
      'QUANTITY_PRICE_BREAK_DELETE_NOT_FOUND',
    ],
  ])('are refused by quantity: %j', async (input, message, code) => {
    const [name] = Object.keys(input);
    const own = JSON.parse(JSON.stringify(input).replace('"own"', JSON.stringify(variant)));
    expect(await price(own)).toEqual({
      productVariants: null,
      userErrors: refusal(['input', String(name), '0'], message, code),
    });
    expect((await price(own, NO_LIST)).userErrors).toEqual(
      noList('PRICE_LIST_NOT_FOUND', 'Price list not found.'),
    );
  });
});

const EMPTY = {
  pricesToAdd: [],
  pricesToDeleteByVariantId: [],
  quantityRulesToAdd: [],
  quantityRulesToDeleteByVariantId: [],
  quantityPriceBreaksToAdd: [],
  quantityPriceBreaksToDelete: [],
};
