import { isAccessToken } from '../../core/api-session.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import { InvalidJwtError } from '../../core/core.errors.js';
import { denied } from '../../core/decision.js';
import { HttpResponseError } from '../../core/http/http.errors.js';
import type { PlatformLogger } from '../../core/logger.js';
import type { Clock } from '../../core/time/clock.js';
import { Session, offlineSessionId, customAppSession } from '../../sessions/session.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import { SessionNotFoundError } from '../../sessions/sessions.errors.js';
import { ReauthorizationRequiredError, SessionExpiredError } from '../auth.errors.js';
import { sessionTokenRejected } from '../credentials/session-token.verifier.js';
import { deniedForTokenError } from '../responses/auth-responses.js';
import type { AuthDenied, AuthResponse, SessionProblem } from '../responses/auth-responses.js';
import type { ScopesMismatch } from '../scopes/scopes-mismatch.js';
import { oauthErrorCode } from '../tokens/token.client.js';
import type { TokenManager } from '../tokens/token-manager.js';

/** A session that is good, why its shop has to authenticate again, or the response. */
type SessionDecision =
  | { readonly kind: 'good'; readonly session: Session }
  | { readonly kind: 'problem'; readonly problem: SessionProblem }
  | AuthResponse;

/** A denial because no token could be had. */
export type NoTokenDenied = AuthDenied & {
  /** True when a fresh session token may succeed. @default false */
  readonly retryWithNewToken?: boolean | undefined;
};

/** What a {@link SessionCheck} works with. */
interface SessionCheckDependencies {
  readonly config: PlatformConfig;
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  readonly storage: SessionStorage;
  readonly tokens: TokenManager;
  readonly scopes: ScopesMismatch;
}

/** Checks whether a session is good, and renews it when that needs no visit of the shop. */
export class SessionCheck {
  constructor(private readonly dependencies: SessionCheckDependencies) {}

  /** The session that acts for the app itself in a shop, whatever its state. */
  async appSession(shop: string): Promise<Session | undefined> {
    const { config, storage } = this.dependencies;
    return config.isCustomStoreApp
      ? customAppSession(shop)
      : storage.loadSession(offlineSessionId(shop));
  }

  /** Why a session cannot be used; `undefined` when it is good. */
  problemWith(session: Session | undefined): SessionProblem | undefined {
    const { config } = this.dependencies;
    if (session && config.isCustomStoreApp) return undefined;
    if (!session || !isAccessToken(session.accessToken)) return 'session_missing';
    if (session.isScopeChanged(config.scopes)) return 'scopes_changed';
    return this.hasExpired(session) ? 'session_expired' : undefined;
  }

  /** Renews a session if necessary, and decides whether it is good. */
  async ensureGood(session: Session | undefined): Promise<SessionDecision> {
    const { tokens, scopes } = this.dependencies;
    const problem = this.problemWith(session);
    if (!session || problem === 'session_missing') return failed('session_missing');
    if (problem === 'scopes_changed' && !scopes.mayContinue) return failed(problem);
    let fresh: Session;
    try {
      fresh = await tokens.ensureFresh(session);
    } catch (error) {
      if (error instanceof SessionNotFoundError) return failed('session_missing');
      if (error instanceof ReauthorizationRequiredError || error instanceof SessionExpiredError)
        return failed('session_expired');
      return this.deniedFor(session.shop, error);
    }
    if (this.problemWith(fresh) === 'scopes_changed') {
      // A hook may keep it, or change it.
      const decision = await scopes.decide(new Session(fresh));
      if (decision.kind === 'request') return failed('scopes_changed');
      if (decision.kind !== 'continue') return decision;
    }
    return { kind: 'good', session: fresh };
  }

  /** True when the token has expired. */
  hasExpired(session: Session): boolean {
    return !session.isActive(undefined, undefined, this.dependencies.clock.now());
  }

  /** The denial for an error of renewing a token. Rethrows any other error. */
  deniedFor(shop: string, error: unknown): NoTokenDenied {
    this.dependencies.logger.error('A token could not be renewed', { shop, error });
    if (error instanceof InvalidJwtError || oauthErrorCode(error) === 'invalid_subject_token')
      return sessionTokenRejected();
    const tokenDenied = deniedForTokenError(error);
    if (tokenDenied) return tokenDenied;
    if (error instanceof HttpResponseError)
      return denied(
        500,
        'token_not_granted',
        'The platform granted the app no access. Its log says why.',
      );
    throw error;
  }
}

function failed(problem: SessionProblem): SessionDecision {
  return { kind: 'problem', problem };
}
