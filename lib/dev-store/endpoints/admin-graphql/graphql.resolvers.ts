import type { ApiBuckets } from '../../base/api-limits.js';
import type { AppRegistry } from '../../base/app-registry.js';
import { idOf } from '../../base/vendor.js';
import { AccessDenied } from '../../graphql/graphql-access.js';
import { connection, type ConnectionArgs } from '../../graphql/graphql.connection.js';
import type { GraphqlContext } from '../../graphql/graphql-engine.js';
import { countView } from '../../graphql/graphql.views.js';
import type { AccessTokens } from '../../state/apps/access-tokens.js';
import type { ProductChange, ProductInput } from '../../state/products/product.js';
import type { ProductCatalog } from '../../state/products/product-catalog.js';
import {
  addressOf,
  constantOf,
  type SubscriptionChange,
  type SubscriptionInput,
  type WebhookSubscriptions,
} from '../../state/webhooks/webhook-subscriptions.js';
import { mayUse, subscriptionCaller, type ApiCall } from '../admin-api/admin-api-access.js';
import { billingNode } from '../billing/billing.views.js';
import { bulkOperationView, type BulkShop } from '../bulk/bulk-view.js';
import { PRODUCT_ORDER, searchProducts } from '../products/product-search.js';
import { productView } from '../products/product.views.js';
import { variantNode } from '../products/variants.resolvers.js';
import { appView, installationView, type AppShop } from './app.views.js';
import { shopView, subscriptionView } from './graphql.views.js';

/** The part of a shop that the Admin GraphQL API reads and changes. */
export interface AdminGraphqlShop extends AppShop, BulkShop {
  readonly tokens: AccessTokens;
  readonly buckets: ApiBuckets;
  readonly catalog: ProductCatalog;
  readonly webhooks: WebhookSubscriptions;
}

interface ProductFields {
  id?: string | null;
  title?: string | null;
  descriptionHtml?: string | null;
  vendor?: string | null;
  productType?: string | null;
  handle?: string | null;
  status?: 'ACTIVE' | 'ARCHIVED' | 'DRAFT' | 'UNLISTED' | null;
  tags?: string[] | null;
}

interface SubscriptionFields {
  callbackUrl?: string | null;
  uri?: string | null;
  arn?: string | null;
  pubSubProject?: string;
  pubSubTopic?: string;
  includeFields?: string[] | null;
  metafieldNamespaces?: string[] | null;
  metafields?: ReadonlyArray<{ namespace?: string | null; key: string }> | null;
  filter?: string | null;
  format?: 'JSON' | 'XML' | null;
  name?: string | null;
}

interface ProductsArgs extends ConnectionArgs {
  query?: string | null;
  sortKey?: keyof typeof PRODUCT_ORDER | null;
}

interface SubscriptionsArgs extends ConnectionArgs {
  topics?: string[] | null;
  uri?: string | null;
}

/**
 * The resolvers of `QueryRoot` and `Mutation` for one call. Names and arguments are those of the
 * schema.
 */
