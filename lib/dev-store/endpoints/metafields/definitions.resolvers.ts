import { declaredType, isOwnName, ownerTypeName, storedName } from '../../base/custom-data.js';
import { isFieldType } from '../../base/typed-values.js';
import { AccessDenied } from '../../graphql/graphql-access.js';
import type { StoredMetafield } from '../../state/metafields/metafield-store.js';
import type { NodeFields, StoredNode } from '../../state/nodes/node-store.js';
import { startedJob } from '../nodes/job.resolvers.js';
import { demandAccess } from '../nodes/node-access.js';
import {
  ACCESS,
  capabilitiesOf,
  categoryOf,
  type Capabilities,
} from './definition-capabilities.js';
import {
  DEFINITION as TYPE,
  definitionOf,
  type DefinitionIdentifier,
  type MetafieldCall,
} from './metafield-input.js';
import { ownerTypeOf } from './metafield.views.js';

interface DefinitionFields extends DefinitionIdentifier {
  readonly name?: string | null;
  readonly description?: string | null;
  readonly type?: string;
  readonly pin?: boolean | null;
  readonly validations?: readonly NodeFields[] | null;
  readonly access?: NodeFields | null;
  readonly capabilities?: Capabilities | null;
  readonly constraints?: object | null;
}

interface NamedArgs {
  id?: string | null;
  definitionId?: string | null;
  identifier?: DefinitionIdentifier | null;
}

interface DefinitionError {
  readonly field: readonly string[] | null;
  readonly message: string;
  readonly code: string;
}

const MOST_PINNED = 50;

/**
 * The resolvers of definitions of metafields, for one call.
 * @see https://shopify.dev/docs/apps/build/custom-data/metafields/definitions
 */
export function definitionsRoot(call: MetafieldCall): Record<string, unknown> {
  const { shop, app } = call;
  const { nodes, metafields } = shop;
  const demand = (field: string, ownerType: string, verb: 'read' | 'write'): void => {
    demandAccess(field, [ownerTypeName(ownerType), verb], call.mayUse);
  };
  const view = (node: StoredNode | undefined): object | null =>
    node ? { __typename: TYPE, id: node.id } : null;
  const found = ({ id, definitionId, identifier }: NamedArgs): StoredNode | undefined => {
    const byId = nodes.find(id ?? definitionId ?? '');
    if (byId?.type === TYPE) return isForeign(byId, app.id) ? undefined : byId;
    return identifier ? definitionOf(call, identifier) : undefined;
  };
  const named = (field: string, args: NamedArgs): StoredNode | undefined => {
    const node = found(args);
    if (node) demand(field, String(node.fields['ownerType']), 'write');
    return node;
  };
  const pinned = (ownerType: unknown): StoredNode[] =>
    nodes
      .all([TYPE])
      .filter(
        ({ fields }) => fields['ownerType'] === ownerType && fields['pinnedPosition'] != null,
      );
  /** Why a definition cannot be pinned. */
  const unpinnable = (
    ownerType: unknown,
    isConstrained: boolean,
    field: readonly string[] | null,
  ): DefinitionError | undefined => {
    if (isConstrained)
      return {
        field,
        message: 'Constrained metafield definitions do not support pinning.',
        code: 'UNSUPPORTED_PINNING',
      };
    return pinned(ownerType).length >= MOST_PINNED
      ? {
          field,
          message: `Limit of ${MOST_PINNED} pinned definitions.`,
          code: 'PINNED_LIMIT_REACHED',
        }
      : undefined;
  };
  const unpin = ({ id, fields }: StoredNode): void => {
    const position = Number(fields['pinnedPosition']);
    for (const other of pinned(fields['ownerType'])) {
      const at = Number(other.fields['pinnedPosition']);
      if (at > position) nodes.update(other.id, { pinnedPosition: at - 1 });
    }
    nodes.update(id, { pinnedPosition: null });
  };
  const created = (definition: DefinitionFields): StoredNode => {
    const { ownerType, namespace, key, type = '', pin, ...fields } = definition;
    const { validations, access, capabilities, constraints, name, description } = fields;
    return nodes.create(TYPE, {
      ...{ ownerType, key, name, description: description ?? null },
      namespace: storedName(namespace ?? '$app', app.id),
      type: { name: type, category: categoryOf(type) },
      validations: validations ?? [],
      access: { ...ACCESS, ...access },
      capabilities: capabilitiesOf(ownerType, type, capabilities ?? {}),
      constraints: constraints ?? { key: null },
      pinnedPosition: pin ? pinned(ownerType).length + 1 : null,
      validationStatus: 'ALL_VALID',
    });
  };

  return {
    metafieldDefinition: (args: NamedArgs) => view(found(args)),

    metafieldDefinitionCreate: ({ definition }: { definition: DefinitionFields }) => {
      demand('metafieldDefinitionCreate', definition.ownerType, 'write');
      const { ownerType, pin, constraints } = definition;
      const error =
        inputError(definition, call) ??
        (pin ? unpinnable(ownerType, constraints != null, ['definition']) : undefined);
      return error
        ? { createdDefinition: null, userErrors: [error] }
        : { createdDefinition: view(created(definition)), userErrors: [] };
    },

    metafieldDefinitionUpdate: ({ definition }: { definition: DefinitionFields }) => {
      const node = named('metafieldDefinitionUpdate', { identifier: definition });
      const refused = (error: DefinitionError): object => ({
        updatedDefinition: null,
        validationJob: null,
        userErrors: [error],
      });
      if (!node) return refused({ ...NOT_FOUND, field: ['definition'] });
      const { name, description, validations, access, capabilities, pin, ownerType } = definition;
      const isPinned = node.fields['pinnedPosition'] != null;
      const error = pin && !isPinned ? unpinnable(ownerType, false, ['definition']) : undefined;
      if (error) return refused(error);
      const type = String(Object(node.fields['type']).name);
      const before = node.fields['capabilities'] as DefinitionFields['capabilities'];
      nodes.update(node.id, {
        ...(name == null ? {} : { name }),
        ...(description === undefined ? {} : { description }),
        ...(validations ? { validations } : {}),
        ...(access ? { access: { ...Object(node.fields['access']), ...access } } : {}),
        ...(capabilities
          ? { capabilities: capabilitiesOf(ownerType, type, { ...before, ...capabilities }) }
          : {}),
        ...(pin && !isPinned ? { pinnedPosition: pinned(ownerType).length + 1 } : {}),
      });
      if (pin === false && isPinned) unpin(node);
      const isChecked = validations != null && metafieldsOf(call, node.id).length > 0;
      return {
        updatedDefinition: view(node),
        validationJob: isChecked ? startedJob(nodes) : null,
        userErrors: [],
      };
    },

    metafieldDefinitionDelete: ({
      deleteAllAssociatedMetafields,
      ...args
    }: NamedArgs & { deleteAllAssociatedMetafields?: boolean | null }) => {
      const node = named('metafieldDefinitionDelete', args);
      if (!node)
        return {
          deletedDefinitionId: null,
          deletedDefinition: null,
          userErrors: [{ ...NOT_FOUND, field: [args.id == null ? 'identifier' : 'id'] }],
        };
      const { ownerType, namespace, key, pinnedPosition } = node.fields;
      if (deleteAllAssociatedMetafields)
        for (const one of metafieldsOf(call, node.id)) metafields.delete(one);
      if (pinnedPosition != null) unpin(node);
      nodes.delete(node.id);
      return {
        deletedDefinitionId: node.id,
        deletedDefinition: { ownerType, namespace, key },
        userErrors: [],
      };
    },

    metafieldDefinitionPin: (args: NamedArgs) => {
      const node = named('metafieldDefinitionPin', args);
      const { ownerType, pinnedPosition, constraints } = node?.fields ?? {};
      const isConstrained = Object(constraints).key != null;
      const error = !node
        ? { ...NOT_FOUND, field: null }
        : pinnedPosition != null
          ? { field: null, message: 'Definition already pinned.', code: 'ALREADY_PINNED' }
          : unpinnable(ownerType, isConstrained, null);
      if (!node || error) return { pinnedDefinition: null, userErrors: [error] };
      nodes.update(node.id, { pinnedPosition: pinned(ownerType).length + 1 });
      return { pinnedDefinition: view(node), userErrors: [] };
    },

    metafieldDefinitionUnpin: (args: NamedArgs) => {
      const node = named('metafieldDefinitionUnpin', args);
      const error = !node
        ? { ...NOT_FOUND, field: null }
        : node.fields['pinnedPosition'] == null
          ? { field: null, message: "Definition isn't pinned.", code: 'NOT_PINNED' }
          : undefined;
      if (!node || error) return { unpinnedDefinition: null, userErrors: [error] };
      unpin(node);
      return { unpinnedDefinition: view(node), userErrors: [] };
    },
  };
}

