import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DevStore } from '../../../../lib/dev-store/index.js';
import { openStore, type Call } from '../custom-data.fixture.js';

// The refusals are those of the platform, with their words.

const USER_ERRORS = 'userErrors { field message code }';
const monthly = { recurring: { interval: 'MONTH', intervalCount: 1 } };
const PLAN = {
  name: 'Monthly delivery',
  options: ['Monthly'],
  category: 'SUBSCRIPTION',
  billingPolicy: monthly,
  deliveryPolicy: monthly,
  inventoryPolicy: { reserve: 'ON_FULFILLMENT' },
  pricingPolicies: [
    { fixed: { adjustmentType: 'PERCENTAGE', adjustmentValue: { percentage: 10 } } },
  ],
};
const GONE = ['Selling plan does not exist.', 'PLAN_DOES_NOT_EXIST'] as const;
const GROUP = { name: 'Subscribe', options: ['Delivery frequency'], sellingPlansToCreate: [PLAN] };

describe('groups of selling plans', () => {
  let devStore: DevStore;
  let call: Call;
  let product: string;
  let variant: string;

  beforeAll(async () => {
    const opened = await openStore({ limits: { graphql: 'off' } });
    devStore = opened.devStore;
    call = opened.call('own', 'write_products,write_purchase_options');
    const { data } = await call(`mutation { productCreate(product: { title: "Wax" }) {
      product { id variants(first: 1) { nodes { id } } } } }`);
    product = data.productCreate.product.id;
    variant = data.productCreate.product.variants.nodes[0].id;
  });
  afterAll(() => devStore.close());

  const create = async (input: object, resources?: object) => {
    const { data, errors } = await call(
      `mutation ($input: SellingPlanGroupInput!, $resources: SellingPlanGroupResourceInput,
        $product: ID!, $variant: ID!) {
        sellingPlanGroupCreate(input: $input, resources: $resources) { sellingPlanGroup {
          id name summary appliesToProduct(productId: $product)
          appliesToProductVariant(productVariantId: $variant)
          appliesToProductVariants(productId: $product)
          productsCount { count } products(first: 5) { nodes { id title } }
          productVariants(first: 5) { nodes { id } }
          sellingPlans(first: 5) { nodes { id name options category
            billingPolicy { __typename
              ... on SellingPlanRecurringBillingPolicy { interval intervalCount minCycles } }
            deliveryPolicy { __typename
              ... on SellingPlanRecurringDeliveryPolicy { interval intent preAnchorBehavior } }
            inventoryPolicy { reserve }
            pricingPolicies { __typename ... on SellingPlanFixedPricingPolicy { adjustmentType
              adjustmentValue { __typename
                ... on SellingPlanPricingPolicyPercentageValue { percentage } } } } } } }
          ${USER_ERRORS} } }`,
      { input, resources, product, variant },
    );
    expect(errors).toBeUndefined();
    return data.sellingPlanGroupCreate;
  };

  it('have plans with their policies, and apply to products', async () => {
    const { sellingPlanGroup } = await create(GROUP, { productIds: [product] });
    expect(sellingPlanGroup).toMatchObject({
      name: 'Subscribe',
      summary: '1 delivery frequency, 10% discount',
      appliesToProduct: true,
      appliesToProductVariant: false,
      appliesToProductVariants: false,
      productsCount: { count: 1 },
      products: { nodes: [{ id: product, title: 'Wax' }] },
      productVariants: { nodes: [] },
    });
    expect(sellingPlanGroup.sellingPlans.nodes).toMatchObject([
      {
        name: 'Monthly delivery',
        options: ['Monthly'],
        billingPolicy: {
          __typename: 'SellingPlanRecurringBillingPolicy',
          interval: 'MONTH',
          intervalCount: 1,
          minCycles: null,
        },
        deliveryPolicy: {
          __typename: 'SellingPlanRecurringDeliveryPolicy',
          intent: 'FULFILLMENT_BEGIN',
          preAnchorBehavior: 'ASAP',
        },
        inventoryPolicy: { reserve: 'ON_FULFILLMENT' },
        pricingPolicies: [
          {
            __typename: 'SellingPlanFixedPricingPolicy',
            adjustmentType: 'PERCENTAGE',
            adjustmentValue: { percentage: 10 },
          },
        ],
      },
    ]);
  });

  it.each([
    [{ ...GROUP, name: '   ' }, [['name', "Name can't be blank", 'BLANK']]],
    [
      { ...GROUP, sellingPlansToCreate: [] },
      [
        [
          '',
          'Selling plan groups must have at least 1 selling plan.',
          'SELLING_PLAN_COUNT_LOWER_BOUND',
        ],
      ],
    ],
    [
      { ...GROUP, sellingPlansToCreate: Array.from({ length: 32 }, () => PLAN) },
      [
        [
          '',
          "Selling plan groups can't have more than 31 selling plans.",
          'SELLING_PLAN_COUNT_UPPER_BOUND',
        ],
      ],
    ],
    [
      { ...GROUP, sellingPlansToCreate: [{ name: 'Monthly', options: ['Monthly'] }] },
      [
        [
          'sellingPlansToCreate.0.billingPolicy',
          'Selling plans to create billing policy must be present.',
          'SELLING_PLAN_BILLING_POLICY_MISSING',
        ],
        [
          'sellingPlansToCreate.0.deliveryPolicy',
          'Selling plans to create delivery policy must be present.',
          'SELLING_PLAN_DELIVERY_POLICY_MISSING',
        ],
      ],
    ],
  ])('are refused (case %#)', async (input, wanted) => {
    expect(await create(input)).toEqual({
      sellingPlanGroup: null,
      userErrors: wanted.map(([path, message, code]) => ({
        field: ['input', ...String(path).split('.').filter(Boolean)],
        message,
        code,
      })),
    });
  });

  it('change with their plans, and what they apply to', async () => {
    const { sellingPlanGroup: group } = await create(GROUP);
    const [plan] = group.sellingPlans.nodes;
    const { data } = await call(
      `mutation ($id: ID!, $input: SellingPlanGroupInput!, $product: ID!, $variant: ID!) {
        sellingPlanGroupUpdate(id: $id, input: $input) { deletedSellingPlanIds
          sellingPlanGroup { name sellingPlans(first: 5) { nodes { name } } } ${USER_ERRORS} }
        sellingPlanGroupAddProducts(id: $id, productIds: [$product]) {
          sellingPlanGroup { productsCount { count } } ${USER_ERRORS} }
        productVariantJoinSellingPlanGroups(id: $variant, sellingPlanGroupIds: [$id]) {
          productVariant { sellingPlanGroupsCount { count } } ${USER_ERRORS} }
        sellingPlanGroupRemoveProducts(id: $id, productIds: [$product]) {
          removedProductIds ${USER_ERRORS} }
        productVariantLeaveSellingPlanGroups(id: $variant, sellingPlanGroupIds: [$id]) {
          productVariant { sellingPlanGroupsCount { count } } ${USER_ERRORS} }
        sellingPlanGroupDelete(id: $id) { deletedSellingPlanGroupId ${USER_ERRORS} } }`,
      {
        id: group.id,
        product,
        variant,
        input: {
          name: 'Changed',
          sellingPlansToDelete: [plan.id],
          sellingPlansToCreate: [{ ...PLAN, name: 'Weekly' }],
        },
      },
    );
    expect(data).toEqual({
      sellingPlanGroupUpdate: {
        deletedSellingPlanIds: [plan.id],
        sellingPlanGroup: { name: 'Changed', sellingPlans: { nodes: [{ name: 'Weekly' }] } },
        userErrors: [],
      },
      sellingPlanGroupAddProducts: {
        sellingPlanGroup: { productsCount: { count: 1 } },
        userErrors: [],
      },
      productVariantJoinSellingPlanGroups: {
        productVariant: { sellingPlanGroupsCount: { count: 1 } },
        userErrors: [],
      },
      sellingPlanGroupRemoveProducts: { removedProductIds: [product], userErrors: [] },
      productVariantLeaveSellingPlanGroups: {
        productVariant: { sellingPlanGroupsCount: { count: 0 } },
        userErrors: [],
      },
      sellingPlanGroupDelete: { deletedSellingPlanGroupId: group.id, userErrors: [] },
    });
  });

  const update = async (id: string, input: object) => {
    const { data, errors } = await call(
      `mutation ($id: ID!, $input: SellingPlanGroupInput!) {
        sellingPlanGroupUpdate(id: $id, input: $input) { deletedSellingPlanIds sellingPlanGroup {
          sellingPlans(first: 5) { nodes { id name metafield(namespace: "n", key: "k") { value }
            metafields(first: 5) { nodes { key } } } } } ${USER_ERRORS} } }`,
      { id, input },
    );
    expect(errors).toBeUndefined();
    return data.sellingPlanGroupUpdate;
  };

  it('change and delete the plans of their own, and nothing else', async () => {
    const { sellingPlanGroup: own } = await create(GROUP);
    const { sellingPlanGroup: other } = await create(GROUP);
    const [plan, foreign] = [own, other].map((group) => group.sellingPlans.nodes[0].id);
    for (const [input, path, message, code] of [
      [{ sellingPlansToDelete: [product] }, ['sellingPlansToDelete', '0'], ...GONE],
      [{ sellingPlansToDelete: [foreign] }, ['sellingPlansToDelete', '0'], ...GONE],
      [
        { sellingPlansToUpdate: [{ id: foreign, name: 'Mine' }] },
        ['sellingPlansToUpdate', '0', 'id'],
        ...GONE,
      ],
      [
        { sellingPlansToDelete: [plan], sellingPlansToUpdate: [{ id: plan, name: 'Late' }] },
        ['sellingPlansToUpdate', '0', 'id'],
        ...GONE,
      ],
      [
        { sellingPlansToUpdate: [{ name: 'Nobody' }] },
        ['sellingPlansToUpdate', '0', 'id'],
        'Selling plan ID must be specified to update.',
        'PLAN_ID_MUST_BE_SPECIFIED_TO_UPDATE',
      ],
    ] as const)
      expect(await update(own.id, input)).toEqual({
        deletedSellingPlanIds: null,
        sellingPlanGroup: null,
        userErrors: [{ field: ['input', ...path], message, code }],
      });
    for (const { id } of [own, other])
      expect((await update(id, {})).sellingPlanGroup.sellingPlans.nodes).toMatchObject([
        { name: 'Monthly delivery' },
      ]);
  });

  it('have plans without prices of their own, but none without the other policies', async () => {
    const plan = { ...PLAN, pricingPolicies: [{}] };
    const made = await create({ ...GROUP, sellingPlansToCreate: [plan] });
    const { summary, sellingPlans } = made.sellingPlanGroup;
    expect([summary, sellingPlans.nodes[0].pricingPolicies]).toEqual(['1 delivery frequency', []]);
    const refused = await create({
      ...GROUP,
      sellingPlansToCreate: [{ ...PLAN, billingPolicy: {} }],
    });
    expect(refused.userErrors).toMatchObject([{ code: 'SELLING_PLAN_BILLING_POLICY_MISSING' }]);
  });

  it('keep the metafields of their plans', async () => {
    const metafield = (key: string, value: string) => ({
      ...{ namespace: 'n', key, value, type: 'single_line_text_field' },
    });
    const { sellingPlanGroup } = await create({
      ...GROUP,
      sellingPlansToCreate: [{ ...PLAN, metafields: [metafield('k', 'a'), metafield('l', 'b')] }],
    });
    const { id } = sellingPlanGroup.sellingPlans.nodes[0];
    const changed = await update(sellingPlanGroup.id, {
      sellingPlansToUpdate: [{ id, metafields: [metafield('k', 'c')] }],
    });
    expect(changed.sellingPlanGroup.sellingPlans.nodes).toMatchObject([
      { metafield: { value: 'c' }, metafields: { nodes: [{ key: 'k' }, { key: 'l' }] } },
    ]);
  });

  it('are refused when they are not there', async () => {
    const { data } = await call(
      `mutation ($id: ID!, $product: ID!, $variant: ID!) {
        update: sellingPlanGroupUpdate(id: $id, input: { name: "Nope" }) {
          deletedSellingPlanIds sellingPlanGroup { id } ${USER_ERRORS} }
        products: sellingPlanGroupRemoveProducts(id: $id, productIds: [$product]) {
          removedProductIds ${USER_ERRORS} }
        variants: sellingPlanGroupRemoveProductVariants(id: $id, productVariantIds: [$variant]) {
          removedProductVariantIds ${USER_ERRORS} }
        delete: sellingPlanGroupDelete(id: $id) { deletedSellingPlanGroupId ${USER_ERRORS} } }`,
      { id: 'gid://shopify/SellingPlanGroup/999999999999', product, variant },
    );
    const userErrors = [
      {
        field: ['id'],
        message: 'Selling plan group does not exist.',
        code: 'GROUP_DOES_NOT_EXIST',
      },
    ];
    expect(data).toEqual({
      update: { deletedSellingPlanIds: null, sellingPlanGroup: null, userErrors },
      products: { removedProductIds: null, userErrors },
      variants: { removedProductVariantIds: null, userErrors },
      delete: { deletedSellingPlanGroupId: null, userErrors },
    });
  });
});
