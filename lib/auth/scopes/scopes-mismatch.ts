import type { PlatformConfig } from '../../core/config/platform-config.js';
import { denied } from '../../core/decision.js';
import type { PlatformLogger } from '../../core/logger.js';
import { isResponse, thrownBy } from '../../core/http/is-response.js';
import type { Session } from '../../sessions/session.js';
import type { AdminContext } from '../clients/admin-context.js';
import type { ApiClients } from '../clients/shop-clients.js';
import { responseForHookError } from '../responses/auth-responses.js';
import type { AuthResponse } from '../responses/auth-responses.js';

/** A shop, or one of its users, has granted less than the app asks for. */
export interface ScopesMismatchContext {
  readonly shop: string;
  /** The session of the request. */
  readonly session: Session;
  readonly admin: AdminContext;
  /** What the app asks for and has not been granted. */
  readonly missing: string[];
}

/** The request goes on with what was granted, or the merchant is asked for the rest. */
export type ScopesMismatchAnswer = 'continue' | 'request';

/** The app's own decision about a mismatch. */
export type ScopesMismatchHook = (
  context: ScopesMismatchContext,
) => ScopesMismatchAnswer | undefined | Promise<ScopesMismatchAnswer | undefined>;

/** The hook of the app's options that decides about a mismatch. */
export interface ScopesHooks {
  /**
   * A session lacks scopes the app asks for; runs with every request of it. Return `'continue'` to
   * let the request go on with what was granted, `'request'` or nothing to send the merchant to the
   * consent page. A thrown `Response` is the response. Without this hook the merchant is sent
   * there, unless the app leaves that to the platform.
   */
  readonly onScopesMismatch?: ScopesMismatchHook | undefined;
}

/**
 * The request goes on (`continue`), the merchant has to be asked for the missing scopes
 * (`request`), or the app has responded.
 */
type ScopesDecision = { readonly kind: 'continue' } | { readonly kind: 'request' } | AuthResponse;

/** Compares what a session was granted with what the app asks for. */
export class ScopesMismatch {
  constructor(
    private readonly config: PlatformConfig,
    private readonly logger: PlatformLogger,
    private readonly clients: ApiClients,
    private readonly hooks: ScopesHooks,
  ) {}

  /**
   * True when a request may go on although its session lacks scopes: the app decides, or leaves it
   * to the platform, which asks for scopes before it opens an embedded app.
   */
  get mayContinue(): boolean {
    return this.hooks.onScopesMismatch !== undefined || this.#isLeftToPlatform;
  }

  get #isLeftToPlatform(): boolean {
    const { isEmbeddedApp, conventions, future } = this.config;
    if (!isEmbeddedApp) return false;
    return (
      conventions.asksForScopes === 'never' ||
      Boolean(future.unstable_newEmbeddedAuthStrategy || future.tokenExchange)
    );
  }

  /** The scopes the app asks for that the session lacks. */
  missingIn(session: Session): string[] {
    const { scopes } = this.config;
    return (scopes?.toArray() ?? []).filter((scope) => !session.isScopeIncluded(scope));
  }

  /** Logs what a shop lacks whose new token is used all the same. */
  tellMissing(session: Session): void {
    const { shop } = session;
    const missing = this.missingIn(session);
    this.logger.info('A shop lacks scopes that the app asks for', { shop, missing });
  }

  /**
   * Decides about a session that lacks scopes. Without a hook the merchant is asked, unless that is
   * left to the platform.
   */
  async decide(session: Session): Promise<ScopesDecision> {
    const { hooks } = this;
    if (!hooks.onScopesMismatch) return { kind: this.#isLeftToPlatform ? 'continue' : 'request' };
    const { shop } = session;
    const missing = this.missingIn(session);
    try {
      const { admin } = this.clients.for(session);
      const answer = await hooks.onScopesMismatch({ shop, session, admin, missing });
      return { kind: answer === 'continue' ? 'continue' : 'request' };
    } catch (thrown) {
      const error = thrownBy('hooks.onScopesMismatch', thrown);
      if (isResponse(error)) return responseForHookError(error);
      this.logger.error('hooks.onScopesMismatch failed', { shop, error });
      return denied(
        500,
        'scopes_mismatch_failed',
        'The app could not decide whether it can go on with what your shop has granted.',
      );
    }
  }
}