/** Whether a node is a definition in a namespace of another app. */
export function isForeign({ type, fields }: StoredNode, appId: number): boolean {
  return type === TYPE && !isOwnName(String(fields['namespace']), appId);
}

/** The metafields that have a definition. */
export function metafieldsOf({ shop }: MetafieldCall, definition: string): StoredMetafield[] {
  const { ownerType, namespace, key } = shop.nodes.fieldsOf(definition);
  return shop.metafields
    .all()
    .filter(
      (one) =>
        ownerTypeOf(one.ownerId) === ownerType && one.namespace === namespace && one.key === key,
    );
}

/** Why a new definition is refused. */
function inputError(
  { ownerType, namespace, key, name, type = '' }: DefinitionFields,
  call: MetafieldCall,
): DefinitionError | undefined {
  const stored = storedName(namespace ?? '$app', call.app.id);
  const refused = (field: string, message: string, code: string): DefinitionError => ({
    field: ['definition', field],
    message,
    code,
  });
  if (!isOwnName(stored, call.app.id)) throw new AccessDenied('metafieldDefinitionCreate', stored);
  if (!name?.trim()) return refused('name', "Name can't be blank", 'BLANK');
  for (const [field, value, least, most] of [
    ['key', key, 2, 64],
    ['namespace', stored, 3, 255],
  ] as const) {
    const words = field.charAt(0).toUpperCase() + field.slice(1);
    if (value.length < least)
      return refused(field, `${words} is too short (minimum is ${least} characters)`, 'TOO_SHORT');
    if (value.length > most)
      return refused(field, `${words} is too long (maximum is ${most} characters)`, 'TOO_LONG');
    if (!/^[\w-]+$/.test(value))
      return refused(
        field,
        `${words} contains one or more invalid characters.`,
        'INVALID_CHARACTER',
      );
  }
  if (!isFieldType(type))
    return refused('type', `Type name ${type} is not a valid type.`, 'INCLUSION');
  const isDeclared =
    stored === storedName('$app', call.app.id) &&
    declaredType(call.app.definitions, ownerType, key) !== undefined;
  if (!isDeclared && !definitionOf(call, { ownerType, namespace: stored, key })) return undefined;
  const message = `Key is in use for ${ownerTypeName(ownerType)} metafields on the '${stored}' namespace.`;
  return refused('key', message, 'TAKEN');
}

const NOT_FOUND = { message: 'Definition not found.', code: 'NOT_FOUND' };
