import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type Data, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

let fixture: NodeShopFixture;
beforeAll(async () => {
  fixture = await openNodeShop(['products', 'customers']);
});
afterAll(() => fixture.devStore.close());

const ID = 'gid://shopify/StandardMetafieldDefinitionTemplate/';

describe('the definitions of metafields that the platform has made', () => {
  const enable = async (args: string): Promise<Data> => {
    const { standardMetafieldDefinitionEnable } = await fixture.call(
      `mutation { standardMetafieldDefinitionEnable(${args}) {
        createdDefinition {
          id name namespace key description pinnedPosition type { name } useAsCollectionCondition
          validations { name value } access { storefront } standardTemplate { id }
        }
        userErrors { field message code }
      } }`,
    );
    return standardMetafieldDefinitionEnable!;
  };
  const refusal = async (args: string): Promise<unknown> => {
    const { createdDefinition, userErrors } = await enable(args);
    expect(createdDefinition).toBeNull();
    return (userErrors as unknown[])[0];
  };

  it('are listed', async () => {
    const { standardMetafieldDefinitionTemplates } = await fixture.call(
      `{ standardMetafieldDefinitionTemplates(first: 2) {
        nodes { id namespace key ownerTypes type { name } }
      } }`,
    );
    expect(standardMetafieldDefinitionTemplates!['nodes']).toEqual([
      {
        ...{ id: `${ID}1`, namespace: 'descriptors', key: 'subtitle' },
        ownerTypes: ['PRODUCT', 'PRODUCTVARIANT'],
        type: { name: 'single_line_text_field' },
      },
      expect.objectContaining({ key: 'care_guide' }),
    ]);
  });

  it('are enabled once, by id or by their names', async () => {
    const { createdDefinition, userErrors } = await enable(`ownerType: PRODUCT, id: "${ID}1"`);
    expect(userErrors).toEqual([]);
    expect(createdDefinition).toEqual({
      ...{ id: expect.any(String), name: 'Product subtitle', namespace: 'descriptors' },
      ...{ key: 'subtitle', description: 'Used as a shorthand for a product name' },
      ...{ pinnedPosition: null, type: { name: 'single_line_text_field' } },
      ...{ validations: [{ name: 'max', value: '70' }], access: { storefront: 'PUBLIC_READ' } },
      ...{ useAsCollectionCondition: false, standardTemplate: { id: `${ID}1` } },
    });
    const again = await enable(
      'ownerType: PRODUCT, namespace: "descriptors", key: "subtitle", pin: true, useAsCollectionCondition: true',
    );
    expect(again).toMatchObject({
      createdDefinition: {
        id: (createdDefinition as { id: string }).id,
        ...{ pinnedPosition: 1, useAsCollectionCondition: true },
      },
      userErrors: [],
    });
    expect(
      await enable(`ownerType: PRODUCTVARIANT, id: "${ID}3", visibleToStorefrontApi: false`),
    ).toMatchObject({
      createdDefinition: { key: 'isbn', access: { storefront: 'NONE' } },
      userErrors: [],
    });
  });

  it('are refused as the platform refuses them', async () => {
    const code = 'TEMPLATE_NOT_FOUND';
    expect(await refusal('ownerType: PRODUCT')).toEqual({
      field: null,
      message: 'A namespace and key or standard metafield definition template id must be provided.',
      code,
    });
    const unknown = {
      field: ['id'],
      message: 'Id is not a valid standard metafield definition template id',
      code,
    };
    expect(await refusal(`ownerType: PRODUCT, id: "${ID}999"`)).toEqual(unknown);
    expect(await refusal(`ownerType: CUSTOMER, id: "${ID}1"`)).toEqual(unknown);
    expect(await refusal('ownerType: PRODUCT, namespace: "facts", key: "none"')).toEqual({
      field: null,
      message:
        "A standard definition wasn't found for the specified owner type, namespace, and key.",
      code,
    });
    expect(
      await refusal(`ownerType: PRODUCT, id: "${ID}2", useAsCollectionCondition: true`),
    ).toEqual({
      field: null,
      message: 'The capability smart_collection_condition is not valid for this definition.',
      code: 'INVALID_CAPABILITY',
    });
    const reserved = 'ownerType: PRODUCT, namespace: "shopify", key: "material"';
    expect(await refusal(`${reserved}, pin: true`)).toMatchObject({
      ...{ field: null, code: 'UNSUPPORTED_PINNING' },
    });
    expect(await refusal(`${reserved}, access: { storefront: NONE }`)).toEqual({
      field: ['access'],
      message: 'Setting access controls on a definition under this namespace is not permitted.',
      code: 'INVALID',
    });
    expect(
      await refusal(`ownerType: PRODUCT, id: "${ID}2", access: { admin: MERCHANT_READ }`),
    ).toEqual({
      field: ['access'],
      message:
        'Setting this access control is not permitted. It must be one of ["public_read_write"].',
      code: 'INVALID',
    });
  });
});

