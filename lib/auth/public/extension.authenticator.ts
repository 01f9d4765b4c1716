import type { PlatformConfig } from '../../core/config/platform-config.js';
import { InvalidJwtError } from '../../core/core.errors.js';
import { denied } from '../../core/decision.js';
import type { DeniedDecision, HeaderList } from '../../core/decision.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import type { PlatformLogger } from '../../core/logger.js';
import type { Telemetry } from '../../core/telemetry/telemetry.js';
import { corsHeaders, preflight } from '../admin/admin-cors.js';
import type { PreflightDecision } from '../admin/admin-cors.js';
import { bearerToken } from '../credentials/session-token.verifier.js';
import type { ExtensionTokenPayload } from '../credentials/session-token.js';
import type { SessionTokenVerifier } from '../credentials/session-token.verifier.js';
import { deniedForCrawler } from '../responses/crawlers.js';

/** Where an extension runs that calls the app. */
export type ExtensionSurface = 'checkout' | 'customer_account' | 'pos';

/** How an extension may call the app. */
export interface ExtensionOptions {
  /** Headers that its requests may have besides `Authorization` and `Content-Type`. */
  readonly corsHeaders?: readonly string[] | undefined;
}

/** Why a request of an extension is denied. */
type ExtensionDenyReason = 'crawler' | 'session_token_missing' | 'session_token_invalid';

/** A request of an extension, with the token that the platform has issued to it. */
interface ExtensionGranted {
  readonly kind: 'granted';
  readonly sessionToken: ExtensionTokenPayload;
  /** The shop that the token was issued in. */
  readonly shop: string;
  /** For the response: they make it readable for the extension. */
  readonly headers: HeaderList;
}

/** The decision about a request of an extension. */
type ExtensionDecision = ExtensionGranted | PreflightDecision | DeniedDecision<ExtensionDenyReason>;

/** What an {@link ExtensionAuthenticator} works with. */
interface ExtensionAuthenticatorDependencies {
  readonly config: PlatformConfig;
  readonly logger: PlatformLogger;
  readonly sessionTokens: SessionTokenVerifier;
  readonly telemetry: Telemetry;
}

/**
 * Authenticates requests of extensions that run outside of the admin, by the session token in their
 * `Authorization` header. They come from other origins: every decision carries the headers that let
 * the extension read its response.
 * @see
 * https://shopify.dev/docs/api/checkout-ui-extensions/latest/target-apis/platform-apis/session-token-api
 */
export class ExtensionAuthenticator {
  constructor(private readonly dependencies: ExtensionAuthenticatorDependencies) {}

  /**
   * Decides about a request. The audience of its token is not checked, and no session is loaded:
   * who sends it need not be a user of the shop's admin.
   */
  authenticate(
    request: InboundRequest,
    surface: ExtensionSurface,
    options: ExtensionOptions = {},
  ): ExtensionDecision {
    const { instruments } = this.dependencies.telemetry;
    return instruments
      ? instruments.decision(surface, () => this.#decide(request, surface, options))
      : this.#decide(request, surface, options);
  }

  #decide(
    request: InboundRequest,
    surface: ExtensionSurface,
    { corsHeaders: allowed }: ExtensionOptions,
  ): ExtensionDecision {
    const { config, logger, sessionTokens } = this.dependencies;
    const headers = corsHeaders(request, config, { allowed });
    const deny = (reason: ExtensionDenyReason, message: string): ExtensionDecision => {
      logger.info('A request of an extension was refused', { surface, reason });
      return denied(401, reason, message, headers);
    };
    const crawler = deniedForCrawler(request, logger);
    if (crawler) return denied(crawler.status, 'crawler', crawler.message, headers);
    const early = preflight(request, config, { allowed });
    if (early) return early;
    const token = bearerToken(request);
    if (token === undefined)
      return deny(
        'session_token_missing',
        'This request needs the session token of the extension in its Authorization header.',
      );
    try {
      const { payload, shop } = sessionTokens.verifiedOfExtension(token);
      return { kind: 'granted', sessionToken: payload, shop, headers };
    } catch (error) {
      if (!(error instanceof InvalidJwtError)) throw error;
      return deny('session_token_invalid', error.message);
    }
  }
}
