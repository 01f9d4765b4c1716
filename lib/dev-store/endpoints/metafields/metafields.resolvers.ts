import type { GraphQLFieldResolver, GraphQLObjectType } from 'graphql';
import { isOwnName, storedName } from '../../base/custom-data.js';
import { globalId, idOf } from '../../base/vendor.js';
import { connection, type ConnectionArgs } from '../../graphql/graphql.connection.js';
import type { GraphqlContext, Resolution } from '../../graphql/graphql-execution.js';
import type { MetafieldPlace } from '../../state/metafields/metafield-store.js';
import { isHidden } from '../nodes/app-ownership.js';
import { demandAccess } from '../nodes/node-access.js';
import type { NodeResolution } from '../nodes/node-resolution.js';
import { typeOfId } from '../nodes/node-reader.js';
import {
  adopt,
  DEFINITION,
  definitionOf,
  checkedMetafield,
  error,
  withInlineMetafields,
  write,
  type DefinitionIdentifier,
  type MetafieldCall,
  type MetafieldError,
  type MetafieldFields,
} from './metafield-input.js';
import { definitionsRoot, metafieldsOf } from './definitions.resolvers.js';
import { metafieldView } from './metafield.views.js';
import { withVariantMetafields } from './variant-metafields.js';

type NodeField = (args: { id: string }) => object | null;
type RootField = (args: object, ...rest: unknown[]) => object | null;
type Root = Readonly<Record<string, unknown>>;
type ProductArgs = Record<string, { id?: string; metafields?: MetafieldFields[] } | null>;

const MOST = 25;
const WITH_METAFIELDS = ['productCreate', 'productUpdate', 'productSet'] as const;

/**
 * The resolvers of metafields for one caller, over those of their owners: mutations of products
 * write the metafields of their input, or nothing when one is refused.
 * @param root has the field `node`, and the mutations of products
 */
