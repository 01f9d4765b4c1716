import { isOwnName, ownerTypeName, storedName } from '../../base/custom-data.js';
import type { StoredMetafield } from '../../state/metafields/metafield-store.js';
import type { StoredNode } from '../../state/nodes/node-store.js';
import { startedJob } from '../nodes/job.resolvers.js';
import { demandAccess } from '../nodes/node-access.js';
import {
  ACCESS,
  capabilityFields,
  categoryOf,
  type Capabilities,
} from './definition-capabilities.js';
import {
  createErrors,
  updateErrors,
  type DefinitionError,
  type DefinitionFields,
} from './definition-input.js';
import { pin, unpin, unpinnable } from './definition-pins.js';
import {
  DEFINITION as TYPE,
  definitionOf,
  type DefinitionIdentifier,
  type MetafieldCall,
} from './metafield-input.js';
import { ownerTypeOf } from './metafield.views.js';
import { standardDefinitionsRoot } from './standard-definitions.resolvers.js';

interface NamedArgs {
  id?: string | null;
  definitionId?: string | null;
  identifier?: DefinitionIdentifier | null;
}

/**
 * The resolvers of definitions of metafields, for one caller.
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
  const created = (definition: DefinitionFields): StoredNode => {
    const { ownerType, namespace, key, type = '', ...fields } = definition;
    const { validations, access, capabilities, constraints, name, description } = fields;
    const node = nodes.create(TYPE, {
      ...{ ownerType, key, name, description: description ?? null },
      namespace: storedName(namespace ?? '$app', app.id),
      type: { name: type, category: categoryOf(type) },
      validations: validations ?? [],
      access: { ...ACCESS, ...access },
      ...capabilityFields(ownerType, type, capabilities ?? {}),
      constraints: constraints ?? { key: null },
      pinnedPosition: null,
      standardTemplate: null,
      validationStatus: 'ALL_VALID',
    });
    if (definition.pin) pin(nodes, node);
    return node;
  };

  return {
    metafieldDefinition: (args: NamedArgs) => view(found(args)),

    ...standardDefinitionsRoot(call, { demand, view, created }),

    metafieldDefinitionCreate: ({ definition }: { definition: DefinitionFields }) => {
      demand('metafieldDefinitionCreate', definition.ownerType, 'write');
      const { ownerType, constraints } = definition;
      const userErrors = createErrors(definition, call);
      const error = definition.pin
        ? unpinnable(nodes, ownerType, constraints != null, ['definition'])
        : undefined;
      if (error && userErrors.length === 0) userErrors.push(error);
      return {
        createdDefinition: userErrors.length > 0 ? null : view(created(definition)),
        userErrors,
      };
    },

    metafieldDefinitionUpdate: ({ definition }: { definition: DefinitionFields }) => {
      const node = named('metafieldDefinitionUpdate', { identifier: definition });
      const refused = (...userErrors: DefinitionError[]): object => ({
        ...{ updatedDefinition: null, validationJob: null, userErrors },
      });
      if (!node) return refused({ ...NOT_FOUND, field: ['definition'] });
      const { name, description, validations, access, capabilities, ownerType } = definition;
      const type = String(Object(node.fields['type']).name);
      const errors = updateErrors(definition, type, call);
      if (errors.length > 0) return refused(...errors);
      const isPinned = node.fields['pinnedPosition'] != null;
      const toPin = definition.pin === true && !isPinned;
      const error = toPin ? unpinnable(nodes, ownerType, false, ['definition']) : undefined;
      if (error) return refused(error);
      const before = node.fields['capabilities'] as Capabilities;
      nodes.update(node.id, {
        ...(name == null ? {} : { name }),
        ...(description === undefined ? {} : { description }),
        ...(validations ? { validations } : {}),
        ...(access ? { access: { ...Object(node.fields['access']), ...access } } : {}),
        ...(capabilities ? capabilityFields(ownerType, type, { ...before, ...capabilities }) : {}),
      });
      if (toPin) pin(nodes, node);
      if (definition.pin === false && isPinned) unpin(nodes, node);
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
      if (pinnedPosition != null) unpin(nodes, node);
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
          : unpinnable(nodes, ownerType, isConstrained, null);
      if (!node || error) return { pinnedDefinition: null, userErrors: [error] };
      pin(nodes, node);
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
      unpin(nodes, node);
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

const NOT_FOUND = { message: 'Definition not found.', code: 'NOT_FOUND' };
