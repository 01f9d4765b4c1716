import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type Data, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

const DEFINITION = `metaobjectDefinition { id type name displayNameKey hasThumbnailField
    access { admin storefront } standardTemplate { type name }
    capabilities { publishable { enabled } translatable { enabled } renderable { enabled }
      onlineStore { enabled } }
    fieldDefinitions { key name required type { name category } validations { name value } } }
  userErrors { field message code elementKey elementIndex }`;
const OBJECT = `metaobject { id handle displayName
    capabilities { publishable { status } onlineStore { templateSuffix } } }
  userErrors { field message code elementKey }`;
const OFF = { enabled: false };

describe('the types of metaobjects', () => {
  let store: NodeShopFixture;
  let types = 0;
  beforeAll(async () => {
    store = await openNodeShop([
      ...['metaobjects', 'metaobject_definitions', 'online_store_navigation'],
    ]);
  });
  afterAll(() => store.devStore.close());

  const title = { key: 'title', name: 'Title', type: 'single_line_text_field' };
  const define = async (definition: object): Promise<Data> => {
    const type = `type_${++types}`;
    const { metaobjectDefinitionCreate } = await store.call(
      `mutation ($definition: MetaobjectDefinitionCreateInput!) {
        metaobjectDefinitionCreate(definition: $definition) { ${DEFINITION} } }`,
      { definition: { type, name: 'Type', fieldDefinitions: [title], ...definition } },
    );
    return metaobjectDefinitionCreate!;
  };
  const defined = async (definition: object = {}): Promise<Data> =>
    (await define(definition))['metaobjectDefinition'] as Data;
  const update = async (id: unknown, definition: object): Promise<Data> => {
    const { metaobjectDefinitionUpdate } = await store.call(
      `mutation ($id: ID!, $definition: MetaobjectDefinitionUpdateInput!) {
        metaobjectDefinitionUpdate(id: $id, definition: $definition) { ${DEFINITION} } }`,
      { id, definition },
    );
    return metaobjectDefinitionUpdate!;
  };
  const create = async (metaobject: object): Promise<Data> => {
    const { metaobjectCreate } = await store.call(
      `mutation ($metaobject: MetaobjectCreateInput!) {
        metaobjectCreate(metaobject: $metaobject) { ${OBJECT} } }`,
      { metaobject },
    );
    return metaobjectCreate!;
  };
  const errorsOf = (payload: Data): unknown[] =>
    (payload['userErrors'] as Data[]).map(({ field, code, message }) => [field, code, message]);

  it('say who may use their objects, what these can do, and of what their fields are', async () => {
    const image = {
      ...{ key: 'image', type: 'file_reference', required: true },
      validations: [{ name: 'file_type_options', value: '["Image"]' }],
    };
    const definition = await defined({
      type: 'Mixed_Case',
      displayNameKey: 'title',
      access: { storefront: 'PUBLIC_READ' },
      capabilities: { publishable: { enabled: true } },
      fieldDefinitions: [title, image],
    });
    expect(definition).toMatchObject({
      type: 'mixed_case',
      hasThumbnailField: true,
      access: { admin: 'PUBLIC_READ_WRITE', storefront: 'PUBLIC_READ' },
      standardTemplate: null,
      capabilities: {
        publishable: { enabled: true },
        translatable: OFF,
        renderable: OFF,
        onlineStore: OFF,
      },
      fieldDefinitions: [
        { key: 'title', type: { category: 'TEXT' }, validations: [] },
        { key: 'image', name: 'Image', required: true, type: { category: 'REFERENCE' } },
      ],
    });
    expect(definition['fieldDefinitions']).toMatchObject([{}, { validations: image.validations }]);
    const changed = await update(definition['id'], {
      capabilities: { translatable: { enabled: true } },
      resetFieldOrder: true,
      fieldDefinitions: [{ create: { key: 'rank', type: 'number_integer' } }],
    });
    expect(changed['metaobjectDefinition']).toMatchObject({
      capabilities: { publishable: { enabled: true }, translatable: { enabled: true } },
      fieldDefinitions: [{ key: 'rank' }, { key: 'title' }, { key: 'image' }],
    });
  });

  it.each([
    [
      { type: 'ab' },
      ['definition', 'type'],
      'TOO_SHORT',
      'Type is too short (minimum is 3 characters)',
    ],
    [
      { type: 'Has Spaces!' },
      ['definition', 'type'],
      'INVALID',
      'Type contains one or more invalid characters. Only alphanumeric characters, underscores, and dashes are allowed.',
    ],
    [
      { type: 'shopify--other' },
      ['definition'],
      'NOT_AUTHORIZED',
      'Not authorized. This type is reserved for use by another application.',
    ],
    [{ name: '' }, ['definition', 'name'], 'BLANK', "Name can't be blank"],
    [
      { name: 'n'.repeat(256) },
      ['definition', 'name'],
      'TOO_LONG',
      'Name is too long (maximum is 255 characters)',
    ],
    [
      { description: 'd'.repeat(256) },
      ['definition', 'description'],
      'TOO_LONG',
      'Description is too long (maximum is 255 characters)',
    ],
    [
      { displayNameKey: 'missing' },
      ['definition', 'displayNameKey'],
      'UNDEFINED_OBJECT_FIELD',
      'Field definition "missing" does not exist',
    ],
    [
      { fieldDefinitions: [{ ...title, key: 'handle' }] },
      ['definition', 'fieldDefinitions', '0'],
      'RESERVED_NAME',
      'The name "handle" is reserved for system use',
    ],
    [
      { fieldDefinitions: [title, title] },
      ['definition', 'fieldDefinitions', '1'],
      'DUPLICATE_FIELD_INPUT',
      'Field "title" duplicates other inputs',
    ],
    [
      { fieldDefinitions: [{ ...title, key: 'a' }] },
      ['definition', 'fieldDefinitions', '0'],
      'TOO_SHORT',
      'Key is too short (minimum is 2 characters)',
    ],
    [
      { fieldDefinitions: Array.from({ length: 41 }, (_, at) => ({ ...title, key: `key_${at}` })) },
      ['definition', 'fieldDefinitions'],
      'INVALID',
      'Maximum 40 fields per metaobject definition',
    ],
  ])('are refused: %j', async (definition, field, code, message) => {
    const payload = await define(definition);
    expect(payload['metaobjectDefinition']).toBeNull();
    expect(errorsOf(payload)).toEqual([[field, code, message]]);
  });

  it('keep their fields when a change of one is refused', async () => {
    const { id } = await defined();
    const path = (at: number, name: string): string[] => [
      'definition',
      'fieldDefinitions',
      String(at),
      name,
      'key',
    ];
    const refused = await update(id, {
      fieldDefinitions: [
        { update: { key: 'none', name: 'None' } },
        { create: title },
        { delete: { key: 'gone' } },
      ],
    });
    expect(errorsOf(refused)).toEqual([
      [path(0, 'update'), 'UNDEFINED_OBJECT_FIELD', 'Field definition "none" does not exist'],
      [path(1, 'create'), 'OBJECT_FIELD_TAKEN', 'Field definition "title" is already taken'],
      [path(2, 'delete'), 'UNDEFINED_OBJECT_FIELD', 'Field definition "gone" does not exist'],
    ]);
    expect(errorsOf(await update(id, { name: '' }))).toEqual([
      [['definition', 'name'], 'BLANK', "Name can't be blank"],
    ]);
  });

  it('of the platform are enabled as they are, and stay so', async () => {
    const enable = async (type: string): Promise<Data> => {
      const { standardMetaobjectDefinitionEnable } = await store.call(
        `mutation ($type: String!) { standardMetaobjectDefinitionEnable(type: $type) { ${DEFINITION} } }`,
        { type },
      );
      return standardMetaobjectDefinitionEnable!;
    };
    const enabled = await enable('shopify--color-pattern');
    expect(enabled).toMatchObject({
      metaobjectDefinition: {
        name: 'Color',
        displayNameKey: 'label',
        hasThumbnailField: true,
        access: { admin: 'PUBLIC_READ_WRITE', storefront: 'PUBLIC_READ' },
        standardTemplate: { type: 'shopify--color-pattern', name: 'Color' },
        capabilities: { publishable: OFF, translatable: { enabled: true } },
      },
      userErrors: [],
    });
    expect(await enable('shopify--color-pattern')).toEqual(enabled);
    expect(await enable('shopify--age-group')).toMatchObject({
      metaobjectDefinition: {
        name: 'Age group',
        fieldDefinitions: [{ key: 'label' }, { key: 'taxonomy_reference', name: 'Base age group' }],
      },
    });
    const { id } = enabled['metaobjectDefinition'] as Data;
    expect(errorsOf(await update(id, { name: 'Other' }))).toEqual([
      [['definition'], 'IMMUTABLE', "Standard metaobject definitions can't be updated"],
    ]);
    expect(errorsOf(await enable('shopify--none'))).toEqual([
      [['type'], 'RECORD_NOT_FOUND', 'Record not found'],
    ]);
  });

  it('let their objects be drafts, if they are to be published', async () => {
    const { type: plain } = await defined();
    const capabilities = {
      publishable: { status: 'ACTIVE' },
      onlineStore: { templateSuffix: 'a' },
    };
    const refused = await create({ type: plain, capabilities });
    expect(errorsOf(refused)).toEqual(
      [
        ['publishable', 'publishable'],
        ['onlineStore', 'online_store'],
      ].map(([name, words]) => [
        ['metaobject', 'capabilities', name],
        'CAPABILITY_NOT_ENABLED',
        `Capability is not enabled: ${words}`,
      ]),
    );
    expect((await create({ type: plain }))['metaobject']).toMatchObject({
      capabilities: { publishable: null, onlineStore: null },
    });
    const { type } = await defined({ capabilities: { publishable: { enabled: true } } });
    const status = async (object: object): Promise<unknown> =>
      ((await create({ type, ...object }))['metaobject'] as Data)['capabilities'];
    expect(await status({})).toEqual({ publishable: { status: 'DRAFT' }, onlineStore: null });
    const active = { capabilities: { publishable: { status: 'ACTIVE' } } };
    expect(await status(active)).toEqual({ publishable: { status: 'ACTIVE' }, onlineStore: null });
  });

  it('redirect the pages of their objects, where that is asked', async () => {
    const page = (urlHandle: string, more = {}): object => ({
      capabilities: { onlineStore: { enabled: true, data: { urlHandle, ...more } } },
    });
    const enabled = { publishable: { enabled: true }, renderable: { enabled: true } };
    const { id, type } = await defined({
      capabilities: { ...enabled, onlineStore: { enabled: true, data: { urlHandle: 'old' } } },
    });
    const object = async (handle: string, status: string): Promise<unknown> => {
      const { metaobject } = await create({
        ...{ type, handle, capabilities: { publishable: { status } } },
        fields: [{ key: 'title', value: 'T' }],
      });
      return (metaobject as Data)['id'];
    };
    const first = await object('first', 'ACTIVE');
    await object('draft', 'DRAFT');
    const rename = (handle: string, redirectNewHandle?: boolean): Promise<unknown> =>
      store.call(
        `mutation ($id: ID!, $metaobject: MetaobjectUpdateInput!) {
          metaobjectUpdate(id: $id, metaobject: $metaobject) { metaobject { id } } }`,
        { id: first, metaobject: { handle, redirectNewHandle } },
      );
    const redirects = async (): Promise<unknown> => {
      const { urlRedirects } = await store.call(
        '{ urlRedirects(first: 9) { nodes { path target } } }',
      );
      return (urlRedirects!['nodes'] as Data[]).map(({ path, target }) => [path, target]);
    };
    await update(id, page('older'));
    await rename('second');
    expect(await redirects()).toEqual([]);
    await update(id, page('new', { createRedirects: true }));
    await update(id, page('new', { createRedirects: true }));
    await rename('third', true);
    await rename('third', true);
    expect(await redirects()).toEqual([
      ['/pages/older/second', '/pages/new/second'],
      ['/pages/new/second', '/pages/new/third'],
    ]);
    for (const handle of ['second', 'third', 'fourth']) await rename(handle, true);
    expect(await redirects()).toEqual([
      ['/pages/older/second', '/pages/new/second'],
      ['/pages/new/second', '/pages/new/third'],
      ['/pages/new/third', '/pages/new/fourth'],
    ]);
    await rename('second', true);
    expect(await redirects()).toEqual([
      ['/pages/older/second', '/pages/new/second'],
      ['/pages/new/third', '/pages/new/fourth'],
      ['/pages/new/fourth', '/pages/new/second'],
    ]);
    const { metaobjectDefinition } = await store.call(
      `query ($id: ID!) { metaobjectDefinition(id: $id) { capabilities {
        onlineStore { data { urlHandle canCreateRedirects } } } } }`,
      { id },
    );
    expect(metaobjectDefinition).toEqual({
      capabilities: { onlineStore: { data: { urlHandle: 'new', canCreateRedirects: true } } },
    });
  });

  it('refuse handles, and values that are given twice', async () => {
    const { type } = await defined({ fieldDefinitions: [{ ...title, required: true }] });
    const fields = [{ key: 'title', value: 'One' }];
    const handle = ['metaobject', 'handle'];
    expect(errorsOf(await create({ type, fields, handle: 'hello world!' }))).toEqual([
      [handle, 'INVALID', 'Handle is invalid'],
    ]);
    expect(errorsOf(await create({ type, fields, handle: 'x'.repeat(256) }))).toEqual([
      [handle, 'TOO_LONG', 'Handle is too long (maximum is 255 characters)'],
    ]);
    expect(await create({ type, fields, handle: 'My-Handle' })).toMatchObject({
      metaobject: { handle: 'my-handle' },
    });
    expect(errorsOf(await create({ type, fields: [...fields, ...fields] }))).toEqual([
      [
        ['metaobject', 'fields', '1'],
        'DUPLICATE_FIELD_INPUT',
        'Field "title" duplicates other inputs',
      ],
      [['metaobject', 'fields', '1'], 'OBJECT_FIELD_REQUIRED', "Title can't be blank"],
    ]);
    const { metaobjectUpsert } = await store.call(
      `mutation ($handle: MetaobjectHandleInput!) {
        metaobjectUpsert(handle: $handle, metaobject: { fields: [{ key: "title", value: "x" }] }) { ${OBJECT} } }`,
      { handle: { type, handle: 'hello world!' } },
    );
    expect(errorsOf(metaobjectUpsert!)).toEqual([
      [['handle', 'handle'], 'INVALID', 'Handle is invalid'],
    ]);
  });

  it('lose their objects, all or some, at once', async () => {
    const { type } = await defined();
    const made = [await create({ type }), await create({ type }), await create({ type })];
    const ids = made.map((one) => (one['metaobject'] as Data)['id']);
    const remove = (where: object): ReturnType<NodeShopFixture['answer']> =>
      store.answer(
        `mutation ($where: MetaobjectBulkDeleteWhereCondition!) { metaobjectBulkDelete(where: $where) {
          job { done } userErrors { field message code elementIndex } } }`,
        { where },
      );
    const left = async (): Promise<unknown> => {
      const { metaobjects } = await store.call(
        'query ($type: String!) { metaobjects(type: $type, first: 9) { nodes { id } } }',
        { type },
      );
      return metaobjects!['nodes'];
    };
    const none = 'gid://shopify/Metaobject/999999';
    expect((await remove({ ids: [ids[0], none] })).data).toMatchObject({
      metaobjectBulkDelete: {
        job: { done: false },
        userErrors: [{ message: 'Record not found', code: 'RECORD_NOT_FOUND', elementIndex: 1 }],
      },
    });
    expect(await left()).toEqual([{ id: ids[1] }, { id: ids[2] }]);
    await remove({ type });
    expect(await left()).toEqual([]);
    expect((await remove({ type: 'nothing' })).data!['metaobjectBulkDelete']).toEqual({
      job: null,
      userErrors: [
        {
          field: ['where', 'type'],
          message: 'No metaobject definition exists for type "nothing"',
          code: 'RECORD_NOT_FOUND',
          elementIndex: null,
        },
      ],
    });
    const { errors } = await remove({ type, ids: [] });
    expect(errors).toMatchObject([
      {
        message: 'MetaobjectBulkDeleteWhereCondition requires exactly one of type, ids',
        extensions: { code: 'INVALID_FIELD_ARGUMENTS' },
      },
    ]);
  });

  it('have objects that refer to others, which know it', async () => {
    const { type: target } = await defined();
    const { metaobject: one } = await create({ type: target, handle: 'one' });
    const { id } = one as Data;
    const list = { key: 'others', name: 'Others', type: 'list.metaobject_reference' };
    const { type } = await defined({ fieldDefinitions: [title, list] });
    const fields = [{ key: 'others', value: JSON.stringify([id]) }];
    const { metaobject: parent } = await create({ type, handle: 'parent', fields });
    const { metaobject, target: seen } = await store.call(
      `query ($id: ID!, $target: ID!) {
        metaobject(id: $id) { field(key: "others") { jsonValue reference { __typename }
          references(first: 5) { nodes { ... on Metaobject { handle } } } } }
        target: metaobject(id: $target) { referencedBy(first: 5) { nodes { key name namespace
          referencer { ... on Metaobject { handle } } } } } }`,
      { id: (parent as Data)['id'], target: id },
    );
    expect(metaobject!['field']).toEqual({
      jsonValue: [id],
      reference: null,
      references: { nodes: [{ handle: 'one' }] },
    });
    expect(seen!['referencedBy']).toEqual({
      nodes: [{ key: 'others', name: 'Others', namespace: type, referencer: { handle: 'parent' } }],
    });
  });
});
