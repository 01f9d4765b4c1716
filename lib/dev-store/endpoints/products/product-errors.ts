import { capital } from '../../base/text-values.js';
import type { FieldProblem } from '../../state/products/product.js';

interface ProductError {
  readonly field: readonly string[];
  readonly message: string;
}

/** The error about a product that is not there. */
export const NO_PRODUCT = {
  field: ['productId'],
  message: 'Product does not exist',
  code: 'PRODUCT_DOES_NOT_EXIST',
};

/** What a product is not, as the Admin API tells it. @param handle that of the input */
export function productErrors(
  problems: readonly FieldProblem[],
  handle: string | null | undefined,
): ProductError[] {
  return problems.flatMap(({ field, message }): ProductError[] => {
    if (field === 'handle' && message === TAKEN) {
      const taken = `Handle '${handle ?? ''}' already in use. Please provide a new handle.`;
      return [{ field: ['input', 'handle'], message: taken }];
    }
    if (field === 'tags') return [{ field: [field], message: `Product tags ${message}` }];
    if (field === 'product_type')
      return [
        { field: ['productType'], message: `Product type ${message}` },
        { field: ['customProductType'], message: `Custom product type ${message}` },
      ];
    return [{ field: [field], message: `${capital(field)} ${message}` }];
  });
}

/** What a product is not, as `productSet` tells it. @param handle that of the input */
export function productSetErrors(
  problems: readonly FieldProblem[],
  handle: string | null | undefined,
): Array<ProductError & { readonly code: string }> {
  return productErrors(problems, handle).flatMap(({ field, message }) => {
    const path = ['input', ...field.filter((one) => one !== 'input')];
    if (field[0] === 'input') return [{ field: path, message, code: 'HANDLE_NOT_UNIQUE' }];
    const code = 'INVALID_PRODUCT';
    const [words, limit] = message.split(' is too long ');
    if (limit === undefined) return [{ field: path, message, code }];
    if (words !== 'Title') return [{ field: ['input'], message, code }];
    const own = { field: path, message: `is too long ${limit}`, code };
    // The handle is made of the title, and as long as that.
    const derived = { field: ['input'], message: `Handle is too long ${limit}`, code };
    return handle == null ? [own, derived] : [own];
  });
}

const TAKEN = 'has already been taken';

/** A category of the taxonomy of products that there is not. */
class NoCategoryError extends Error {
  readonly extensions = { code: 'INVALID_PRODUCT_TAXONOMY_NODE_ID' };

  constructor() {
    super('Invalid product_taxonomy_node_id');
  }
}

/** The categories at the top of the taxonomy of products. */
const VERTICALS =
  /^(?:aa|ae|ap|bi|bt|bu|co|el|fb|fr|gc|ha|hb|hg|lb|ma|me|na|os|pa|rc|se|sg|so|tg|vp)(?:-\d+)*$/;

/**
 * Refuses a category that is in no part of the taxonomy of products.
 * @see https://shopify.github.io/product-taxonomy/
 * @throws NoCategoryError
 */
export function demandCategory(category: string | null | undefined): void {
  const node = /^gid:\/\/shopify\/TaxonomyCategory\/(.+)$/.exec(category ?? '')?.[1];
  if (category != null && !VERTICALS.test(node ?? '')) throw new NoCategoryError();
}
