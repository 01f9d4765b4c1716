import { globalId, idOf } from '../../base/vendor.js';
import type { NodeStore } from '../../state/nodes/node-store.js';
import type { Product } from '../../state/products/product.js';
import type { ProductCatalog } from '../../state/products/product-catalog.js';
import { demandScope, type ApiCall } from '../admin-api/admin-api-access.js';
import { startedJob } from '../nodes/job.resolvers.js';
import {
  addMedia,
  forgetMedia,
  mediaOf,
  setMedia,
  type MediaError,
  type MediaFields,
} from './product-media.js';
import { productView, variantView } from './product.views.js';
import { variantOf } from './variant-input.js';

interface CreateArgs {
  productId: string;
  media: readonly MediaFields[];
}

interface UpdateArgs {
  productId: string;
  media: ReadonlyArray<{ id: string; alt?: string | null }>;
}

interface DeleteArgs {
  productId: string;
  mediaIds: readonly string[];
}

interface ReorderArgs {
  id: string;
  moves: ReadonlyArray<{ id: string; newPosition: string | number }>;
}

interface VariantMediaArgs {
  productId: string;
  variantMedia: readonly VariantMedia[];
}

interface VariantMedia {
  readonly variantId: string;
  readonly mediaIds: readonly string[];
}

/** The part of a shop that the media of products are kept in. */
interface MediaShop {
  readonly catalog: ProductCatalog;
  readonly nodes: NodeStore;
}

const MOST_PAIRS = 100;

/**
 * The resolvers of the mutations of the media of products and of their variants, for one caller.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/productCreateMedia
 */
export function mediaRoot(shop: MediaShop, call: ApiCall): Record<string, unknown> {
  const { catalog, nodes } = shop;
  const productOf = (field: string, id: string): Product | undefined => {
    demandScope(call, field, 'write_products');
    return catalog.find(idOf('Product', id) ?? NaN);
  };
  const view = (id: string): object => ({ __typename: nodes.find(id)?.type, id });
  /** The platform tells errors of media twice, with and without their codes. */
  const told = (errors: readonly MediaError[]): object => ({
    mediaUserErrors: errors,
    userErrors: errors.map(({ field, message }) => ({ field, message })),
  });
  const missing = (id: string, media: readonly string[]): readonly string[] => {
    const known = mediaOf(nodes, id);
    return media.filter((one) => !known.includes(one));
  };

  const onVariants =
    (field: string, isAppended: boolean) =>
    ({ productId, variantMedia }: VariantMediaArgs): object => {
      const product = productOf(field, productId);
      const errors = product
        ? pairErrors(product, variantMedia, nodes, isAppended)
        : [noProduct('productId')];
      if (!product || errors.length > 0)
        return { product: null, productVariants: null, userErrors: errors };
      for (const { variantId, mediaIds } of variantMedia)
        setMedia(
          nodes,
          variantId,
          isAppended
            ? [...mediaOf(nodes, variantId), ...mediaIds]
            : mediaOf(nodes, variantId).filter((id) => !mediaIds.includes(id)),
        );
      catalog.changed(product);
      const changed = variantMedia.flatMap(({ variantId }) => variantOf(product, variantId) ?? []);
      return {
        product: productView(product),
        productVariants: changed.map((variant) => variantView(product, variant)),
        userErrors: [],
      };
    };

  return {
    productCreateMedia: ({ productId, media }: CreateArgs) => {
      const product = productOf('productCreateMedia', productId);
      if (!product) return { media: null, product: null, ...told([noProduct('productId')]) };
      const { added, errors } = addMedia(nodes, productId, media);
      if (added.length > 0) catalog.changed(product);
      return { media: added.map(view), product: productView(product), ...told(errors) };
    },

    productUpdateMedia: ({ productId, media }: UpdateArgs) => {
      const product = productOf('productUpdateMedia', productId);
      if (!product) return { media: null, product: null, ...told([noProduct('productId')]) };
      const ids = media.map(({ id }) => id);
      const unknown = missing(productId, ids);
      if (unknown.length > 0)
        return { media: null, product: null, ...told([noMedia('media', unknown)]) };
      for (const { id, alt } of media) {
        const image = nodes.fieldsOf(id)['image'];
        if (alt != null)
          nodes.update(id, { alt, ...(image ? { image: { ...image, altText: alt } } : {}) });
      }
      if (ids.length > 0) catalog.changed(product);
      return { media: ids.map(view), product: productView(product), ...told([]) };
    },

    productDeleteMedia: ({ productId, mediaIds }: DeleteArgs) => {
      const product = productOf('productDeleteMedia', productId);
      const refused = (error: MediaError): object => ({
        deletedMediaIds: null,
        deletedProductImageIds: null,
        product: null,
        ...told([error]),
      });
      if (!product) return refused(noProduct('productId'));
      const unknown = missing(productId, mediaIds);
      if (unknown.length > 0) return refused(noMedia('mediaIds', unknown));
      const variants = product.variants.map(({ id }) => globalId('ProductVariant', id));
      forgetMedia(nodes, [productId, ...variants], [...mediaIds]);
      for (const id of mediaIds) nodes.delete(id);
      if (mediaIds.length > 0) catalog.changed(product);
      return {
        deletedMediaIds: mediaIds,
        deletedProductImageIds: mediaIds.flatMap((id) => {
          const number = idOf('MediaImage', id);
          return number === undefined ? [] : [globalId('ProductImage', number)];
        }),
        product: productView(product),
        ...told([]),
      };
    },

    productReorderMedia: ({ id, moves }: ReorderArgs) => {
      const product = productOf('productReorderMedia', id);
      if (!product) return { job: null, ...told([noProduct('id')]) };
      const media = mediaOf(nodes, id);
      for (const { id: moved, newPosition } of moves) {
        const at = media.indexOf(moved);
        // The platform passes over what it does not know.
        if (at >= 0) media.splice(Number(newPosition), 0, ...media.splice(at, 1));
      }
      setMedia(nodes, id, media);
      catalog.changed(product);
      return { job: startedJob(nodes), ...told([]) };
    },

    productVariantAppendMedia: onVariants('productVariantAppendMedia', true),
    productVariantDetachMedia: onVariants('productVariantDetachMedia', false),
  };
}

