import type { ApiBuckets } from '../../base/api-limits.js';
import type { AccessTokens } from '../../state/apps/access-tokens.js';
import type { Installations } from '../../state/apps/installations.js';
import type { BillingCharges } from '../../state/billing/billing.charges.js';
import type { ProductCatalog } from '../../state/products/product-catalog.js';
import type { ShopIdentity } from '../../state/shop/shop-identity.js';
import type { WebhookSubscriptions } from '../../state/webhooks/webhook-subscriptions.js';
import type { BulkShop } from '../bulk/bulk.view.js';

/** What the Admin GraphQL interface reads and changes of a shop. */
export interface AdminGraphqlShop extends ShopIdentity, BulkShop {
  readonly tokens: AccessTokens;
  readonly buckets: ApiBuckets;
  readonly catalog: ProductCatalog;
  readonly webhooks: WebhookSubscriptions;
  readonly installed: Installations;
  readonly billing: BillingCharges;
}
