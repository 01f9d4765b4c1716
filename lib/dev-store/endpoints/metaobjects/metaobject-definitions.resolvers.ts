import { idOf } from '../../base/vendor.js';
import { typedId } from '../../graphql/graphql.errors.js';
import { connection, type ConnectionArgs } from '../../graphql/graphql.connection.js';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import type { RegisteredApp } from '../../base/app-registry.js';
import type {
  MetaobjectDefinition,
  MetaobjectStore,
} from '../../state/metaobjects/metaobject-store.js';
import type { NodeStore } from '../../state/nodes/node-store.js';
import {
  ACCESS,
  CAPABILITIES,
  changedFields,
  given,
  newFields,
  settingProblems,
  storedType,
  title,
  typeProblems,
  type DefinitionSettings,
  type FieldDefinitionInput,
  type FieldOperation,
} from './metaobject-definition-input.js';
import type { MetaobjectError } from './metaobject-input.js';
import { pagePath, redirectPage } from './metaobject-redirects.js';
import { definitionView, type MetaobjectViews } from './metaobject.views.js';
import { standardMetaobject } from './standard-metaobjects.table.js';

/** What the metaobjects of a shop are read and changed with, for one caller. */
export interface MetaobjectCall {
  readonly shop: {
    readonly metaobjects: MetaobjectStore;
    readonly nodes: NodeStore;
    /** Sends an event to the subscriptions of a topic, without waiting for them. */
    notify(topic: string, payload: object): void;
  };
  /** The app that calls. */
  readonly app: RegisteredApp;
  /** Whether its token covers a scope. */
  readonly mayUse: (scope: string) => boolean;
}

interface DefinitionInput extends DefinitionSettings {
  type: string;
  fieldDefinitions?: readonly FieldDefinitionInput[] | null;
}

interface DefinitionChange extends DefinitionSettings {
  fieldDefinitions?: readonly FieldOperation[] | null;
  resetFieldOrder?: boolean | null;
}

/** What the resolvers share with those of the objects. */
interface DefinitionHelpers {
  readonly views: MetaobjectViews;
  /** @throws AccessDenied when the token does not cover the scope */
  readonly demand: (field: string, scope: string) => void;
  /** Undefined for what belongs to another app. */
  readonly visible: (one: MetaobjectDefinition | undefined) => MetaobjectDefinition | undefined;
}

const READ = 'read_metaobject_definitions';
const WRITE = 'write_metaobject_definitions';

