import type { Clock } from '../../core/time/clock.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import { cookieName, readSignedCookies, signedCookie } from '../../core/crypto/cookies.js';
import type { SecretKeys } from '../../core/crypto/secret-keys.js';
import type { HeaderList } from '../../core/decision.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import { COOKIES } from '../../core/vendor.js';
import type { Session } from '../../sessions/session.js';

/**
 * How long a cookie authenticates its user, in seconds. Short, so that former staff and stolen
 * cookies lose access after a day; a user who is logged in to the shop gets the next cookie without
 * a prompt.
 */
const LIFETIME = 24 * 60 * 60;
/** How long an older cookie still names the shop to authenticate with, in seconds. */
const REMEMBERED = 30 * LIFETIME;

/** What session cookies are made and read with. */
export interface SessionCookieContext {
  readonly config: PlatformConfig;
  readonly keys: SecretKeys;
  readonly clock: Clock;
}

/** The session a cookie names. */
interface NamedSession {
  readonly id: string;
  /** The cookie authenticates its user; an older one only names the user's shop. */
  readonly isFresh: boolean;
}

/**
 * The headers that store the id of the session in the browser of a non-embedded app. The cookie is
 * valid for a day.
 */
export function sessionCookie(
  session: Session,
  { config, keys, clock }: SessionCookieContext,
): HeaderList {
  const issued = Math.floor(clock.now().getTime() / 1000);
  return signedCookie(cookieName(COOKIES.session, config.apiKey), `${issued}.${session.id}`, keys, {
    path: config.cookiePath(session),
    secure: config.appUrl.startsWith('https:'),
    maxAge: REMEMBERED,
  });
}

/**
 * The session named by the newest session cookie of a request; `undefined` when there is none, or
 * its signature or age is not accepted. There are several after the app has changed its
 * `cookiePath`.
 */
export function sessionInCookie(
  request: InboundRequest,
  { config, keys, clock }: SessionCookieContext,
): NamedSession | undefined {
  const name = cookieName(COOKIES.session, config.apiKey);
  const [newest] = readSignedCookies(request.header('cookie'), name, keys)
    .flatMap(parsedValue)
    .sort((one, other) => other.issued - one.issued);
  if (!newest) return undefined;
  // Max-Age is enforced by the browser alone.
  const age = clock.now().getTime() / 1000 - newest.issued;
  return age < REMEMBERED ? { id: newest.id, isFresh: age < LIFETIME } : undefined;
}

function parsedValue(value: string): { readonly issued: number; readonly id: string }[] {
  const [, issued, id] = /^(\d{1,12})\.(.+)$/.exec(value) ?? [];
  return id === undefined ? [] : [{ issued: Number(issued), id }];
}
