import { BotActivityDetected } from '../../auth/auth.errors.js';
import { sessionCookie } from '../../auth/credentials/session-cookie.js';
import type { SessionCookieContext } from '../../auth/credentials/session-cookie.js';
import type { CodeGrant } from '../../auth/oauth/code-grant.js';
import { deniedForCrawler } from '../../auth/responses/crawlers.js';
import { replyTo } from '../../core/http/inbound-request.js';
import type { PlatformLogger } from '../../core/logger.js';
import { sanitizeShop } from '../../core/shop-domain.js';
import type { Session } from '../../sessions/session.js';
import { addRawHeaders, assertAnswerable, inboundOf, sendRaw } from './raw-request.js';
import type { RawExchange } from './raw-request.js';

/** How a grant is begun by hand. */
export interface BeginParams extends RawExchange {
  readonly shop: string;
  /** Where the merchant returns to: a path of the app that calls `auth.callback`. */
  readonly callbackPath: string;
  /** Asks for the token of a user instead of the app's own. */
  readonly isOnline: boolean;
}

/** How a grant is completed by hand. */
export interface CallbackParams extends RawExchange {
  /** Of an offline token. @default the app's `expiringOfflineAccessTokens` */
  readonly expiring?: boolean | undefined;
}

/**
 * A completed grant, whose session is not stored yet.
 * @typeParam Sent what is known of `headers`: `Headers` for a web `Request`
 */
export interface CallbackResult<Sent = Headers | undefined> {
  /** For the web `Response` of the app; undefined where they are on Node's response already. */
  readonly headers: Sent;
  readonly session: Session;
}

/** What {@link RawOAuth} works with. */
interface RawOAuthDependencies extends SessionCookieContext {
  readonly grant: CodeGrant;
  readonly logger: PlatformLogger;
}

const GONE = { status: 410, headers: [], body: '' } as const;

/** The grant for apps that store sessions and send merchants on by themselves. */
export class RawOAuth {
  constructor(private readonly dependencies: RawOAuthDependencies) {}

  /** Sends the browser to the consent page of a shop; a crawler is answered 410. */
  async begin({ shop, callbackPath, isOnline, ...raw }: BeginParams) {
    const { config, grant, logger } = this.dependencies;
    const domain = sanitizeShop(shop, true);
    const request = inboundOf(raw.rawRequest, config);
    const decision = grant.begin({ shop: domain, callbackPath, isOnline });
    if (deniedForCrawler(request, logger)) return sendRaw(raw, GONE);
    logger.info('Beginning OAuth', { shop: domain, isOnline });
    return sendRaw(raw, replyTo(request, decision, config));
  }

  /** Verifies the return of a merchant and trades its code for a session. */
  async callback({ expiring, ...raw }: CallbackParams): Promise<CallbackResult> {
    const { config, grant, logger } = this.dependencies;
    const request = inboundOf(raw.rawRequest, config);
    if (deniedForCrawler(request, logger))
      throw new BotActivityDetected('A crawler requested the OAuth callback.');
    assertAnswerable(raw);
    const verified = grant.verify(request);
    const { session } = await grant.redeem(verified, { expiring });
    logger.info('Authenticated a shop', { shop: session.shop, isOnline: session.isOnline });
    const headers = addRawHeaders(raw, [
      ...grant.expireState(verified.shop, request.url.pathname),
      ...(config.isEmbeddedApp ? [] : sessionCookie(session, this.dependencies)),
    ]);
    return { headers, session };
  }
}