/** The resolvers of the types of metaobjects, for one caller. */
export function definitionsRoot(
  { shop, app }: Pick<MetaobjectCall, 'shop' | 'app'>,
  { views, demand, visible }: DefinitionHelpers,
): Record<string, unknown> {
  const store = shop.metaobjects;
  const shown = (one: MetaobjectDefinition | undefined): object | null => {
    const own = visible(one);
    return own ? definitionView(own, views) : null;
  };
  /** A type that a mutation may change, or why not. */
  const changeable = (id: string): MetaobjectDefinition | MetaobjectError => {
    const one = visible(store.definitionById(idOf('MetaobjectDefinition', id) ?? NaN));
    if (!one) return { code: 'RECORD_NOT_FOUND', field: ['id'], message: 'Record not found' };
    return one.isDeclared ? { code: 'APP_CONFIG_MANAGED', field: ['id'], message: MANAGED } : one;
  };
  return {
    metaobjectDefinition: ({ id }: { id: string }) => {
      demand('metaobjectDefinition', READ);
      return shown(store.definitionById(typedId('MetaobjectDefinition', id)));
    },
    metaobjectDefinitionByType: ({ type }: { type: string }) => {
      demand('metaobjectDefinitionByType', READ);
      return shown(store.definition(storedType(type, app.id)));
    },
    metaobjectDefinitions: (args: ConnectionArgs, context: GraphqlContext) => {
      demand('metaobjectDefinitions', READ);
      const own = store.definitions().filter((one) => visible(one));
      return connection(own, args, context, (one) => definitionView(one, views));
    },
    metaobjectDefinitionCreate: ({ definition }: { definition: DefinitionInput }) => {
      demand('metaobjectDefinitionCreate', WRITE);
      const type = storedType(definition.type, app.id);
      const { name, description = null, displayNameKey = null, access, capabilities } = definition;
      const { fields, problems } = newFields(definition.fieldDefinitions ?? [], displayNameKey);
      const userErrors: MetaobjectError[] = [
        ...typeProblems(type, app.id),
        ...(store.definition(type) ? [TAKEN] : []),
        ...settingProblems(definition, type),
        ...problems,
      ];
      if (userErrors.length > 0) return { metaobjectDefinition: null, userErrors };
      const made = store.define({
        type,
        name: name ?? title(definition.type.replace(/^.*:/, '')),
        description,
        displayNameKey,
        fields,
        access: { ...ACCESS, ...given(access ?? {}) },
        capabilities: Object.assign({}, CAPABILITIES, given(capabilities ?? {})),
        standard: null,
        isDeclared: false,
      });
      return { metaobjectDefinition: definitionView(made, views), userErrors: [] };
    },
    metaobjectDefinitionUpdate: (args: { id: string; definition: DefinitionChange }) => {
      demand('metaobjectDefinitionUpdate', WRITE);
      const one = changeable(args.id);
      const pages =
        'code' in one
          ? []
          : store.ofType(one.type).map((object) => [object, pagePath(one, object)] as const);
      const userErrors =
        'code' in one ? [one] : one.standard ? [IMMUTABLE] : changeDefinition(one, args.definition);
      if ('code' in one || userErrors.length > 0) return { metaobjectDefinition: null, userErrors };
      const { createRedirects } = Object(args.definition.capabilities?.['onlineStore']?.data) as {
        readonly createRedirects?: boolean | null;
      };
      if (createRedirects)
        for (const [object, path] of pages) redirectPage(shop.nodes, path, pagePath(one, object));
      store.touch(one);
      return { metaobjectDefinition: definitionView(one, views), userErrors };
    },
    standardMetaobjectDefinitionEnable: ({ type }: { type: string }) => {
      demand('standardMetaobjectDefinitionEnable', WRITE);
      const known = store.definition(type);
      const standard = standardMetaobject(type);
      if (!standard) {
        const error = { code: 'RECORD_NOT_FOUND', field: ['type'], message: 'Record not found' };
        return { metaobjectDefinition: null, userErrors: [error] };
      }
      const { name, description, displayNameKey, isPublic, fields } = standard;
      const made =
        known ??
        store.define({
          ...{ type, name, description, displayNameKey, fields: [...fields] },
          access: { ...ACCESS, storefront: isPublic ? 'PUBLIC_READ' : 'NONE' },
          capabilities: { ...CAPABILITIES, translatable: { enabled: true } },
          standard: { type, name },
          isDeclared: false,
        });
      return { metaobjectDefinition: definitionView(made, views), userErrors: [] };
    },
    metaobjectDefinitionDelete: ({ id }: { id: string }) => {
      demand('metaobjectDefinitionDelete', WRITE);
      const one = changeable(id);
      if ('code' in one) return { deletedId: null, userErrors: [one] };
      store.undefine(one);
      return { deletedId: id, userErrors: [] };
    },
  };
}

/** Changes a type, or nothing when a part of the change is refused. */
function changeDefinition(one: MetaobjectDefinition, change: DefinitionChange): MetaobjectError[] {
  const { fields, problems } = changedFields(one, change.fieldDefinitions ?? [], change);
  const errors = [...settingProblems(change, one.type), ...problems];
  if (errors.length > 0) return errors;
  const { name, description, displayNameKey, access, capabilities } = change;
  Object.assign(one, given({ name, description, displayNameKey }), {
    fields,
    access: { ...one.access, ...given(access ?? {}) },
    capabilities: Object.assign({}, one.capabilities, given(capabilities ?? {})),
  });
  return [];
}

const MANAGED = 'This definition is managed by the configuration of its app and cannot be changed.';
const IMMUTABLE: MetaobjectError = {
  code: 'IMMUTABLE',
  field: ['definition'],
  message: "Standard metaobject definitions can't be updated",
};
const TAKEN: MetaobjectError = {
  code: 'TAKEN',
  field: ['definition', 'type'],
  message: 'Type has already been taken',
};
