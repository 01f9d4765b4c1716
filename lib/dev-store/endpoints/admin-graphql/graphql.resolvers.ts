import type { GraphQLResolveInfo } from 'graphql';
import type { ApiBuckets } from '../../base/api-limits.js';
import type { AppRegistry } from '../../base/app-registry.js';
import { globalId, idOf } from '../../base/vendor.js';
import { FieldArgumentsError, typedId } from '../../graphql/graphql.errors.js';
import { connection, type ConnectionArgs } from '../../graphql/graphql.connection.js';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import { search } from '../../graphql/graphql-search.js';
import { countView } from '../../graphql/graphql.views.js';
import type { AccessTokens } from '../../state/apps/access-tokens.js';
import type { MetafieldStore } from '../../state/metafields/metafield-store.js';
import type { MetaobjectStore } from '../../state/metaobjects/metaobject-store.js';
import type { Product, ProductChange } from '../../state/products/product.js';
import type { ProductCatalog } from '../../state/products/product-catalog.js';
import type { WebhookSubscriptions } from '../../state/webhooks/webhook-subscriptions.js';
import { demandScope, mayUse, type ApiCall } from '../admin-api/admin-api-access.js';
import { billingNode } from '../billing/billing.views.js';
import { bulkOperationView, type BulkShop } from '../bulk/bulk-view.js';
import { demandAccess } from '../nodes/node-access.js';
import { typeOfId } from '../nodes/node-reader.js';
import type { NodeShop } from '../nodes/node-resolution.js';
import { ADMIN_PRODUCT_FIELDS, productOrder } from '../products/product-search.js';
import { asProductError, namedOptionErrors } from '../products/option-input.js';
import { deletedLater } from '../products/product-copies.resolvers.js';
import { demandCategory, productErrors } from '../products/product-errors.js';
import { keepOtherFields } from '../products/product-extras.js';
import { productInput, type ProductFields } from '../products/product-input.js';
import { addMedia, type MediaFields } from '../products/product-media.js';
import { productView } from '../products/product.views.js';
import {
  inventoryItemNode,
  inventoryLevelNode,
  productBy,
  type Identifier,
} from '../products/product-lookups.resolvers.js';
import { shopPartView, shopView } from '../shop/shop.views.js';
import { variantNode } from '../products/variants.resolvers.js';
import { appView, installationView, type AppShop } from './app.views.js';
import { subscriptionView } from './graphql.views.js';

/** The part of a shop that the Admin GraphQL API reads and changes. */
export interface AdminGraphqlShop extends AppShop, BulkShop, NodeShop {
  readonly tokens: AccessTokens;
  readonly buckets: ApiBuckets;
  readonly catalog: ProductCatalog;
  readonly webhooks: WebhookSubscriptions;
  readonly metafields: MetafieldStore;
  readonly metaobjects: MetaobjectStore;
}

interface CreatedFields extends ProductFields {
  productOptions?: ReadonlyArray<{
    name?: string | null;
    values?: ReadonlyArray<{ name?: string | null }> | null;
  }> | null;
}

interface ProductArgs {
  identifier?: Identifier | null;
  product?: CreatedFields | null;
  input?: CreatedFields | null;
  media?: readonly MediaFields[] | null;
}

interface DeleteArgs {
  input: { id: string };
  synchronous?: boolean | null;
}

interface ProductsArgs extends ConnectionArgs {
  query?: string | null;
  sortKey?: string | null;
}

interface CountArgs {
  query?: string | null;
  limit?: number | null;
}

/**
 * The resolvers of `QueryRoot` and `Mutation` for one caller. Names and arguments are those of the
 * schema.
 */