export function metafieldsRoot(root: Root, call: MetafieldCall): Record<string, unknown> {
  const { shop, app } = call;
  const elsewhere = root['node'] as NodeField;
  const node: NodeField = ({ id }) => {
    const stored = shop.nodes.find(id);
    if (isOutOfReach(id, call)) return null;
    return stored ? { __typename: stored.type, id } : elsewhere({ id });
  };
  const own: Record<string, unknown> = {
    node: ({ id }: { id: string }) => {
      const found = shop.metafields.findById(idOf('Metafield', id) ?? NaN);
      return found && isOwnName(found.namespace, app.id) && !isOutOfReach(found.ownerId, call)
        ? metafieldView(found, node)
        : elsewhere({ id });
    },
    ...definitionsRoot(call),
    metafieldsSet: ({ metafields }: { metafields: (MetafieldFields & { ownerId: string })[] }) => {
      for (const { ownerId } of metafields) demandWrite('metafieldsSet', ownerId, call);
      if (metafields.length > MOST)
        return unset([error('LESS_THAN_OR_EQUAL_TO', [], TOO_MANY, null)]);
      adoptInReach(metafields, call);
      const checked = metafields.map((input, index) =>
        ownerExists(input.ownerId, shop, node)
          ? checkedMetafield(input, input.ownerId, index, call)
          : error('INVALID', [String(index), 'ownerId'], 'Owner does not exist.', index),
      );
      const userErrors = checked.filter((one) => 'code' in one);
      if (userErrors.length > 0) return unset(userErrors);
      const written = checked.flatMap((one, index) =>
        'code' in one ? [] : [write(one, metafields[index]?.ownerId ?? '', shop.metafields)],
      );
      return { metafields: written.map((one) => metafieldView(one, node)), userErrors: [] };
    },
    metafieldsDelete: ({ metafields }: { metafields: MetafieldPlace[] }) => {
      for (const { ownerId } of metafields) demandWrite('metafieldsDelete', ownerId, call);
      adoptInReach(metafields, call);
      const deleted = metafields.map(({ ownerId, namespace, key }) => {
        const place = { ownerId, namespace: storedName(namespace, app.id), key };
        const isOwn = isOwnName(place.namespace, app.id) && !isOutOfReach(ownerId, call);
        const isGone = isOwn && shop.metafields.delete(place);
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
  const ofVariants = withVariantMetafields(root, call);
  const written: Root = { ...root, ...ofVariants };
  for (const name of WITH_METAFIELDS)
    own[name] = (args: ProductArgs, ...rest: unknown[]) => {
      const { metafields, id } = args['product'] ?? args['input'] ?? {};
      const checked = (metafields ?? []).map((input, index) =>
        checkedMetafield(input, id ?? globalId('Product', 0), index, call),
      );
      const userErrors = checked.filter((one) => 'code' in one);
      if (userErrors.length > 0)
        return refusal('product', name === 'productSet' ? userErrors.map(asSetError) : userErrors);
      const payload = (written[name] as RootField)(args, ...rest);
      const made = (payload as { product?: { id: string } | null } | null)?.product;
      for (const one of checked) if (made && !('code' in one)) write(one, made.id, shop.metafields);
      return payload;
    };
  return { ...root, ...ofVariants, ...own };
}

function asSetError(error: MetafieldError): MetafieldError {
  return { ...error, code: 'INVALID_METAFIELD' };
}

/** Resolves `metafield` and `metafields` of every object that has them, the rest as before. */
export function withMetafields(resolution: NodeResolution, call: MetafieldCall): Resolution {
  const { shop, app } = call;
  const { node } = resolution;
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
  const ofMetafield = ({ ownerType, namespace, key }: DefinitionIdentifier): object | null => {
    const found = definitionOf(call, { ownerType, namespace: namespace ?? null, key });
    return found ? { __typename: found.type, id: found.id } : null;
  };
  const missing: Resolution['missing'] = (source, args, context, info) => {
    if (info.parentType === info.schema.getMutationType())
      return withInlineMetafields([source, args, context, info], resolution.missing, call);
    const { name } = info.parentType;
    if (name === 'Metafield' && info.fieldName === 'definition')
      return ofMetafield(source as DefinitionIdentifier);
    if (name === DEFINITION && /^metafields(?:Count)?$/.test(info.fieldName)) {
      const all = metafieldsOf(call, String(Object(source).id));
      const found = all.filter(({ ownerId }) => !isOutOfReach(ownerId, call));
      return info.fieldName === 'metafields'
        ? connection(found, args as ConnectionArgs, context, (one) => metafieldView(one, node))
        : found.length;
    }
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

function fullKey(key: string, namespace: string | undefined, appId: number): string {
  if (namespace !== undefined) return `${namespace}.${key}`;
  const at = key.lastIndexOf('.');
  return `${storedName(key.slice(0, Math.max(0, at)), appId)}.${key.slice(at + 1)}`;
}

function demandWrite(field: string, ownerId: string, { mayUse }: MetafieldCall): void {
  demandAccess(field, [typeOfId(ownerId), 'write'], mayUse);
}

function ownerExists(id: string, shop: MetafieldCall['shop'], node: NodeField): boolean {
  return idOf('AppInstallation', id) === shop.id || node({ id }) !== null;
}

/** Adopts the metafields of all owners that the app that calls may know of. */
function adoptInReach(metafields: ReadonlyArray<{ ownerId: string }>, call: MetafieldCall): void {
  for (const { ownerId } of metafields) if (!isOutOfReach(ownerId, call)) adopt(ownerId, call);
}

/** Whether the app that calls may not know of an owner. */
function isOutOfReach(ownerId: string, { shop, app }: MetafieldCall): boolean {
  const stored = shop.nodes.find(ownerId);
  return stored !== undefined && isHidden(app, stored);
}

/** What `metafieldsSet` answers when nothing is set. */
function unset(userErrors: readonly MetafieldError[]): object {
  return { metafields: [], userErrors };
}

function refusal(result: string, userErrors: readonly MetafieldError[]): object {
  return { [result]: null, userErrors };
}

const TOO_MANY = `Exceeded the maximum metafields input limit of ${MOST}.`;
