import type { ApiLimits } from '../base/api-limits.js';
import type { AppRegistry } from '../base/app-registry.js';
import type { BulkDuration } from './bulk/bulk-operation.js';
import type { SeedProduct } from './products/product.js';
import type { ShopIdentityOptions } from './shop/shop-identity.js';
import type { WebhookSimulator } from './webhooks/webhook.simulator.js';

/** How a shop is described before it opens. */
export interface DevShopOptions extends ShopIdentityOptions {
  /** @default six products */
  products?: readonly SeedProduct[];
  /** How fast each app may call. @default the platform's */
  limits?: Partial<ApiLimits>;
  /** How long a bulk operation runs. @default the platform's */
  bulkDuration?: BulkDuration;
}

/** What every shop of one simulated platform shares. */
export interface Platform {
  apps: AppRegistry;
  webhooks: WebhookSimulator;
  now: () => Date;
  limits: Partial<ApiLimits>;
  bulkDuration: BulkDuration;
}
