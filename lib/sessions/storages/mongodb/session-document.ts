import { Session } from '../../session.js';
import type { SessionParams } from '../../session.js';
import { checkStorable } from '../../session.storage.js';
import type { MongoDocument } from './mongodb.driver.js';

const OPTIONAL = [
  'scope',
  'accessToken',
  'expires',
  'refreshToken',
  'refreshTokenExpires',
  'onlineAccessInfo',
] as const;

/**
 * The document of the official storage: `id` beside an `_id` of the server's making, times as
 * dates, and nothing that is not set. @throws {SessionStorageError}
 */
export function documentOf(session: Session): MongoDocument {
  checkStorable(session);
  const { id, shop, state, isOnline } = session;
  // Empty texts are left out, as the official storage does: a token that is '' is none.
  const optional = OPTIONAL.filter((name) => session[name]).map((name) => [name, session[name]]);
  return { id, shop, state, isOnline, ...Object.fromEntries(optional) };
}

/** The way back. What is not ours in the document is left there. */
export function sessionIn(document: MongoDocument): Session {
  const optional = OPTIONAL.filter((name) => document[name]).map((name) => [name, document[name]]);
  const { id, shop, state, isOnline } = document;
  return new Session({
    id,
    shop,
    state,
    isOnline: Boolean(isOnline),
    ...Object.fromEntries(optional),
  } as SessionParams);
}

/**
 * Matches the stored session while it has these tokens; null stands for a field that is missing,
 * too.
 */
export function withTokensOf({ id, accessToken, refreshToken }: Session): MongoDocument {
  return { id: String(id), accessToken: accessToken || null, refreshToken: refreshToken || null };
}
