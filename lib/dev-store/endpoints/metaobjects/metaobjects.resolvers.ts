import type { GraphQLResolveInfo } from 'graphql';
import type { RegisteredApp } from '../../base/app-registry.js';
import { fieldOf, isOwnName, storedName } from '../../base/custom-data.js';
import { isoTime } from '../../base/iso-time.js';
import { freeHandle, slug } from '../../base/text-values.js';
import { globalId, idOf } from '../../base/vendor.js';
import { AccessDenied } from '../../graphql/graphql-access.js';
import { typedId } from '../../graphql/graphql.errors.js';
import { connection, type ConnectionArgs } from '../../graphql/graphql.connection.js';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import { search } from '../../graphql/graphql-search.js';
import { dateField, keywordField, textField } from '../../graphql/search-fields.js';
import type {
  Metaobject,
  MetaobjectDefinition,
  MetaobjectStore,
} from '../../state/metaobjects/metaobject-store.js';
import { definitionsRoot, type MetaobjectCall } from './metaobject-definitions.resolvers.js';
import { ACCESS, CAPABILITIES, storedType, title } from './metaobject-definition-input.js';
import {
  capabilityProblems,
  changedValues,
  handleProblems,
  type MetaobjectError,
  type MetaobjectFields,
} from './metaobject-input.js';
import { metaobjectDeletesRoot } from './metaobject-deletes.resolvers.js';
import { pagePath, redirectPage } from './metaobject-redirects.js';
import {
  definitionView,
  displayName,
  metaobjectView,
  type MetaobjectViews,
} from './metaobject.views.js';

interface Refusal {
  readonly metaobject: null;
  readonly userErrors: readonly MetaobjectError[];
}

interface HandleInput {
  type: string;
  handle: string;
}

type Node = MetaobjectViews['node'];

const SEARCH_FIELDS = {
  named: new Map([
    ['handle', keywordField<Named>(({ handle }) => handle)],
    ['display_name', textField<Named>(({ name }) => name)],
    ['created_at', dateField<Named>(({ createdAt }) => createdAt)],
    ['updated_at', dateField<Named>(({ updatedAt }) => updatedAt)],
  ]),
  default: [textField<Named>(({ name, handle }) => [name, handle])],
};

interface Named extends Metaobject {
  readonly name: string;
}

/**
 * The resolvers of metaobjects and their definitions for one caller, over those of other objects.
 * The definitions in the app's configuration are there from the start.
 * @param root has the fields `node` and `app`
 */
