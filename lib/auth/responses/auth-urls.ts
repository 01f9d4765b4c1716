import type { Clock } from '../../core/time/clock.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { SecretKeys } from '../../core/crypto/secret-keys.js';
import type { DeniedDecision, RedirectDecision } from '../../core/decision.js';
import { denied } from '../../core/decision.js';
import { queryShop } from '../../core/http/inbound-request.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import {
  decodeHost,
  legacyUrlToShopAdminUrl,
  sanitizeShop,
  shopNamedBy,
} from '../../core/shop-domain.js';
import { HEADERS, QUERY } from '../../core/vendor.js';

/**
 * What the admin adds to the app's URL by itself, and must never be passed on: some of it proves
 * who the user is.
 */
const ADMIN_PARAMETERS = [
  'shop',
  'host',
  'embedded',
  'hmac',
  'timestamp',
  'session',
  'locale',
  'protocol',
  'appLoadId',
];
/** Of those, what a page needs to find itself again inside the admin. */
const FRAME_PARAMETERS: readonly string[] = ['shop', 'host', 'embedded', 'locale'];

/**
 * Query parameter of a page that has been away for a session token: when it was sent there, in
 * seconds since the epoch.
 */
const BOUNCED = 'bounced-at';
/**
 * In seconds. Shorter than a session token lives: a page that is loaded again later, under the same
 * address, may bounce anew.
 */
const IN_A_ROW = 30;

/**
 * Every address the auth room sends a browser to, and the check of those it is asked to send one
 * to.
 */
export class AuthUrls {
  constructor(
    private readonly config: PlatformConfig,
    private readonly keys: SecretKeys,
    private readonly clock: Clock,
  ) {}

  /** Absolute address at which the OAuth grant of a shop begins. */
  begin(request: InboundRequest, shop: string): string {
    return `${this.config.appPath(this.config.paths.auth)}?${new URLSearchParams({ shop, host: hostFor(request, shop) })}`;
  }

  /**
   * To the page that takes the whole window to `target`, out of the admin's frame. The signature
   * lets that page believe us.
   */
  exitIframe(request: InboundRequest, shop: string | null, target: string): RedirectDecision {
    const query = new URLSearchParams({
      ...(shop !== null && { shop, host: hostFor(request, shop) }),
      embedded: '1',
      redirectUri: target,
      sig: this.keys.sign(exitMessage(target), 'base64url', 'cookie'),
    });
    return {
      kind: 'redirect',
      location: `${this.config.paths.exitIframe}?${query}`,
      reason: 'exit_iframe',
    };
  }

  /**
   * Where a request for the exit page wants to go, when that is signed by us, the app itself, or
   * the shop that the request names and its place in the admin, provided that it has the app;
   * `null` for everything else: anybody can make such a request.
   * @param hasApp asked last; what it rejects with is passed on
   */
  async exitTarget(
    request: InboundRequest,
    hasApp: (shop: string) => Promise<boolean>,
  ): Promise<string | null> {
    const query = request.url.searchParams;
    const given = query.get('redirectUri') ?? query.get('exitIframe');
    const target = this.resolve(given);
    if (given === null || target === null) return null;
    if (this.keys.verify(exitMessage(given), query.get('sig') ?? '', 'base64url', 'cookie'))
      return target.href;
    if (target.origin === this.config.appUrl) return target.href;
    const shop = queryShop(request);
    if (!shop || !this.#isOfShop(target, shop)) return null;
    return (await hasApp(shop)) ? target.href : null;
  }

  #isOfShop(target: URL, shop: string): boolean {
    if (target.origin === new URL(this.config.shopOrigin(shop)).origin) return true;
    const [, section, name] = target.pathname.split('/', 3);
    return (
      target.protocol === 'https:' && sanitizeShop(`${target.host}/${section}/${name}`) === shop
    );
  }

  /** An address or a path of the app as an http(s) URL; `null` for everything else. */
  resolve(url: string | null): URL | null {
    if (!url || !URL.canParse(url, this.config.appUrl)) return null;
    const target = new URL(url, this.config.appUrl);
    return /^https?:$/.test(target.protocol) && target.username === '' && target.password === ''
      ? target
      : null;
  }

