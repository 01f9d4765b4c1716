import { isoTime } from '../../base/iso-time.js';
import { globalId, WIRE } from '../../base/vendor.js';
import { jsonOf, jsonReply, type StoreReply, type StoreRequest } from '../../http/store-request.js';
import type { NodeFields, StoredNode } from '../../state/nodes/node-store.js';
import type { Product } from '../../state/products/product.js';
import { productPayload } from '../../state/products/product-payload.js';
import { idsOf } from '../orders/fulfillment-orders.js';
import { pageReply } from './rest-pages.js';
import {
  notFound,
  rootOf,
  selectFields,
  unprocessable,
  type RestCall,
  type RestEndpoint,
  type RestShop,
} from './rest.endpoint.js';

type Image = Record<string, unknown> & { readonly id: number };
type Body = Readonly<Record<string, unknown>>;

/** The images of products, which are those of their media that are images. */
export const REST_IMAGES: readonly RestEndpoint[] = [
  {
    method: 'GET',
    pattern: /^products\/(\d{1,15})\/images$/,
    scope: 'read_products',
    answer: withProduct(({ shop }, product, request) =>
      pageReply<Image>(request, {
        ...{ key: 'images', all: imagesOf(shop, product), origin: shop.origin },
        ...{ filter: () => () => true, view: (image) => image },
      }),
    ),
  },
  {
    method: 'GET',
    pattern: /^products\/(\d{1,15})\/images\/count$/,
    scope: 'read_products',
    answer: withProduct(({ shop }, product) =>
      jsonReply(200, { count: imagesOf(shop, product).length }),
    ),
  },
  {
    method: 'GET',
    pattern: /^products\/(\d{1,15})\/images\/(\d{1,15})$/,
    scope: 'read_products',
    answer: withProduct(({ shop }, product, { url }, id) => imageReply(shop, product, id, url)),
  },
  {
    method: 'POST',
    pattern: /^products\/(\d{1,15})\/images$/,
    scope: 'write_products',
    answer: withProduct(({ shop }, product, request) => {
      const body = rootOf(jsonOf(request), 'image');
      const source = sourceOf(shop, body);
      if (source === undefined)
        return unprocessable([{ field: 'src', message: 'Image URL is invalid' }]);
      const id = addImage(shop, product, body, source);
      shop.catalog.changed(product);
      return imageReply(shop, product, id, request.url, 201);
    }),
  },
  {
    method: 'PUT',
    pattern: /^products\/(\d{1,15})\/images\/(\d{1,15})$/,
    scope: 'write_products',
    answer: withProduct(({ shop }, product, request, id) => {
      if (!imageAt(shop, product, id)) return notFound();
      change(shop, product, id, rootOf(jsonOf(request), 'image'));
      shop.catalog.changed(product);
      return imageReply(shop, product, id, request.url);
    }),
  },
  {
    method: 'DELETE',
    pattern: /^products\/(\d{1,15})\/images\/(\d{1,15})$/,
    scope: 'write_products',
    answer: withProduct(({ shop }, product, _request, id) => {
      if (!imageAt(shop, product, id)) return notFound();
      shop.nodes.delete(mediaId(id));
      shop.catalog.changed(product);
      return jsonReply(200, {});
    }),
  },
];

/** A product in REST responses, with its images. */
export function productResource(product: Product, shop: RestShop): Record<string, unknown> {
  const images = imagesOf(shop, product);
  const payload = productPayload(product);
  const variants = payload['variants'] as Array<Record<string, unknown>>;
  return {
    ...payload,
    variants: variants.map((variant) => {
      const own = images.find(({ variant_ids: ids }) => [ids].flat().includes(variant['id']));
      return { ...variant, image_id: own?.id ?? null };
    }),
    images,
    image: images[0] ?? null,
  };
}

