import { currentSessionId } from '../../auth/credentials/current-session.js';
import type { CurrentSessionContext } from '../../auth/credentials/current-session.js';
import type { SessionKind, TokenManager } from '../../auth/tokens/token-manager.js';
import { customAppSession } from '../../sessions/session.js';
import type {
  ExtensionTokenPayload,
  SessionTokenPayload,
} from '../../auth/credentials/session-token.js';
import { sanitizeShop } from '../../core/shop-domain.js';
import { offlineSessionId, onlineSessionId } from '../../sessions/session.js';
import type { Session } from '../../sessions/session.js';
import { inboundOf } from './raw-request.js';
import type { RawExchange } from './raw-request.js';

/** Which session of a request is asked for. */
export interface CurrentIdParams extends RawExchange {
  readonly isOnline: boolean;
}

/** What {@link SessionApi} works with. */
interface SessionApiDependencies extends CurrentSessionContext {
  readonly tokens: TokenManager;
}

/** `api.session`: which session a request belongs to. */
export class SessionApi {
  readonly getOfflineId = offlineSessionId;
  readonly getJwtSessionId = onlineSessionId;

  constructor(private readonly dependencies: SessionApiDependencies) {}

  /** The session of a custom app, whose token is fixed. @throws {InvalidShopError} */
  customAppSession(shop: string): Session {
    return customAppSession(sanitizeShop(shop, true));
  }

  /**
   * A session of a shop whose token is good for the next minutes, renewed when that is necessary.
   * @param kind whose token is wanted @default 'offline', the app's own
   * @throws {SessionNotFoundError} when there is none
   * @throws {ReauthorizationRequiredError} when the platform no longer renews it
   * @throws {SessionExpiredError} when it has expired and nothing can renew it but a visit
   */
  forShop(shop: string, kind?: SessionKind): Promise<Session> {
    return this.dependencies.tokens.session(shop, kind);
  }

  /**
   * Id of the session a request proves: by its session token when the app is embedded, else by its
   * cookie.
   */
  async getCurrentId({ isOnline, rawRequest }: CurrentIdParams): Promise<string | undefined> {
    return currentSessionId(inboundOf(rawRequest, this.dependencies.config), this.dependencies, {
      isOnline,
    });
  }

  /** What a session token says. @throws {InvalidJwtError} when it must not be believed */
  decodeSessionToken(
    token: string,
    options?: { readonly checkAudience?: true | undefined },
  ): Promise<SessionTokenPayload>;
  decodeSessionToken(
    token: string,
    options: { readonly checkAudience?: boolean | undefined },
  ): Promise<ExtensionTokenPayload>;
  async decodeSessionToken(
    token: string,
    options: { readonly checkAudience?: boolean | undefined } = {},
  ): Promise<ExtensionTokenPayload> {
    return this.dependencies.sessionTokens.verify(token, options);
  }
}
