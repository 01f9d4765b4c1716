import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openStore } from '../custom-data.fixture.js';
import { openNodeShop, type Data, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

describe('the definitions of metafields', () => {
  let fixture: NodeShopFixture;
  let owner: string;
  beforeAll(async () => {
    fixture = await openNodeShop(['products']);
    const { product } = fixture.shop.createProduct({ title: 'Kite' });
    owner = `gid://shopify/Product/${product!.id}`;
  });
  afterAll(() => fixture.devStore.close());

  const FIELDS = `id name namespace key ownerType description type { name category }
    validations { name value } pinnedPosition validationStatus metafieldsCount
    access { admin storefront customerAccount }
    capabilities { adminFilterable { enabled eligible status } uniqueValues { enabled eligible } }`;
  const create = async (fields: object): Promise<Data> => {
    const { metafieldDefinitionCreate } = await fixture.call(
      `mutation ($definition: MetafieldDefinitionInput!) {
        metafieldDefinitionCreate(definition: $definition) {
          createdDefinition { ${FIELDS} } userErrors { field message code }
        }
      }`,
      {
        definition: {
          ...{ name: 'Defined', namespace: 'custom', ownerType: 'PRODUCT' },
          ...{ type: 'single_line_text_field', ...fields },
        },
      },
    );
    return metafieldDefinitionCreate!;
  };
  const made = async (fields: object): Promise<string> =>
    ((await create(fields))['createdDefinition'] as { id: string }).id;
  const set = async (key: string, value: string, type?: string): Promise<Data> => {
    const { metafieldsSet } = await fixture.call(
      `mutation ($metafields: [MetafieldsSetInput!]!) { metafieldsSet(metafields: $metafields) {
        metafields { type value definition { id type { name } } }
        userErrors { field message code elementIndex }
      } }`,
      {
        metafields: [
          { ownerId: owner, namespace: 'custom', key, value, ...(type ? { type } : {}) },
        ],
      },
    );
    return metafieldsSet!;
  };
  const update = async (definition: object): Promise<Data> => {
    const { metafieldDefinitionUpdate } = await fixture.call(
      `mutation ($definition: MetafieldDefinitionUpdateInput!) {
        metafieldDefinitionUpdate(definition: $definition) {
          updatedDefinition { ${FIELDS} } validationJob { done } userErrors { field message code }
        }
      }`,
      { definition: { namespace: 'custom', ownerType: 'PRODUCT', ...definition } },
    );
    return metafieldDefinitionUpdate!;
  };

  it('say what they are, and what can be done with them', async () => {
    expect(await create({ key: 'plain', description: 'As it is' })).toEqual({
      createdDefinition: {
        ...{ id: expect.stringContaining('gid://shopify/MetafieldDefinition/'), name: 'Defined' },
        ...{ namespace: 'custom', key: 'plain', ownerType: 'PRODUCT', description: 'As it is' },
        type: { name: 'single_line_text_field', category: 'TEXT' },
        ...{ validations: [], pinnedPosition: null, validationStatus: 'ALL_VALID' },
        metafieldsCount: 0,
        access: { admin: 'PUBLIC_READ_WRITE', storefront: 'NONE', customerAccount: 'NONE' },
        capabilities: {
          adminFilterable: { enabled: false, eligible: true, status: 'NOT_FILTERABLE' },
          uniqueValues: { enabled: false, eligible: true },
        },
      },
      userErrors: [],
    });
    const codes = async (fields: object): Promise<unknown> => {
      const { createdDefinition, userErrors } = await create(fields);
      expect(createdDefinition).toBeNull();
      return (userErrors as Array<{ field: string[]; code: string }>).map(
        ({ field, code }) => `${field.join('.')}: ${code}`,
      );
    };
    expect(await codes({ key: 'plain' })).toEqual(['definition.key: TAKEN']);
    expect(await codes({ key: 'a' })).toEqual(['definition.key: TOO_SHORT']);
    expect(await codes({ key: 'a b c' })).toEqual(['definition.key: INVALID_CHARACTER']);
    expect(await codes({ key: 'unknown', type: 'poem' })).toEqual(['definition.type: INCLUSION']);
  });

  it('give metafields their type, and are theirs', async () => {
    const id = await made({ key: 'typed', type: 'multi_line_text_field' });
    expect(await set('typed', 'Hello')).toEqual({
      metafields: [
        {
          ...{ type: 'multi_line_text_field', value: 'Hello' },
          definition: { id, type: { name: 'multi_line_text_field' } },
        },
      ],
      userErrors: [],
    });
    expect(await set('loose', 'Hello', 'single_line_text_field')).toMatchObject({
      metafields: [{ definition: null }],
    });
    const { metafieldDefinition, metafieldDefinitions } = await fixture.call(
      `{ metafieldDefinition(identifier: { ownerType: PRODUCT, namespace: "custom", key: "typed" }) {
          id metafieldsCount metafields(first: 5) { nodes { value } }
        }
        metafieldDefinitions(ownerType: PRODUCT, namespace: "custom", key: "typed", first: 5) {
          nodes { id }
        } }`,
    );
    expect(metafieldDefinition).toEqual({
      ...{ id, metafieldsCount: 1 },
      metafields: { nodes: [{ value: 'Hello' }] },
    });
    expect(metafieldDefinitions).toEqual({ nodes: [{ id }] });
  });

  it('check values, those that are set from now on', async () => {
    await made({ key: 'limited' });
    expect(await set('limited', 'unbounded')).toMatchObject({ userErrors: [] });
    expect(
      await update({ key: 'limited', name: 'Short', validations: [{ name: 'max', value: '5' }] }),
    ).toMatchObject({
      updatedDefinition: { name: 'Short', validations: [{ name: 'max', value: '5' }] },
      validationJob: { done: false },
      userErrors: [],
    });
    expect(await set('limited', 'too long')).toEqual({
      metafields: [],
      userErrors: [
        {
          field: ['metafields', '0', 'value'],
          message: 'Value has a maximum length of 5.',
          ...{ code: 'INVALID_VALUE', elementIndex: null },
        },
      ],
    });
    expect(await set('limited', 'short')).toMatchObject({ userErrors: [] });
    const rules: ReadonlyArray<[string, object, string, string]> = [
      ['number_integer', { name: 'min', value: '2' }, '2', '1'],
      ['number_decimal', { name: 'max_precision', value: '1' }, '1.5', '1.55'],
      ['single_line_text_field', { name: 'choices', value: '["a","b"]' }, 'b', 'c'],
      ['list.single_line_text_field', { name: 'max', value: '1' }, '["a"]', '["a","bc"]'],
    ];
    for (const [index, [type, rule, right, wrong]] of rules.entries()) {
      const key = `rule_${index}`;
      await made({ key, type, validations: [rule] });
      expect(await set(key, wrong)).toMatchObject({ userErrors: [{ code: 'INVALID_VALUE' }] });
      expect(await set(key, right)).toMatchObject({ userErrors: [] });
    }
  });

  it('are pinned up to twenty of an owner', async () => {
    for (let index = 1; index <= 20; index++)
      await made({ ownerType: 'COLLECTION', key: `pin_${index}`, pin: true });
    const more = { ownerType: 'COLLECTION', key: 'over', pin: true };
    expect(await create(more)).toEqual({
      createdDefinition: null,
      userErrors: [
        {
          field: ['definition'],
          message: 'Limit of 20 pinned definitions.',
          code: 'PINNED_LIMIT_REACHED',
        },
      ],
    });
    expect((await create({ ...more, pin: false }))['userErrors']).toEqual([]);
  });

  it('are pinned in their order, and moved up when one is not any more', async () => {
    const [first, second] = [
      await made({ key: 'pin_1', pin: true }),
      await made({ key: 'pin_2', pin: true }),
    ];
    const pin = async (name: string, id: string): Promise<Data> => {
      const { payload } = await fixture.call(
        `mutation ($id: ID!) { payload: metafieldDefinition${name}(definitionId: $id) {
          ${name.toLowerCase()}nedDefinition { pinnedPosition } userErrors { message code }
        } }`,
        { id },
      );
      return payload!;
    };
    expect(await pin('Pin', second)).toMatchObject({ userErrors: [{ code: 'ALREADY_PINNED' }] });
    expect(await pin('Unpin', first)).toEqual({
      unpinnedDefinition: { pinnedPosition: null },
      userErrors: [],
    });
    expect(await pin('Unpin', first)).toMatchObject({ userErrors: [{ code: 'NOT_PINNED' }] });
    const { metafieldDefinitions } = await fixture.call(
      `{ metafieldDefinitions(ownerType: PRODUCT, pinnedStatus: PINNED, first: 5) {
        nodes { key pinnedPosition }
      } }`,
    );
    expect(metafieldDefinitions).toEqual({ nodes: [{ key: 'pin_2', pinnedPosition: 1 }] });
    expect(await pin('Pin', first)).toMatchObject({ pinnedDefinition: { pinnedPosition: 2 } });
  });

  it('are deleted by id or identifier, with their metafields when that is asked for', async () => {
    const drop = async (args: string): Promise<Data> => {
      const { metafieldDefinitionDelete } = await fixture.call(
        `mutation { metafieldDefinitionDelete(${args}) {
          deletedDefinitionId deletedDefinition { ownerType namespace key }
          userErrors { field message code }
        } }`,
      );
      return metafieldDefinitionDelete!;
    };
    const id = await made({ key: 'kept' });
    await set('kept', 'Hello');
    expect(await drop(`id: "${id}"`)).toEqual({
      deletedDefinitionId: id,
      deletedDefinition: { ownerType: 'PRODUCT', namespace: 'custom', key: 'kept' },
      userErrors: [],
    });
    expect(await drop(`id: "${id}"`)).toMatchObject({
      deletedDefinitionId: null,
      userErrors: [{ message: 'Definition not found.', code: 'NOT_FOUND' }],
    });
    await made({ key: 'gone' });
    await set('gone', 'Hello');
    await drop(
      'identifier: { ownerType: PRODUCT, namespace: "custom", key: "gone" }, deleteAllAssociatedMetafields: true',
    );
    const { product } = await fixture.call(
      `query ($id: ID!) { product(id: $id) {
        kept: metafield(namespace: "custom", key: "kept") { value }
        gone: metafield(namespace: "custom", key: "gone") { value }
      } }`,
      { id: owner },
    );
    expect(product).toEqual({ kept: { value: 'Hello' }, gone: null });
    expect(await update({ key: 'gone', name: 'None' })).toMatchObject({
      updatedDefinition: null,
      userErrors: [{ field: ['definition'], message: 'Definition not found.', code: 'NOT_FOUND' }],
    });
  });
});

describe('the definitions that belong to an app', () => {
  const CREATE = `mutation ($definition: MetafieldDefinitionInput!) {
    metafieldDefinitionCreate(definition: $definition) {
      createdDefinition { id } userErrors { message code }
    }
  }`;
  const definition = (ownerType: string, key: string): Record<string, unknown> => ({
    definition: { name: 'Defined', type: 'single_line_text_field', ownerType, key },
  });

  it('are not there for another app, by whatever they are named', async () => {
    const { devStore, call } = await openStore();
    const [own, other] = [call('own', 'write_products'), call('other', 'write_products')];
    const { product } = devStore.shop().createProduct({ title: 'Kite' });
    const ownerId = `gid://shopify/Product/${product!.id}`;
    const made = await own(CREATE, definition('PRODUCT', 'secret'));
    const { id } = made.data.metafieldDefinitionCreate.createdDefinition;
    await own(
      `mutation ($ownerId: ID!) {
        metafieldsSet(metafields: [{ ownerId: $ownerId, key: "secret", value: "hush" }]) {
          userErrors { message }
        }
      }`,
      { ownerId },
    );
    const READ = `query ($id: ID!) {
      byId: metafieldDefinition(id: $id) { metafields(first: 5) { nodes { value } } }
      node(id: $id) { ... on MetafieldDefinition { metafields(first: 5) { nodes { value } } } }
      all: metafieldDefinitions(ownerType: PRODUCT, first: 5) { nodes { id } }
    }`;
    const mine = { metafields: { nodes: [{ value: 'hush' }] } };
    const seen = { byId: mine, node: mine, all: { nodes: [{ id }] } };
    expect((await own(READ, { id })).data).toEqual(seen);
    expect((await other(READ, { id })).data).toEqual({
      byId: null,
      node: null,
      all: { nodes: [] },
    });
    const { data } = await other(
      `mutation ($id: ID!) {
        metafieldDefinitionPin(definitionId: $id) { userErrors { code } }
        metafieldDefinitionDelete(id: $id, deleteAllAssociatedMetafields: true) {
          deletedDefinitionId userErrors { code }
        }
      }`,
      { id },
    );
    const userErrors = [{ code: 'NOT_FOUND' }];
    expect(data).toEqual({
      metafieldDefinitionPin: { userErrors },
      metafieldDefinitionDelete: { deletedDefinitionId: null, userErrors },
    });
    expect((await own(READ, { id })).data).toEqual(seen);
    await devStore.close();
  });

  it('are those of its configuration, too, of whatever they describe', async () => {
    const metafields = { app: { demo: 'single_line_text_field' } };
    const { devStore, call } = await openStore({
      definitions: {
        product: { metafields },
        variant: { metafields },
        draft_order: { metafields },
      },
    });
    const own = call('own', 'write_products,write_draft_orders');
    for (const ownerType of ['PRODUCT', 'PRODUCTVARIANT', 'DRAFTORDER']) {
      const { data } = await own(CREATE, definition(ownerType, 'demo'));
      expect(data.metafieldDefinitionCreate).toMatchObject({
        createdDefinition: null,
        userErrors: [{ code: 'TAKEN' }],
      });
    }
    await devStore.close();
  });
});
