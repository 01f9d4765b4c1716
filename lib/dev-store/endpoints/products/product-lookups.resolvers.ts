import type { GraphQLResolveInfo } from 'graphql';
import { idOf } from '../../base/vendor.js';
import { NotSimulatedError, typedId } from '../../graphql/graphql.errors.js';
import { connection, type ConnectionArgs } from '../../graphql/graphql.connection.js';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import { search } from '../../graphql/graphql-search.js';
import { countView } from '../../graphql/graphql.views.js';
import type { CatalogVariant, Product } from '../../state/products/product.js';
import type { ProductCatalog } from '../../state/products/product-catalog.js';
import { demandScope, mayUse, type ApiCall } from '../admin-api/admin-api-access.js';
import { levelById } from '../inventory/inventory-changes.js';
import { levelView } from '../inventory/inventory.views.js';
import { demandAccess } from '../nodes/node-access.js';
import { inventoryItemView, productView, variantView } from './product.views.js';
import {
  allVariants,
  INVENTORY_ITEM_FIELDS,
  VARIANT_FIELDS,
  variantOrder,
} from './variant-search.js';

/** What a product or a variant is looked up by: one of these. */
export interface Identifier {
  readonly id?: string | null;
  readonly handle?: string | null;
  readonly customId?: object | null;
}

interface ListArgs extends ConnectionArgs {
  query?: string | null;
  sortKey?: string | null;
}

interface CountArgs {
  query?: string | null;
  limit?: number | null;
}

type Info = GraphQLResolveInfo;

/** The queries that look up products, variants and their inventory items, for one caller. */
export function productLookupsRoot(
  catalog: ProductCatalog,
  call: ApiCall,
): Record<string, unknown> {
  const demand = (field: string, scope: string): void => demandScope(call, field, scope);
  const demandItems = (field: string): void =>
    demandAccess(field, ['InventoryItem', 'read'], (scope) => mayUse(call, scope));
  const product = (identifier: Identifier, field: string): object | null => {
    demand(field, 'read_products');
    const found = productBy(catalog, identifier, 'queries', field);
    return found ? productView(found) : null;
  };
  return {
    productByHandle: ({ handle }: { handle: string }) => product({ handle }, 'productByHandle'),
    productByIdentifier: ({ identifier }: { identifier: Identifier }) =>
      product(identifier, 'productByIdentifier'),
    productVariantByIdentifier: ({ identifier }: { identifier: Identifier }) => {
      const field = 'productVariantByIdentifier';
      demand(field, 'read_products');
      if (identifier.id == null) throw new NotSimulatedError('queries', field);
      const found = catalog.variant(typedId('ProductVariant', identifier.id));
      return found ? variantView(found.product, found.variant) : null;
    },
    productVariants: (args: ListArgs, context: GraphqlContext, info: Info) => {
      demand('productVariants', 'read_products');
      const found = search(allVariants(catalog), args.query, VARIANT_FIELDS, { context, info });
      const view = ({ product: of, variant }: CatalogVariant): object => variantView(of, variant);
      return connection(found.sort(variantOrder(args.sortKey)), args, context, view);
    },
    productVariantsCount: (args: CountArgs, context: GraphqlContext, info: Info) => {
      demand('productVariantsCount', 'read_products');
      const found = search(allVariants(catalog), args.query, VARIANT_FIELDS, { context, info });
      return countView(found.length, args.limit ?? undefined);
    },
    inventoryItem: ({ id }: { id: string }) => {
      demandItems('inventoryItem');
      typedId('InventoryItem', id);
      return inventoryItemNode(catalog, id);
    },
    inventoryItems: (args: ListArgs, context: GraphqlContext, info: Info) => {
      demandItems('inventoryItems');
      const fields = INVENTORY_ITEM_FIELDS;
      const found = search(allVariants(catalog), args.query, fields, { context, info });
      const view = ({ product: of, variant }: CatalogVariant): object =>
        inventoryItemView(of, variant);
      return connection(found.sort(variantOrder(null)), args, context, view);
    },
  };
}

/**
 * The product that an identifier names; undefined when there is none.
 * @throws NotSimulatedError for one by the value of a metafield
 */
export function productBy(
  catalog: ProductCatalog,
  { id, handle, customId }: Identifier,
  kind: 'queries' | 'mutations',
  field: string,
): Product | undefined {
  if (customId != null) throw new NotSimulatedError(kind, field);
  if (id != null) return catalog.find(typedId('Product', id));
  return catalog.all().find((one) => one.handle === handle);
}

/** The inventory item with a global id; null when there is none. */
export function inventoryItemNode(catalog: ProductCatalog, id: string): object | null {
  const found = catalog.variant(idOf('InventoryItem', id));
  return found ? inventoryItemView(found.product, found.variant) : null;
}

/** The level with a global id; null when there is none. */
export function inventoryLevelNode(catalog: ProductCatalog, id: string): object | null {
  const found = levelById(catalog, id);
  if (!found) return null;
  const { product, variant, level } = found;
  return levelView(variant, level, () => inventoryItemView(product, variant));
}
