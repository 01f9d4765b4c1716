import type { ArgumentsHost } from '@nestjs/common';

import type { AdminContext } from '../../auth/clients/admin-context.js';
import type { ExtensionTokenPayload } from '../../auth/credentials/session-token.js';
import type { SessionScopes } from '../../auth/scopes/session-scopes.js';
import type { SignedSource } from '../../auth/signed/signed-source.js';
import type { SessionBilling } from '../../billing/session-billing.js';
import { MissingRequiredArgument } from '../../core/core.errors.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import { refusedRequestOf, requestOf } from '../../core/session-request.js';
import type { StorefrontClient } from '../../graphql-client/storefront-graphql.client.js';
import type { RequestContext } from '../../platform/host/request-context.js';
import type { AccessMode } from '../../core/config/config.options.js';
import { DEFAULT_APP } from '../../platform/nest/platform-tokens.js';
import type { Session } from '../../sessions/session.js';
import { carrierOf, messageOf } from './guarded-request.js';
import { accessModeOn } from './session-routes.js';
import type { AppProxyContext, SignedContext } from './signed-contexts.js';

/** What every guard finds out. */
interface Found {
  /** Name of the app whose guard it was. */
  readonly app: string;
  readonly shop: string;
}

/** What a session guard lets a request's handler use. */
interface SessionGrant extends Found {
  readonly kind: 'session';
  /** That the handler asked for, else that of the app. */
  readonly accessMode: AccessMode;
  /** It is that of the app. */
  readonly isAppMode: boolean;
  /** As it was authenticated. */
  readonly request: InboundRequest;
  readonly context: RequestContext;
  /**
   * What else has been asked of the session and found, such as a plan: guards on a controller and
   * its handler need not ask twice.
   */
  readonly met: Set<object>;
}

/** What the guard of an app proxy lets its handler use. */
interface AppProxyGrant extends Found {
  readonly kind: 'app_proxy';
  readonly context: AppProxyContext;
}

/** What the guard of an extension lets its handler use. */
interface ExtensionGrant extends Found {
  readonly kind: 'extension';
  readonly sessionToken: ExtensionTokenPayload;
}

/** What the guards of requests of the platform let their handlers use. */
interface SignedGrant<Source extends SignedSource = SignedSource> extends Found {
  readonly kind: Source;
  readonly context: SignedContext;
}

/** What the guard of a signed query has found. */
interface QueryGrant extends Found {
  readonly kind: 'query';
}

/** What the guard of a signed body has found: the signature names no shop. */
interface BodyGrant extends Omit<Found, 'shop'> {
  readonly kind: 'body';
  /** As they were sent. */
  readonly bytes: Buffer;
}

/** A session, and the clients that work for it. */
interface WorkingFor {
  readonly session: Session | undefined;
  readonly admin?: AdminContext | undefined;
  readonly storefront?: StorefrontClient | undefined;
}

/** What a guard lets a request's handler use. */
type Granted =
  | SessionGrant
  | AppProxyGrant
  | ExtensionGrant
  | SignedGrant<'flow'>
  | SignedGrant<'fulfillment_service'>
  | QueryGrant
  | BodyGrant;

type Kind = Granted['kind'];
type OfKind<Of extends Kind> = Extract<Granted, { readonly kind: Of }>;

const SESSION_GUARD = 'AuthenticatedSessionGuard';
const GRANTED = Symbol.for('shopwright:GRANTED');
/** Of a client whose messages share it, since they are no objects. */
const MOST_MESSAGES = 16;

interface Entry {
  readonly message: unknown;
  readonly granted: Granted;
}
interface Remembering {
  readonly [GRANTED]?: Entry[];
}

/** Remembers what a guard granted, for the parameters of the handler and for later guards. */
export function grant(host: ArgumentsHost, granted: Granted): void {
  const carrier: object & Remembering = carrierOf(host);
  let entries = carrier[GRANTED];
  if (!entries) Object.defineProperty(carrier, GRANTED, { value: (entries = []) });
  const message = messageOf(host);
  // The fields of an operation share a carrier: many of one access mode must not displace another.
  const same = entries.findIndex((entry) => entry.message === message && isSame(entry, granted));
  if (same >= 0) entries.splice(same, 1);
  entries.push({ message, granted });
  if (entries.length > MOST_MESSAGES) entries.shift();
}

/**
 * Takes back what an app's session guard granted to earlier messages of a socket, as far as they
 * cannot be told from this one.
 */
export function withdraw(app: string, host: ArgumentsHost): void {
  if (host.getType<string>() !== 'ws') return;
  const entries = (carrierOf(host) as Remembering)[GRANTED] ?? [];
  const message = messageOf(host);
  const kept = entries.filter(
    (entry) =>
      entry.message !== message || entry.granted.kind !== 'session' || entry.granted.app !== app,
  );
  entries.splice(0, entries.length, ...kept);
}

function isSame({ granted: before }: Entry, granted: Granted): boolean {
  return (
    before.kind === 'session' &&
    granted.kind === 'session' &&
    before.app === granted.app &&
    before.accessMode === granted.accessMode
  );
}

