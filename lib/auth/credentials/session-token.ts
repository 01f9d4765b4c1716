import { InvalidJwtError } from '../../core/core.errors.js';
import type { InvalidJwtReason } from '../../core/core.errors.js';
import type {
  SessionTokenPayload,
  SessionTokenVerifier,
} from '../../core/crypto/session-token.verifier.js';
import { denied } from '../../core/decision.js';
import type { DeniedDecision } from '../../core/decision.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import type { PlatformLogger } from '../../core/logger.js';
import { shopNamedBy } from '../../core/shop-domain.js';
import { HEADERS, QUERY } from '../../core/vendor.js';
import { offlineSessionId, onlineSessionId } from '../../sessions/session.js';

/** A session token whose signature and claims have been verified. */
export interface VerifiedSessionToken {
  readonly kind: 'verified';
  readonly text: string;
  readonly payload: SessionTokenPayload;
}

/** Why a request is denied for its session token. */
export type SessionTokenDenyReason =
  'session_token_missing' | 'session_token_invalid' | 'session_token_refused';

/** A request whose session token is missing or not accepted. */
export interface SessionTokenDenied extends DeniedDecision<SessionTokenDenyReason> {
  /** False when a fresh session token would be refused as well. */
  readonly retryWithNewToken: boolean;
}

/** What a session token is verified with. */
export interface SessionTokenContext {
  readonly sessionTokens: SessionTokenVerifier;
  readonly logger: PlatformLogger;
}

/**
 * These say that the token was made for another app or with another secret: no fresh token, and no
 * later time, changes that.
 */
const PERMANENT: ReadonlySet<InvalidJwtReason> = new Set(['signature', 'audience', 'algorithm']);

/** The token of an `Authorization: Bearer` header; the scheme may be written in any case. */
export function bearerToken(request: InboundRequest): string | undefined {
  return /^bearer +(\S+) *$/i.exec(request.header('authorization') ?? '')?.[1];
}

/**
 * The session token of a request: from the header, as App Bridge sends it, or from the URL that the
 * admin opens.
 */
export function sessionTokenOf(request: InboundRequest): string | undefined {
  return bearerToken(request) ?? (request.url.searchParams.get(QUERY.idToken) || undefined);
}

/** Verifies the session token of a request, or decides that the request is denied. */
export function checkSessionToken(
  text: string | undefined,
  { sessionTokens, logger }: SessionTokenContext,
): VerifiedSessionToken | SessionTokenDenied {
  if (text === undefined)
    return tokenDenied(
      'session_token_missing',
      'This request needs a session token: in its Authorization header, or in its address as the admin opens it.',
    );
  try {
    return { kind: 'verified', text, payload: sessionTokens.verify(text) };
  } catch (error) {
    if (!(error instanceof InvalidJwtError)) throw error;
    const { reason, message } = error;
    logger.info('A session token was refused', { reason });
    return tokenDenied('session_token_invalid', message, !PERMANENT.has(reason));
  }
}

/** For a request whose session token the platform itself does not accept. */
export function sessionTokenRejected(): SessionTokenDenied {
  return tokenDenied(
    'session_token_refused',
    'The platform did not accept the session token of this request.',
  );
}

/** The id of the session that a user's session token stands for. */
export function sessionIdFor(
  payload: SessionTokenPayload,
  { isOnline }: { readonly isOnline: boolean },
): string {
  const shop = shopOf(payload);
  return isOnline ? onlineSessionId(shop, payload.sub) : offlineSessionId(shop);
}

/** The shop a verified session token was issued in. */
export function shopOf({ dest }: Pick<SessionTokenPayload, 'dest'>): string {
  const shop = shopNamedBy(dest);
  if (shop === null) throw new InvalidJwtError('The session token names no shop.', 'claims');
  return shop;
}

/** App Bridge repeats the request with a fresh token when it sees the header. */
function tokenDenied(
  reason: SessionTokenDenyReason,
  message: string,
  retryWithNewToken = true,
): SessionTokenDenied {
  const headers = [[HEADERS.retryInvalidSession, '1']] as const;
  return { ...denied(401, reason, message, headers), retryWithNewToken };
}