export function metaobjectsRoot(
  root: Readonly<Record<string, unknown>>,
  call: MetaobjectCall,
): Record<string, unknown> {
  const { shop, app } = call;
  const store = shop.metaobjects;
  declareTypes(store, app);
  const others = root['node'] as Node;
  const demand = (field: string, scope: string): void => {
    if (!call.mayUse(scope)) throw new AccessDenied(field, scope);
  };
  const visible = <T extends { type: string }>(one: T | undefined): T | undefined =>
    one && isOwnName(one.type, app.id) ? one : undefined;
  const node: Node = ({ id }) => {
    const object = visible(store.find(idOf('Metaobject', id) ?? NaN));
    const definition = visible(store.definitionById(idOf('MetaobjectDefinition', id) ?? NaN));
    if (object) demand('node', 'read_metaobjects');
    if (definition) demand('node', 'read_metaobject_definitions');
    if (object) return metaobjectView(object, views);
    return definition ? definitionView(definition, views) : others({ id });
  };
  const appView = root['app'] as (args: { id?: string }) => object | null;
  const views: MetaobjectViews = {
    store,
    node,
    app: (apiKey) => (apiKey === app.apiKey ? appView({}) : null),
  };
  const shown = (object: Metaobject | undefined): object | null => {
    const own = visible(object);
    return own ? metaobjectView(own, views) : null;
  };
  const notify = (change: 'create' | 'update' | 'delete', object: Metaobject): void =>
    shop.notify(`metaobjects/${change}`, payloadOf(object));
  /** Writes an object. @param place where the handle stands in the input */
  const save = (
    object: Metaobject | undefined,
    definition: MetaobjectDefinition,
    input: MetaobjectFields,
    [given, place]: readonly [handle: string | undefined, place: string[]],
  ): object => {
    const handle = given?.toLowerCase();
    const { values, problems } = changedValues(definition, object?.values ?? {}, input);
    if (handle !== undefined) problems.push(...handleProblems(handle, place));
    problems.push(...capabilityProblems(definition, input.capabilities));
    const taken = handle === undefined ? undefined : store.byHandle(definition.type, handle);
    if (object && taken && taken !== object)
      problems.push({ code: 'TAKEN', field: ['metaobject', 'handle'], message: TAKEN });
    if (problems.length > 0) return { metaobject: null, userErrors: problems };
    const capabilities = { ...object?.capabilities, ...input.capabilities } as Record<
      string,
      object
    >;
    if (object) {
      const path = pagePath(definition, object);
      store.update(object, { values, capabilities, ...(handle === undefined ? {} : { handle }) });
      if (input.redirectNewHandle) redirectPage(shop.nodes, path, pagePath(definition, object));
      notify('update', object);
      return { metaobject: metaobjectView(object, views), userErrors: [] };
    }
    const made = store.create({
      type: definition.type,
      handle: freeHandle(handle ?? namedHandle(definition, values), {
        has: (one) => store.byHandle(definition.type, one) !== undefined,
      }),
      values,
      capabilities,
      apiKey: app.apiKey,
    });
    notify('create', made);
    return { metaobject: metaobjectView(made, views), userErrors: [] };
  };
  /** The type of a mutation's object, or the payload that refuses it. */
  const typed = (type: string, field: string[]): MetaobjectDefinition | Refusal => {
    const stored = storedType(type, app.id);
    const definition = isOwnName(stored, app.id) ? store.definition(stored) : undefined;
    const error: MetaobjectError = isOwnName(stored, app.id)
      ? { code: 'UNDEFINED_OBJECT_TYPE', field, message: noType(stored) }
      : { code: 'NOT_AUTHORIZED', field, message: 'Not authorized to use this type.' };
    return definition ?? { metaobject: null, userErrors: [error] };
  };
  const found = (id: string): Metaobject | undefined =>
    visible(store.find(idOf('Metaobject', id) ?? NaN));
  return {
    ...root,
    node,
    metaobject: ({ id }: { id: string }) => {
      demand('metaobject', 'read_metaobjects');
      return shown(store.find(typedId('Metaobject', id)));
    },
    metaobjectByHandle: ({ handle }: { handle: HandleInput }) => {
      demand('metaobjectByHandle', 'read_metaobjects');
      return shown(store.byHandle(storedType(handle.type, app.id), handle.handle.toLowerCase()));
    },
    metaobjects: (
      args: ConnectionArgs & { type: string; query?: string; sortKey?: string },
      context: GraphqlContext,
      info: GraphQLResolveInfo,
    ) => {
      demand('metaobjects', 'read_metaobjects');
      const type = storedType(args.type, app.id);
      const definition = store.definition(type);
      const items = isOwnName(type, app.id) ? store.ofType(type) : [];
      const named = items.map((one): Named => ({ ...one, name: displayName(one, definition) }));
      const hits = search(named, args.query, SEARCH_FIELDS, { context, info }).sort(
        ORDERS[args.sortKey ?? 'id'] ?? ORDERS['id'],
      );
      return connection(hits, args, context, (one) => metaobjectView(one, views));
    },
    metaobjectCreate: ({ metaobject }: { metaobject: MetaobjectFields & { type: string } }) => {
      demand('metaobjectCreate', 'write_metaobjects');
      const definition = typed(metaobject.type, ['metaobject', 'type']);
      return 'userErrors' in definition
        ? definition
        : save(undefined, definition, metaobject, [metaobject.handle || undefined, HANDLE]);
    },
    metaobjectUpdate: ({ id, metaobject }: { id: string; metaobject: MetaobjectFields }) => {
      demand('metaobjectUpdate', 'write_metaobjects');
      const object = found(id);
      const definition = object && store.definition(object.type);
      return object && definition
        ? save(object, definition, metaobject, [metaobject.handle ?? undefined, HANDLE])
        : { metaobject: null, userErrors: [NOT_FOUND] };
    },
    metaobjectUpsert: (args: {
      handle: HandleInput;
      metaobject?: MetaobjectFields | null;
      values?: MetaobjectFields['values'];
    }) => {
      demand('metaobjectUpsert', 'write_metaobjects');
      const definition = typed(args.handle.type, ['handle', 'type']);
      if ('userErrors' in definition) return definition;
      const input = { ...args.metaobject, values: args.values ?? null };
      const { handle } = args.handle;
      const object = store.byHandle(definition.type, handle.toLowerCase());
      const place = input.handle == null ? ['handle', 'handle'] : HANDLE;
      return save(object, definition, input, [input.handle ?? handle, place]);
    },
    ...metaobjectDeletesRoot(call, { demand, found, notify }),
    ...definitionsRoot(call, { views, demand, visible }),
  };
}

const ORDERS: Readonly<Record<string, (a: Named, b: Named) => number>> = {
  id: (a, b) => a.id - b.id,
  display_name: (a, b) => a.name.localeCompare(b.name, 'en') || a.id - b.id,
  updated_at: (a, b) => a.updatedAt.getTime() - b.updatedAt.getTime() || a.id - b.id,
};

/** Defines the types of the app's configuration, unless they are there. */
function declareTypes(store: MetaobjectStore, { id, definitions }: RegisteredApp): void {
  for (const [key, declared] of Object.entries(definitions.metaobjects?.app ?? {})) {
    const type = storedName(`$app:${key}`, id);
    if (store.definition(type)) continue;
    const fields = Object.entries(declared.fields ?? {}).map(([field, given]) => {
      const { type: fieldType, name, description = null, required = false } = fieldOf(given);
      const made = { key: field, type: fieldType, name: name ?? title(field), description };
      return { ...made, required, validations: [] };
    });
    store.define({
      type,
      name: declared.name ?? title(key),
      description: declared.description ?? null,
      displayNameKey: declared.display_name_field ?? null,
      fields,
      access: ACCESS,
      capabilities: CAPABILITIES,
      standard: null,
      isDeclared: true,
    });
  }
}

/** The handle of an object that is given none: that of its name. */
function namedHandle(
  definition: MetaobjectDefinition,
  values: Readonly<Record<string, string>>,
): string {
  return slug(displayName({ handle: definition.name, values }, definition)) || 'object';
}

function payloadOf({ id, type, handle, values, createdAt, updatedAt }: Metaobject): object {
  return {
    id: globalId('Metaobject', id),
    type,
    handle,
    fields: values,
    created_at: isoTime(createdAt),
    updated_at: isoTime(updatedAt),
  };
}

function noType(type: string): string {
  return `No metaobject definition exists for type "${type}"`;
}

const TAKEN = 'Handle has already been taken';
const HANDLE = ['metaobject', 'handle'];
const NOT_FOUND: MetaobjectError = {
  code: 'RECORD_NOT_FOUND',
  field: ['id'],
  message: 'Record not found',
};
