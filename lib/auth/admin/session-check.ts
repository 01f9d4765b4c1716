import { isAccessToken } from '../../core/api-session.js';
import { InvalidJwtError } from '../../core/core.errors.js';
import { denied } from '../../core/decision.js';
import type { DeniedDecision, ResponseDecision } from '../../core/decision.js';
import { HttpResponseError } from '../../core/http/http.errors.js';
import { offlineSessionId } from '../../sessions/session-ids.js';
import type { Session } from '../../sessions/session.js';
import { SessionNotFoundError } from '../../sessions/sessions.errors.js';
import type { AuthDependencies } from '../auth-dependencies.js';
import { ReauthorizationRequiredError, SessionExpiredError } from '../auth.errors.js';
import { mismatchOf } from './scopes-mismatch.js';
import { sessionTokenRejected } from '../credentials/session-token-refusal.js';
import type { SessionTokenDenied } from '../credentials/session-token-refusal.js';
import { refusalIn } from '../tokens/token.client.js';
import { deniedForTokenError } from '../responses/token-refusals.js';
import { customAppSession } from '../tokens/token-session.js';

/** Why a shop has to be authenticated again. */
export type SessionProblem = 'session_missing' | 'session_expired' | 'scopes_changed';

/** Says whether a session is good, and makes it good if that can be done without its shop. */
export class SessionCheck {
  constructor(private readonly deps: AuthDependencies) {}

  /** The session that acts for the app itself in a shop, whatever its state. */
  async appSession(shop: string): Promise<Session | undefined> {
    const { config, storage } = this.deps;
    return config.isCustomStoreApp
      ? customAppSession(shop)
      : storage.loadSession(offlineSessionId(shop));
  }

  /** What keeps a session from being used; nothing when it is good. */
  problemWith(session: Session | undefined): SessionProblem | undefined {
    const { config } = this.deps;
    if (session && config.isCustomStoreApp) return undefined;
    if (!session || !isAccessToken(session.accessToken)) return 'session_missing';
    if (session.isScopeChanged(config.scopes)) return 'scopes_changed';
    return this.hasExpired(session) ? 'session_expired' : undefined;
  }

  /**
   * The session, renewed if need be; what keeps it from being used when that is of no avail, or a
   * refusal when it cannot be told.
   */
  async renewed(
    session: Session | undefined,
  ): Promise<Session | SessionProblem | ResponseDecision> {
    const problem = this.problemWith(session);
    if (!session || problem === 'session_missing') return 'session_missing';
    if (problem === 'scopes_changed' && !this.deps.hooks.onScopesMismatch) return problem;
    let usable: Session;
    try {
      usable = await this.deps.tokens.usable(session);
    } catch (error) {
      if (error instanceof SessionNotFoundError) return 'session_missing';
      if (error instanceof ReauthorizationRequiredError || error instanceof SessionExpiredError)
        return 'session_expired';
      return this.refusalFor(session.shop, error);
    }
    if (this.problemWith(usable) !== 'scopes_changed') return usable;
    const answer = await mismatchOf(this.deps, usable);
    return answer === 'request' ? 'scopes_changed' : (answer ?? usable);
  }

  hasExpired(session: Session): boolean {
    return !session.isActive(undefined, undefined, this.deps.clock.now());
  }

  /** Why no token could be had. Rethrows what is nobody's refusal, such as a storage that fails. */
  refusalFor(shop: string, error: unknown): DeniedDecision | SessionTokenDenied {
    this.deps.logger.error('A token could not be renewed', { shop, error });
    if (error instanceof InvalidJwtError || refusalIn(error) === 'invalid_subject_token')
      return sessionTokenRejected();
    const refusal = deniedForTokenError(error);
    if (refusal) return refusal;
    if (error instanceof HttpResponseError)
      return denied(
        500,
        'token_not_granted',
        'The platform granted the app no access. Its log says why.',
      );
    throw error;
  }
}
