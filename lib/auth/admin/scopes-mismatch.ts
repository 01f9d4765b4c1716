import type { PlatformConfig } from '../../core/config/platform-config.js';
import { denied } from '../../core/decision.js';
import type { ResponseDecision } from '../../core/decision.js';
import type { PlatformLogger } from '../../core/logger.js';
import type { Session } from '../../sessions/session.js';
import type { AdminContext, ApiClients } from '../clients/shop-clients.js';
import { answerOfHook } from '../responses/hook-responses.js';

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

/** The app's own answer to a mismatch. */
export type ScopesMismatchHook = (
  context: ScopesMismatchContext,
) => ScopesMismatchAnswer | undefined | Promise<ScopesMismatchAnswer | undefined>;

/** What a mismatch is dealt with by; the auth room's dependencies have all of it. */
export interface ScopesMismatchDependencies {
  readonly config: PlatformConfig;
  readonly logger: PlatformLogger;
  readonly clients: ApiClients;
  readonly hooks: { readonly onScopesMismatch?: ScopesMismatchHook | undefined };
}

/** The scopes the app asks for that the session lacks. */
export function scopesMissing({ scopes }: PlatformConfig, session: Session): string[] {
  return (scopes?.toArray() ?? []).filter((scope) => !session.isScopeIncluded(scope));
}

/**
 * What becomes of a session that may lack scopes: nothing keeps it from going on, the merchant has
 * to be asked (`request`), or the app answers by itself.
 */
export async function mismatchOf(
  { config, logger, clients, hooks }: ScopesMismatchDependencies,
  session: Session,
  sessionToken?: string,
): Promise<'request' | ResponseDecision | undefined> {
  const missing = scopesMissing(config, session);
  if (missing.length === 0) return undefined;
  if (!hooks.onScopesMismatch) return 'request';
  const { shop } = session;
  try {
    const { admin } = clients.for(session, { sessionToken });
    return (await hooks.onScopesMismatch({ shop, session, admin, missing })) === 'continue'
      ? undefined
      : 'request';
  } catch (error) {
    if (error instanceof Response) return answerOfHook(error);
    logger.error('hooks.onScopesMismatch failed', { shop, error });
    return denied(
      500,
      'scopes_mismatch_failed',
      'The app could not decide whether it can go on with what your shop has granted.',
    );
  }
}
