import type { GraphQLResolveInfo } from 'graphql';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import type { NodeFields } from '../../state/nodes/node-store.js';
import { unreleased } from '../discounts/app-discount.resolvers.js';
import { isOwn, ownership } from '../nodes/app-ownership.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { refusedPayload } from '../nodes/refusals.js';
import { inputError } from '../nodes/user-errors.js';
import { transformMetafieldErrors, validationMetafieldErrors } from './function-metafields.js';
import { namedFunction, type FoundFunction, type FunctionNames } from './shop-functions.js';

type Args = Readonly<Record<string, unknown>>;
type At = readonly [context: GraphqlContext, info: GraphQLResolveInfo];
type Kind = Exclude<FoundFunction['kind'], 'found'>;

/** How one kind of rule names its function. */
interface RuleType {
  readonly types: readonly string[];
  readonly errors: (kind: Kind, names: FunctionNames) => NodeError;
}

const MISSING = 'Either function_id or function_handle must be provided.';
const SEVERAL = 'Only one of function_id or function_handle can be provided, not both.';
const OTHER = 'Unexpected Function API. The provided function must implement one of the following';
const NO_METHODS = 'Delivery method types cannot be empty.';

const CART_TRANSFORM: RuleType = {
  types: ['cart_transform'],
  errors: (kind, names) => {
    const field = fieldOf(names);
    const what = field === 'functionId' ? 'id' : 'handle';
    const unknown = `Could not find function with ${what}: ${names[field] ?? ''}.`;
    const targets = '[purchase.cart-transform.run, cart.transform.run]';
    const other = `${OTHER} extension targets: ${targets}.`;
    // One that is named by its id is not found among those of another kind.
    if (kind === 'other' && field === 'functionId')
      return inputError(field, other, 'FUNCTION_NOT_FOUND');
    return refusal(kind, field, unknown, other);
  },
};

const CONSTRAINT: RuleType = {
  types: ['fulfillment_constraints', 'fulfillment_constraint_rule', 'fulfillment_constraint'],
  errors: (kind, names) => {
    const field = fieldOf(names);
    const unknown = unreleased(names[field] ?? '');
    const target = '[purchase.fulfillment-constraint-rule.run]';
    return refusal(kind, field, unknown, `${OTHER} extension targets: ${target}.`);
  },
};

const VALIDATION: RuleType = {
  types: ['cart_checkout_validation', 'cart_validation', 'checkout_validation'],
  errors: (kind, names) => {
    if (kind === 'several')
      return inputError('validation', SEVERAL, 'MULTIPLE_FUNCTION_IDENTIFIERS');
    const field = `validation.${fieldOf(names)}`;
    if (kind === 'unknown') return inputError(field, 'Extension not found.', 'NOT_FOUND');
    return refusal(kind, field, '', `${OTHER} extension targets: [%{targets}].`);
  },
};

/**
 * The resolvers of what runs the functions of apps: cart transforms, validations, and constraints
 * of fulfillments. The functions themselves the store does not run.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/validationCreate
 */
