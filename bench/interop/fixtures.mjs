// What all apps have in common: who they are, what they sell, and what they ask the platform for.
import { BillingInterval } from '@shopify/shopify-api';

export const APP = {
  apiKey: 'interop-key',
  apiSecretKey: 'interop-secret',
  apiVersion: '2026-07',
  scopes: ['unauthenticated_read_product_listings', 'write_app_proxy', 'write_products'],
};
/** What the app answers of the storefront's addresses: those below `/apps/reviews`. */
export const PROXY = { url: '/proxy', subpath: 'reviews' };
export const SHOP = 'dev-shop.myshopify.com';
export const PLAN = 'Pro';
export const BILLING = {
  [PLAN]: {
    lineItems: [{ amount: 10, currencyCode: 'USD', interval: BillingInterval.Every30Days }],
  },
};
/** Nothing but errors; the packages write a line for every call otherwise. */
export const LOGGER = { level: 0 };

/** The topics that every app handles; `app/uninstalled` is one of the Express package's own. */
export const TOPICS = ['PRODUCTS_CREATE', 'APP_UNINSTALLED'];

/** What an app answers for a call, given a function that executes GraphQL: `{ data, errors }`. */
export const CALLS = {
  async shop(graphql) {
    const { data } = await graphql(`
      query Shop {
        shop {
          name
          myshopifyDomain
        }
      }
    `);
    return data.shop;
  },

  async count(graphql) {
    const { data } = await graphql(`
      query Count {
        productsCount {
          count
        }
      }
    `);
    return data.productsCount;
  },

  /** What the button of the official templates does: a product, and then the price of its variant. */
  async demo(graphql) {
    const created = await graphql(
      `
        mutation AddSnowboard($product: ProductCreateInput!) {
          productCreate(product: $product) {
            product {
              id
              title
              handle
              status
              variants(first: 10) {
                edges {
                  node {
                    id
                    price
                    barcode
                    createdAt
                  }
                }
              }
            }
          }
        }
      `,
      { product: { title: 'Yellow Snowboard' } },
    );
    const { product } = created.data.productCreate;
    const variants = [{ id: product.variants.edges[0].node.id, price: '100.00' }];
    const priced = await graphql(
      `
        mutation PriceSnowboard($productId: ID!, $variants: [ProductVariantsBulkInput!]!) {
          productVariantsBulkUpdate(productId: $productId, variants: $variants) {
            productVariants {
              id
              price
              barcode
              createdAt
            }
          }
        }
      `,
      { productId: product.id, variants },
    );
    return { product, variant: priced.data.productVariantsBulkUpdate.productVariants[0] };
  },
};