/**
 * What was granted last, of some kinds. Of sessions, that of the access mode which the handler asks
 * for: the fields of an operation run at the same time.
 * @param app default: by the guards of any app
 */
function lastGranted<Of extends Kind>(
  host: ArgumentsHost,
  kinds: readonly Of[],
  app?: string,
): OfKind<Of> | undefined {
  const last = findLast(
    host,
    (granted): granted is OfKind<Of> =>
      kinds.includes(granted.kind as Of) && (app === undefined || granted.app === app),
  );
  const session: Granted | undefined = last;
  if (session?.kind !== 'session') return last;
  const wanted = accessModeOn(host, session.app);
  const fits = ({ accessMode, isAppMode }: SessionGrant): boolean =>
    wanted ? wanted === accessMode : isAppMode;
  if (fits(session)) return last;
  const other = findLast(
    host,
    (granted): granted is OfKind<Of> =>
      granted.kind === 'session' && granted.app === session.app && fits(granted),
  );
  return wanted ? other : (other ?? last);
}

function findLast<Found extends Granted>(
  host: ArgumentsHost,
  fits: (granted: Granted) => granted is Found,
): Found | undefined {
  const carrier: (object & Remembering) | undefined = carrierOf(host);
  const message = messageOf(host);
  return carrier?.[GRANTED]?.findLast(
    (entry): entry is Entry & { granted: Found } =>
      entry.message === message && fits(entry.granted),
  )?.granted;
}

/**
 * True when the session guard that ran last for this request was one of the app, and has granted
 * the access mode. A message of a socket that stays open is asked anew each time.
 */
export function isGrantedBy(app: string, host: ArgumentsHost, accessMode: AccessMode): boolean {
  if (host.getType<string>() === 'ws' && typeof messageOf(host) !== 'object') return false;
  const last = findLast(
    host,
    (granted): granted is SessionGrant =>
      granted.kind === 'session' && (granted.app !== app || granted.accessMode === accessMode),
  );
  return last !== undefined && last.app === app;
}

/** The kinds that work for a session, or may do so. */
const WITH_SESSION = ['session', 'app_proxy', 'flow', 'fulfillment_service'] as const;
const WITH_SHOP = [...WITH_SESSION, 'extension', 'query'] as const;

/**
 * What the session guard granted to this request.
 * @param app whose guard; default: of any app, the last
 * @throws {MissingRequiredArgument} when none ran before `decorator` was read
 */
export function grantedTo(host: ArgumentsHost, decorator: string, app?: string): SessionGrant {
  const guard =
    app === undefined || app === DEFAULT_APP ? SESSION_GUARD : `${SESSION_GUARD}.of('${app}')`;
  return lastGranted(host, ['session'], app) ?? missing(decorator, guard);
}

/**
 * What the guard named `guard` granted to this request.
 * @throws {MissingRequiredArgument} when it did not run before `decorator` was read
 */
export function grantOf<Of extends Kind>(
  host: ArgumentsHost,
  kinds: readonly Of[],
  decorator: string,
  guard: string,
): OfKind<Of> {
  return lastGranted(host, kinds) ?? missing(decorator, guard);
}

/**
 * The session of the request, and the clients that work for it; `undefined` for a visitor of a shop
 * that lacks the app. @throws as {@link grantedTo}
 */
export function sessionIn(host: ArgumentsHost, decorator: string): WorkingFor {
  const granted = lastGranted(host, WITH_SESSION) ?? missing(decorator, SESSION_GUARD);
  return granted.kind === 'session' ? granted.context.granted : granted.context;
}

/** The shop of the request, as any guard has found it. @throws as {@link grantedTo} */
export function shopIn(host: ArgumentsHost, decorator: string): string {
  return lastGranted(host, WITH_SHOP)?.shop ?? missing(decorator, SESSION_GUARD);
}

/** What the shop of this request pays. @throws as {@link grantedTo} */
export function billingOf(host: ArgumentsHost, decorator: string): SessionBilling {
  return grantedTo(host, decorator).context.billing;
}

/** What the shop of this request has granted. @throws as {@link grantedTo} */
export function scopesOf(host: ArgumentsHost, decorator: string): SessionScopes {
  return grantedTo(host, decorator).context.scopes;
}

/**
 * The exception for a request on which the platform has rejected its access token; `undefined` when
 * it was the token of another one, or no other token has helped.
 */
export function tokenRefusedOn(host: ArgumentsHost, error: unknown): unknown {
  const refused = refusedRequestOf(error);
  return findLast(
    host,
    (granted): granted is SessionGrant =>
      granted.kind === 'session' && requestOf(granted.context.granted.session) === refused,
  )?.context.tokenRefused();
}

function missing(decorator: string, guard: string): never {
  throw new MissingRequiredArgument(
    `${decorator} needs what ${guard} finds out: put @UseGuards(${guard}) on the handler or its controller.`,
  );
}
