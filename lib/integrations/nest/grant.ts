import type { AdminGranted } from '../../auth/auth.decisions.js';
import type { SessionScopes } from '../../auth/scopes/session.scopes.js';
import type { SessionBilling } from '../../billing/session.billing.js';
import { MissingRequiredArgument } from '../../core/core.errors.js';

const GRANTED = Symbol.for('shopwright:GRANTED');

/** What a guard lets a request's handler use. */
export interface Granted {
  readonly granted: AdminGranted;
  readonly billing: SessionBilling;
  readonly scopes: SessionScopes;
}

/** Remembers on the request what the guard granted. */
export function grant(request: object, value: Granted): void {
  Object.defineProperty(request, GRANTED, { value, configurable: true });
}

/**
 * What the guard granted to this request.
 * @throws {MissingRequiredArgument} when no guard ran before `decorator` was read
 */
export function grantedTo(request: object, decorator: string): AdminGranted {
  return rememberedOn(request, decorator).granted;
}

/** What the shop of this request pays. @throws as {@link grantedTo} */
export function billingOf(request: object, decorator: string): SessionBilling {
  return rememberedOn(request, decorator).billing;
}

/** What the shop of this request has granted. @throws as {@link grantedTo} */
export function scopesOf(request: object, decorator: string): SessionScopes {
  return rememberedOn(request, decorator).scopes;
}

function rememberedOn(request: object, decorator: string): Granted {
  const remembered = (request as { [GRANTED]?: Granted })[GRANTED];
  if (remembered === undefined) {
    throw new MissingRequiredArgument(
      `${decorator} needs a session: put @UseGuards(AuthenticatedSessionGuard) on the handler or its controller.`,
    );
  }
  return remembered;
}
