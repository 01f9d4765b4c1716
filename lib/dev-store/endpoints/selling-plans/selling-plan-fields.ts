import { globalId, idOf } from '../../base/vendor.js';
import type { NodeStore } from '../../state/nodes/node-store.js';
import type { ProductCatalog } from '../../state/products/product-catalog.js';
import type { OwnField } from '../nodes/node-reader.js';

/** The fields that say what a group of selling plans applies to, and which groups an object has. */
export function sellingPlanFields(
  nodes: NodeStore,
  catalog: ProductCatalog,
): Record<string, OwnField> {
  const has = (group: string, list: string, id: unknown): boolean =>
    ((nodes.fieldsOf(group)[list] ?? []) as unknown[]).includes(id);
  const groups = (id: string): string[] =>
    nodes.naming(id, ['SellingPlanGroup']).map((group) => group.id);
  const count: OwnField = (id) => ({ count: groups(id).length, precision: 'EXACT' });
  const productOf = (variant: string): string => {
    const found = catalog.variant(idOf('ProductVariant', variant));
    return globalId('Product', found?.product.id ?? 0);
  };
  return {
    'SellingPlanGroup.appliesToProduct': (id, { productId }) => has(id, 'products', productId),
    'SellingPlanGroup.appliesToProductVariant': (id, { productVariantId }) =>
      has(id, 'productVariants', productVariantId),
    'SellingPlanGroup.appliesToProductVariants': (id, { productId }) =>
      (catalog.find(idOf('Product', String(productId)) ?? NaN)?.variants ?? []).some((variant) =>
        has(id, 'productVariants', globalId('ProductVariant', variant.id)),
      ),
    'Product.sellingPlanGroups': groups,
    'Product.sellingPlanGroupsCount': count,
    'ProductVariant.sellingPlanGroups': (id) => [
      ...new Set([...groups(id), ...groups(productOf(id))]),
    ],
    'ProductVariant.sellingPlanGroupsCount': count,
  };
}
