import { coversScope } from '../../base/access-scopes.js';
import { globalId, idOf } from '../../base/vendor.js';
import { AccessDenied } from '../../graphql/graphql-access.js';
import { connection, type ConnectionArgs } from '../../graphql/graphql.connection.js';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import { search } from '../../graphql/graphql-search.js';
import type { AccessTokens } from '../../state/apps/access-tokens.js';
import type { StorefrontTokens } from '../../state/apps/storefront-tokens.js';
import type { Product } from '../../state/products/product.js';
import type { ProductCatalog } from '../../state/products/product-catalog.js';
import type { ShopIdentity } from '../../state/shop/shop-identity.js';
import type { NodeShop } from '../nodes/node-resolution.js';
import { productOrder, STOREFRONT_PRODUCT_FIELDS } from '../products/product-search.js';
import { cartsRoot, type CartsShop } from './cart.resolvers.js';
import { searchRoot } from './search.resolvers.js';
import { storefrontProduct } from './storefront.views.js';

/** The scope for reading products in a storefront. */
const PRODUCTS = 'unauthenticated_read_product_listings';

interface ProductsArgs extends ConnectionArgs {
  query?: string | null;
  sortKey?: string | null;
}

/** The part of a shop that the Storefront API reads. */
export interface StorefrontShop extends NodeShop, CartsShop {
  readonly catalog: ProductCatalog;
  /** Access tokens of apps, which are accepted as private tokens. */
  readonly tokens: AccessTokens;
  readonly storefront: StorefrontTokens;
}

/**
 * The resolvers of the Storefront's `QueryRoot` and `Mutation`: the shop, its active products, and
 * carts.
 */
export function storefrontRoot(
  shop: StorefrontShop,
  scopes: readonly string[],
  now: () => Date,
): Record<string, unknown> {
  const demand = (field: string, scope: string): void => {
    if (!coversScope(scopes, scope)) throw new AccessDenied(field, scope);
  };
  const activeProducts = (field: string): Product[] => {
    demand(field, PRODUCTS);
    return shop.catalog.all().filter(({ status }) => status === 'active');
  };
  const nodeOf = (id: string): object | null => {
    if (idOf('Shop', id) === shop.id) return shopView(shop);
    const product =
      idOf('Product', id) === undefined
        ? undefined
        : activeProducts('node').find((one) => one.id === idOf('Product', id));
    return product ? storefrontProduct(product) : null;
  };
  return {
    ...cartsRoot(shop, now, demand),
    ...searchRoot(shop, activeProducts),
    shop: () => shopView(shop),
    node: ({ id }: { id: string }) => nodeOf(id),
    nodes: ({ ids }: { ids: string[] }) => ids.map(nodeOf),
    product: ({ id, handle }: { id?: string | null; handle?: string | null }) => {
      const found = activeProducts('product').find((product) =>
        id ? product.id === idOf('Product', id) : product.handle === handle,
      );
      return found ? storefrontProduct(found) : null;
    },
    productByHandle: ({ handle }: { handle: string }) => {
      const found = activeProducts('productByHandle').find((product) => product.handle === handle);
      return found ? storefrontProduct(found) : null;
    },
    products: (args: ProductsArgs, context: GraphqlContext) => {
      const found = search(activeProducts('products'), args.query, STOREFRONT_PRODUCT_FIELDS);
      return connection(found.sort(productOrder(args.sortKey)), args, context, storefrontProduct);
    },
  };
}

function shopView(shop: ShopIdentity): object {
  const url = `https://${shop.domain}`;
  return {
    __typename: 'Shop',
    id: globalId('Shop', shop.id),
    name: shop.name,
    description: null,
    moneyFormat: '€{{amount}}',
    primaryDomain: { host: shop.domain, sslEnabled: true, url },
  };
}
