import type { GraphQLFieldResolver, GraphQLObjectType } from 'graphql';
import type { RegisteredApp } from '../../base/app-registry.js';
import { declaredType, isOwnName, storedName } from '../../base/custom-data.js';
import { isFieldType, problemOfValue } from '../../base/typed-values.js';
import { globalId, idOf } from '../../base/vendor.js';
import { AccessDenied } from '../../graphql/graphql-access.js';
import { connection, type ConnectionArgs } from '../../graphql/graphql.connection.js';
import type { GraphqlContext, Resolution } from '../../graphql/graphql-execution.js';
import {
  compareDigest,
  type MetafieldPlace,
  type MetafieldStore,
  type StoredMetafield,
} from '../../state/metafields/metafield-store.js';
import type { NodeStore } from '../../state/nodes/node-store.js';
import { scopeOf } from '../nodes/node-access.js';
import { typeOfId } from '../nodes/node-reader.js';
import { metafieldView, ownerTypeOf } from './metafield.views.js';

/** What the metafields of a shop are read and changed with, for one call. */
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

interface MetafieldFields {
  id?: string | null;
  namespace?: string | null;
  key?: string | null;
  type?: string | null;
  value?: string | null;
  compareDigest?: string | null;
}

interface MetafieldError {
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

type RootField = (args: object, ...rest: unknown[]) => object | null;
type Root = Readonly<Record<string, unknown>>;

const MOST = 25;
const WITH_METAFIELDS = ['productCreate', 'productUpdate'] as const;

/**
 * The resolvers of metafields for one call, over those of their owners: mutations of products write
 * the metafields of their input, or nothing when one is refused.
 * @param root has the field `node`, and the mutations of products
 */
export function metafieldsRoot(root: Root, call: MetafieldCall): Record<string, unknown> {
  const { shop, app } = call;
  const node = root['node'] as RootField;
  const own: Record<string, unknown> = {
    node: ({ id }: { id: string }) => {
      const found = shop.metafields.findById(idOf('Metafield', id) ?? NaN);
      return found && isOwnName(found.namespace, app.id)
        ? metafieldView(found, node)
        : node({ id });
    },
    metafieldsSet: ({ metafields }: { metafields: (MetafieldFields & { ownerId: string })[] }) => {
      for (const { ownerId } of metafields) demandWrite('metafieldsSet', ownerId, call);
      if (metafields.length > MOST)
        return refusal('metafields', [error('LESS_THAN_OR_EQUAL_TO', [], TOO_MANY, null)]);
      const checked = metafields.map((input, index) =>
        ownerExists(input.ownerId, shop, node)
          ? checkedMetafield(input, input.ownerId, index, call)
          : error('INVALID', [String(index), 'ownerId'], 'Owner does not exist.', index),
      );
      const userErrors = checked.filter((one) => 'code' in one);
      if (userErrors.length > 0) return refusal('metafields', userErrors);
      const written = checked.flatMap((one, index) =>
        'code' in one ? [] : [write(one, metafields[index]?.ownerId ?? '', shop.metafields)],
      );
      return { metafields: written.map((one) => metafieldView(one, node)), userErrors: [] };
    },
    metafieldsDelete: ({ metafields }: { metafields: MetafieldPlace[] }) => {
      for (const { ownerId } of metafields) demandWrite('metafieldsDelete', ownerId, call);
      const deleted = metafields.map(({ ownerId, namespace, key }) => {
        const place = { ownerId, namespace: storedName(namespace, app.id), key };
        const isGone = isOwnName(place.namespace, app.id) && shop.metafields.delete(place);
        return isGone ? place : null;
      });
      return { deletedMetafields: deleted, userErrors: [] };
    },
    productDelete: (args: { input: { id: string } }, ...rest: unknown[]) => {
      const payload = (root['productDelete'] as RootField)(args, ...rest);
      if (Object(payload).deletedProductId) shop.metafields.deleteOwner(args.input.id);
      return payload;
    },
  };
  for (const name of WITH_METAFIELDS)
    own[name] = (args: Record<string, { id?: string; metafields?: MetafieldFields[] } | null>) => {
      const { metafields, id } = args['product'] ?? args['input'] ?? {};
      const checked = (metafields ?? []).map((input, index) =>
        checkedMetafield(input, id ?? globalId('Product', 0), index, call),
      );
      const userErrors = checked.filter((one) => 'code' in one);
      if (userErrors.length > 0) return refusal('product', userErrors);
      const payload = (root[name] as RootField)(args);
      const made = (payload as { product?: { id: string } | null } | null)?.product;
      for (const one of checked) if (made && !('code' in one)) write(one, made.id, shop.metafields);
      return payload;
    };
  return { ...root, ...own };
}

/**
 * Resolves `metafield` and `metafields` of every object that has them, and everything else as
 * before.
 */
export function withMetafields<T extends Resolution>(resolution: T, call: MetafieldCall): T {
  const { shop, app } = call;
  const node = (resolution.root as Root)['node'] as RootField;
  const fields: Record<string, GraphQLFieldResolver<{ id: string }, GraphqlContext>> = {
    metafield: ({ id }, { namespace, key }: { namespace?: string | null; key: string }) => {
      adopt(id, call);
      const stored = storedName(namespace ?? '$app', app.id);
      const found = shop.metafields.find({ ownerId: id, namespace: stored, key });
      return found && isOwnName(stored, app.id) ? metafieldView(found, node) : null;
    },
    metafields: (
      { id },
      args: ConnectionArgs & { namespace?: string; keys?: string[] },
      context,
    ) => {
      adopt(id, call);
      const namespace = args.namespace && storedName(args.namespace, app.id);
      const keys = args.keys?.map((key) => fullKey(key, namespace, app.id));
      const found = shop.metafields
        .of(id)
        .filter((one) => isOwnName(one.namespace, app.id))
        .filter((one) => !namespace || one.namespace === namespace)
        .filter((one) => !keys || keys.includes(`${one.namespace}.${one.key}`));
      return connection(found, args, context, (one) => metafieldView(one, node));
    },
  };
  const missing: Resolution['missing'] = (source, args, context, info) => {
    const own = ownsMetafields(info.parentType) ? fields[info.fieldName] : undefined;
    return own && typeof Object(source).id === 'string'
      ? own(source as { id: string }, args, context, info)
      : resolution.missing(source, args, context, info);
  };
  return { ...resolution, missing };
}

function ownsMetafields(type: GraphQLObjectType): boolean {
  return type.getInterfaces().some(({ name }) => name === 'HasMetafields');
}

/** Takes over what the input of a mutation by convention has left with a node. */
function adopt(id: string, call: MetafieldCall): void {
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

function fullKey(key: string, namespace: string | undefined, appId: number): string {
  if (namespace !== undefined) return `${namespace}.${key}`;
  const at = key.lastIndexOf('.');
  return `${storedName(key.slice(0, Math.max(0, at)), appId)}.${key.slice(at + 1)}`;
}

function demandWrite(field: string, ownerId: string, { mayUse }: MetafieldCall): void {
  const scope = scopeOf(typeOfId(ownerId), 'write');
  if (scope !== undefined && !mayUse(scope)) throw new AccessDenied(field, scope);
}

function ownerExists(id: string, shop: MetafieldCall['shop'], node: RootField): boolean {
  return idOf('AppInstallation', id) === shop.id || node({ id }) !== null;
}

/** A metafield as it can be written to an object of the owner's type, or why not. */
function checkedMetafield(
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
  const defined = definedType(ownerId, namespace, key, { shop, app });
  const type = defined ?? input.type ?? stored?.type;
  if (!type) return refused('BLANK', 'type', "Type can't be blank");
  if (!isFieldType(type)) return refused('INCLUSION', 'type', `Type ${type} is not included`);
  if (input.type && input.type !== type)
    return refused('INVALID_TYPE', 'type', `Type must be ${type}, as its definition says`);
  const value = input.value ?? stored?.value ?? '';
  if (value === '') return refused('BLANK', 'value', "Value can't be blank");
  const problem = problemOfValue(type, value);
  if (problem) return refused('INVALID_VALUE', 'value', problem);
  const digest = stored ? compareDigest(stored) : null;
  if (input.compareDigest !== undefined && input.compareDigest !== digest)
    return refused('STALE_OBJECT', 'compareDigest', STALE);
  return { place: { namespace, key }, type, value };
}

/** The type that a definition gives: of the configuration of the app, or made by a mutation. */
function definedType(
  ownerId: string,
  namespace: string,
  key: string,
  { shop, app }: Pick<MetafieldCall, 'shop' | 'app'>,
): string | undefined {
  const ownerType = typeOfId(ownerId);
  if (namespace === storedName('$app', app.id)) {
    const declared = declaredType(app.definitions, ownerType, key);
    if (declared !== undefined) return declared;
  }
  const made = shop.nodes.all(['MetafieldDefinition']).find(({ fields }) => {
    const given = storedName(String(fields['namespace'] ?? '$app'), app.id);
    return (
      fields['ownerType'] === ownerTypeOf(ownerId) && given === namespace && fields['key'] === key
    );
  });
  const type = made?.fields['type'];
  return typeof type === 'string' ? type : undefined;
}

function write(
  { place, ...content }: CheckedMetafield,
  ownerId: string,
  store: MetafieldStore,
): StoredMetafield {
  return store.set({ ...place, ownerId }, content);
}

function error(
  code: string,
  place: string[],
  message: string,
  elementIndex: number | null,
): MetafieldError {
  return { code, field: ['metafields', ...place], message, elementIndex };
}

function refusal(result: string, userErrors: readonly MetafieldError[]): object {
  return { [result]: null, userErrors };
}

const TOO_MANY = `Exceeded the maximum metafields input limit of ${MOST}.`;
const FORBIDDEN =
  'Access to this namespace and key on Metafields for this resource type is not allowed.';
const STALE =
  'The resource has been updated since it was loaded. Try again with an updated `compareDigest` value.';