  /**
   * To the page where App Bridge fetches a fresh session token and then loads this one again,
   * marked by {@link hasJustBounced}.
   */
  bounce(request: InboundRequest, shop: string): RedirectDecision {
    const own = ownParameters(request.url, FRAME_PARAMETERS);
    const query = withParameter(
      withParameter(own, QUERY.shop, shop),
      QUERY.host,
      hostFor(request, shop),
    );
    const reload = new URLSearchParams([...query, [BOUNCED, String(this.#seconds())]]);
    query.set(QUERY.reload, `${this.config.appPath(request.url.pathname)}?${reload}`);
    return {
      kind: 'redirect',
      location: `${this.config.paths.sessionToken}?${query}`,
      reason: 'session_token_needed',
    };
  }

  /** True for a page that has only just been sent to fetch a session token. */
  hasJustBounced(request: InboundRequest): boolean {
    const at = request.url.searchParams.get(BOUNCED);
    return at !== null && Math.abs(this.#seconds() - Number(at)) < IN_A_ROW;
  }

  /**
   * The page a request for the session-token page wants to see again; `null` when it is not one of
   * the app's.
   */
  reloadTarget(request: InboundRequest): string | null {
    const target = this.resolve(request.url.searchParams.get(QUERY.reload));
    return target?.origin === this.config.appUrl ? target.href : null;
  }

  /**
   * The page that was asked for, inside the admin of `shop`; the app's home there when no page is
   * to be kept.
   */
  embeddedApp(
    request: InboundRequest,
    shop: string,
    { keepPage }: { readonly keepPage: boolean },
  ): RedirectDecision {
    const home = this.config.embeddedAppUrl(hostFor(request, shop));
    const query = ownParameters(request.url);
    const page = request.url.pathname === '/' ? '' : request.url.pathname;
    const location = keepPage ? home + page + (query.size > 0 ? `?${query}` : '') : home;
    return { kind: 'redirect', location, reason: 'embed_app' };
  }

  /**
   * Tells a `fetch`, which cannot follow a redirect out of the frame, where the window has to go.
   */
  reauthorize(url: string, reason: string, message: string): DeniedDecision {
    return denied(403, reason, message, [
      [HEADERS.reauthorize, '1'],
      [HEADERS.reauthorizeUrl, url],
      ['access-control-expose-headers', `${HEADERS.reauthorize}, ${HEADERS.reauthorizeUrl}`],
    ]);
  }

  #seconds(): number {
    return Math.floor(this.clock.now().getTime() / 1000);
  }
}

function exitMessage(target: string): string {
  return `exit-iframe ${target}`;
}

/**
 * The `host` the request came with when it belongs to `shop`, else one made from the shop's name: a
 * foreign one must not lead the browser away.
 */
export function hostFor(request: InboundRequest, shop: string): string {
  const host = request.url.searchParams.get(QUERY.host) ?? '';
  const address = decodeHost(host);
  if (address !== null && shopNamedBy(address) === shop) return host;
  return Buffer.from(legacyUrlToShopAdminUrl(shop) ?? `${shop}/admin`).toString('base64');
}

/**
 * A page's address, to load it again or to link to it: without what was good for one load only,
 * such as what proves who the user is.
 */
export function reloadableAddress(address: URL): URL {
  const url = new URL(address);
  url.search = String(ownParameters(address, FRAME_PARAMETERS));
  return url;
}

/** The query without what the admin or we put there, but for `kept`. */
function ownParameters(address: URL, kept: readonly string[] = []): URLSearchParams {
  const ours = [...ADMIN_PARAMETERS, QUERY.idToken, QUERY.reload, BOUNCED].filter(
    (name) => !kept.includes(name),
  );
  return withoutParameters(address.searchParams, ours);
}

/**
 * The query with one value of a parameter, where its first stood. `set()` is as slow as `delete()`.
 */
function withParameter(query: URLSearchParams, name: string, value: string): URLSearchParams {
  const others = [...withoutParameters(query, [name])];
  const first = [...query.keys()].indexOf(name);
  const at = first < 0 ? others.length : first;
  return new URLSearchParams([...others.slice(0, at), [name, value], ...others.slice(at)]);
}

/**
 * The query without some of its parameters. `delete()` takes quadratic time for one that is there
 * thousands of times.
 */
export function withoutParameters(
  query: URLSearchParams,
  names: readonly string[],
): URLSearchParams {
  return new URLSearchParams([...query].filter(([name]) => !names.includes(name)));
}
