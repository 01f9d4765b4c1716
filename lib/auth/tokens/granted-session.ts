// The sessions that the replies of the token endpoint make.
import { randomUUID } from 'node:crypto';

import { Session, offlineSessionId, onlineSessionId } from '../../sessions/session.js';
import type { TokenReply } from './token-reply.js';

/** The grant a token comes from. */
export interface TokenOrigin {
  readonly shop: string;
  /** The `state` of the grant. @default '' */
  readonly state?: string | undefined;
  /**
   * Ids of online sessions are derived from the user in an embedded app, and random where a cookie
   * carries them.
   */
  readonly isEmbeddedApp: boolean;
}

/** The session of a granted token: online when it is a user's, offline when it is the app's. */
export function sessionFromToken(
  reply: TokenReply,
  { shop, state = '', isEmbeddedApp }: TokenOrigin,
): Session {
  const { access_token: accessToken, scope, associated_user: user } = reply;
  const common = { shop, state, scope, accessToken, ...expiryOf(reply) };
  if (user) {
    const id = isEmbeddedApp ? onlineSessionId(shop, user.id) : randomUUID();
    return new Session({
      ...common,
      id,
      isOnline: true,
      onlineAccessInfo: { ...userFactsIn(reply), associated_user: user },
    });
  }
  return new Session({
    ...common,
    id: offlineSessionId(shop),
    isOnline: false,
    ...refreshTokenIn(reply),
  });
}

/** What the reply says beside the tokens themselves. */
function userFactsIn(reply: TokenReply) {
  const facts = Object.fromEntries(
    Object.entries(reply).filter(([name]) => !TOKEN_FIELDS.has(name)),
  );
  return {
    ...facts,
    expires_in: reply.expires_in ?? 0,
    associated_user_scope: reply.associated_user_scope ?? '',
  };
}

const TOKEN_FIELDS: ReadonlySet<string> = new Set([
  'access_token',
  'scope',
  'refresh_token',
  'refresh_token_expires_in',
  'askedAt',
  'grantedAt',
]);

/**
 * The same session with the tokens of a refresh. What the reply does not replace stays.
 */
export function refreshedSession(previous: Session, reply: TokenReply): Session {
  return new Session({
    ...previous,
    accessToken: reply.access_token,
    scope: reply.scope || previous.scope,
    ...expiryOf(reply),
    ...refreshTokenIn(reply),
  });
}

function expiryOf({ expires_in: seconds, askedAt }: TokenReply): { expires?: Date } {
  return typeof seconds === 'number' ? { expires: after(askedAt, seconds) } : {};
}

/** A refresh token without a lifetime is used until it is refused. */
function refreshTokenIn({
  refresh_token: refreshToken,
  refresh_token_expires_in: seconds,
  askedAt,
}: TokenReply) {
  if (!refreshToken) return {};
  return {
    refreshToken,
    refreshTokenExpires: typeof seconds === 'number' ? after(askedAt, seconds) : undefined,
  };
}

function after(start: Date, seconds: number): Date {
  return new Date(start.getTime() + seconds * 1000);
}
