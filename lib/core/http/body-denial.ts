import {
  BodyDroppedError,
  BodyTimeoutError,
  BodyTooLargeError,
  RawBodyUnavailableError,
} from '../core.errors.js';
import { busy, denied } from '../decision.js';
import type { DeniedDecision } from '../decision.js';

/** The answer to a request whose body could not be read. Rethrows any other error. */
export function denialOfBody(error: unknown): DeniedDecision {
  if (error instanceof BodyTooLargeError) return denied(413, 'body_too_large', error.message);
  if (error instanceof BodyTimeoutError) return denied(408, 'body_timeout', error.message);
  if (error instanceof BodyDroppedError) return busy('body_dropped', error.message);
  if (!(error instanceof RawBodyUnavailableError)) throw error;
  if (error.reason === 'went_away') return denied(400, 'body_incomplete', error.message);
  return denied(500, 'raw_body_unavailable', error.message);
}
