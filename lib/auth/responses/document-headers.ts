import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { HeaderList } from '../../core/decision.js';
import {
  CSP,
  frameAncestors,
  frameAncestorsOfHelper,
} from '../../core/http/content-security-policy.js';
import { CDN_ORIGIN } from '../../core/vendor.js';

/** What a page of the app says about itself beside who may frame it. */
interface DocumentHeadersOptions {
  /** Has the browser fetch App Bridge early. @default false */
  readonly preload?: boolean | undefined;
  /**
   * For a page of an embedded app that names no shop: nobody may frame it (`deny`), the admin may
   * (`admin`), or its policy stays as it is (`keep`). @default 'deny'
   */
  readonly withoutShop?: 'deny' | 'admin' | 'keep' | undefined;
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
  const ancestors = withoutShop === 'admin' ? frameAncestorsOfHelper : frameAncestors;
  const policy = [CSP, ancestors(config, shop)] as const;
  return preload && shop !== null ? [['link', preloads(config, shop)], policy] : [policy];
}

/** The `Link` header of the scripts that pages of the host load. */
function preloads(config: PlatformConfig, shop: string): string {
  const { polarisUrl } = config.conventions;
  const appBridge = `<${config.appBridgeUrl(shop)}>; rel="preload"; as="script"`;
  return polarisUrl === undefined
    ? `${appBridge};`
    : `<${CDN_ORIGIN}>; rel="preconnect", ${appBridge}, <${polarisUrl}>; rel="preload"; as="script"`;
}
