import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { HeaderList } from '../../core/decision.js';
import { CSP, frameAncestors } from '../../core/http/content-security-policy.js';

/** What a page of the app says about itself beside who may frame it. */
export interface DocumentHeadersOptions {
  /** Has the browser fetch App Bridge early. @default false */
  readonly preload?: boolean | undefined;
  /**
   * For a page of an embedded app that names no shop: nobody may frame it (`deny`), or its policy
   * stays as it is (`keep`). @default 'deny'
   */
  readonly withoutShop?: 'deny' | 'keep' | undefined;
}

/**
 * The headers of a page of the app: the shop and the admin may frame it, and nobody else.
 * @param shop `null` when it is not known
 */
export function documentHeaders(
  config: PlatformConfig,
  shop: string | null,
  { preload = false, withoutShop = 'deny' }: DocumentHeadersOptions = {},
): HeaderList {
  if (shop === null && config.isEmbeddedApp && withoutShop === 'keep') return [];
  const policy = [CSP, frameAncestors(config, shop)] as const;
  return preload && shop !== null
    ? [['link', `<${config.appBridgeUrl(shop)}>; rel="preload"; as="script";`], policy]
    : [policy];
}
