import { isoTime } from '../../base/iso-time.js';
import { globalId } from '../../base/vendor.js';
import type { NodeFields, NodeStore } from '../nodes/node-store.js';
import type { Product, ProductVariant } from './product.js';
import { productPayload, variantPayload } from './product-payload.js';

/** An image of a product in REST responses; it has the number of its medium. */
export type ProductImage = Record<string, unknown> & { readonly id: number };

/** The media of a product that are images. */
export function imagesOf(nodes: NodeStore, product: Product): ProductImage[] {
  const shown = product.variants.map(({ id }) => ({
    id,
    media: mediaOf(nodes, 'ProductVariant', id),
  }));
  return mediaOf(nodes, 'Product', product.id)
    .flatMap((id) => {
      const node = nodes.find(id);
      return node?.type === 'MediaImage' ? [node] : [];
    })
    .map(({ id, number, fields, createdAt, updatedAt }, index) => {
      const { url, width, height, altText } = Object(fields['image']) as NodeFields;
      return {
        ...{ id: number, alt: fields['alt'] ?? altText ?? null, position: index + 1 },
        product_id: product.id,
        created_at: isoTime(createdAt),
        updated_at: isoTime(updatedAt),
        admin_graphql_api_id: globalId('ProductImage', number),
        ...{ width: width ?? null, height: height ?? null, src: url ?? fields['originalSource'] },
        variant_ids: shown.filter(({ media }) => media.includes(id)).map((one) => one.id),
      };
    });
}

/** A product in REST responses and webhook payloads, with its images. */
export function productResource(product: Product, nodes: NodeStore): Record<string, unknown> {
  const images = imagesOf(nodes, product);
  return {
    ...productPayload(product),
    variants: product.variants.map((variant) => variantResource(product, variant, nodes)),
    images,
    image: images[0] ?? null,
  };
}

/** A variant in REST responses and webhook payloads, with its image. */
export function variantResource(
  product: Product,
  variant: ProductVariant,
  nodes: NodeStore,
): Record<string, unknown> {
  const media = mediaOf(nodes, 'ProductVariant', variant.id);
  const image = media.map((id) => nodes.find(id)).find((node) => node?.type === 'MediaImage');
  return { ...variantPayload(product, variant), image_id: image?.number ?? null };
}

function mediaOf(nodes: NodeStore, type: string, id: number): readonly string[] {
  const { media } = nodes.fieldsOf(globalId(type, id));
  return Array.isArray(media) ? (media as string[]) : [];
}
