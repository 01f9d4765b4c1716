import { sanitizeShop } from '../core/shop-domain.js';

/**
 * Id of the session that holds a shop's offline token: `offline_<shop>`.
 * @throws {InvalidShopError} when `shop` is no shop
 */
export function offlineSessionId(shop: string): string {
  return `offline_${sanitizeShop(shop, true)}`;
}

/**
 * Id of the session that holds a user's online token in an embedded app: `<shop>_<user id>`.
 * @throws {InvalidShopError} when `shop` is no shop
 */
export function onlineSessionId(shop: string, userId: string | number): string {
  return `${sanitizeShop(shop, true)}_${userId}`;
}
