import { attachRequest } from '../../core/session-request.js';
import { TtlCache } from '../../core/cache/ttl-cache.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { SessionTokenPayload } from '../credentials/session-token.js';
import type { VerifiedSessionToken } from '../credentials/session-token.verifier.js';
import { denied } from '../../core/decision.js';
import type { HeaderList } from '../../core/decision.js';
import { isInFrame, wantsDocument } from '../../core/http/inbound-request.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import type { PlatformLogger } from '../../core/logger.js';
import type { Clock } from '../../core/time/clock.js';
import { APP_BRIDGE_HEADERS } from '../../core/vendor.js';
import { isResponse } from '../../core/http/is-response.js';
import { Session, unattached } from '../../sessions/session.js';
import type { StorefrontClient } from '../../graphql-client/storefront-graphql.client.js';
import type { AdminContext, ShopClients } from '../clients/admin-context.js';
import type { ApiClients } from '../clients/shop-clients.js';
import type { Lifecycle } from '../lifecycle/lifecycle.js';
import type { OAuthStart } from '../oauth/oauth-start.js';
import {
  deniedForShop,
  deniedForTokenError,
  responseForHookError,
} from '../responses/auth-responses.js';
import type { AuthResponse, SessionProblem } from '../responses/auth-responses.js';
import { appBridgePage } from '../responses/app-bridge.page.js';
import type { AuthUrls } from '../responses/auth-urls.js';
import { deniedForCrawler } from '../responses/crawlers.js';
import { documentHeaders } from '../responses/document-headers.js';
import { installPage } from '../responses/install-addresses.js';

/** A request of the admin, or of a user of a non-embedded app, that may go on. */
export interface AdminGranted extends ShopClients {
  readonly kind: 'granted';
  /** The claims of the request's session token, when it came with one. */
  readonly sessionToken?: SessionTokenPayload | undefined;
  /** What the reply to a page load has to carry, such as who may frame the page. */
  readonly headers: HeaderList;
}

/** The decision about a request of the app's own pages and API. */
export type AdminDecision = AdminGranted | AuthResponse;

/** Of a shop within a minute: a token that is always rejected must not send browsers round. */
const MOST_REFUSALS = 5;

/** How a request is answered whose access token was rejected. */
export interface RefusedOptions {
  /** False when App Bridge must not repeat a `fetch` by itself. @default true */
  readonly mayRepeat?: boolean | undefined;
  /** The shop authorizes the app again, even where the request could come again. @default false */
  readonly mustReauthorize?: boolean | undefined;
}

/** A request whose clients and headers are made when they are first read. */
class Granted implements AdminGranted {
  readonly kind = 'granted';
  readonly sessionToken: SessionTokenPayload | undefined;
  readonly #request: InboundRequest;
  readonly #config: PlatformConfig;
  readonly #api: ApiClients;
  #clients: ShopClients | undefined;
  #headers: HeaderList | undefined;

  constructor(
    request: InboundRequest,
    readonly session: Session,
    token: VerifiedSessionToken | undefined,
    { config, clients }: Pick<AdminResponsesDependencies, 'config' | 'clients'>,
  ) {
    this.sessionToken = token?.payload;
    this.#request = request;
    this.#config = config;
    this.#api = clients;
  }

  /** Hosts of web requests leave them to the app: it sends its documents itself. */
  get headers(): HeaderList {
    return (this.#headers ??= wantsDocument(this.#request)
      ? documentHeaders(this.#config, this.session.shop)
      : []);
  }

  get admin(): AdminContext {
    return this.#bound.admin;
  }

  get storefront(): StorefrontClient {
    return this.#bound.storefront;
  }

  get #bound(): ShopClients {
    return (this.#clients ??= this.#api.for(this.session));
  }
}

/** What {@link AdminResponses} are made with. */
interface AdminResponsesDependencies {
  readonly config: PlatformConfig;
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  readonly clients: ApiClients;
  readonly lifecycle: Lifecycle;
  readonly urls: AuthUrls;
  readonly start: OAuthStart;
}

/** The decisions about requests of the admin, whatever their credentials. */
export class AdminResponses {
  /** How often the tokens of a shop were rejected lately. */
  readonly #refused: TtlCache<number>;

  constructor(private readonly dependencies: AdminResponsesDependencies) {
    const { clock } = dependencies;
    this.#refused = new TtlCache({ clock, lifetime: 60_000, capacity: 10_000 });
  }

