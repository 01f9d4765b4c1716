import type { DefaultsContext } from '../../graphql/default-values.js';
import type { ShopIdentity } from '../../state/shop/shop-identity.js';

/** What the values that a shop does not have are made of. */
export function shopDefaults(
  { domain, currency, country }: ShopIdentity,
  now: () => Date,
): DefaultsContext {
  return { now, url: `https://${domain}`, currency, country };
}