/** Why media are not appended to variants, or taken off them. */
function pairErrors(
  product: Product,
  pairs: readonly VariantMedia[],
  nodes: NodeStore,
  isAppended: boolean,
): MediaError[] {
  if (pairs.length > MOST_PAIRS)
    return [
      {
        field: ['variantMedia'],
        message: `Exceeded ${MOST_PAIRS} variant-media pairs per mutation.`,
        code: 'MAXIMUM_VARIANT_MEDIA_PAIRS_EXCEEDED',
      },
    ];
  const ofProduct = mediaOf(nodes, globalId('Product', product.id));
  return pairs.flatMap(({ variantId, mediaIds }, index) => {
    const own = mediaOf(nodes, variantId);
    const isOnSome = (test: (id: string) => boolean): boolean => mediaIds.some(test);
    const isRepeated = pairs.findLastIndex((one) => one.variantId === variantId) > index;
    const problems: ReadonlyArray<readonly [keyof typeof PAIR_PROBLEMS, boolean]> = [
      ['TOO_MANY_MEDIA_PER_INPUT_PAIR', mediaIds.length > 1],
      ['PRODUCT_VARIANT_SPECIFIED_MULTIPLE_TIMES', isRepeated],
      ['PRODUCT_VARIANT_DOES_NOT_EXIST_ON_PRODUCT', !variantOf(product, variantId)],
      ['MEDIA_DOES_NOT_EXIST_ON_PRODUCT', isOnSome((id) => !ofProduct.includes(id))],
      ['MEDIA_IS_NOT_ATTACHED_TO_VARIANT', !isAppended && isOnSome((id) => !own.includes(id))],
      ['INVALID_MEDIA_TYPE', isAppended && isOnSome((id) => nodes.find(id)?.type !== 'MediaImage')],
      ['NON_READY_MEDIA', isAppended && isOnSome((id) => nodes.fieldsOf(id)['status'] !== 'READY')],
      ['PRODUCT_VARIANT_ALREADY_HAS_MEDIA', isAppended && own.length > 0],
    ];
    const problem = problems.find(([, isMet]) => isMet)?.[0];
    if (!problem) return [];
    const [name, message] = PAIR_PROBLEMS[problem];
    return [{ field: ['variantMedia', String(index), name], message, code: problem }];
  });
}

const PAIR_PROBLEMS = {
  TOO_MANY_MEDIA_PER_INPUT_PAIR: ['mediaIds', 'Only one mediaId is allowed per media input.'],
  PRODUCT_VARIANT_SPECIFIED_MULTIPLE_TIMES: [
    'variantId',
    'Variant was specified in more than one media input.',
  ],
  PRODUCT_VARIANT_DOES_NOT_EXIST_ON_PRODUCT: [
    'variantId',
    'Variant does not exist on the specified product.',
  ],
  MEDIA_DOES_NOT_EXIST_ON_PRODUCT: ['mediaIds', 'Media does not exist on the specified product.'],
  MEDIA_IS_NOT_ATTACHED_TO_VARIANT: [
    'variantId',
    'The specified media is not attached to the specified variant.',
  ],
  INVALID_MEDIA_TYPE: ['mediaIds', 'Non-image media cannot be attached to variants.'],
  NON_READY_MEDIA: ['mediaIds', 'Non-ready media cannot be attached to variants.'],
  PRODUCT_VARIANT_ALREADY_HAS_MEDIA: ['variantId', 'The given variant already has attached media.'],
} as const;

function noProduct(field: string): MediaError {
  return { field: [field], message: 'Product does not exist', code: 'PRODUCT_DOES_NOT_EXIST' };
}

function noMedia(field: string, ids: readonly string[]): MediaError {
  const words = ids.length > 1 ? `ids ${ids.join(',')} do not` : `id ${String(ids[0])} does not`;
  return { field: [field], message: `Media ${words} exist`, code: 'MEDIA_DOES_NOT_EXIST' };
}
