import { randomUUID } from 'node:crypto';

import { offlineSessionId, onlineSessionId } from '../../sessions/session.ids.js';
import { Session } from '../../sessions/session.js';
import type { TokenReply } from './token.client.js';

/** Where a token comes from and when. */
export interface TokenOrigin {
  readonly shop: string;
  /** The `state` of the grant, or ''. */
  readonly state: string;
  /** Ids of online sessions are derived from the user in an embedded app, and random where a cookie carries them. */
  readonly isEmbeddedApp: boolean;
  readonly now: Date;
}

/** The session a granted token makes: online when it is a user's, offline when it is the app's. */
export function sessionFromToken(reply: TokenReply, { shop, state, isEmbeddedApp, now }: TokenOrigin): Session {
  const { access_token: accessToken, scope, refresh_token: refreshToken, refresh_token_expires_in: refreshExpiresIn, ...info } = reply;
  const { expires_in: expiresIn, associated_user_scope: userScope, associated_user: user } = info;
  const after = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);
  const common = { shop, state, scope, accessToken, ...(expiresIn && { expires: after(expiresIn) }) };
  if (user) {
    const id = isEmbeddedApp ? onlineSessionId(shop, user.id) : randomUUID();
    const onlineAccessInfo = { ...info, expires_in: expiresIn ?? 0, associated_user_scope: userScope ?? '', associated_user: user };
    return new Session({ ...common, id, isOnline: true, onlineAccessInfo });
  }
  return new Session({
    ...common,
    id: offlineSessionId(shop),
    isOnline: false,
    ...(refreshToken && refreshExpiresIn && { refreshToken, refreshTokenExpires: after(refreshExpiresIn) }),
  });
}
