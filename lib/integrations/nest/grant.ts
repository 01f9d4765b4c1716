import { refusedRequestOf, requestOf } from '../../core/session-request.js';
import type { AdminGranted } from '../../auth/admin/admin-responses.js';
import type { SessionScopes } from '../../auth/scopes/session-scopes.js';
import type { SessionBilling } from '../../billing/session-billing.js';
import type { RequestContext } from '../../platform/host/request-context.js';
import { MissingRequiredArgument } from '../../core/core.errors.js';

const GRANTED = Symbol.for('shopwright:GRANTED');

/** What a guard lets a request's handler use. */
export interface Granted {
  /** Name of the app whose guard it was. */
  readonly app: string;
  readonly context: RequestContext;
  /**
   * What else has been asked of the session and found, such as a plan: guards on a controller and
   * its handler need not ask twice.
   */
  readonly met: Set<object>;
}

interface Remembering {
  readonly [GRANTED]?: Granted;
}

/** Remembers on the request what the guard granted. */
export function grant(request: object, value: Granted): void {
  Object.defineProperty(request, GRANTED, { value, configurable: true });
}

/** Whether the guard that ran last was one of this app. */
export function isGrantedBy(app: string, request: object): boolean {
  return (request as Remembering)[GRANTED]?.app === app;
}

/**
 * What the guard granted to this request.
 * @throws {MissingRequiredArgument} when no guard ran before `decorator` was read
 */
export function grantedTo(request: object, decorator: string): AdminGranted {
  return rememberedOn(request, decorator).context.granted;
}

/** What this request has met of what guards require. @throws as {@link grantedTo} */
export function metBy(request: object, decorator: string): Set<object> {
  return rememberedOn(request, decorator).met;
}

/** What the shop of this request pays. @throws as {@link grantedTo} */
export function billingOf(request: object, decorator: string): SessionBilling {
  return rememberedOn(request, decorator).context.billing;
}

/** What the shop of this request has granted. @throws as {@link grantedTo} */
export function scopesOf(request: object, decorator: string): SessionScopes {
  return rememberedOn(request, decorator).context.scopes;
}

/**
 * The exception for a request on which the platform has rejected its access token; `undefined` when
 * it was the token of another one, or no other token has helped.
 */
export function tokenRefusedOn(request: object, error: unknown): unknown {
  const context = (request as Remembering)[GRANTED]?.context;
  const isOwn = context && requestOf(context.granted.session) === refusedRequestOf(error);
  return isOwn ? context.tokenRefused() : undefined;
}

function rememberedOn(request: object, decorator: string): Granted {
  const remembered = (request as Remembering)[GRANTED];
  if (remembered === undefined) {
    throw new MissingRequiredArgument(
      `${decorator} needs a session: put @UseGuards(AuthenticatedSessionGuard) on the handler or its controller.`,
    );
  }
  return remembered;
}
