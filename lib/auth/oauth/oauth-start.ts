import type { PlatformConfig } from '../../core/config/platform-config.js';
import { isFramed, queryShop, wantsDocument } from '../../core/http/inbound-request.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import type { PlatformLogger } from '../../core/logger.js';
import { sanitizeShop } from '../../core/shop-domain.js';
import { bearerToken } from '../credentials/session-token.verifier.js';
import { deniedForOAuthError, deniedForShop } from '../responses/auth-responses.js';
import type { AuthDenied, AuthRedirect } from '../responses/auth-responses.js';
import type { AuthUrls } from '../responses/auth-urls.js';
import { deniedForCrawler } from '../responses/crawlers.js';
import { askForStart, mayLieBelowBasePath } from '../responses/install-addresses.js';
import type { CodeGrant, GrantStart } from './code-grant.js';

/** How a grant is begun. */
export interface BeginOptions {
  /** @default the `shop` in the query */
  readonly shop?: string | undefined;
  /** Requests a user's token. @default false */
  readonly isOnline?: boolean | undefined;
  /** @default the configured one */
  readonly callbackPath?: string | undefined;
}

/** Sends merchants to the consent page of their shop. */
export class OAuthStart {
  constructor(
    private readonly config: PlatformConfig,
    private readonly logger: PlatformLogger,
    private readonly grant: CodeGrant,
    private readonly urls: AuthUrls,
  ) {}

  /**
   * Redirects to the consent page; out of the admin's frame first, where it does not load: a script
   * there has App Bridge do it. Crawlers are denied.
   */
  begin(
    request: InboundRequest,
    { shop: given, isOnline = false, callbackPath }: BeginOptions = {},
  ): AuthRedirect | AuthDenied {
    const shop = given === undefined ? queryShop(request) : sanitizeShop(given);
    if (shop === undefined || shop === null) return deniedForShop(shop);
    const refused = deniedForCrawler(request, this.logger);
    if (refused) return refused;
    if (!this.config.isCustomStoreApp) {
      if (isFramed(request)) return this.#outOfFrame(request, shop);
      if (mayLieBelowBasePath(request, this.config)) return askForStart(request, shop, this.config);
    }
    return this.toConsent({
      shop,
      callbackPath: callbackPath ?? this.config.paths.authCallback,
      isOnline,
    });
  }

  /** Redirects to the consent page, whatever frame the request comes from. */
  toConsent(start: GrantStart): AuthRedirect | AuthDenied {
    const { shop, isOnline } = start;
    try {
      this.logger.info('Beginning OAuth', { shop, isOnline });
      return this.grant.begin(start);
    } catch (error) {
      return deniedForOAuthError(error);
    }
  }

  #outOfFrame(request: InboundRequest, shop: string): AuthRedirect | AuthDenied {
    const start = this.urls.begin(request, shop);
    // A proxy may authenticate pages with a header of its own: the browser counts.
    return bearerToken(request) === undefined || wantsDocument(request)
      ? this.urls.exitIframe(request, shop, start)
      : this.urls.reauthorize(start, 'leave_app', 'The window has to leave the app.');
  }
}