describe('what a definition of metafields may be', () => {
  const CREATE = `mutation ($definition: MetafieldDefinitionInput!) {
    metafieldDefinitionCreate(definition: $definition) {
      createdDefinition { capabilities {
        uniqueValues { enabled eligible } adminFilterable { enabled eligible }
        smartCollectionCondition { enabled eligible }
      } }
      userErrors { field message code }
    }
  }`;
  const definition = (fields: object): { definition: object } => ({
    definition: {
      ...{ name: 'Defined', namespace: 'custom', ownerType: 'PRODUCT', key: 'defined' },
      ...{ type: 'single_line_text_field', ...fields },
    },
  });
  const create = async (fields: object): Promise<Data> =>
    (await fixture.call(CREATE, definition(fields)))['metafieldDefinitionCreate']!;
  const errors = async (fields: object): Promise<unknown> => {
    const { createdDefinition, userErrors } = await create(fields);
    expect(createdDefinition).toBeNull();
    return userErrors;
  };

  it('is told at once where it is wrong', async () => {
    expect(await errors({ namespace: 'ab', key: 'x' })).toEqual([
      {
        field: ['definition', 'namespace'],
        message: 'Namespace is too short (minimum is 3 characters)',
        code: 'TOO_SHORT',
      },
      {
        field: ['definition', 'key'],
        message: 'Key is too short (minimum is 2 characters)',
        code: 'TOO_SHORT',
      },
    ]);
    const long = 'x'.repeat(256);
    expect(await errors({ name: long, description: long })).toEqual([
      {
        field: ['definition', 'name'],
        message: 'Name is too long (maximum is 255 characters)',
        code: 'TOO_LONG',
      },
      {
        field: ['definition', 'description'],
        message: 'Description is too long (maximum is 255 characters)',
        code: 'TOO_LONG',
      },
    ]);
    const [{ message }] = (await errors({ type: 'poem' })) as [{ message: string }];
    expect(message).toMatch(
      /^Type name poem is not a valid type\. Valid types are: antenna_gain, .*, date_time, date, .*, link, list\.antenna_gain, .*, weight, company_reference, .*, list\.order_reference\.$/,
    );
  });

  it('has the capabilities that its type allows', async () => {
    expect(
      await errors({ type: 'json', capabilities: { adminFilterable: { enabled: true } } }),
    ).toEqual([
      {
        field: ['definition'],
        message: 'The capability admin_filterable is not valid for this definition.',
        code: 'INVALID_CAPABILITY',
      },
    ]);
    expect(await create({ key: 'ident', type: 'id' })).toMatchObject({
      createdDefinition: { capabilities: { uniqueValues: { enabled: true, eligible: true } } },
    });
    expect(
      await create({ key: 'ownable', ownerType: 'CUSTOMER', type: 'number_integer' }),
    ).toMatchObject({
      createdDefinition: { capabilities: { smartCollectionCondition: { eligible: false } } },
    });
    const UPDATE = `mutation ($definition: MetafieldDefinitionUpdateInput!) {
      metafieldDefinitionUpdate(definition: $definition) {
        updatedDefinition { id } validationJob { id } userErrors { field code }
      }
    }`;
    await create({ key: 'long', type: 'multi_line_text_field' });
    const wanted = {
      ...{ ownerType: 'PRODUCT', namespace: 'custom', key: 'long' },
      capabilities: { uniqueValues: { enabled: true } },
      access: { admin: 'MERCHANT_READ' },
    };
    const answer = await fixture.call(UPDATE, { definition: wanted });
    expect(answer['metafieldDefinitionUpdate']).toEqual({
      ...{ updatedDefinition: null, validationJob: null },
      userErrors: [
        { field: ['definition'], code: 'INVALID_INPUT' },
        { field: ['definition'], code: 'INVALID_CAPABILITY' },
      ],
    });
  });

  it('is not of the namespace of the platform, nor one filter too many', async () => {
    const { errors: denied } = await fixture.answer(CREATE, definition({ namespace: 'shopify' }));
    expect(denied).toEqual([
      expect.objectContaining({
        message: expect.stringContaining('API client to have access to the namespace'),
        extensions: expect.objectContaining({ code: 'ACCESS_DENIED' }),
      }),
    ]);
    const capabilities = { adminFilterable: { enabled: true } };
    for (let index = 0; index < 50; index += 1)
      expect(await create({ key: `filter_${index}`, capabilities })).toMatchObject({
        userErrors: [],
      });
    expect(await errors({ key: 'filter_50', capabilities })).toEqual([
      {
        field: ['definition'],
        message:
          'You can only use 50 product metafield definitions to filter the product list. To add a new filter, disable filtering on an existing one.',
        code: 'OWNER_TYPE_LIMIT_EXCEEDED_FOR_USE_AS_ADMIN_FILTERS',
      },
    ]);
  });
});
