import { globalId, idOf } from '../../base/vendor.js';
import type { NodeStore } from '../../state/nodes/node-store.js';
import type { Product, ProductChange, ProductStatus } from '../../state/products/product.js';
import type { ProductCatalog } from '../../state/products/product-catalog.js';
import { newOption } from '../../state/products/product-options.js';
import { demandScope, type ApiCall } from '../admin-api/admin-api-access.js';
import { productView } from './product.views.js';

interface StatusArgs {
  productId: string;
  status: Uppercase<ProductStatus>;
}

interface DuplicateArgs {
  productId: string;
  newTitle: string;
  newStatus?: Uppercase<ProductStatus> | null;
  synchronous?: boolean | null;
}

/** Deletes a product after the answer, as the platform does it. @returns the operation */
export function deletedLater(
  { catalog, nodes }: { readonly catalog: ProductCatalog; readonly nodes: NodeStore },
  product: Product,
): object {
  const started = { status: 'CREATED', deletedProductId: null };
  const { id } = nodes.create('ProductDeleteOperation', started);
  nodes.afterCall(() => {
    catalog.delete(product.id);
    const deletedProductId = globalId('Product', product.id);
    nodes.update(id, { status: 'COMPLETE', deletedProductId });
  });
  return { __typename: 'ProductDeleteOperation', id };
}

/** The resolvers of the mutations that change the status of a product, and that copy it. */
export function productCopiesRoot(
  { catalog, nodes }: { readonly catalog: ProductCatalog; readonly nodes: NodeStore },
  call: ApiCall,
): Record<string, unknown> {
  const duplicate = (product: Product, { newTitle, newStatus }: DuplicateArgs): ProductChange => {
    const { descriptionHtml, vendor, productType, tags } = product;
    const status = (newStatus?.toLowerCase() as ProductStatus | undefined) ?? product.status;
    const input = { title: newTitle, descriptionHtml, vendor, productType, tags, status };
    return catalog.create(input, (made) => {
      made.options = product.options.map(({ name, values }) =>
        newOption({ name, values: values.map((value) => value.name) }, catalog.ids),
      );
      // What a variant is, but for its number and what there is of it.
      made.variants = product.variants.map(({ id: _id, ...variant }) => catalog.made(variant));
    });
  };
  const productOf = (field: string, id: string): Product | undefined => {
    demandScope(call, field, 'write_products');
    return catalog.find(idOf('Product', id) ?? NaN);
  };
  return {
    productChangeStatus: ({ productId, status }: StatusArgs) => {
      const product = productOf('productChangeStatus', productId);
      const error = { ...NO_PRODUCT, code: 'PRODUCT_NOT_FOUND' };
      if (!product) return { product: null, userErrors: [error] };
      catalog.update(product.id, { status: status.toLowerCase() as ProductStatus });
      return { product: productView(product), userErrors: [] };
    },
    productDuplicate: (args: DuplicateArgs) => {
      const product = productOf('productDuplicate', args.productId);
      if (!product) return { newProduct: null, userErrors: [NO_PRODUCT] };
      if (args.synchronous !== false) {
        const { product: copy, problems } = duplicate(product, args);
        const userErrors = (problems ?? []).map(({ message }) => ({
          field: ['newTitle'],
          message: `Title ${message}`,
        }));
        return { newProduct: copy ? productView(copy) : null, userErrors };
      }
      // The platform works on it after its answer.
      const started = { status: 'CREATED', product: args.productId, newProduct: null };
      const { id } = nodes.create('ProductDuplicateOperation', started);
      nodes.afterCall(() => {
        const { product: copy } = duplicate(product, args);
        const newProduct = copy ? globalId('Product', copy.id) : null;
        nodes.update(id, { status: 'COMPLETE', newProduct });
      });
      const productDuplicateOperation = { __typename: 'ProductDuplicateOperation', id };
      return { newProduct: null, productDuplicateOperation, userErrors: [] };
    },
  };
}

const NO_PRODUCT = { field: ['productId'], message: 'Product does not exist' };
