import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import { isFramed } from '../../core/http/inbound-request.js';
import { ADMIN_LINK, QUERY, APP_BRIDGE_HEADERS } from '../../core/vendor.js';
import { bearerToken } from '../credentials/session-token.verifier.js';
import { BOUNCED } from '../responses/auth-urls.js';

/** The window a redirect of the app is for. */
export type RedirectTarget = '_self' | '_parent' | '_top' | '_blank';

/** How a redirect of the app reaches its window. */
export type AdminRedirect =
  /** The browser follows it. */
  | { readonly kind: 'follow'; readonly location: string }
  /** A page of App Bridge opens it. */
  | { readonly kind: 'open'; readonly url: string; readonly target: RedirectTarget }
  /** The script that sent the request has to open it, or it is no address of the web. */
  | { readonly kind: 'leave'; readonly url: string };

/** Parameters of the frame that a page of the admin itself has no use for. */
const OF_THE_FRAME: ReadonlySet<string> = new Set([
  'hmac',
  'locale',
  'protocol',
  'session',
  QUERY.idToken,
  QUERY.shop,
  'timestamp',
  QUERY.host,
  QUERY.embedded,
  'appLoadId',
]);

/**
 * Decides where a redirect of an authenticated request goes. Pages of the app get the parameters of
 * the request, with which they load inside the admin.
 * @param url of the app, of the web, or a link into the admin
 * @param target @default `_parent` for a page of the admin, else `_self`
 */
export function adminRedirect(
  request: InboundRequest,
  config: PlatformConfig,
  shop: string,
  url: string,
  target?: RedirectTarget,
): AdminRedirect {
  const isOfAdmin = ADMIN_LINK.test(url);
  // What begins with two slashes is an address of another host.
  const isPath = /^\/(?![/\\])/.test(url);
  const own = isPath ? config.paths.page(url) : url;
  const address = isOfAdmin ? adminPage(url, shop, config) : own;
  if (!URL.canParse(address, config.appUrl)) return { kind: 'leave', url };
  const location = new URL(address, config.appUrl);
  if (!/^https?:$/.test(location.protocol) || location.username || location.password)
    return { kind: 'leave', url };
  const isOwn = location.origin === config.appUrl;
  const window = target ?? (isOfAdmin ? '_parent' : '_self');
  const isScript = bearerToken(request) !== undefined;
  // App Bridge loads the page itself, and shows what it is answered.
  const isBounce = isScript && request.header(APP_BRIDGE_HEADERS.bounce) !== undefined;
  const isOpened = isBounce || (window !== '_self' && !isScript && isFramed(request));
  // A session token does not stand in a page: it would stay in the history of the other window.
  if (isOwn) addParameters(request.url.searchParams, location, isOpened ? [QUERY.idToken] : []);
  const { href } = location;
  if (isOpened) return { kind: 'open', url: href, target: window };
  return isScript && window !== '_self'
    ? { kind: 'leave', url: href }
    : { kind: 'follow', location: href };
}

function adminPage(link: string, shop: string, config: PlatformConfig): string {
  const path = link.replace(ADMIN_LINK, '');
  const page = new URL(config.adminPage(shop, path.startsWith('/') ? path : `/${path}`));
  const given = [...page.searchParams];
  const kept = given.filter(([name]) => !OF_THE_FRAME.has(name));
  if (kept.length < given.length) page.search = String(new URLSearchParams(kept));
  return page.href;
}

/** Adds the parameters of a request, but `others`, that an address does not have itself. */
function addParameters(from: URLSearchParams, to: URL, others: readonly string[]): void {
  const left = new Set([...to.searchParams.keys(), ...others, BOUNCED]);
  const added = [...from].filter(([name]) => !left.has(name));
  if (added.length > 0) to.search = String(new URLSearchParams([...to.searchParams, ...added]));
}
