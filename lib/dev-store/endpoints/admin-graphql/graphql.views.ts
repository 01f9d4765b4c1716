import type { DevShop } from '../../dev-shop.js';
import { connection, type ConnectionArgs } from '../../graphql/graphql.connection.js';
import type { GraphqlContext } from '../../graphql/graphql.engine.js';
import { isoTime } from '../../base/iso-time.js';
import type { Product, ProductVariant } from '../../state/products/product-catalog.js';
import { globalId } from '../../base/vendor.js';
import { addressOf, constantOf, type WebhookEndpoint, type WebhookSubscription } from '../../state/webhooks/webhook-subscriptions.js';

/** The number of something, as the schema counts. */
export function countView(count: number, limit = Infinity): object {
  return count > limit ? { count: limit, precision: 'AT_LEAST' } : { count, precision: 'EXACT' };
}

/** A shop as the schema describes it. */
export function shopView(shop: DevShop): object {
  const { first_name, last_name } = shop.user;
  const url = `https://${shop.domain}`;
  return {
    __typename: 'Shop',
    id: globalId('Shop', shop.id),
    name: shop.name,
    email: shop.email,
    contactEmail: shop.email,
    myshopifyDomain: shop.domain,
    url,
    shopOwnerName: `${first_name} ${last_name}`,
    currencyCode: 'EUR',
    ianaTimezone: 'Etc/UTC',
    createdAt: isoTime(shop.createdAt),
    plan: { partnerDevelopment: true, publicDisplayName: 'Development', shopifyPlus: false },
    primaryDomain: { __typename: 'Domain', id: globalId('Domain', shop.id), host: shop.domain, sslEnabled: true, url },
  };
}

/** A product as the schema describes it. */
export function productView(product: Product): object {
  const text = product.descriptionHtml
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return {
    __typename: 'Product',
    ...identity('Product', product),
    title: product.title,
    descriptionHtml: product.descriptionHtml,
    description: ({ truncateAt }: { truncateAt?: number }) =>
      truncateAt && text.length > truncateAt ? `${text.slice(0, Math.max(0, truncateAt - 3))}...` : text,
    vendor: product.vendor,
    productType: product.productType,
    handle: product.handle,
    status: product.status.toUpperCase(),
    tags: product.tags,
    publishedAt: product.status === 'active' ? isoTime(product.createdAt) : null,
    totalInventory: 0,
    hasOnlyDefaultVariant: product.variants.length === 1 && product.variants[0]?.title === 'Default Title',
    variants: (args: ConnectionArgs, context: GraphqlContext) =>
      connection(product.variants, args, context, (variant) => variantView(product, variant)),
    variantsCount: countView(product.variants.length),
  };
}

function variantView(product: Product, variant: ProductVariant): object {
  return {
    __typename: 'ProductVariant',
    ...identity('ProductVariant', variant),
    title: variant.title,
    displayName: `${product.title} - ${variant.title}`,
    price: variant.price,
    sku: variant.sku,
    position: variant.position,
    inventoryQuantity: 0,
    product: () => productView(product),
  };
}

/** A webhook subscription as the schema describes it. */
export function subscriptionView(subscription: WebhookSubscription): object {
  const { apiVersion } = subscription;
  const address = addressOf(subscription.endpoint);
  return {
    __typename: 'WebhookSubscription',
    ...identity('WebhookSubscription', subscription),
    topic: constantOf(subscription),
    uri: address,
    callbackUrl: address,
    endpoint: endpointView(subscription.endpoint),
    includeFields: subscription.includeFields,
    metafieldNamespaces: subscription.metafieldNamespaces,
    filter: subscription.filter,
    name: subscription.name,
    format: subscription.format.toUpperCase(),
    apiVersion: { handle: apiVersion, displayName: apiVersion, supported: true },
  };
}

function endpointView(endpoint: WebhookEndpoint): object {
  switch (endpoint.kind) {
    case 'http':
      return { __typename: 'WebhookHttpEndpoint', callbackUrl: endpoint.callbackUrl };
    case 'eventbridge':
      return { __typename: 'WebhookEventBridgeEndpoint', arn: endpoint.arn };
    case 'pubsub':
      return { __typename: 'WebhookPubSubEndpoint', pubSubProject: endpoint.project, pubSubTopic: endpoint.topic };
  }
}

function identity(type: string, resource: { id: number; createdAt: Date; updatedAt: Date }): object {
  return {
    id: globalId(type, resource.id),
    legacyResourceId: String(resource.id),
    createdAt: isoTime(resource.createdAt),
    updatedAt: isoTime(resource.updatedAt),
  };
}
