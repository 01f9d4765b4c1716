import type { PlatformConfig } from '../core/config/platform.config.js';
import { FRAME_ANCESTORS } from '../core/vendor.js';

/**
 * The `Content-Security-Policy` that lets the admin of `shop`, and nobody else, put a page into a frame. Nobody at all when the app is
 * not embedded or the shop is not known.
 * @see https://shopify.dev/docs/apps/build/security/set-up-iframe-protection
 */
export function frameAncestors(config: PlatformConfig, shop: string | null): string {
  if (!config.isEmbeddedApp || shop === null) return "frame-ancestors 'none';";
  const origins = new Set([`https://${shop}`, new URL(config.shopOrigin(shop)).origin, ...FRAME_ANCESTORS]);
  return `frame-ancestors ${[...origins].join(' ')};`;
}
