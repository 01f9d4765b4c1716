import type { NodeFields } from '../../state/nodes/node-store.js';
import { isOwn } from '../nodes/app-ownership.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { isBlank, userError } from '../nodes/user-errors.js';

interface WriteArgs {
  readonly id: string;
  readonly paymentCustomization: NodeFields;
}

interface ActivationArgs {
  readonly ids: readonly string[];
  readonly enabled: boolean;
}

const PATH = 'paymentCustomization';
const TYPE = 'PaymentCustomization';

/**
 * The resolvers of the functions that change the payments of a checkout.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/paymentCustomizationCreate
 */
export function paymentCustomizationRoot(writer: NodeWriter): Record<string, unknown> {
  const { reader, changed, view, version } = writer;
  const { nodes } = reader.store;
  const isThere = (id: string): boolean => nodes.find(id)?.type === TYPE;
  const missing = (id: string): NodeError[] => {
    const message = `Could not find ${TYPE} with id: ${id}`;
    return isThere(id) ? [] : [userError(['id'], message, 'PAYMENT_CUSTOMIZATION_NOT_FOUND')];
  };
  const at = (field: string, message: string, code: string): NodeError[] => [
    userError([PATH, field], message, code),
  ];
  const required = (field: string): NodeError[] =>
    at(field, 'Required input field must be present.', 'REQUIRED_INPUT_FIELD');
  /** Why a new customization is refused; a shop without functions knows all but number 0. */
  const problems = (input: NodeFields): NodeError[] => {
    const { title, enabled, functionId, functionHandle } = input;
    if (functionId != null && functionHandle != null) {
      const message = 'Only one of function_id or function_handle can be provided, not both.';
      return [userError([PATH], message, 'MULTIPLE_FUNCTION_IDENTIFIERS')];
    }
    if (isBlank(title)) return required('title');
    if (enabled == null) return required('enabled');
    const given = functionId ?? functionHandle;
    if (given == null) {
      if (version < '2025-10') return required('functionId');
      const message = 'Either function_id or function_handle must be provided.';
      return at('functionHandle', message, 'MISSING_FUNCTION_IDENTIFIER');
    }
    const all = nodes.all(['ShopifyFunction']);
    const isKnown = all.some(
      ({ id, fields }) => isOwn(writer, fields) && [id, fields['handle']].includes(String(given)),
    );
    if (isKnown || (all.length === 0 && !String(given).endsWith('/0'))) return [];
    const message = `Function ${String(given)} not found. Ensure that it is released in the current app (${String(writer.apiKey)}), and that the app is installed.`;
    return at(functionId == null ? 'functionHandle' : 'functionId', message, 'FUNCTION_NOT_FOUND');
  };
  const fieldsOf = (input: NodeFields): NodeFields => {
    const { functionHandle, functionId, title, enabled, metafields } = input;
    return {
      ...(title == null ? {} : { title }),
      ...(enabled == null ? {} : { enabled }),
      ...((functionId ?? functionHandle) ? { functionId: functionId ?? functionHandle } : {}),
      ...(metafields == null ? {} : { metafields }),
    };
  };
  return {
    paymentCustomizationCreate: ({ paymentCustomization: input }: WriteArgs) => {
      const userErrors = problems(input);
      if (userErrors.length > 0) return { userErrors };
      const { id } = nodes.create(TYPE, fieldsOf(input));
      changed('create', id, nodes.fieldsOf(id));
      return { paymentCustomization: view(id), userErrors };
    },
    paymentCustomizationUpdate: ({ id, paymentCustomization: input }: WriteArgs) => {
      const { functionId, functionHandle } = input;
      const own = nodes.fieldsOf(id)['functionId'];
      const name = functionId == null ? 'functionHandle' : 'functionId';
      const other = functionId ?? functionHandle ?? own;
      const changes = other === own ? [] : at(name, 'Function ID cannot be changed.', UNCHANGEABLE);
      const userErrors = isThere(id) ? changes : missing(id);
      if (userErrors.length > 0) return { userErrors };
      nodes.update(id, fieldsOf(input));
      changed('update', id, nodes.fieldsOf(id));
      return { paymentCustomization: view(id), userErrors };
    },
    paymentCustomizationActivation: ({ ids, enabled }: ActivationArgs) => {
      const gone = ids.filter((id) => !isThere(id));
      for (const id of ids) if (isThere(id)) nodes.update(id, { enabled });
      const message = `Could not find payment customizations with IDs: ${gone.join(', ')}`;
      const error = userError(['ids'], message, 'PAYMENT_CUSTOMIZATION_NOT_FOUND');
      return { ids: ids.filter(isThere), userErrors: gone.length > 0 ? [error] : [] };
    },
    paymentCustomizationDelete: ({ id }: { readonly id: string }) => {
      const userErrors = missing(id);
      if (userErrors.length > 0) return { userErrors };
      nodes.delete(id);
      return { deletedId: id, userErrors };
    },
  };
}

const UNCHANGEABLE = 'FUNCTION_ID_CANNOT_BE_CHANGED';
