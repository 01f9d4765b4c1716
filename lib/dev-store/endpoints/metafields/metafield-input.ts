import type { RegisteredApp } from '../../base/app-registry.js';
import { declaredType, isOwnName, storedName } from '../../base/custom-data.js';
import { brokenRule, type Validation } from '../../base/definition-checks.js';
import { isFieldType, problemOfValue } from '../../base/typed-values.js';
import { globalId, idOf } from '../../base/vendor.js';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import { enumValues, fieldsOf, namedType } from '../../graphql/schema-types.js';
import {
  compareDigest,
  type MetafieldPlace,
  type MetafieldStore,
  type StoredMetafield,
} from '../../state/metafields/metafield-store.js';
import type { NodeStore, StoredNode } from '../../state/nodes/node-store.js';
import {
  mutationShape,
  payload,
  type MutationShape,
  type NodeError,
} from '../nodes/mutation-shape.js';
import { scopeOf } from '../nodes/node-access.js';
import { typeOfId } from '../nodes/node-reader.js';
import { ownerTypeOf } from './metafield.views.js';

/** What the metafields of a shop are read and changed with, for one caller. */
export interface MetafieldCall {
  readonly shop: {
    readonly id: number;
    readonly metafields: MetafieldStore;
    readonly nodes: NodeStore;
  };
  /** The app that calls. */
  readonly app: RegisteredApp;
  /** Whether its token covers a scope. */
  readonly mayUse: (scope: string) => boolean;
}

/** A metafield in an input. */
export interface MetafieldFields {
  id?: string | null;
  namespace?: string | null;
  key?: string | null;
  type?: string | null;
  value?: string | null;
  compareDigest?: string | null;
}

/** Why a metafield of an input is refused. */
export interface MetafieldError {
  readonly code: string;
  readonly field: string[];
  readonly message: string;
  readonly elementIndex: number | null;
}

/** A metafield that can be written. */
interface CheckedMetafield {
  readonly place: Omit<MetafieldPlace, 'ownerId'>;
  readonly type: string;
  readonly value: string;
}

/** Takes over what the input of a mutation by convention has left with a node. */
export function adopt(id: string, call: MetafieldCall): void {
  const { nodes, metafields } = call.shop;
  const given = nodes.find(id)?.fields['metafields'];
  if (!Array.isArray(given)) return;
  for (const [index, one] of given.entries()) {
    const input = typeof one === 'string' ? nodes.find(one)?.fields : (one as MetafieldFields);
    const checked = checkedMetafield(input ?? {}, id, index, call);
    if (!('code' in checked)) write(checked, id, metafields);
    if (typeof one === 'string') nodes.delete(one);
  }
  delete nodes.find(id)?.fields['metafields'];
}

/**
 * Resolves a mutation by convention: nothing is written when a metafield of its input is refused,
 * else the metafields are those of the node that it writes.
 */
export function withInlineMetafields(
  [source, args, context, info]: Parameters<GraphqlContext['missing']>,
  resolve: GraphqlContext['missing'],
  call: MetafieldCall,
): unknown {
  const field = info.parentType.getFields()[info.fieldName];
  const shape = field && mutationShape(info.schema, field);
  const result = shape?.result;
  const inputs = metafieldsIn(args as object);
  const scope = shape && scopeOf(shape.type.name, 'write');
  if (!result || inputs.length === 0 || (scope !== undefined && !call.mayUse(scope)))
    return resolve(source, args, context, info);
  const ownerId = globalId(shape.type.name, 0);
  const checked = inputs.map((input, index) => checkedMetafield(input, ownerId, index, call));
  const refused = checked.filter((one) => 'code' in one);
  if (refused.length > 0)
    return payload(shape, { userErrors: refused.map((one) => knownError(one, shape)) });
  const adopted = (answer: unknown): unknown => {
    for (const one of [Object(answer)[result.name]].flat() as Array<{ id?: unknown } | null>)
      if (typeof one?.id === 'string') adopt(one.id, call);
    return answer;
  };
  const answer = resolve(source, args, context, info);
  // Fields whose rules are loaded on demand answer with a promise.
  return answer instanceof Promise ? answer.then(adopted) : adopted(answer);
}

/** The metafields in the inputs among the arguments of a mutation. */
function metafieldsIn(args: object): readonly MetafieldFields[] {
  return [...Object.values(args), args].flat().flatMap((input) => {
    const given: unknown = Object(input).metafields;
    return Array.isArray(given) ? (given as MetafieldFields[]) : [];
  });
}

/** An error with a code that its type in the schema has. */
function knownError(
  { field, message, code }: MetafieldError,
  { errors }: MutationShape,
): NodeError {
  const codes = errors.flatMap(
    ({ type }) => enumValues(namedType(fieldsOf(namedType(type))['code']?.type ?? type)) ?? [],
  );
  const known = [code, 'INVALID'].find((one) => codes.includes(one));
  return { field, message, ...(known ? { code: known } : {}) };
}

