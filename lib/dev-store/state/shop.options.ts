import type { ApiLimits } from '../base/api-limits.js';
import type { AppRegistry } from '../base/app-registry.js';
import type { BulkDuration } from './bulk/bulk-operation.js';
import type { OwnResolvers } from './nodes/own-resolvers.js';
import type { SeedProduct } from './products/product.js';
import type { ShopIdentityOptions } from './shop/shop-identity.js';
import type { WebhookSimulator } from './webhooks/webhook.simulator.js';

/** Options of a shop. */
export interface DevShopOptions extends ShopIdentityOptions {
  /** @default six products */
  products?: readonly SeedProduct[];
  /** The rate limits of each app. @default the platform's */
  limits?: Partial<ApiLimits>;
  /** How long a bulk operation runs. @default the platform's */
  bulkDuration?: BulkDuration;
}

/** What all shops of one simulated platform share. */
export interface Platform {
  apps: AppRegistry;
  webhooks: WebhookSimulator;
  now: () => Date;
  /** Sends the requests to apps. */
  fetch: typeof fetch;
  limits: Partial<ApiLimits>;
  bulkDuration: BulkDuration;
  resolvers: OwnResolvers;
}
