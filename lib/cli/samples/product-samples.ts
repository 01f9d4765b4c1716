import type {
  CollectionPayload,
  ProductImagePayload,
  ProductPayload,
  ProductVariantPayload,
} from '../../webhooks/payloads/product-payload.js';
import { CREATED, UPDATED, globalId } from './sample-values.js';

const PRODUCT = 788032119674;
const VARIANT = 642667041472;
const IMAGE = 384028349005;

const image: ProductImagePayload = {
  id: IMAGE,
  admin_graphql_api_id: globalId('ProductImage', IMAGE),
  product_id: PRODUCT,
  position: 1,
  alt: 'A folded T-shirt',
  width: 1200,
  height: 900,
  src: 'https://cdn.example.com/t-shirt.png',
  variant_ids: [],
  created_at: CREATED,
  updated_at: CREATED,
};

const variant: ProductVariantPayload = {
  id: VARIANT,
  admin_graphql_api_id: globalId('ProductVariant', VARIANT),
  product_id: PRODUCT,
  title: 'Small',
  price: '19.99',
  compare_at_price: '24.99',
  sku: 'T-SHIRT-S',
  barcode: null,
  position: 1,
  inventory_policy: 'deny',
  inventory_item_id: 271878346596,
  inventory_quantity: 75,
  old_inventory_quantity: 75,
  option1: 'Small',
  option2: null,
  option3: null,
  taxable: true,
  image_id: null,
  created_at: CREATED,
  updated_at: UPDATED,
};

/** A product with one variant and one image. */
export const productSample: ProductPayload = {
  id: PRODUCT,
  admin_graphql_api_id: globalId('Product', PRODUCT),
  title: 'Example T-Shirt',
  body_html: '<p>A T-shirt of heavy cotton.</p>',
  handle: 'example-t-shirt',
  vendor: 'Acme',
  product_type: 'Shirts',
  status: 'active',
  tags: 'cotton, summer',
  template_suffix: null,
  published_scope: 'web',
  published_at: CREATED,
  created_at: CREATED,
  updated_at: UPDATED,
  variants: [variant],
  options: [
    { id: 527050010214, product_id: PRODUCT, name: 'Size', position: 1, values: ['Small'] },
  ],
  images: [image],
  image,
  media: [
    {
      id: 20,
      admin_graphql_api_id: globalId('MediaImage', 20),
      product_id: PRODUCT,
      position: 1,
      alt: image.alt,
      status: 'READY',
      media_content_type: 'IMAGE',
      preview_image: { width: image.width, height: image.height, src: image.src, status: 'READY' },
      variant_ids: [],
      created_at: CREATED,
      updated_at: CREATED,
    },
  ],
  variant_gids: [{ admin_graphql_api_id: variant.admin_graphql_api_id, updated_at: UPDATED }],
  has_variants_that_requires_components: false,
  category: {
    admin_graphql_api_id: globalId('TaxonomyCategory', 'aa-1-13-8'),
    name: 'T-Shirts',
    full_name: 'Apparel & Accessories > Clothing > Clothing Tops > T-Shirts',
  },
};

/** A collection. */
export const collectionSample: CollectionPayload = {
  id: 408372092144,
  admin_graphql_api_id: globalId('Collection', 408372092144),
  handle: 'shirts',
  title: 'Shirts',
  body_html: null,
  sort_order: 'manual',
  template_suffix: null,
  published_scope: 'web',
  published_at: CREATED,
  updated_at: UPDATED,
};
