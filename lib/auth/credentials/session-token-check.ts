import { InvalidJwtError } from '../../core/core.errors.js';
import type { SessionTokenVerifier } from '../../core/crypto/session-token.verifier.js';
import type { PlatformLogger } from '../../core/logger.js';
import { tokenInvalid, tokenMissing } from './session-token-refusal.js';
import type { SessionTokenDenied } from './session-token-refusal.js';
import type { VerifiedSessionToken } from '../tokens/token-exchanger.js';

/** What a token is checked with. */
export interface TokenCheckDependencies {
  readonly sessionTokens: SessionTokenVerifier;
  readonly logger: PlatformLogger;
}

/** A request's session token when it is good, else what the request is refused with. */
export function checkedToken(
  text: string | undefined,
  { sessionTokens, logger }: TokenCheckDependencies,
): VerifiedSessionToken | SessionTokenDenied {
  if (text === undefined) return tokenMissing();
  try {
    return { text, payload: sessionTokens.verify(text) };
  } catch (error) {
    if (!(error instanceof InvalidJwtError)) throw error;
    logger.info('A session token was refused', { reason: error.reason });
    return tokenInvalid(error.reason, error.message);
  }
}