/** Adds the images of a posted product; those without a source are left out. */
export function addImages(shop: RestShop, product: Product, images: readonly Body[]): void {
  for (const image of images) {
    const source = sourceOf(shop, image);
    if (source !== undefined) addImage(shop, product, image, source);
  }
}

function withProduct(
  answer: (call: RestCall, product: Product, request: StoreRequest, id: number) => StoreReply,
): RestEndpoint['answer'] {
  return (call, request, productId, id = NaN) => {
    const product = call.shop.catalog.find(productId);
    return product ? answer(call, product, request, id) : notFound();
  };
}

function imageReply(
  shop: RestShop,
  product: Product,
  id: number,
  url: URL,
  status = 200,
): StoreReply {
  const image = imagesOf(shop, product).find((one) => one.id === id);
  return image ? jsonReply(status, { image: selectFields(image, url) }) : notFound();
}

/** The image has the number of its medium. */
function mediaId(id: number): string {
  return globalId('MediaImage', id);
}

function imageAt({ nodes }: RestShop, product: Product, id: number): StoredNode | undefined {
  const { media } = nodes.fieldsOf(globalId('Product', product.id));
  return idsOf(media).includes(mediaId(id)) ? nodes.find(mediaId(id)) : undefined;
}

function imagesOf({ nodes }: RestShop, product: Product): Image[] {
  return idsOf(nodes.fieldsOf(globalId('Product', product.id))['media'])
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
        variant_ids: product.variants.flatMap((variant) =>
          idsOf(nodes.fieldsOf(globalId('ProductVariant', variant.id))['media']).includes(id)
            ? [variant.id]
            : [],
        ),
      };
    });
}

/** The address of a posted image; one that is attached gets an address where nothing is. */
function sourceOf({ id }: RestShop, { src, attachment, filename }: Body): string | undefined {
  if (typeof src === 'string') return /^https?:\/\/[^\s/]/.test(src) ? src : undefined;
  if (typeof attachment !== 'string' || attachment === '') return undefined;
  const name = encodeURIComponent(String(filename ?? 'image.png'));
  return `${WIRE.cdnOrigin}/s/files/1/${id}/products/${name}`;
}

function addImage(shop: RestShop, product: Product, body: Body, source: string): number {
  const { nodes } = shop;
  const owner = globalId('Product', product.id);
  const alt = body['alt'] == null ? null : String(body['alt']);
  const { id, number } = nodes.create('MediaImage', {
    ...{ alt, originalSource: source, mediaContentType: 'IMAGE' },
    ...{ status: 'READY', fileStatus: 'READY', image: { url: source, altText: alt } },
  });
  nodes.update(owner, { media: [...idsOf(nodes.fieldsOf(owner)['media']), id] });
  change(shop, product, number, body);
  return number;
}

/** Sets what a body says of an image: its text, its place, and the variants that it shows. */
function change({ nodes }: RestShop, product: Product, id: number, body: Body): void {
  const { alt, position, variant_ids: variants } = body;
  const medium = mediaId(id);
  const owner = globalId('Product', product.id);
  if (alt !== undefined) {
    const text = alt === null ? null : String(alt);
    const image = Object(nodes.fieldsOf(medium)['image']) as NodeFields;
    nodes.update(medium, { alt: text, image: { ...image, altText: text } });
  }
  if (typeof position === 'number') {
    const others = idsOf(nodes.fieldsOf(owner)['media']).filter((one) => one !== medium);
    const at = Math.max(0, Math.trunc(position) - 1);
    nodes.update(owner, { media: [...others.slice(0, at), medium, ...others.slice(at)] });
  }
  if (!Array.isArray(variants)) return;
  for (const variant of product.variants) {
    const place = globalId('ProductVariant', variant.id);
    const kept = idsOf(nodes.fieldsOf(place)['media']).filter((one) => one !== medium);
    const media = variants.includes(variant.id) ? [medium] : kept;
    nodes.update(place, { media });
  }
}
