import type { ApiLimits } from '../base/rate-limits.js';
import type { BulkDuration } from './bulk/bulk-operation.js';
import type { SeedProduct } from './products/product.js';
import type { ShopIdentityOptions } from './shop/shop-identity.js';

/** Options of a shop. */
export interface DevShopOptions extends ShopIdentityOptions {
  /** @default six products */
  products?: readonly SeedProduct[];
  /** The rate limits of each app. @default the platform's */
  limits?: Partial<ApiLimits>;
  /** How long a bulk operation runs. @default the platform's */
  bulkDuration?: BulkDuration;
}
