import { globalId, idOf } from '../../base/vendor.js';
import type { NodeFields } from '../../state/nodes/node-store.js';
import type { Product } from '../../state/products/product.js';
import type { NodeWriter } from '../nodes/node-writer.js';

interface ComponentFields {
  readonly productId: string;
  readonly quantity?: number | null;
  readonly optionSelections: readonly object[];
}

interface BundleFields {
  readonly productId?: string;
  readonly title?: string | null;
  readonly components?: readonly ComponentFields[] | null;
}

interface RelationshipFields {
  readonly parentProductId?: string | null;
  readonly parentProductVariantId?: string | null;
  readonly productVariantRelationshipsToCreate?: readonly Part[] | null;
  readonly productVariantRelationshipsToUpdate?: readonly Part[] | null;
  readonly productVariantRelationshipsToRemove?: readonly string[] | null;
  readonly removeAllProductVariantRelationships?: boolean | null;
}

/** A variant that another consists of. */
interface Part {
  readonly id: string;
  readonly quantity: number;
}

/**
 * The resolvers of products that consist of others.
 * @see https://shopify.dev/docs/apps/build/product-merchandising/bundles
 */
export function bundlesRoot({ reader, catalog, view }: NodeWriter): Record<string, unknown> {
  const { nodes } = reader.store;
  const productOf = (id = ''): Product | undefined => catalog.find(idOf('Product', id) ?? NaN);
  const refused = (...messages: string[]): object => ({
    productBundleOperation: null,
    userErrors: messages.map((message) => ({ field: null, message })),
  });
  const componentErrors = ({ components }: BundleFields): string[] => {
    if (components?.length === 0) return ['At least one component is required.'];
    return (components ?? []).some(({ productId }) => !productOf(productId)) ? [NO_PRODUCT] : [];
  };
  const put = (product: Product, { components }: BundleFields): void => {
    if (!components) return;
    const bundleComponents = components.map(({ productId, quantity, optionSelections }) => {
      const variants = productOf(productId)?.variants ?? [];
      return {
        componentProduct: productId,
        quantity: quantity ?? 1,
        componentVariants: variants.map(({ id }) => globalId('ProductVariant', id)),
        componentVariantsCount: { count: variants.length, precision: 'EXACT' },
        optionSelections,
      };
    });
    nodes.update(globalId('Product', product.id), {
      ...{ bundleComponents, hasVariantsThatRequiresComponents: true },
    });
    for (const { id } of product.variants)
      nodes.update(globalId('ProductVariant', id), { requiresComponents: true });
  };
  /** The platform works on it after its answer. */
  const started = (work: () => Product | undefined): object => {
    const { id } = nodes.create('ProductBundleOperation', { status: 'CREATED', product: null });
    nodes.afterCall(() => {
      const product = work();
      nodes.update(id, {
        status: 'COMPLETE',
        product: product ? globalId('Product', product.id) : null,
      });
    });
    return { productBundleOperation: view(id), userErrors: [] };
  };
  const partsOf = (id: string): Part[] =>
    ((nodes.fieldsOf(id)['productVariantComponents'] ?? []) as NodeFields[]).map((one) => ({
      id: String(one['productVariant']),
      quantity: Number(one['quantity']),
    }));
  return {
    productBundleCreate: ({ input }: { input: BundleFields }) => {
      const errors = componentErrors(input);
      if (errors.length > 0) return refused(...errors);
      return started(
        () => catalog.create({ title: input.title ?? '' }, (made) => put(made, input)).product,
      );
    },

    productBundleUpdate: ({ input }: { input: BundleFields }) => {
      const product = productOf(input.productId);
      const errors = product ? componentErrors(input) : [NO_PRODUCT];
      if (!product || errors.length > 0) return refused(...errors);
      const change = input.title == null ? {} : { title: input.title };
      return started(() => catalog.update(product.id, change, (one) => put(one, input))?.product);
    },

    productVariantRelationshipBulkUpdate: ({ input }: { input: readonly RelationshipFields[] }) => {
      const parentOf = (fields: RelationshipFields): string => {
        const first = productOf(fields.parentProductId ?? '')?.variants[0];
        const named = fields.parentProductVariantId ?? fields.parentProductId ?? '';
        return first ? globalId('ProductVariant', first.id) : named;
      };
      const named = input.flatMap((fields) => [
        parentOf(fields),
        ...(fields.productVariantRelationshipsToCreate ?? []).map(({ id }) => id),
        ...(fields.productVariantRelationshipsToUpdate ?? []).map(({ id }) => id),
        ...(fields.productVariantRelationshipsToRemove ?? []),
      ]);
      const unknown = [...new Set(named)].filter(
        (id) => !catalog.variant(idOf('ProductVariant', id)),
      );
      if (unknown.length > 0) {
        const ids = unknown.map((id) => `"${id}"`).join(', ');
        const message = `The product variants with ID(s) [${ids}] could not be found.`;
        return {
          parentProductVariants: null,
          userErrors: [{ field: ['input'], message, code: 'PRODUCT_VARIANTS_NOT_FOUND' }],
        };
      }
      for (const fields of input) {
        const parent = parentOf(fields);
        const parts = new Map(
          (fields.removeAllProductVariantRelationships ? [] : partsOf(parent)).map((one) => [
            one.id,
            one.quantity,
          ]),
        );
        for (const id of fields.productVariantRelationshipsToRemove ?? []) parts.delete(id);
        for (const { id, quantity } of [
          ...(fields.productVariantRelationshipsToCreate ?? []),
          ...(fields.productVariantRelationshipsToUpdate ?? []),
        ])
          parts.set(id, quantity);
        nodes.update(parent, {
          productVariantComponents: [...parts].map(([id, quantity]) => ({
            id: id.replace('/ProductVariant/', '/ProductVariantComponent/'),
            ...{ productVariant: id, quantity },
          })),
          requiresComponents: parts.size > 0,
        });
      }
      const parents = [...new Set(input.map(parentOf))];
      return { parentProductVariants: parents.map((id) => view(id)), userErrors: [] };
    },
  };
}

const NO_PRODUCT = 'Product does not exist';