  /**
   * Grants a request, once all events of the installation were delivered.
   * @param options.isGranted the session was granted with this request
   */
  async granted(
    request: InboundRequest,
    stored: Session,
    token?: VerifiedSessionToken,
    options?: { readonly isGranted: boolean },
  ): Promise<AdminDecision> {
    const { config, lifecycle } = this.dependencies;
    if (options?.isGranted || !lifecycle.isSettled(stored)) {
      const response = await this.deliverEvents(stored, options);
      if (response) return response;
    }
    // Others may have got what was granted just now: who has waited for it, and hooks.
    const session = options?.isGranted ? new Session(stored) : unattached(stored);
    attachRequest(session, { app: config, sessionToken: token?.text });
    return new Granted(request, session, token, this.dependencies);
  }

  /** Has a shop authenticate again: on the consent page, or, for a script, by App Bridge. */
  reauthorize(request: InboundRequest, shop: string, problem: SessionProblem): AuthResponse {
    const { config, logger, start, urls } = this.dependencies;
    logger.info('A shop has to be authenticated again', { shop, reason: problem });
    if (wantsDocument(request)) return start.begin(request, { shop });
    return urls.reauthorize(
      // Of a script nobody knows which base path its page lies below, nor whether it does.
      config.conventions.belowBasePath ? installPage(config, shop) : urls.begin(request, shop),
      problem,
      'The app has to be authorized again by the shop.',
    );
  }

  /**
   * Has a request come again, or its shop authenticate again, whose access token the platform has
   * rejected: the stored one has ended, so the next request gets another. `undefined` when that has
   * not helped a few times within a minute.
   */
  refused(
    request: InboundRequest,
    shop: string,
    { mayRepeat = true, mustReauthorize = false }: RefusedOptions = {},
  ): AuthResponse | undefined {
    const { config, urls } = this.dependencies;
    const before = this.#refused.get(shop) ?? 0;
    if (before >= MOST_REFUSALS) return undefined;
    this.#refused.set(shop, before + 1);
    const isPage = wantsDocument(request);
    if (!config.isEmbeddedApp || mustReauthorize || (isPage && urls.hasJustBounced(request)))
      return this.reauthorize(request, shop, 'session_expired');
    if (isPage) return urls.bounce(request, shop);
    // The app may have done half of its work: nothing else is repeated unasked.
    const isSafe = request.method === 'GET' || request.method === 'HEAD';
    return denied(
      401,
      'session_expired',
      'The platform no longer accepts the access of the app. Send the request again.',
      mayRepeat && isSafe ? [[APP_BRIDGE_HEADERS.retryInvalidSession, '1']] : [],
    );
  }

  /**
   * Redirects to the login page, if the app has one, or loads App Bridge, which knows the shop. A
   * page that was loaded again inside the admin has lost its parameters: App Bridge loads it once
   * more, with a session token.
   */
  withoutShop(request: InboundRequest, shop: null | undefined): AuthResponse {
    const { config, logger, urls } = this.dependencies;
    const refused = deniedForCrawler(request, logger);
    if (refused) return refused;
    const { loginPath, conventions } = config;
    const { pathname } = request.url;
    if (loginPath !== undefined && config.paths.isAt(pathname, loginPath))
      return denied(
        500,
        'login_route',
        `${pathname} is the login page itself: its route has to call login(), not authenticate.admin().`,
      );
    const isUnnamed = shop === undefined && config.isEmbeddedApp && isInFrame(request);
    const reload = isUnnamed ? urls.reloadInFrame(request) : undefined;
    if (reload !== undefined || conventions.withoutShop === 'app_bridge')
      return appBridgePage(config, {
        reason: 'session_token_page',
        title: 'Loading',
        shop: null,
        reload,
      });
    if (loginPath === undefined) return deniedForShop(shop);
    return { kind: 'redirect', location: loginPath, reason: 'login' };
  }

  /**
   * Delivers the pending events of the installation. Returns the response of a hook, or of its
   * failure.
   */
  async deliverEvents(
    session: Session,
    { isGranted = false }: { readonly isGranted?: boolean } = {},
  ): Promise<AuthResponse | undefined> {
    const { lifecycle, logger } = this.dependencies;
    try {
      await lifecycle.deliverPendingEvents(session, { isGranted });
      return undefined;
    } catch (error) {
      if (!isResponse(error))
        logger.error('The app failed to handle an event of an installation', {
          shop: session.shop,
          error,
        });
      return deniedForTokenError(error) ?? responseForHookError(error);
    }
  }
}
