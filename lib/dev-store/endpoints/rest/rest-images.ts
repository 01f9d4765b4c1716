import { globalId, WIRE } from '../../base/vendor.js';
import { jsonOf, jsonReply, type StoreReply, type StoreRequest } from '../../http/store-request.js';
import type { NodeFields, StoredNode } from '../../state/nodes/node-store.js';
import type { Product } from '../../state/products/product.js';
import { imagesOf, type ProductImage } from '../../state/products/product-images.js';
import { forgetMedia, mediaOf, setMedia } from '../products/product-media.js';
import { pageReply } from './rest-pages.js';
import {
  notFound,
  rootOf,
  selectFields,
  unprocessable,
  type RestCall,
  type RestEndpoint,
  type RestShop,
  type RestBody,
} from './rest.endpoint.js';

/** The images of products, which are those of their media that are images. */
export const REST_IMAGES: readonly RestEndpoint[] = [
  {
    method: 'GET',
    pattern: /^products\/(\d{1,15})\/images$/,
    scope: 'read_products',
    answer: withProduct(({ shop }, product, request) =>
      pageReply<ProductImage>(request, {
        ...{ key: 'images', all: imagesOf(shop.nodes, product), origin: shop.origin },
        ...{ filter: () => () => true, view: (image) => image },
      }),
    ),
  },
  {
    method: 'GET',
    pattern: /^products\/(\d{1,15})\/images\/count$/,
    scope: 'read_products',
    answer: withProduct(({ shop }, product) =>
      jsonReply(200, { count: imagesOf(shop.nodes, product).length }),
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
      remove(shop, product, id);
      shop.catalog.changed(product);
      return jsonReply(200, {});
    }),
  },
];

/** Makes the images of a product those of a body: named by their ids, or new. */
export function setImages(shop: RestShop, product: Product, images: readonly RestBody[]): void {
  const { nodes } = shop;
  const kept = images.map(({ id }) => Number(id));
  for (const { id } of imagesOf(nodes, product)) if (!kept.includes(id)) remove(shop, product, id);
  for (const [index, image] of images.entries()) {
    const id = Number(image['id']);
    const body = { ...image, position: index + 1 };
    if (imageAt(shop, product, id)) change(shop, product, id, body);
    else addImages(shop, product, [body]);
  }
}

/** Gives a variant an image of its product, or none. */
export function setImage(
  shop: RestShop,
  product: Product,
  variantId: number,
  imageId: unknown,
): void {
  const owner = globalId('ProductVariant', variantId);
  if (imageId === null) setMedia(shop.nodes, owner, []);
  else if (imageAt(shop, product, Number(imageId)))
    setMedia(shop.nodes, owner, [mediaId(Number(imageId))]);
}

/** Adds the images of a posted product; those without a source are left out. */
export function addImages(shop: RestShop, product: Product, images: readonly RestBody[]): void {
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
  const image = imagesOf(shop.nodes, product).find((one) => one.id === id);
  return image ? jsonReply(status, { image: selectFields(image, url) }) : notFound();
}

function remove({ nodes }: RestShop, product: Product, id: number): void {
  const variants = product.variants.map((one) => globalId('ProductVariant', one.id));
  forgetMedia(nodes, [globalId('Product', product.id), ...variants], [mediaId(id)]);
  nodes.delete(mediaId(id));
}

/** The image has the number of its medium. */
function mediaId(id: number): string {
  return globalId('MediaImage', id);
}

function imageAt({ nodes }: RestShop, product: Product, id: number): StoredNode | undefined {
  const media = mediaOf(nodes, globalId('Product', product.id));
  return media.includes(mediaId(id)) ? nodes.find(mediaId(id)) : undefined;
}

/** The address of a posted image; one that is attached gets an address where nothing is. */
function sourceOf({ id }: RestShop, { src, attachment, filename }: RestBody): string | undefined {
  if (typeof src === 'string') return /^https?:\/\/[^\s/]/.test(src) ? src : undefined;
  if (typeof attachment !== 'string' || attachment === '') return undefined;
  const name = encodeURIComponent(String(filename ?? 'image.png'));
  return `${WIRE.cdnOrigin}/s/files/1/${id}/products/${name}`;
}

function addImage(shop: RestShop, product: Product, body: RestBody, source: string): number {
  const { nodes } = shop;
  const owner = globalId('Product', product.id);
  const alt = body['alt'] == null ? null : String(body['alt']);
  const { id, number } = nodes.create('MediaImage', {
    ...{ alt, originalSource: source, mediaContentType: 'IMAGE' },
    ...{ status: 'READY', fileStatus: 'READY', image: { url: source, altText: alt } },
  });
  setMedia(nodes, owner, [...mediaOf(nodes, owner), id]);
  change(shop, product, number, body);
  return number;
}

/** Sets what a body says of an image: its text, its place, and the variants that it shows. */
function change({ nodes }: RestShop, product: Product, id: number, body: RestBody): void {
  const { alt, position, variant_ids: variants } = body;
  const medium = mediaId(id);
  const owner = globalId('Product', product.id);
  if (alt !== undefined) {
    const text = alt === null ? null : String(alt);
    const image = Object(nodes.fieldsOf(medium)['image']) as NodeFields;
    nodes.update(medium, { alt: text, image: { ...image, altText: text } });
  }
  if (typeof position === 'number') {
    const others = mediaOf(nodes, owner).filter((one) => one !== medium);
    const images = others.filter((one) => nodes.find(one)?.type === 'MediaImage');
    const next = images[Math.max(0, Math.trunc(position) - 1)];
    const at = next === undefined ? others.length : others.indexOf(next);
    setMedia(nodes, owner, [...others.slice(0, at), medium, ...others.slice(at)]);
  }
  if (!Array.isArray(variants)) return;
  for (const variant of product.variants) {
    const place = globalId('ProductVariant', variant.id);
    const kept = mediaOf(nodes, place).filter((one) => one !== medium);
    setMedia(nodes, place, variants.includes(variant.id) ? [medium] : kept);
  }
}
