import { isoTime } from '../../base/iso-time.js';
import { jsonValueOf } from '../../base/typed-values.js';
import { globalId } from '../../base/vendor.js';
import { connection, type ConnectionArgs } from '../../graphql/graphql.connection.js';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import { categoryOf } from '../metafields/definition-capabilities.js';
import type {
  Metaobject,
  MetaobjectCapabilities,
  MetaobjectDefinition,
  MetaobjectFieldDefinition,
  MetaobjectStore,
} from '../../state/metaobjects/metaobject-store.js';

/** What the views of metaobjects read. */
export interface MetaobjectViews {
  readonly store: MetaobjectStore;
  /** Any object of the shop; null for an id that nothing has. */
  readonly node: (args: { id: string }) => object | null;
  /** The view of an app. */
  readonly app: (apiKey: string) => object | null;
}

/** A metaobject as the schema describes it. */
export function metaobjectView(object: Metaobject, views: MetaobjectViews): object {
  const definition = views.store.definition(object.type);
  const fields = definition?.fields ?? [];
  return {
    __typename: 'Metaobject',
    id: globalId('Metaobject', object.id),
    handle: object.handle,
    type: object.type,
    displayName: displayName(object, definition),
    fields: () => fields.map((field) => fieldView(object, field, views)),
    field: ({ key }: { key: string }) => {
      const field = fields.find((one) => one.key === key);
      return field ? fieldView(object, field, views) : null;
    },
    values: () =>
      Object.fromEntries(
        fields.map(({ key, type }) => {
          const value = object.values[key];
          return [key, value === undefined ? null : jsonValueOf(type, value)];
        }),
      ),
    capabilities: () => capabilitiesView(object, definition),
    referencedBy: (args: ConnectionArgs, context: GraphqlContext) =>
      connection(relationsTo(object, views), args, context, ({ view }) => view),
    definition: () => (definition ? definitionView(definition, views) : null),
    createdBy: () => views.app(object.apiKey),
    createdByApp: () => views.app(object.apiKey),
    createdAt: isoTime(object.createdAt),
    updatedAt: isoTime(object.updatedAt),
  };
}

/** A type of metaobjects as the schema describes it. */
export function definitionView(definition: MetaobjectDefinition, views: MetaobjectViews): object {
  const objects = (): Metaobject[] => views.store.ofType(definition.type);
  return {
    __typename: 'MetaobjectDefinition',
    id: globalId('MetaobjectDefinition', definition.id),
    type: definition.type,
    name: definition.name,
    description: definition.description,
    displayNameKey: definition.displayNameKey,
    fieldDefinitions: definition.fields.map(fieldDefinitionView),
    access: { __typename: 'MetaobjectAccess', ...definition.access },
    capabilities: withRedirects(definition.capabilities),
    hasThumbnailField: definition.fields.some(({ type }) =>
      /^(?:file_reference|color)$/.test(type),
    ),
    standardTemplate: definition.standard,
    metaobjects: (args: ConnectionArgs, context: GraphqlContext) =>
      connection(objects(), args, context, (one) => metaobjectView(one, views)),
    metaobjectsCount: () => objects().length,
    createdAt: isoTime(definition.createdAt),
    updatedAt: isoTime(definition.updatedAt),
  };
}

/** The value of the field that names an object, or its handle in words. */
export function displayName(
  { handle, values }: Pick<Metaobject, 'handle' | 'values'>,
  definition: MetaobjectDefinition | undefined,
): string {
  const named = values[definition?.displayNameKey ?? ''];
  return named ?? handle.replace(/-/g, ' ').replace(/^\p{L}/u, (first) => first.toUpperCase());
}

/** Those of a type; the pages of its objects can always be redirected. */
function withRedirects(capabilities: MetaobjectCapabilities): object {
  const { onlineStore } = capabilities;
  const data = onlineStore?.data && { ...onlineStore.data, canCreateRedirects: true };
  return data ? { ...capabilities, onlineStore: { ...onlineStore, data } } : capabilities;
}

/** What was set of the capabilities that the type of an object has. */
function capabilitiesView(
  { capabilities }: Metaobject,
  definition: MetaobjectDefinition | undefined,
): object {
  const of = (name: string, usual: object): object | null =>
    definition?.capabilities[name]?.enabled ? { ...usual, ...capabilities[name] } : null;
  return {
    publishable: of('publishable', { status: 'DRAFT' }),
    onlineStore: of('onlineStore', { templateSuffix: null }),
  };
}

/** The fields of other objects that refer to one. */
function relationsTo(
  { id }: Metaobject,
  views: MetaobjectViews,
): Array<{ id: number; view: object }> {
  const gid = globalId('Metaobject', id);
  return views.store.definitions().flatMap(({ type, fields }) =>
    views.store.ofType(type).flatMap((one) =>
      fields
        .filter((field) => isReference(field.type) && one.values[field.key]?.includes(gid))
        .map(({ key, name }) => {
          const referencer = metaobjectView(one, views);
          return { id: one.id, view: { key, name, namespace: type, referencer } };
        }),
    ),
  );
}

function isReference(type: string): boolean {
  return type.endsWith('_reference');
}

function fieldView(
  { values }: Metaobject,
  field: MetaobjectFieldDefinition,
  { node }: MetaobjectViews,
): object {
  const { key, type } = field;
  const value = values[key] ?? null;
  const list = type.startsWith('list.') && isReference(type) && value !== null;
  return {
    __typename: 'MetaobjectField',
    key,
    type,
    value,
    jsonValue: value === null ? null : jsonValueOf(type, value),
    definition: fieldDefinitionView(field),
    reference: () =>
      value !== null && /^(?!list\.).*_reference$/.test(type) ? node({ id: value }) : null,
    references: (args: ConnectionArgs, context: GraphqlContext) => {
      if (!list) return null;
      const ids = [jsonValueOf(type, value)].flat().map(String);
      const items = ids.flatMap((id, index) => {
        const found = node({ id });
        return found ? [{ id: index + 1, found }] : [];
      });
      return connection(items, args, context, ({ found }) => found);
    },
  };
}

function fieldDefinitionView(field: MetaobjectFieldDefinition): object {
  const { key, name, description, required, type, validations } = field;
  return {
    __typename: 'MetaobjectFieldDefinition',
    key,
    name,
    description,
    required,
    type: { __typename: 'MetafieldDefinitionType', name: type, category: categoryOf(type) },
    validations,
  };
}
