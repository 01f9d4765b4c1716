import type { Clock } from '../../core/time/clock.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { SecretKeys } from '../../core/crypto/secret-keys.js';
import { denied } from '../../core/decision.js';
import type { DeniedDecision } from '../../core/decision.js';
import { queryShop } from '../../core/http/inbound-request.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import {
  decodeHost,
  legacyUrlToShopAdminUrl,
  sanitizeShop,
  shopNamedBy,
} from '../../core/shop-domain.js';
import { QUERY, APP_BRIDGE_HEADERS } from '../../core/vendor.js';
import type { AuthRedirect } from './auth-responses.js';

/**
 * The parameters that the admin adds to the app's URL. They must not be passed on: some of them
 * prove who the user is.
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
/** Those of them that a page needs to load again inside the admin. */
const FRAME_PARAMETERS: readonly string[] = ['shop', 'host', 'embedded', 'locale'];

/**
 * Query parameter of a page that was loaded again with a fresh session token: when, in seconds
 * since the epoch. The page that fetches the token adds it.
 */
export const BOUNCED = 'bounced-at';
/**
 * How long a page is not redirected again, in seconds. Shorter than a session token lives: when the
 * same address is loaded later, it may be.
 */
const BOUNCE_INTERVAL = 30;

const VISIBLE = /^[\x21-\x7e]+$/;

/** How the address of a window is handed on. */
export interface LeaveOptions {
  /**
   * As it is written, when it has visible characters of ASCII only. @default false: as a parser of
   * addresses writes it
   */
  readonly verbatim?: boolean | undefined;
}

