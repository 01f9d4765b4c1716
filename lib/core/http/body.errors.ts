import {
  BodyDroppedError,
  BodyTimeoutError,
  BodyTooLargeError,
  RawBodyUnavailableError,
} from '../core.errors.js';
import type { PlatformError } from '../core.errors.js';

/**
 * How long the rest of a body may take from when it is asked for, in milliseconds: the platform
 * sends a delivery in one go.
 */
export const BODY_TIMEOUT = 10_000;

/**
 * Why a body was freed: for others, because it did not arrive in time, or because nobody can have a
 * use for it any more.
 */
export type FreedReason = 'dropped' | 'late' | OverReason;
/** Why nobody can have a use for it. */
export type OverReason = 'answered' | 'went_away';

/** The error of a body that was freed; `total` bytes of memory are for all. */
export function freedError(reason: FreedReason, total: number): PlatformError {
  switch (reason) {
    case 'dropped':
      return new BodyDroppedError(
        `The body of the request was dropped: all bodies that are being received may take ${total} bytes of memory together.`,
      );
    case 'late':
      return bodyTimeout();
    case 'answered':
      return new RawBodyUnavailableError(
        'The request was answered before its body was asked for. Process a delivery first, and let that answer it.',
        reason,
      );
    case 'went_away':
      return clientWentAway();
  }
}

/** The error of a request whose client hung up. */
export function clientWentAway(cause?: unknown): RawBodyUnavailableError {
  return new RawBodyUnavailableError(
    'The client went away before its request was complete.',
    'went_away',
    { cause },
  );
}

/** The error of a body beyond `limit` bytes. */
export function bodyTooLarge(limit: number): BodyTooLargeError {
  return new BodyTooLargeError(
    `The body of the request is longer than the ${limit} bytes that are accepted.`,
  );
}

/** The error of a body that is still not there after {@link BODY_TIMEOUT}. */
export function bodyTimeout(): BodyTimeoutError {
  return new BodyTimeoutError(
    `The body of the request did not arrive within ${BODY_TIMEOUT / 1000} s.`,
  );
}
