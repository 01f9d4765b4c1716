import type { PlatformConfig } from '../../core/config/platform-config.js';
import type {
  SessionTokenPayload,
  VerifiedSessionToken,
} from '../credentials/session-token.verifier.js';
import { denied } from '../../core/decision.js';
import type { HeaderList } from '../../core/decision.js';
import { wantsDocument } from '../../core/http/inbound-request.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import type { PlatformLogger } from '../../core/logger.js';
import type { Session } from '../../sessions/session.js';
import type { ShopClients } from '../clients/admin-context.js';
import type { ApiClients } from '../clients/shop-clients.js';
import type { Lifecycle } from '../lifecycle/lifecycle.js';
import type { OAuthStart } from '../oauth/oauth-start.js';
import {
  deniedForShop,
  deniedForTokenError,
  responseForHookError,
} from '../responses/auth-responses.js';
import type { AuthResponse, SessionProblem } from '../responses/auth-responses.js';
import type { AuthUrls } from '../responses/auth-urls.js';
import { documentHeaders } from '../responses/document-headers.js';

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

/** What {@link AdminResponses} are made with. */
export interface AdminResponsesDependencies {
  readonly config: PlatformConfig;
  readonly logger: PlatformLogger;
  readonly clients: ApiClients;
  readonly lifecycle: Lifecycle;
  readonly urls: AuthUrls;
  readonly start: OAuthStart;
}

/** The decisions about requests of the admin, whatever their credentials. */
export class AdminResponses {
  constructor(private readonly dependencies: AdminResponsesDependencies) {}

  /**
   * Grants a request, once all events of the installation were delivered.
   * @param options.isGranted the session was granted with this request
   */
  async granted(
    request: InboundRequest,
    session: Session,
    token?: VerifiedSessionToken,
    options?: { readonly isGranted: boolean },
  ): Promise<AdminDecision> {
    const { config, clients } = this.dependencies;
    const response = await this.deliverEvents(session, options);
    if (response) return response;
    const bound = (): ShopClients => clients.for(session, { sessionToken: token?.text });
    let made: ShopClients | undefined;
    return {
      kind: 'granted',
      session,
      get admin() {
        return (made ??= bound()).admin;
      },
      get storefront() {
        return (made ??= bound()).storefront;
      },
      headers: wantsDocument(request) ? documentHeaders(config, session.shop) : [],
      ...(token && { sessionToken: token.payload }),
    };
  }

  /** Has a shop authenticate again: on the consent page, or, for a script, by App Bridge. */
  reauthorize(request: InboundRequest, shop: string, problem: SessionProblem): AuthResponse {
    const { logger, start, urls } = this.dependencies;
    logger.info('A shop has to be authenticated again', { shop, reason: problem });
    if (wantsDocument(request)) return start.begin(request, { shop });
    return urls.reauthorize(
      urls.begin(request, shop),
      problem,
      'The app has to be authorized again by the shop.',
    );
  }

  /** Redirects to the login page, if the app has one. */
  withoutShop(request: InboundRequest, shop: null | undefined): AuthResponse {
    const { loginPath } = this.dependencies.config;
    if (loginPath === undefined) return deniedForShop(shop);
    if (request.url.pathname !== loginPath)
      return { kind: 'redirect', location: loginPath, reason: 'login' };
    return denied(
      500,
      'login_route',
      `${loginPath} is the login page itself: its route has to call login(), not authenticate.admin().`,
    );
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
      if (!(error instanceof Response))
        logger.error('The app failed to handle an event of an installation', {
          shop: session.shop,
          error,
        });
      return deniedForTokenError(error) ?? responseForHookError(error);
    }
  }
}
