import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { DevStore } from '../../../../lib/dev-store/index.js';
import { openStore } from '../custom-data.fixture.js';
import type { Call } from '../custom-data.fixture.js';

const SCOPES = 'write_metaobjects,write_metaobject_definitions';
const UPSERT = `mutation($handle: MetaobjectHandleInput!, $metaobject: MetaobjectUpsertInput, $values: JSON) {
  metaobjectUpsert(handle: $handle, metaobject: $metaobject, values: $values) {
    metaobject {
      id handle type displayName values
      title: field(key: "title") { value jsonValue type definition { name required type { name } } }
      rank: field(key: "rank") { jsonValue }
      none: field(key: "none") { key }
    }
    userErrors { code field message elementKey }
  }
}`;
const LIST = `query($type: String!, $query: String, $sortKey: String) {
  metaobjects(type: $type, first: 10, query: $query, sortKey: $sortKey) { nodes { handle displayName } }
}`;
const DEFINE = `mutation($definition: MetaobjectDefinitionCreateInput!) {
  metaobjectDefinitionCreate(definition: $definition) {
    metaobjectDefinition { id type name fieldDefinitions { key name type { name } } metaobjectsCount }
    userErrors { code field elementKey }
  }
}`;
const CHANGE = `mutation($id: ID!, $definition: MetaobjectDefinitionUpdateInput!) {
  metaobjectDefinitionUpdate(id: $id, definition: $definition) {
    metaobjectDefinition { name fieldDefinitions { key name required } }
    userErrors { code elementKey }
  }
}`;