/** The addresses that auth sends browsers to, and the checks of those that requests ask for. */
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
   * Redirects to the page that takes the whole window to `target`, out of the admin's frame. The
   * signature proves to that page that the target is ours.
   */
  exitIframe(request: InboundRequest, shop: string | null, target: string): AuthRedirect {
    const query = new URLSearchParams({
      ...(shop !== null && { shop, host: hostFor(request, shop) }),
      ...this.#exitQuery(target, shop),
    });
    return {
      kind: 'redirect',
      location: `${this.config.paths.exitIframe}?${query}`,
      reason: 'exit_iframe',
    };
  }

  #exitQuery(target: string, shop: string | null): Record<string, string> {
    const { appUrl, conventions, isCustomStoreApp } = this.config;
    const url = new URL(target, appUrl);
    const sig = this.keys.sign(exitMessage(target), 'base64url', 'cookie');
    if (conventions.exitParameter === 'redirectUri')
      return { embedded: '1', redirectUri: target, sig };
    // A path that begins with two slashes would be the address of another host.
    if (url.origin === appUrl && URL.canParse(target))
      return {
        exitIframe: url.pathname.startsWith('//') ? url.href : url.href.slice(appUrl.length),
      };
    // The page leads to the shop of the request by itself.
    const needsProof = shop === null || isCustomStoreApp || !this.#isOfShop(url, shop);
    return { exitIframe: target, ...(needsProof && { sig }) };
  }

  /**
   * The target of a request for the exit page, when we signed it, or it leads to the app, or to the
   * shop that the request names, also in the admin, and that shop has the app. `null` for every
   * other target: anybody can make such a request.
   * @param hasApp called last; its rejections are passed on
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

  /** What a window is told to leave for: an http(s) address or a path of the app, else `null`. */
  target(url: string, { verbatim = false }: LeaveOptions = {}): string | null {
    const target = this.resolve(url);
    return target && verbatim && VISIBLE.test(url) ? url : (target?.href ?? null);
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
   * Redirects to the page where App Bridge fetches a fresh session token and then loads this one
   * again, marked by {@link markedReload}.
   */
  bounce(request: InboundRequest, shop: string): AuthRedirect {
    const own = ownParameters(request.url, FRAME_PARAMETERS);
    const query = withParameter(
      withParameter(own, QUERY.shop, shop),
      QUERY.host,
      hostFor(request, shop),
    );
    query.set(QUERY.reload, `${this.config.appPath(request.url.pathname)}?${query}`);
    return {
      kind: 'redirect',
      location: `${this.config.paths.sessionToken}?${query}`,
      reason: 'session_token_needed',
    };
  }

  /**
   * The address at which a page in a frame is loaded with a fresh session token; `undefined` when
   * that has just been tried.
   */
  reloadInFrame(request: InboundRequest): string | undefined {
    if (this.hasJustBounced(request)) return undefined;
    const query = ownParameters(request.url, FRAME_PARAMETERS);
    return this.markedReload(`${this.config.appPath(request.url.pathname)}?${query}`);
  }

  /** The page to load with a fresh session token, for which {@link hasJustBounced} is true. */
  markedReload(target: string): string {
    const url = new URL(target);
    const query = [...withoutParameters(url.searchParams, [BOUNCED])];
    url.search = String(new URLSearchParams([...query, [BOUNCED, String(this.#seconds())]]));
    return url.href;
  }

  /** True for a page that was just redirected to fetch a session token. */
  hasJustBounced(request: InboundRequest): boolean {
    const at = request.url.searchParams.get(BOUNCED);
    return at !== null && Math.abs(this.#seconds() - Number(at)) < BOUNCE_INTERVAL;
  }

  /**
   * The page that a request for the session-token page loads again; `null` when it is not a page of
   * the app, `undefined` when none is named.
   */
  reloadTarget(request: InboundRequest): string | null | undefined {
    const given = request.url.searchParams.get(QUERY.reload);
    if (given === null) return undefined;
    const target = this.resolve(given);
    return target?.origin === this.config.appUrl ? target.href : null;
  }

  /**
   * Redirects to the requested page inside the admin of `shop`, or, without `keepPage`, to the
   * app's home there.
   */
  embeddedApp(
    request: InboundRequest,
    shop: string,
    { keepPage }: { readonly keepPage: boolean },
  ): AuthRedirect {
    const home = this.config.embeddedAppUrl(hostFor(request, shop));
    const query = ownParameters(request.url);
    const page = request.url.pathname === '/' ? '' : request.url.pathname;
    const location = keepPage ? home + page + (query.size > 0 ? `?${query}` : '') : home;
    return { kind: 'redirect', location, reason: 'embed_app' };
  }

  /**
   * Tells App Bridge where the window has to go, for a `fetch`, which cannot follow a redirect out
   * of the frame.
   */
  reauthorize<Reason extends string>(
    url: string,
    reason: Reason,
    message: string,
  ): DeniedDecision<Reason> {
    return denied(this.config.conventions.reauthorizeStatus, reason, message, [
      [APP_BRIDGE_HEADERS.reauthorize, '1'],
      [APP_BRIDGE_HEADERS.reauthorizeUrl, url],
      [
        'access-control-expose-headers',
        `${APP_BRIDGE_HEADERS.reauthorize}, ${APP_BRIDGE_HEADERS.reauthorizeUrl}`,
      ],
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
 * The `host` of the request when it belongs to `shop`, else one made from the shop's name: a
 * foreign `host` must not lead the browser elsewhere.
 */
export function hostFor(request: InboundRequest, shop: string): string {
  const host = request.url.searchParams.get(QUERY.host) ?? '';
  const address = decodeHost(host);
  if (address !== null && shopNamedBy(address) === shop) return host;
  return Buffer.from(legacyUrlToShopAdminUrl(shop) ?? `${shop}/admin`).toString('base64');
}

/**
 * The address of a page, to load it again or to link to it: without the parameters that are valid
 * for one load, such as those that prove who the user is.
 */
export function reloadableAddress(address: URL): URL {
  const url = new URL(address);
  url.search = String(ownParameters(address, FRAME_PARAMETERS));
  return url;
}

/** The query without the parameters of the admin and of auth, except `kept`. */
function ownParameters(address: URL, kept: readonly string[] = []): URLSearchParams {
  const ours = [...ADMIN_PARAMETERS, QUERY.idToken, QUERY.reload, BOUNCED].filter(
    (name) => !kept.includes(name),
  );
  return withoutParameters(address.searchParams, ours);
}

/**
 * The query with one value of a parameter, in place of its first. `set()` is as slow as `delete()`.
 */
function withParameter(query: URLSearchParams, name: string, value: string): URLSearchParams {
  const others = [...withoutParameters(query, [name])];
  const first = [...query.keys()].indexOf(name);
  const at = first < 0 ? others.length : first;
  return new URLSearchParams([...others.slice(0, at), [name, value], ...others.slice(at)]);
}

/**
 * The query without some of its parameters. `delete()` takes quadratic time for one that occurs
 * thousands of times.
 */
export function withoutParameters(
  query: URLSearchParams,
  names: readonly string[],
): URLSearchParams {
  return new URLSearchParams([...query].filter(([name]) => !names.includes(name)));
}
