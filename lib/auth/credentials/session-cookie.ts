import type { Clock } from '../../core/time/clock.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import { cookieName, readSignedCookie, signedCookie } from '../../core/crypto/cookies.js';
import type { SecretKeys } from '../../core/crypto/secret-keys.js';
import type { HeaderList } from '../../core/decision.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import { COOKIES } from '../../core/vendor.js';
import type { Session } from '../../sessions/session.js';

/**
 * How long a cookie proves that its bearer may use the app, in seconds: who has left the shop's
 * staff, or found somebody's cookie, is out after a day. Whoever is still logged in to the shop
 * gets the next one without noticing, since the shop grants again unasked.
 */
const LIFETIME = 24 * 60 * 60;
/** How long it still tells which shop to ask, in seconds. */
const REMEMBERED = 30 * LIFETIME;

/** What session cookies are made and read with. */
export interface SessionCookieContext {
  readonly config: PlatformConfig;
  readonly keys: SecretKeys;
  readonly clock: Clock;
}

/** The session a cookie names. */
export interface NamedSession {
  readonly id: string;
  /** The cookie is young enough to count; an older one only tells where its bearer came from. */
  readonly isFresh: boolean;
}

/**
 * The headers that give the browser of a non-embedded app the id of its session. It counts for a
 * day.
 */
export function sessionCookie(
  session: Session,
  { config, keys, clock }: SessionCookieContext,
): HeaderList {
  const issued = Math.floor(clock.now().getTime() / 1000);
  return signedCookie(cookieName(COOKIES.session, config.apiKey), `${issued}.${session.id}`, keys, {
    path: '/',
    secure: config.appUrl.startsWith('https:'),
    maxAge: REMEMBERED,
  });
}

/**
 * The session named by the cookie of a request; `undefined` when there is none, or it is not signed
 * by the app, or from long ago.
 */
export function sessionInCookie(
  request: InboundRequest,
  { config, keys, clock }: SessionCookieContext,
): NamedSession | undefined {
  const value = readSignedCookie(
    request.header('cookie'),
    cookieName(COOKIES.session, config.apiKey),
    keys,
  );
  const [, issued, id] = /^(\d{1,12})\.(.+)$/.exec(value ?? '') ?? [];
  // Max-Age alone would leave it to the browser.
  const age = clock.now().getTime() / 1000 - Number(issued);
  return id !== undefined && age < REMEMBERED ? { id, isFresh: age < LIFETIME } : undefined;
}
