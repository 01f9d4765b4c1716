import type { GraphQLField, GraphQLNamedType, GraphQLSchema } from 'graphql';
import { capital, phrase } from '../../base/text-values.js';
import {
  enumValues,
  fieldsOf,
  isAbstract,
  isComposite,
  isList,
  isNode,
  namedType,
  possibleTypes,
} from '../../graphql/schema-types.js';

/** What a mutation does, by the end of its name. */
type MutationAction = 'Create' | 'Update' | 'Delete' | 'Set' | 'Upsert' | keyof typeof STATES;

/** What mutations of other names change: those fields that the type has. */
export const STATES = {
  Activate: { status: 'ACTIVE', isActive: true },
  Deactivate: { status: 'INACTIVE', isActive: false },
  Open: { status: 'OPEN', closed: false, closedAt: null },
  Close: { status: 'CLOSED', closed: true },
  Pause: { status: 'PAUSED' },
  Archive: { status: 'ARCHIVED' },
  Unarchive: { status: 'ACTIVE' },
} as const;

/** What the name and the types of a mutation say it does. */
export interface MutationShape {
  readonly action: MutationAction;
  /** What it is about, e.g. `draftOrder`. */
  readonly noun: string;
  /** The type of the nodes. */
  readonly type: GraphQLNamedType;
  /** The field of a node that the input describes, where that is an object of a type of its own. */
  readonly part?: { readonly field: string; readonly type: GraphQLNamedType } | undefined;
  /** The field of the payload with the node, or the nodes. */
  readonly result: GraphQLField<unknown, unknown> | undefined;
  /** The fields of the payload with the ids of deleted nodes. */
  readonly deleted: ReadonlyArray<GraphQLField<unknown, unknown>>;
  /** The fields of the payload with errors. */
  readonly errors: ReadonlyArray<GraphQLField<unknown, unknown>>;
}

const NAME =
  /^([a-z]\w*?)(?:Bulk)?(Create|Update|Delete|Set|Upsert|Activate|Deactivate|Open|Close|Pause|Archive|Unarchive)$/;

/** What a mutation does by the platform's conventions; undefined when they do not say. */
export function mutationShape(
  schema: GraphQLSchema,
  { name, type }: Pick<GraphQLField<unknown, unknown>, 'name' | 'type'>,
): MutationShape | undefined {
  const [, noun, action] = NAME.exec(name) ?? [];
  if (noun === undefined) return undefined;
  const fields = Object.values(fieldsOf(namedType(type)));
  const errors = errorFields({ type });
  const deleted = fields.filter((field) => /^deleted\w*Ids?$/.test(field.name));
  const results = fields.filter((field) => {
    const inner = namedType(field.type);
    return isComposite(inner) && !UNRELATED.has(field.name) && 'id' in fieldsOf(inner);
  });
  const result = results.find((field) => field.name.replace(/s$/, '') === noun) ?? results[0];
  const own = schema.getType(capital(noun.replace(/s$/, '')));
  const node =
    action === 'Delete' ? (own ?? schema.getType('Node')) : result && namedType(result.type);
  if (!node || errors.length === 0 || (action === 'Delete' && deleted.length === 0))
    return undefined;
  const part = own && partOf(schema, node, own);
  return { action: action as MutationAction, noun, type: node, part, result, deleted, errors };
}

/** `codeDiscount` of a `DiscountCodeNode`, when a mutation is about a `DiscountCodeBasic`. */
function partOf(
  schema: GraphQLSchema,
  node: GraphQLNamedType,
  type: GraphQLNamedType,
): MutationShape['part'] {
  const field = Object.values(fieldsOf(node)).find((one) => {
    const inner = namedType(one.type);
    return isAbstract(inner) && !isNode(inner) && possibleTypes(schema, inner).includes(type.name);
  });
  return field && { field: field.name, type };
}

/** Objects in payloads that are not what a mutation is about. */
const UNRELATED: ReadonlySet<string> = new Set(['shop', 'job', 'operation']);

/** The fields of a mutation's payload with errors. */
export function errorFields({
  type,
}: Pick<GraphQLField<unknown, unknown>, 'type'>): MutationShape['errors'] {
  return Object.values(fieldsOf(namedType(type))).filter(
    (field) => 'message' in fieldsOf(namedType(field.type)),
  );
}

/** A user error. */
export interface NodeError {
  readonly field: readonly string[] | null;
  readonly message: string;
  readonly code?: string | undefined;
}

/**
 * The error about an id that nothing has, with the code that a type of errors has for it.
 * @param noun e.g. `draftOrder`
 */
export function notFound(
  { noun, errors }: Pick<MutationShape, 'noun' | 'errors'>,
  field: readonly string[] | null,
): NodeError {
  const code = missingCode(errors, noun);
  return { field, message: `${phrase(noun)} does not exist`, ...(code ? { code } : {}) };
}

/**
 * The code of a type of errors about an object that is not there: `NOT_FOUND` alone, or one that
 * names the object by the end of its words, such as `TRANSFER_NOT_FOUND` for an inventory transfer.
 */
function missingCode(errors: MutationShape['errors'], noun: string): string | undefined {
  const codes = codesOf(errors);
  const own = noun.replace(/\B[A-Z]/g, '_$&').toUpperCase();
  const missing = codes.filter((one) => /(?:NOT_FOUND|DOES_NOT_EXIST)$/.test(one));
  const namesOwn = (one: string): boolean => {
    const named = one.replace(/_(?:NOT_FOUND|DOES_NOT_EXIST)$/, '');
    return `_${own}`.endsWith(`_${named}`) || named.endsWith(`_${own}`);
  };
  return (
    missing.find((one) => one === 'NOT_FOUND') ??
    missing.find(namesOwn) ??
    missing.find((one) => one === 'RESOURCE_NOT_FOUND') ??
    codes.find((one) => one === 'INVALID') ??
    missing[0]
  );
}

/** Errors with those of their codes that a type of errors has, or with `INVALID`. */
export function codedErrors(
  { errors }: Pick<MutationShape, 'errors'>,
  given: readonly NodeError[],
): NodeError[] {
  const codes = codesOf(errors);
  return given.map(({ code, ...error }) => {
    const known = [code, 'INVALID'].find((one) => one !== undefined && codes.includes(one));
    return known && code !== undefined ? { ...error, code: known } : error;
  });
}

function codesOf(errors: MutationShape['errors']): readonly string[] {
  return errors.flatMap(
    ({ type }) => enumValues(namedType(fieldsOf(namedType(type))['code']?.type ?? type)) ?? [],
  );
}

/** A payload, whose lists of errors are always there. */
export function payload(
  { errors, result, deleted }: MutationShape,
  values: {
    readonly nodes?: readonly unknown[];
    readonly deletedIds?: readonly string[];
    readonly userErrors?: readonly NodeError[];
  },
): object {
  const { nodes, deletedIds, userErrors = [] } = values;
  const [main] = errors;
  return {
    ...Object.fromEntries(errors.map(({ name }) => [name, name === main?.name ? userErrors : []])),
    ...(result ? { [result.name]: oneOrAll(result, nodes) } : {}),
    ...Object.fromEntries(deleted.map((field) => [field.name, oneOrAll(field, deletedIds)])),
  };
}

function oneOrAll(
  { type }: GraphQLField<unknown, unknown>,
  values: readonly unknown[] | undefined,
): unknown {
  if (!isList(type)) return values?.[0] ?? null;
  return values ?? (type.toString().endsWith('!') ? [] : null);
}
