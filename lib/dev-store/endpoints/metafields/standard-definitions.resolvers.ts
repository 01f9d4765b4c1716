import { globalId } from '../../base/vendor.js';
import { connection, type ConnectionArgs } from '../../graphql/graphql.connection.js';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import type { NodeFields, StoredNode } from '../../state/nodes/node-store.js';
import { capabilityFields, categoryOf, type Capabilities } from './definition-capabilities.js';
import {
  ADMIN_ACCESS_REFUSED,
  capabilityError,
  isAdminAccessAllowed,
  type DefinitionError,
  type DefinitionFields,
} from './definition-input.js';
import { pin as pinTo, unpinnable } from './definition-pins.js';
import { definitionOf, type MetafieldCall } from './metafield-input.js';
import {
  RESERVED_NAMESPACE,
  STANDARD_DEFINITIONS,
  type StandardDefinition,
} from './standard-definitions.table.js';

interface EnableArgs {
  readonly ownerType: string;
  readonly id?: string | null;
  readonly namespace?: string | null;
  readonly key?: string | null;
  readonly pin?: boolean | null;
  readonly access?: NodeFields | null;
  readonly capabilities?: Capabilities | null;
  readonly useAsCollectionCondition?: boolean | null;
  readonly visibleToStorefrontApi?: boolean | null;
}

interface ListArgs extends ConnectionArgs {
  readonly excludeActivated?: boolean | null;
}

/** What the resolvers of all definitions lend to those of the standard ones. */
interface Definitions {
  readonly demand: (field: string, ownerType: string, verb: 'read' | 'write') => void;
  readonly view: (node: StoredNode | undefined) => object | null;
  readonly created: (definition: DefinitionFields) => StoredNode;
}

/**
 * The resolvers of the definitions of metafields that the platform has made.
 * @see https://shopify.dev/docs/apps/build/custom-data/metafields/use-standard-metafields
 */
export function standardDefinitionsRoot(
  call: MetafieldCall,
  { demand, view, created }: Definitions,
): Record<string, unknown> {
  const { nodes } = call.shop;
  const enabled = (ownerType: string, { namespace, key }: StandardDefinition) =>
    definitionOf(call, { ownerType, namespace, key });
  return {
    standardMetafieldDefinitionTemplates: (args: ListArgs, context: GraphqlContext) => {
      const listed = STANDARD_DEFINITIONS.filter(
        (one) =>
          !args.excludeActivated || one.ownerTypes.some((ownerType) => !enabled(ownerType, one)),
      );
      return connection(listed, args, context, templateView);
    },

    standardMetafieldDefinitionEnable: (args: EnableArgs) => {
      const { ownerType } = args;
      demand('standardMetafieldDefinitionEnable', ownerType, 'write');
      const refused = (error: DefinitionError): object => ({
        createdDefinition: null,
        userErrors: [error],
      });
      const template = templateOf(args);
      if ('code' in template) return refused(template);
      const { namespace, key, type } = template;
      const capabilities = {
        ...args.capabilities,
        ...(args.useAsCollectionCondition ? { smartCollectionCondition: { enabled: true } } : {}),
      };
      const existing = enabled(ownerType, template);
      const toPin = args.pin === true && existing?.fields['pinnedPosition'] == null;
      const error =
        accessError(args, namespace) ??
        capabilityError(ownerType, type, capabilities, null) ??
        (toPin ? unpinnable(nodes, ownerType, namespace === RESERVED_NAMESPACE, null) : undefined);
      if (error) return refused(error);
      const access = {
        storefront: args.visibleToStorefrontApi === false ? 'NONE' : 'PUBLIC_READ',
        ...args.access,
      };
      const { name, description, validations } = template;
      const node =
        existing ??
        created({
          ...{ ownerType, namespace, key, name, description, type, validations, access },
          capabilities,
        });
      nodes.update(node.id, {
        standardTemplate: templateView(template),
        ...(existing && args.access
          ? { access: { ...Object(node.fields['access']), ...args.access } }
          : {}),
        ...(existing && Object.keys(capabilities).length > 0
          ? capabilityFields(ownerType, type, {
              ...(node.fields['capabilities'] as Capabilities),
              ...capabilities,
            })
          : {}),
      });
      if (toPin) pinTo(nodes, node);
      return { createdDefinition: view(node), userErrors: [] };
    },
  };
}

/** The template that the arguments name, or why there is none. */
function templateOf({
  ownerType,
  id,
  namespace,
  key,
}: EnableArgs): StandardDefinition | DefinitionError {
  const code = 'TEMPLATE_NOT_FOUND';
  if (id != null) {
    const found = STANDARD_DEFINITIONS.find(
      (one) => idOfTemplate(one) === id && one.ownerTypes.includes(ownerType),
    );
    const message = 'Id is not a valid standard metafield definition template id';
    return found ?? { field: ['id'], message, code };
  }
  if (namespace == null || key == null)
    return {
      field: null,
      message: 'A namespace and key or standard metafield definition template id must be provided.',
      code,
    };
  return (
    STANDARD_DEFINITIONS.find(
      (one) => one.namespace === namespace && one.key === key && one.ownerTypes.includes(ownerType),
    ) ?? {
      field: null,
      message:
        "A standard definition wasn't found for the specified owner type, namespace, and key.",
      code,
    }
  );
}

function accessError({ access }: EnableArgs, namespace: string): DefinitionError | undefined {
  const field = ['access'];
  if (access != null && namespace === RESERVED_NAMESPACE)
    return {
      field,
      message: 'Setting access controls on a definition under this namespace is not permitted.',
      code: 'INVALID',
    };
  return isAdminAccessAllowed(access, namespace)
    ? undefined
    : { field, message: ADMIN_ACCESS_REFUSED, code: 'INVALID' };
}

function idOfTemplate({ id }: StandardDefinition): string {
  return globalId('StandardMetafieldDefinitionTemplate', id);
}

function templateView(template: StandardDefinition): NodeFields {
  const { namespace, key, name, description, type, validations, ownerTypes } = template;
  return {
    __typename: 'StandardMetafieldDefinitionTemplate',
    id: idOfTemplate(template),
    ...{ namespace, key, name, description, ownerTypes, visibleToStorefrontApi: true },
    type: { name: type, category: categoryOf(type) },
    validations: validations.map((one) => ({ ...one, type: 'single_line_text_field' })),
  };
}
