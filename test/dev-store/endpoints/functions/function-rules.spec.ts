import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

describe('what runs the functions of apps in a simulated shop', () => {
  let fixture: NodeShopFixture;
  beforeAll(async () => {
    fixture = await openNodeShop([
      'cart_transforms',
      'validations',
      'fulfillment_constraint_rules',
    ]);
    for (const [id, apiType] of [
      ['f-cart', 'cart_transform'],
      ['f-check', 'cart_checkout_validation'],
      ['f-rule', 'fulfillment_constraints'],
    ])
      fixture.shop.nodes.create('ShopifyFunction', { id, apiType, handle: `${id}-h`, title: id });
  });
  afterAll(() => fixture.devStore.close());

  const create = async (call: string, node: string, fields = 'id'): Promise<unknown> => {
    const { payload } = await fixture.call(
      `mutation { payload: ${call} { ${node} { ${fields} } userErrors { field message code } } }`,
    );
    return payload;
  };
  const errors = (path: string, message: unknown, code: string): object => ({
    userErrors: [{ field: path.split('.'), message, code }],
  });
  const MISSING = 'Either function_id or function_handle must be provided.';
  const SEVERAL = 'Only one of function_id or function_handle can be provided, not both.';
  const OTHER =
    'Unexpected Function API. The provided function must implement one of the following extension targets:';

  it('transforms carts, once with each function', async () => {
    const transform = (args: string): Promise<unknown> =>
      create(`cartTransformCreate${args}`, 'cartTransform', 'functionId blockOnFailure');
    expect(await transform('')).toMatchObject(
      errors('functionHandle', MISSING, 'MISSING_FUNCTION_IDENTIFIER'),
    );
    expect(await transform('(functionId: "f-cart", functionHandle: "f-cart-h")')).toMatchObject(
      errors('functionHandle', SEVERAL, 'MULTIPLE_FUNCTION_IDENTIFIERS'),
    );
    expect(await transform('(functionHandle: "none")')).toMatchObject(
      errors('functionHandle', 'Could not find function with handle: none.', 'FUNCTION_NOT_FOUND'),
    );
    expect(await transform('(functionId: "f-check")')).toMatchObject(
      errors(
        'functionId',
        `${OTHER} [purchase.cart-transform.run, cart.transform.run].`,
        'FUNCTION_NOT_FOUND',
      ),
    );
    for (const [value, message] of [
      ['', 'may not be empty'],
      ['{', "is invalid JSON: unexpected token '{' at line 1 column 1."],
    ])
      expect(
        await transform(
          `(functionId: "f-cart", metafields: [{ key: "k", type: "json", value: "${value}" }])`,
        ),
      ).toMatchObject(errors('metafields.0.value', message, 'INVALID_METAFIELDS'));
    expect(await transform('(functionHandle: "f-cart-h", blockOnFailure: true)')).toEqual({
      cartTransform: { functionId: 'f-cart', blockOnFailure: true },
      userErrors: [],
    });
    for (const [name, value] of [
      ['functionId', 'f-cart'],
      ['functionHandle', 'f-cart-h'],
    ] as const)
      expect(await transform(`(${name}: "${value}")`)).toMatchObject(
        errors(
          name,
          'Could not enable cart transform because it is already registered',
          'FUNCTION_ALREADY_REGISTERED',
        ),
      );
    const id = 'gid://shopify/CartTransform/9';
    expect(
      await fixture.call(
        `mutation { cartTransformDelete(id: "${id}") { deletedId userErrors { field message code } } }`,
      ),
    ).toEqual({
      cartTransformDelete: {
        deletedId: null,
        ...errors('id', `Could not find cart transform with id: ${id}`, 'NOT_FOUND'),
      },
    });
  });

  it('validates carts, called as the function is', async () => {
    const validate = (input: string): Promise<unknown> =>
      create(
        `validationCreate(validation: { ${input} })`,
        'validation',
        'title enabled blockOnFailure shopifyFunction { id handle }',
      );
    expect(await validate('functionId: "none"')).toMatchObject(
      errors('validation.functionId', 'Extension not found.', 'NOT_FOUND'),
    );
    for (const [metafield, message, code] of [
      ['type: "boolean", value: "true"', 'presence', null],
      ['key: "k", type: "boolean"', 'presence', null],
      ['key: "k", value: "true"', 'One or more required inputs are blank.', 'BLANK'],
      ['key: "k", type: "none", value: "true"', 'The type is invalid.', 'INVALID_TYPE'],
      ['key: "k", type: "boolean", value: "no"', 'The value is invalid.', 'INVALID_VALUE'],
      [
        'namespace: "shopify", key: "k", type: "boolean", value: "true"',
        'ApiPermission metafields can only be created or updated by the app owner.',
        'APP_NOT_AUTHORIZED',
      ],
    ])
      expect(await validate(`functionId: "f-check", metafields: [{ ${metafield} }]`)).toMatchObject(
        {
          validation: null,
          userErrors: [{ field: ['validation', 'metafields', '0'], message, code }],
        },
      );
    expect(await validate('functionHandle: "f-cart-h"')).toMatchObject(
      errors('validation.functionHandle', `${OTHER} [%{targets}].`, 'FUNCTION_DOES_NOT_IMPLEMENT'),
    );
    expect(await validate('title: "None"')).toMatchObject(
      errors('validation.functionHandle', MISSING, 'MISSING_FUNCTION_IDENTIFIER'),
    );
    expect(await validate('functionId: "f-check", functionHandle: "f-check-h"')).toMatchObject(
      errors('validation', SEVERAL, 'MULTIPLE_FUNCTION_IDENTIFIERS'),
    );
    expect(await validate('functionId: "f-check", enable: true')).toEqual({
      validation: {
        ...{ title: 'f-check', enabled: true, blockOnFailure: false },
        shopifyFunction: { id: 'f-check', handle: 'f-check-h' },
      },
      userErrors: [],
    });
    const { validations } = await fixture.call('{ validations(first: 2) { nodes { id } } }');
    const [{ id }] = validations!['nodes'] as [{ id: string }];
    expect(
      await create(
        `validationUpdate(id: "${id}", validation: { title: "Mine", enable: false })`,
        'validation',
        'title enabled shopifyFunction { id }',
      ),
    ).toMatchObject({
      validation: { title: 'Mine', enabled: false, shopifyFunction: { id: 'f-check' } },
    });
    expect(
      await create(
        'validationUpdate(id: "gid://shopify/Validation/9", validation: {})',
        'validation',
      ),
    ).toMatchObject(errors('id', 'Extension not found.', 'NOT_FOUND'));
  });

  it('constrains how orders are fulfilled', async () => {
    const rule = (args: string, methods = '[SHIPPING]'): Promise<unknown> =>
      create(
        `fulfillmentConstraintRuleCreate(deliveryMethodTypes: ${methods}, ${args})`,
        'fulfillmentConstraintRule',
        'id deliveryMethodTypes function { id }',
      );
    expect(await rule('functionId: "f-rule"', '[]')).toMatchObject(
      errors('deliveryMethodTypes', 'Delivery method types cannot be empty.', 'INPUT_INVALID'),
    );
    expect(await rule('functionHandle: "none"')).toMatchObject(
      errors(
        'functionHandle',
        expect.stringMatching(/^Function none not found\. Ensure that it is released/),
        'FUNCTION_NOT_FOUND',
      ),
    );
    const made = (await rule('functionHandle: "f-rule-h"')) as {
      fulfillmentConstraintRule: { id: string };
    };
    const { id } = made.fulfillmentConstraintRule;
    expect(made).toEqual({
      fulfillmentConstraintRule: {
        ...{ id, deliveryMethodTypes: ['SHIPPING'] },
        function: { id: 'f-rule' },
      },
      userErrors: [],
    });
    const remove = async (): Promise<unknown> => {
      const { fulfillmentConstraintRuleDelete } = await fixture.call(
        `mutation { fulfillmentConstraintRuleDelete(id: "${id}") {
          success userErrors { field message code } } }`,
      );
      return fulfillmentConstraintRuleDelete;
    };
    expect(await remove()).toEqual({ success: true, userErrors: [] });
    expect(await remove()).toEqual({
      success: false,
      ...errors('id', `Could not find FulfillmentConstraintRule with id: ${id}`, 'NOT_FOUND'),
    });
  });

  it('names them by ids that are no global ones', async () => {
    expect(
      await fixture.call(
        '{ one: shopifyFunction(id: "f-cart") { id handle } none: shopifyFunction(id: "x") { id } }',
      ),
    ).toEqual({ one: { id: 'f-cart', handle: 'f-cart-h' }, none: null });
  });
});
