import { Session, checkStorable } from '../../session.js';
import type { SessionParams } from '../../session.js';
import type { Row } from '../table/row-table.js';

/** What is not set of these is removed from a document that there is. */
const UNSET = {
  scope: undefined,
  accessToken: undefined,
  expires: undefined,
  refreshToken: undefined,
  refreshTokenExpires: undefined,
  onlineAccessInfo: undefined,
};

/**
 * The document of the official storage: `id` beside an `_id` of the server's making, times as
 * dates, and no empty texts: a token that is '' is none. @throws {SessionStorageError}
 */
export function documentOf(session: Session): Row {
  checkStorable(session);
  return { ...UNSET, ...new Session(session).toObject() };
}

/** The way back. What is not ours in the document is left there. */
export function sessionIn(document: Row): Session {
  const params = new Session(document as unknown as SessionParams).toObject();
  return new Session({ ...params, isOnline: Boolean(params.isOnline) });
}
