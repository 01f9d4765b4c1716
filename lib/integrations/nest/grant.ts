import type { AdminGranted } from '../../auth/auth.decisions.js';
import { MissingRequiredArgument } from '../../core/core.errors.js';

const GRANTED = Symbol.for('shopwright:GRANTED');

/** Remembers on the request what the guard granted. */
export function grant(request: object, granted: AdminGranted): void {
  Object.defineProperty(request, GRANTED, { value: granted, configurable: true });
}

/**
 * What the guard granted to this request.
 * @throws {MissingRequiredArgument} when no guard ran before `decorator` was read
 */
export function grantedTo(request: object, decorator: string): AdminGranted {
  const granted = (request as { [GRANTED]?: AdminGranted })[GRANTED];
  if (granted === undefined) {
    throw new MissingRequiredArgument(
      `${decorator} needs a session: put @UseGuards(AuthenticatedSessionGuard) on the handler or its controller.`,
    );
  }
  return granted;
}