export function adminRoot(
  shop: AdminGraphqlShop,
  call: ApiCall,
  apps: AppRegistry,
): Record<string, unknown> {
  const { token } = call;
  const demand = (field: string, scope: string): void => demandScope(call, field, scope);
  const nodeOf = (id: string): object | null => {
    const product = shop.catalog.find(idOf('Product', id) ?? NaN);
    const variant = variantNode(shop.catalog, id);
    const item = inventoryItemNode(shop.catalog, id) ?? inventoryLevelNode(shop.catalog, id);
    if (product || variant) demand('node', 'read_products');
    if (item) demandAccess('node', [typeOfId(id), 'read'], (scope) => mayUse(call, scope));
    if (variant ?? item) return variant ?? item;
    const subscription = shop.webhooks.find(token.apiKey, idOf('WebhookSubscription', id) ?? NaN);
    if (product) return productView(product);
    if (subscription) return subscriptionView(subscription);
    const operation = shop.bulk.find(token.apiKey, idOf('BulkOperation', id) ?? NaN);
    if (operation) return bulkOperationView(shop, operation);
    const app = apps.all().find((one) => one.id === idOf('App', id));
    if (app) return appView(shop, app);
    if (idOf('AppInstallation', id) === shop.id)
      return installationView(shop, apps.require(token.apiKey));
    return billingNode(shop.billing, token.apiKey, id) ?? shopPartView(shop, id);
  };
  /** Keeps what the catalog has no rules for. Returns why media are refused. */
  const keep = (
    product: Product,
    { media }: ProductArgs,
    fields: CreatedFields,
    { schema }: GraphQLResolveInfo,
  ): readonly object[] => {
    keepOtherFields(shop.nodes, schema, product, fields);
    const { errors } = addMedia(shop.nodes, globalId('Product', product.id), media ?? []);
    return errors.map(({ field, message }) => ({ field, message }));
  };
  return {
    shop: () => shopView(shop),
    node: ({ id }: { id: string }) => nodeOf(id),
    nodes: ({ ids }: { ids: string[] }) => ids.map(nodeOf),
    app: ({ id }: { id?: string | null }) => {
      const app =
        id == null
          ? apps.require(token.apiKey)
          : apps.all().find((one) => one.id === idOf('App', id));
      return app ? appView(shop, app) : null;
    },
    currentAppInstallation: () => installationView(shop, apps.require(token.apiKey)),

    product: ({ id }: { id: string }) => {
      demand('product', 'read_products');
      const product = shop.catalog.find(typedId('Product', id));
      return product ? productView(product) : null;
    },
    products: (args: ProductsArgs, context: GraphqlContext, info: GraphQLResolveInfo) => {
      demand('products', 'read_products');
      const found = search(shop.catalog.all(), args.query, ADMIN_PRODUCT_FIELDS, { context, info });
      return connection(found.sort(productOrder(args.sortKey)), args, context, productView);
    },
    productsCount: (args: CountArgs, context: GraphqlContext, info: GraphQLResolveInfo) => {
      demand('productsCount', 'read_products');
      const found = search(shop.catalog.all(), args.query, ADMIN_PRODUCT_FIELDS, { context, info });
      return countView(found.length, args.limit ?? undefined);
    },
    productCreate: (args: ProductArgs, _context: GraphqlContext, info: GraphQLResolveInfo) => {
      demand('productCreate', 'write_products');
      const fields = productFields('productCreate', args);
      const { productOptions } = fields;
      const userErrors = namedOptionErrors(productOptions ?? [], [], ['productOptions']);
      if (userErrors.length > 0)
        return { product: null, shop: shopView(shop), userErrors: userErrors.map(asProductError) };
      const options = (productOptions ?? []).map(({ name, values }) => ({
        name: name ?? '',
        values: (values ?? []).flatMap((value) => value.name ?? []),
      }));
      let errors: readonly object[] = [];
      const change = shop.catalog.create({ ...productInput(fields), options }, (product) => {
        errors = keep(product, args, fields, info);
      });
      return { ...productPayload(change, errors, fields.handle), shop: shopView(shop) };
    },
    productUpdate: (args: ProductArgs, _context: GraphqlContext, info: GraphQLResolveInfo) => {
      demand('productUpdate', 'write_products');
      const fields = productFields('productUpdate', args);
      const named = args.identifier
        ? productBy(shop.catalog, args.identifier, 'mutations', 'productUpdate')?.id
        : idOf('Product', fields.id ?? '');
      const id = named ?? NaN;
      let errors: readonly object[] = [];
      const change = shop.catalog.update(id, productInput(fields), (product) => {
        errors = keep(product, args, fields, info);
      });
      return productPayload(change, errors, fields.handle, shop.catalog.find(id));
    },
    productDelete: ({ input, synchronous }: DeleteArgs) => {
      demand('productDelete', 'write_products');
      const product = shop.catalog.find(idOf('Product', input.id) ?? NaN);
      if (product && synchronous === false)
        return {
          deletedProductId: null,
          productDeleteOperation: deletedLater(shop, product),
          shop: shopView(shop),
          userErrors: [],
        };
      const deleted = product && shop.catalog.delete(product.id);
      return {
        deletedProductId: deleted ? input.id : null,
        shop: shopView(shop),
        userErrors: deleted ? [] : [NO_PRODUCT],
      };
    },
  };
}

const NO_PRODUCT = { field: ['id'], message: 'Product does not exist' };

/** The input of a product mutation, in the argument of its version or in the older one. */
function productFields(field: string, { product, input }: ProductArgs): CreatedFields {
  const [fields, another] = [product, input].filter((one) => one != null);
  if (fields === undefined || another !== undefined)
    throw new FieldArgumentsError(field, ['input', 'product']);
  demandCategory(fields.category);
  return fields;
}

function productPayload(
  change: ProductChange | undefined,
  errors: readonly object[],
  handle: string | null | undefined,
  unchanged?: Product,
): object {
  if (!change) return { product: null, userErrors: [NO_PRODUCT] };
  const product = change.product ?? unchanged;
  return {
    product: product ? productView(product) : null,
    userErrors: [...productErrors(change.problems ?? [], handle), ...errors],
  };
}