/** A metafield as it can be written to an object of the owner's type, or why not. */
export function checkedMetafield(
  input: MetafieldFields,
  ownerId: string,
  index: number,
  { shop, app }: MetafieldCall,
): CheckedMetafield | MetafieldError {
  const refused = (code: string, field: string, message: string): MetafieldError =>
    error(code, [String(index), field], message, index);
  const known = shop.metafields.findById(idOf('Metafield', input.id ?? '') ?? NaN);
  const namespace = known?.namespace ?? storedName(input.namespace ?? '$app', app.id);
  const key = known?.key ?? input.key ?? '';
  if (!isOwnName(namespace, app.id)) return refused('APP_NOT_AUTHORIZED', 'namespace', FORBIDDEN);
  if (key === '') return refused('BLANK', 'key', "Key can't be blank");
  if (key.length > 64 || !/^[\w-]+$/.test(key)) return refused('INVALID', 'key', 'Key is invalid');
  const stored = known ?? shop.metafields.find({ ownerId, namespace, key });
  const defined = definedAs(ownerId, namespace, key, { shop, app });
  const type = defined?.type ?? input.type ?? stored?.type;
  if (!type) return refused('BLANK', 'type', "Type can't be blank");
  if (!isFieldType(type)) return refused('INCLUSION', 'type', `Type ${type} is not included`);
  if (input.type && input.type !== type)
    return refused('INVALID_TYPE', 'type', `Type must be ${type}, as its definition says`);
  const value = input.value ?? stored?.value ?? '';
  if (value === '') return refused('BLANK', 'value', "Value can't be blank");
  const problem = problemOfValue(type, value);
  if (problem) return refused('INVALID_VALUE', 'value', problem);
  const broken = brokenRule(defined?.validations ?? [], type, value);
  if (broken) return error('INVALID_VALUE', [String(index), 'value'], broken, null);
  const digest = stored ? compareDigest(stored) : null;
  // A digest is not looked at when nothing would change.
  const isSame = input.compareDigest !== null && stored?.type === type && stored.value === value;
  if (input.compareDigest !== undefined && input.compareDigest !== digest && !isSame)
    return stored
      ? error('STALE_OBJECT', [String(index)], STALE, null)
      : error('INVALID_COMPARE_DIGEST', [String(index)], 'Invalid `compareDigest` value.', null);
  return { place: { namespace, key }, type, value };
}

/** What a definition says: one of the configuration of the app, or made by a mutation. */
function definedAs(
  ownerId: string,
  namespace: string,
  key: string,
  { shop, app }: Pick<MetafieldCall, 'shop' | 'app'>,
): { readonly type: string; readonly validations: readonly Validation[] } | undefined {
  if (namespace === storedName('$app', app.id)) {
    const declared = declaredType(app.definitions, typeOfId(ownerId), key);
    if (declared !== undefined) return { type: declared, validations: [] };
  }
  const identifier = { ownerType: ownerTypeOf(ownerId), namespace, key };
  const fields = definitionOf({ shop, app }, identifier)?.fields;
  return (
    fields && {
      type: String(Object(fields['type']).name),
      validations: (fields['validations'] ?? []) as readonly Validation[],
    }
  );
}

export const DEFINITION = 'MetafieldDefinition';

/** What names a definition. */
export interface DefinitionIdentifier {
  readonly ownerType: string;
  readonly namespace?: string | null;
  readonly key: string;
}

/** The definition of a metafield that a mutation has made; undefined when there is none. */
export function definitionOf(
  { shop, app }: Pick<MetafieldCall, 'shop' | 'app'>,
  { ownerType, namespace, key }: DefinitionIdentifier,
): StoredNode | undefined {
  const stored = storedName(namespace ?? '$app', app.id);
  if (!isOwnName(stored, app.id)) return undefined;
  return shop.nodes
    .all([DEFINITION])
    .find(
      ({ fields }) =>
        fields['ownerType'] === ownerType &&
        fields['namespace'] === stored &&
        fields['key'] === key,
    );
}

/** Writes a metafield that can be written. */
export function write(
  { place, ...content }: CheckedMetafield,
  ownerId: string,
  store: MetafieldStore,
): StoredMetafield {
  return store.set({ ...place, ownerId }, content);
}

/** A user error about a metafield. @param elementIndex that of the metafield in the input */
export function error(
  code: string,
  place: string[],
  message: string,
  elementIndex: number | null,
): MetafieldError {
  return { code, field: ['metafields', ...place], message, elementIndex };
}

const FORBIDDEN =
  'Access to this namespace and key on Metafields for this resource type is not allowed.';
const STALE =
  'The resource has been updated since it was loaded. Try again with an updated `compareDigest` value.';