describe('metaobjects of the dev store', () => {
  let devStore: DevStore;
  let own: Call;
  let other: Call;

  beforeAll(async () => {
    const opened = await openStore();
    devStore = opened.devStore;
    own = opened.call('own', SCOPES);
    other = opened.call('other', SCOPES);
  });
  afterAll(() => devStore.close());

  const upsert = async (handle: string, fields: Record<string, string>, type = '$app:example') => {
    const metaobject = { fields: Object.entries(fields).map(([key, value]) => ({ key, value })) };
    const { data, errors } = await own(UPSERT, { handle: { type, handle }, metaobject });
    expect(errors).toBeUndefined();
    return data.metaobjectUpsert;
  };

  it('are created by handle, and updated when there is one', async () => {
    const made = await upsert('first', { title: 'One', rank: '7' });
    expect(made.userErrors).toEqual([]);
    expect(made.metaobject).toMatchObject({
      handle: 'first',
      type: 'app--7000000001--example',
      displayName: 'One',
      values: { title: 'One', description: null, rank: 7 },
      title: {
        value: 'One',
        jsonValue: 'One',
        definition: { name: 'Title', required: true, type: { name: 'single_line_text_field' } },
      },
      rank: { jsonValue: 7 },
      none: null,
    });
    const changed = await upsert('first', { title: 'Two' });
    expect(changed.metaobject).toMatchObject({
      id: made.metaobject.id,
      values: { title: 'Two', rank: 7 },
    });
    const values = { title: 'Three' };
    const { data } = await own(UPSERT, {
      handle: { type: '$app:example', handle: 'first' },
      values,
    });
    expect(data.metaobjectUpsert.metaobject.values).toEqual({
      title: 'Three',
      description: null,
      rank: null,
    });
  });

  it('are read by id, handle and type', async () => {
    const { metaobject } = await upsert('read-me', { title: 'Blue whale', rank: '1' });
    const { data } = await own(
      `query($id: ID!, $handle: MetaobjectHandleInput!) {
        metaobject(id: $id) { handle }
        node(id: $id) { ... on Metaobject { handle } }
        metaobjectByHandle(handle: $handle) { id definition { metaobjectsCount createdByApp { id } } createdByApp { title } }
      }`,
      { id: metaobject.id, handle: { type: '$app:example', handle: 'read-me' } },
    );
    expect(data).toMatchObject({
      metaobject: { handle: 'read-me' },
      node: { handle: 'read-me' },
      metaobjectByHandle: { id: metaobject.id, createdByApp: { title: 'Your app' } },
    });
    await upsert('later', { title: 'Ant' });
    const type = '$app:example';
    const found = await own(LIST, { type, query: 'display_name:whale' });
    expect(found.data.metaobjects.nodes).toEqual([
      { handle: 'read-me', displayName: 'Blue whale' },
    ]);
    const sorted = await own(LIST, { type, sortKey: 'display_name' });
    expect(sorted.data.metaobjects.nodes[0]).toEqual({ handle: 'later', displayName: 'Ant' });
  });

  it.each([
    ['no such field', { title: 'x', size: '1' }, 'UNDEFINED_OBJECT_FIELD', 'size'],
    ['a text for a number', { title: 'x', rank: 'one' }, 'INVALID_VALUE', 'rank'],
    ['nothing where something must be', { description: 'x' }, 'OBJECT_FIELD_REQUIRED', 'title'],
  ])('are refused with %s', async (_what, fields, code, elementKey) => {
    const { metaobject, userErrors } = await upsert('refused', fields);
    expect(metaobject).toBeNull();
    expect(userErrors).toMatchObject([{ code, elementKey }]);
    const { nodes } = (await own(LIST, { type: '$app:example', query: 'handle:refused' })).data
      .metaobjects;
    expect(nodes).toEqual([]);
  });

  it('need a definition of their type', async () => {
    const { userErrors } = await upsert('x', { title: 'x' }, '$app:none');
    expect(userErrors).toEqual([
      {
        code: 'UNDEFINED_OBJECT_TYPE',
        field: ['handle', 'type'],
        message: 'No metaobject definition exists for type "app--7000000001--none"',
        elementKey: null,
      },
    ]);
  });

  it('of one app are nothing to another', async () => {
    const type = 'app--7000000001--example';
    await upsert('private', { title: 'x' });
    expect((await other(LIST, { type })).data.metaobjects.nodes).toEqual([]);
    const handle = { type, handle: 'private' };
    const { data } = await other(UPSERT, { handle, metaobject: { fields: [] } });
    expect(data.metaobjectUpsert.userErrors).toMatchObject([{ code: 'NOT_AUTHORIZED' }]);
    const byHandle =
      'query($handle: MetaobjectHandleInput!) { metaobjectByHandle(handle: $handle) { id } }';
    expect((await other(byHandle, { handle })).data.metaobjectByHandle).toBeNull();
  });

  it('tell the apps what became of them', async () => {
    const { metaobject } = await upsert('told', { title: 'x' });
    const remove =
      'mutation($id: ID!) { metaobjectDelete(id: $id) { deletedId userErrors { code } } }';
    const { id } = metaobject;
    expect((await own(remove, { id })).data.metaobjectDelete).toEqual({
      deletedId: id,
      userErrors: [],
    });
    expect((await own(remove, { id })).data.metaobjectDelete.userErrors).toEqual([
      { code: 'RECORD_NOT_FOUND' },
    ]);
  });

  it('have handles of their own, or get one from their name', async () => {
    const create = `mutation($metaobject: MetaobjectCreateInput!) {
      metaobjectCreate(metaobject: $metaobject) { metaobject { handle } userErrors { code } }
    }`;
    const fields = [{ key: 'title', value: 'Crème & Co' }];
    const made = async (more = {}) =>
      (await own(create, { metaobject: { type: '$app:example', fields, ...more } })).data
        .metaobjectCreate;
    const names = [await made(), await made()].map(({ metaobject }) => metaobject.handle);
    expect(new Set(names).size).toBe(2);
    expect((await made({ handle: names[0] })).metaobject.handle).toBe(`${names[0]}-2`);
    expect((await made({ handle: 'not a handle' })).userErrors).toEqual([{ code: 'INVALID' }]);
  });

  it('have types that are created, changed and deleted', async () => {
    const field = { key: 'name', type: 'single_line_text_field' };
    const definition = { type: 'author', fieldDefinitions: [field] };
    const { data } = await own(DEFINE, { definition });
    const made = data.metaobjectDefinitionCreate.metaobjectDefinition;
    expect(made).toMatchObject({
      type: 'author',
      name: 'Author',
      fieldDefinitions: [{ key: 'name', name: 'Name', type: { name: field.type } }],
      metaobjectsCount: 0,
    });
    expect((await own(DEFINE, { definition })).data.metaobjectDefinitionCreate.userErrors).toEqual([
      { code: 'TAKEN', field: ['definition', 'type'], elementKey: null },
    ]);
    const change = async (operations: object[]) =>
      (
        await own(CHANGE, {
          id: made.id,
          definition: { name: 'Writer', fieldDefinitions: operations },
        })
      ).data.metaobjectDefinitionUpdate;
    const changed = await change([
      { update: { key: 'name', name: 'Full name', required: true } },
      { create: { key: 'born', type: 'date' } },
    ]);
    expect(changed.metaobjectDefinition).toEqual({
      name: 'Writer',
      fieldDefinitions: [
        { key: 'name', name: 'Full name', required: true },
        { key: 'born', name: 'Born', required: false },
      ],
    });
    expect((await change([{ create: { key: 'born', type: 'date' } }])).userErrors).toEqual([
      { code: 'OBJECT_FIELD_TAKEN', elementKey: 'born' },
    ]);
    expect((await change([{ delete: { key: 'nothing' } }])).userErrors).toEqual([
      { code: 'UNDEFINED_OBJECT_FIELD', elementKey: 'nothing' },
    ]);
    await upsert('ada', { name: 'Ada' }, 'author');
    const drop = 'mutation($id: ID!) { metaobjectDefinitionDelete(id: $id) { deletedId } }';
    expect((await own(drop, { id: made.id })).data.metaobjectDefinitionDelete.deletedId).toBe(
      made.id,
    );
    expect((await own(LIST, { type: 'author' })).data.metaobjects.nodes).toEqual([]);
  });

  it('have types that only the configuration of the app changes', async () => {
    const { data } = await own(
      '{ metaobjectDefinitionByType(type: "$app:example") { id name } metaobjectDefinitions(first: 5) { nodes { type } } }',
    );
    const { id } = data.metaobjectDefinitionByType;
    expect((await own(CHANGE, { id, definition: { name: 'x' } })).data).toMatchObject({
      metaobjectDefinitionUpdate: { userErrors: [{ code: 'APP_CONFIG_MANAGED' }] },
    });
  });

  it('need the scopes of objects and of types', async () => {
    const { devStore: store, call } = await openStore();
    const bare = call('own', 'write_products');
    const { errors } = await bare(LIST, { type: '$app:example' });
    expect(errors?.[0]?.message).toContain('read_metaobjects');
    const definition = { type: 'author' };
    expect((await bare(DEFINE, { definition })).errors?.[0]?.extensions?.code).toBe(
      'ACCESS_DENIED',
    );
    await store.close();
  });
});
