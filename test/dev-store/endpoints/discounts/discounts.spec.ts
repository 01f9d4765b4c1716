import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

describe('the discounts of a simulated shop', () => {
  let fixture: NodeShopFixture;
  beforeAll(async () => {
    fixture = await openNodeShop(['discounts', 'products']);
  });
  afterAll(() => fixture.devStore.close());

  const DISCOUNT = `... on DiscountCodeBasic {
    title status endsAt
    customerGets {
      value { ... on DiscountAmount { amount { amount } appliesOnEachItem }
        ... on DiscountPercentage { percentage } }
      items { ... on AllDiscountItems { allItems }
        ... on DiscountProducts { products(first: 3) { nodes { title } } } }
    }
    minimumRequirement {
      ... on DiscountMinimumSubtotal { greaterThanOrEqualToSubtotal { amount } }
      ... on DiscountMinimumQuantity { greaterThanOrEqualToQuantity }
    }
    customerSelection { ... on DiscountCustomerAll { allCustomers } }
  }`;

  const create = async (input: object): Promise<{ id: string; codeDiscount: object }> => {
    const { discountCodeBasicCreate } = await fixture.call(
      `mutation ($input: DiscountCodeBasicInput!) {
        discountCodeBasicCreate(basicCodeDiscount: $input) {
          codeDiscountNode { id codeDiscount { ${DISCOUNT} } } userErrors { message }
        }
      }`,
      { input: { startsAt: '2026-03-01T00:00:00Z', ...input } },
    );
    return discountCodeBasicCreate!['codeDiscountNode'] as { id: string; codeDiscount: object };
  };

  it('have the value, the items and the requirement that their input chooses', async () => {
    const amount = await create({
      title: 'Five off',
      code: 'FIVE',
      customerGets: {
        value: { discountAmount: { amount: '5.00', appliesOnEachItem: true } },
        items: { all: true },
      },
      minimumRequirement: { subtotal: { greaterThanOrEqualToSubtotal: '20.00' } },
      customerSelection: { all: true },
    });
    expect(amount.codeDiscount).toMatchObject({
      customerGets: {
        value: { amount: { amount: '5.0' }, appliesOnEachItem: true },
        items: { allItems: true },
      },
      minimumRequirement: { greaterThanOrEqualToSubtotal: { amount: '20.0' } },
      customerSelection: { allCustomers: true },
    });
    const { product } = fixture.shop.createProduct({ title: 'Kite' });
    const percentage = await create({
      title: 'Tenth',
      code: 'TENTH',
      customerGets: {
        value: { percentage: 0.1 },
        items: { products: { productsToAdd: [`gid://shopify/Product/${product!.id}`] } },
      },
      minimumRequirement: { quantity: { greaterThanOrEqualToQuantity: '2' } },
    });
    expect(percentage.codeDiscount).toMatchObject({
      customerGets: {
        value: { percentage: 0.1 },
        items: { products: { nodes: [{ title: 'Kite' }] } },
      },
      minimumRequirement: { greaterThanOrEqualToQuantity: '2' },
    });
  });

  it('are found by id, by code whatever its case, and in the list of all', async () => {
    const { id } = await create({ title: 'Found', code: 'Found-10' });
    const data = await fixture.call(
      `query ($id: ID!) {
        discountNode(id: $id) { id discount { ${DISCOUNT} } }
        codeDiscountNodeByCode(code: "FOUND-10") { id }
        none: codeDiscountNodeByCode(code: "nothing") { id }
        discountNodes(first: 1, reverse: true) { nodes { id discount { ${DISCOUNT} } } }
      }`,
      { id },
    );
    const found = { id, discount: expect.objectContaining({ title: 'Found' }) };
    expect(data).toEqual({
      discountNode: found,
      codeDiscountNodeByCode: { id },
      none: null,
      discountNodes: { nodes: [found] },
    });
    const order = 'gid://shopify/Order/1';
    const { errors } = await fixture.answer('query ($id: ID!) { discountNode(id: $id) { id } }', {
      id: order,
    });
    expect(errors![0]!.extensions['code']).toBe('RESOURCE_NOT_FOUND');
  });

  it('end when they are deactivated, and start when they are activated', async () => {
    const { id } = await create({ title: 'Short', code: 'SHORT' });
    const move = async (name: string, of = id): Promise<unknown> => {
      const { payload } = await fixture.call(
        `mutation ($id: ID!) { payload: ${name}(id: $id) {
          codeDiscountNode { codeDiscount { ... on DiscountCodeBasic { title status endsAt } } }
          userErrors { field message code }
        } }`,
        { id: of },
      );
      return payload;
    };
    expect(await move('discountCodeDeactivate')).toMatchObject({
      codeDiscountNode: {
        codeDiscount: { title: 'Short', status: 'EXPIRED', endsAt: expect.any(String) },
      },
    });
    expect(await move('discountCodeActivate')).toMatchObject({
      codeDiscountNode: { codeDiscount: { title: 'Short', status: 'ACTIVE', endsAt: null } },
    });
    const userErrors = [
      { field: ['id'], message: 'Code discount does not exist.', code: 'INVALID' },
    ];
    for (const unknown of ['gid://shopify/DiscountCodeNode/1', id.replace('Code', 'Automatic')])
      expect(await move('discountCodeDeactivate', unknown)).toEqual({
        codeDiscountNode: null,
        userErrors,
      });
  });
});
