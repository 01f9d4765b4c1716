import { isOwnName, storedName } from '../../base/custom-data.js';
import { idOf } from '../../base/vendor.js';
import { typedId } from '../../graphql/graphql.errors.js';
import { connection, type ConnectionArgs } from '../../graphql/graphql.connection.js';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import type { RegisteredApp } from '../../base/app-registry.js';
import type {
  MetaobjectDefinition,
  MetaobjectStore,
} from '../../state/metaobjects/metaobject-store.js';
import {
  checkedField,
  title,
  type FieldDefinitionInput,
  type MetaobjectError,
} from './metaobject-input.js';
import { definitionView, type MetaobjectViews } from './metaobject.views.js';

/** What the metaobjects of a shop are read and changed with, for one call. */
export interface MetaobjectCall {
  readonly shop: {
    readonly metaobjects: MetaobjectStore;
    /** Sends an event to the subscriptions of a topic, without waiting for them. */
    notify(topic: string, payload: object): void;
  };
  /** The app that calls. */
  readonly app: RegisteredApp;
  /** Whether its token covers a scope. */
  readonly mayUse: (scope: string) => boolean;
}

interface DefinitionInput {
  type: string;
  name?: string | null;
  description?: string | null;
  displayNameKey?: string | null;
  fieldDefinitions?: readonly FieldDefinitionInput[] | null;
}

interface FieldOperation {
  create?: FieldDefinitionInput | null;
  update?: FieldDefinitionInput | null;
  delete?: { key: string } | null;
}

type DefinitionChange = Omit<DefinitionInput, 'type' | 'fieldDefinitions'> & {
  fieldDefinitions?: readonly FieldOperation[] | null;
};

/** What the resolvers share with those of the objects. */
export interface DefinitionHelpers {
  readonly views: MetaobjectViews;
  /** @throws AccessDenied when the token does not cover the scope */
  readonly demand: (field: string, scope: string) => void;
  /** Undefined for what belongs to another app. */
  readonly visible: (one: MetaobjectDefinition | undefined) => MetaobjectDefinition | undefined;
}

const READ = 'read_metaobject_definitions';
const WRITE = 'write_metaobject_definitions';

/** The resolvers of the types of metaobjects, for one call. */
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
      return shown(store.definition(storedName(type, app.id)));
    },
    metaobjectDefinitions: (args: ConnectionArgs, context: GraphqlContext) => {
      demand('metaobjectDefinitions', READ);
      const own = store.definitions().filter((one) => visible(one));
      return connection(own, args, context, (one) => definitionView(one, views));
    },
    metaobjectDefinitionCreate: ({ definition }: { definition: DefinitionInput }) => {
      demand('metaobjectDefinitionCreate', WRITE);
      const type = storedName(definition.type, app.id);
      const fields = (definition.fieldDefinitions ?? []).map(checkedField);
      const userErrors: MetaobjectError[] = [
        ...typeProblems(type, app.id),
        ...(store.definition(type) ? [TAKEN] : []),
        ...fields.filter((one) => 'code' in one),
      ];
      if (userErrors.length > 0) return { metaobjectDefinition: null, userErrors };
      const { name, description = null, displayNameKey = null } = definition;
      const made = store.define({
        type,
        name: name ?? title(definition.type.replace(/^.*:/, '')),
        description,
        displayNameKey,
        fields: fields.flatMap((one) => ('code' in one ? [] : [one])),
        isDeclared: false,
      });
      return { metaobjectDefinition: definitionView(made, views), userErrors: [] };
    },
    metaobjectDefinitionUpdate: (args: { id: string; definition: DefinitionChange }) => {
      demand('metaobjectDefinitionUpdate', WRITE);
      const one = changeable(args.id);
      const userErrors = 'code' in one ? [one] : changeDefinition(one, args.definition);
      if ('code' in one || userErrors.length > 0) return { metaobjectDefinition: null, userErrors };
      store.touch(one);
      return { metaobjectDefinition: definitionView(one, views), userErrors };
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
  let fields = [...one.fields];
  const problems: MetaobjectError[] = [];
  for (const [index, operation] of (change.fieldDefinitions ?? []).entries()) {
    const { create, update, delete: removed } = operation;
    const key = create?.key ?? update?.key ?? removed?.key ?? '';
    const known = fields.find((field) => field.key === key);
    const at = { elementKey: key, field: ['definition', 'fieldDefinitions', String(index)] };
    if (create && known) problems.push({ ...at, code: 'OBJECT_FIELD_TAKEN', message: FIELD_TAKEN });
    else if (!create && !known)
      problems.push({ ...at, code: 'UNDEFINED_OBJECT_FIELD', message: `No field "${key}"` });
    else if (removed) fields = fields.filter((field) => field !== known);
    else {
      const made = checkedField({ ...known, ...(create ?? given(update ?? {})), key }, index);
      if ('code' in made) problems.push(made);
      else
        fields = known
          ? fields.map((field) => (field === known ? made : field))
          : [...fields, made];
    }
  }
  if (problems.length > 0) return problems;
  const { name, description, displayNameKey } = change;
  Object.assign(one, given({ name, description, displayNameKey }), { fields });
  return [];
}

/** The properties that are set: null in an input means "no change". */
function given<T extends object>(input: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(input).filter(([, value]) => value != null),
  ) as Partial<T>;
}

function typeProblems(type: string, appId: number): MetaobjectError[] {
  const field = ['definition', 'type'];
  if (!isOwnName(type, appId))
    return [{ code: 'NOT_AUTHORIZED', field, message: 'Not authorized to use this type.' }];
  return /^[\w-]{3,255}$/.test(type)
    ? []
    : [{ code: 'INVALID', field, message: 'Type contains one or more invalid characters.' }];
}

const MANAGED = 'This definition is managed by the configuration of its app and cannot be changed.';
const FIELD_TAKEN = 'Field key has already been taken';
const TAKEN: MetaobjectError = {
  code: 'TAKEN',
  field: ['definition', 'type'],
  message: 'Type has already been taken',
};