export function functionRulesRoot(writer: NodeWriter): Record<string, unknown> {
  const { reader } = writer;
  const { nodes } = reader.store;
  const run = (args: object, [context, info]: At): unknown =>
    context.missing({}, args as Args, context, info);
  /** Does what is asked with a function, which it is given; refuses what names none. */
  const withFunction = (
    names: FunctionNames,
    { types, errors }: RuleType,
    [info, done]: readonly [GraphQLResolveInfo, (fields: NodeFields) => unknown],
  ): unknown => {
    const found = namedFunction(writer, names, types);
    return found.kind === 'found'
      ? done(found.fields)
      : refusedPayload(info, [errors(found.kind, names)]);
  };
  /** Keeps whose a new rule is, and its function as it is: its id is no global one. */
  const naming = (made: unknown, field: string, fields: NodeFields): unknown => {
    const { id } = Object((made as Args)[field]) as { readonly id?: string };
    if (id !== undefined) nodes.update(id, { ...fields, ...ownership(writer) });
    return made;
  };
  const isKnown = (type: string, id: string): boolean => {
    const node = nodes.find(id);
    return node?.type === type && isOwn(writer, node.fields);
  };
  const known =
    (type: string, message: (id: string) => string) =>
    (args: Args, ...at: At): unknown => {
      const id = String(args['id']);
      if (isKnown(type, id)) return run(args, at);
      return refusedPayload(at[1], [inputError('id', message(id), 'NOT_FOUND')]);
    };
  const noRule = (id: string): string => `Could not find FulfillmentConstraintRule with id: ${id}`;
  const noValidation = known('Validation', () => 'Extension not found.');
  return {
    cartTransformCreate: (args: Args & FunctionNames, ...at: At) =>
      withFunction(args, CART_TRANSFORM, [
        at[1],
        ({ id }) => {
          const isTaken = nodes
            .all(['CartTransform'])
            .some(({ fields }) => fields['functionId'] === id && isOwn(writer, fields));
          const errors = isTaken
            ? [inputError(fieldOf(args), TAKEN, 'FUNCTION_ALREADY_REGISTERED')]
            : transformMetafieldErrors(args);
          return errors.length > 0
            ? refusedPayload(at[1], errors)
            : naming(run({ ...args, functionId: id }, at), 'cartTransform', {});
        },
      ]),
    cartTransformDelete: known(
      'CartTransform',
      (id) => `Could not find cart transform with id: ${id}`,
    ),
    validationCreate: ({ validation }: { readonly validation: Args & FunctionNames }, ...at: At) =>
      withFunction(validation, VALIDATION, [
        at[1],
        (shopifyFunction) => {
          const errors = validationMetafieldErrors(validation);
          if (errors.length > 0) return refusedPayload(at[1], errors);
          const { enable = false, title = shopifyFunction['title'], ...fields } = validation;
          const made = run({ validation: { ...fields, title, enabled: enable } }, at);
          return naming(made, 'validation', { shopifyFunction });
        },
      ]),
    validationUpdate: (args: { readonly id: string; readonly validation: Args }, ...at: At) => {
      const { enable, ...validation } = args.validation;
      const errors = nodes.find(args.id) ? validationMetafieldErrors(validation) : [];
      if (errors.length > 0) return refusedPayload(at[1], errors);
      const enabled = enable === undefined ? {} : { enabled: enable };
      return noValidation({ id: args.id, validation: { ...validation, ...enabled } }, ...at);
    },
    validationDelete: noValidation,
    fulfillmentConstraintRuleCreate: (args: Args & FunctionNames, ...at: At) => {
      const methods = args['deliveryMethodTypes'] as readonly string[];
      if (methods.length === 0)
        return refusedPayload(at[1], [
          inputError('deliveryMethodTypes', NO_METHODS, 'INPUT_INVALID'),
        ]);
      return withFunction(args, CONSTRAINT, [
        at[1],
        (found) => naming(run(args, at), 'fulfillmentConstraintRule', { function: found }),
      ]);
    },
    fulfillmentConstraintRuleUpdate: (args: Args, ...at: At) => {
      const methods = args['deliveryMethodTypes'] as readonly string[];
      return isKnown(RULE, String(args['id'])) && methods.length === 0
        ? refusedPayload(at[1], [inputError('deliveryMethodTypes', NO_METHODS, 'INPUT_INVALID')])
        : known(RULE, noRule)(args, ...at);
    },
    fulfillmentConstraintRuleDelete: ({ id }: { readonly id: string }) => {
      if (!isKnown(RULE, id))
        return { success: false, userErrors: [inputError('id', noRule(id), 'NOT_FOUND')] };
      return { success: nodes.delete(id), userErrors: [] };
    },
  };
}

const RULE = 'FulfillmentConstraintRule';
const TAKEN = 'Could not enable cart transform because it is already registered';

function fieldOf({ functionId }: FunctionNames): keyof FunctionNames {
  return functionId == null ? 'functionHandle' : 'functionId';
}

function refusal(kind: Kind, field: string, unknown: string, other: string): NodeError {
  const handle = field.replace(/functionId$/, 'functionHandle');
  if (kind === 'several') return inputError(handle, SEVERAL, 'MULTIPLE_FUNCTION_IDENTIFIERS');
  if (kind === 'missing') return inputError(handle, MISSING, 'MISSING_FUNCTION_IDENTIFIER');
  return kind === 'unknown'
    ? inputError(field, unknown, 'FUNCTION_NOT_FOUND')
    : inputError(field, other, 'FUNCTION_DOES_NOT_IMPLEMENT');
}