export function adminRoot(
  shop: AdminGraphqlShop,
  call: ApiCall,
  apps: AppRegistry,
): Record<string, unknown> {
  const { token } = call;
  const demand = (field: string, scope: string): void => {
    if (!mayUse(call, scope)) throw new AccessDenied(field, scope);
  };
  const nodeOf = (id: string): object | null => {
    const product = shop.catalog.find(idOf('Product', id) ?? NaN);
    const variant = variantNode(shop.catalog, id);
    if (product || variant) demand('node', 'read_products');
    if (variant) return variant;
    const subscription = shop.webhooks.find(token.apiKey, idOf('WebhookSubscription', id) ?? NaN);
    if (product) return productView(product);
    if (subscription) return subscriptionView(subscription);
    const operation = shop.bulk.find(token.apiKey, idOf('BulkOperation', id) ?? NaN);
    if (operation) return bulkOperationView(shop, operation);
    return (
      billingNode(shop.billing, token.apiKey, id) ??
      (idOf('Shop', id) === shop.id ? shopView(shop) : null)
    );
  };
  const subscriptions = ({ topics, uri }: SubscriptionsArgs) =>
    shop.webhooks
      .of(token.apiKey)
      .filter(
        (one) =>
          (!topics || topics.includes(constantOf(one))) &&
          (!uri || addressOf(one.endpoint) === uri),
      );
  const appId = apps.get(token.apiKey)?.id ?? 0;
  const createSubscription = (args: {
    topic: string;
    webhookSubscription: SubscriptionFields;
  }): object =>
    subscriptionPayload(
      shop.webhooks.create(
        subscriptionCaller(call),
        args.topic,
        subscriptionInput(args.webhookSubscription, appId),
      ),
    );
  const updateSubscription = (args: {
    id: string;
    webhookSubscription: SubscriptionFields;
  }): object => {
    const id = idOf('WebhookSubscription', args.id) ?? NaN;
    return subscriptionPayload(
      shop.webhooks.update(token.apiKey, id, subscriptionInput(args.webhookSubscription, appId)),
    );
  };

  return {
    shop: () => shopView(shop),
    node: ({ id }: { id: string }) => nodeOf(id),
    nodes: ({ ids }: { ids: string[] }) => ids.map(nodeOf),
    app: ({ id }: { id?: string | null }) => {
      const app =
        id == null
          ? apps.require(token.apiKey)
          : apps.all().find((one) => one.id === idOf('App', id));
      return app ? appView(shop, app) : null;
    },
    currentAppInstallation: () => installationView(shop, apps.require(token.apiKey)),

    product: ({ id }: { id: string }) => {
      demand('product', 'read_products');
      const product = shop.catalog.find(idOf('Product', id) ?? NaN);
      return product ? productView(product) : null;
    },
    products: (args: ProductsArgs, context: GraphqlContext) => {
      demand('products', 'read_products');
      const found = [...searchProducts(shop.catalog.all(), args.query)].sort(
        PRODUCT_ORDER[args.sortKey ?? 'ID'],
      );
      return connection(found, args, context, productView);
    },
    productsCount: ({ query, limit }: { query?: string | null; limit?: number | null }) => {
      demand('productsCount', 'read_products');
      return countView(searchProducts(shop.catalog.all(), query).length, limit ?? undefined);
    },
    productCreate: (args: { product?: ProductFields | null; input?: ProductFields | null }) => {
      demand('productCreate', 'write_products');
      return {
        ...productPayload(shop.catalog.create(productInput(args.product ?? args.input ?? {}))),
        shop: shopView(shop),
      };
    },
    productUpdate: (args: { product?: ProductFields | null; input?: ProductFields | null }) => {
      demand('productUpdate', 'write_products');
      const fields = args.product ?? args.input ?? {};
      return productPayload(
        shop.catalog.update(idOf('Product', fields.id ?? '') ?? NaN, productInput(fields)),
      );
    },
    productDelete: ({ input }: { input: { id: string } }) => {
      demand('productDelete', 'write_products');
      const deleted = shop.catalog.delete(idOf('Product', input.id) ?? NaN);
      return {
        deletedProductId: deleted ? input.id : null,
        shop: shopView(shop),
        userErrors: deleted ? [] : [NO_PRODUCT],
      };
    },

    webhookSubscription: ({ id }: { id: string }) => {
      const subscription = shop.webhooks.find(token.apiKey, idOf('WebhookSubscription', id) ?? NaN);
      return subscription ? subscriptionView(subscription) : null;
    },
    webhookSubscriptions: (args: SubscriptionsArgs, context: GraphqlContext) =>
      connection(subscriptions(args), args, context, subscriptionView),
    webhookSubscriptionsCount: ({ limit }: { limit?: number | null }) =>
      countView(subscriptions({}).length, limit ?? undefined),
    webhookSubscriptionCreate: createSubscription,
    eventBridgeWebhookSubscriptionCreate: createSubscription,
    pubSubWebhookSubscriptionCreate: createSubscription,
    webhookSubscriptionUpdate: updateSubscription,
    eventBridgeWebhookSubscriptionUpdate: updateSubscription,
    pubSubWebhookSubscriptionUpdate: updateSubscription,
    webhookSubscriptionDelete: ({ id }: { id: string }) => {
      const deleted = shop.webhooks.delete(token.apiKey, idOf('WebhookSubscription', id) ?? NaN);
      return {
        deletedWebhookSubscriptionId: deleted ? id : null,
        userErrors: deleted ? [] : [NO_SUBSCRIPTION],
      };
    },
  };
}

const NO_PRODUCT = { field: ['id'], message: 'Product does not exist' };
const NO_SUBSCRIPTION = { field: ['id'], message: 'Webhook subscription does not exist' };

/** The fields that are set: null in the input means "no change". */
function productInput(fields: ProductFields): ProductInput {
  const input: ProductInput = {};
  if (fields.title != null) input.title = fields.title;
  if (fields.descriptionHtml != null) input.descriptionHtml = fields.descriptionHtml;
  if (fields.vendor != null) input.vendor = fields.vendor;
  if (fields.productType != null) input.productType = fields.productType;
  if (fields.handle != null) input.handle = fields.handle;
  if (fields.tags != null) input.tags = fields.tags;
  if (fields.status != null)
    input.status = fields.status.toLowerCase() as Lowercase<NonNullable<ProductFields['status']>>;
  return input;
}

function productPayload(change: ProductChange | undefined): object {
  if (!change) return { product: null, userErrors: [NO_PRODUCT] };
  const userErrors = (change.problems ?? []).map(({ field, message }) => ({
    field: [field],
    message: `${capital(field)} ${message}`,
  }));
  return { product: change.product ? productView(change.product) : null, userErrors };
}

/** @param appId number of the app: part of the namespace that is reserved for its metafields */
function subscriptionInput(fields: SubscriptionFields, appId: number): SubscriptionInput {
  const input: SubscriptionInput = {};
  const pubSub =
    fields.pubSubProject === undefined
      ? undefined
      : `pubsub://${fields.pubSubProject}:${fields.pubSubTopic}`;
  const address = fields.uri ?? fields.callbackUrl ?? fields.arn ?? pubSub;
  if (address !== undefined) input.address = address;
  if (fields.includeFields) input.includeFields = fields.includeFields;
  if (fields.metafieldNamespaces) input.metafieldNamespaces = fields.metafieldNamespaces;
  if (fields.metafields)
    input.metafields = fields.metafields.map(({ namespace, key }) => ({
      namespace: (namespace ?? '$app').replace(/^\$app(?=$|:)/, `app--${appId}`).replace(':', '--'),
      key,
    }));
  if (fields.filter !== undefined) input.filter = fields.filter;
  if (fields.name !== undefined) input.name = fields.name;
  if (fields.format) input.format = fields.format === 'XML' ? 'xml' : 'json';
  return input;
}

function subscriptionPayload(change: SubscriptionChange | undefined): object {
  if (!change) return { webhookSubscription: null, userErrors: [NO_SUBSCRIPTION] };
  if (change.subscription)
    return { webhookSubscription: subscriptionView(change.subscription), userErrors: [] };
  const { field, message } = change.problem;
  const userError =
    field === 'topic'
      ? { field: ['topic'], message }
      : { field: ['webhookSubscription', 'callbackUrl'], message: `Address ${message}` };
  return { webhookSubscription: null, userErrors: [userError] };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
