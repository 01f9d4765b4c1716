import { normalizedPath } from '../../core/config/platform-config.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import { isFramed } from '../../core/http/inbound-request.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import { sanitizeShop } from '../../core/shop-domain.js';
import { QUERY } from '../../core/vendor.js';
import type { AuthRedirect } from './auth-responses.js';
import { hostFor } from './auth-urls.js';
import type { AuthUrls } from './auth-urls.js';

/** Query parameter of the exit page: the window that asks is in no frame. */
const WINDOW = 'window';
const OWN_WINDOW = 'own';

/** The page of the admin on which a shop installs the app, or grants it further scopes. */
export function installPage(config: PlatformConfig, shop: string): string {
  return config.adminPage(
    shop,
    `/oauth/install?${new URLSearchParams({ client_id: config.apiKey })}`,
  );
}

/**
 * True for a page of a host whose router may have put a base path in front of the app's own paths:
 * where that ends is not known, nor whether the start of OAuth can be reached. The link of the
 * platform to an app that it does not install by itself is none: the admin would lead back to it.
 */
export function mayLieBelowBasePath(request: InboundRequest, config: PlatformConfig): boolean {
  const { conventions, paths } = config;
  return (
    conventions.belowBasePath &&
    paths.match(request.path) !== 'auth' &&
    !request.url.searchParams.has('hmac')
  );
}

/**
 * Redirects such a page to the exit page, by a path that the router puts its base path in front of:
 * there {@link startAsked} knows where OAuth can begin.
 */
export function askForStart(
  request: InboundRequest,
  shop: string,
  { paths }: PlatformConfig,
): AuthRedirect {
  const host = hostFor(request, shop);
  const start = `${paths.auth}?${new URLSearchParams({ shop, host })}`;
  const query = new URLSearchParams({ shop, host, exitIframe: start, [WINDOW]: OWN_WINDOW });
  return { kind: 'redirect', location: `${paths.exitIframe}?${query}`, reason: 'begin_oauth' };
}

/** Where OAuth begins for a request of the exit page that asks for its start. */
interface AskedStart {
  readonly url: string;
  /** Whether the window can be redirected, as it is in no frame. */
  readonly isWindow: boolean;
}

/**
 * The start of OAuth, for a request of the exit page that leads there: the path of the app, or,
 * below a base path, the admin's install page, as the platform redirects to registered addresses of
 * the app only. `undefined` for every other target.
 */
export function startAsked(
  request: InboundRequest,
  config: PlatformConfig,
  urls: AuthUrls,
): AskedStart | undefined {
  const { conventions, paths } = config;
  if (!conventions.belowBasePath || config.isCustomStoreApp) return undefined;
  const query = request.url.searchParams;
  const [path, asked] = query.get('exitIframe')?.split('?', 2) ?? [];
  if (path !== paths.auth) return undefined;
  const shop = sanitizeShop(new URLSearchParams(asked).get(QUERY.shop));
  if (shop === null) return undefined;
  const isWindow = query.get(WINDOW) === OWN_WINDOW && !isFramed(request);
  const isBelow = normalizedPath(request.path) !== paths.exitIframe;
  return { url: isBelow ? installPage(config, shop) : urls.begin(request, shop), isWindow };
}
