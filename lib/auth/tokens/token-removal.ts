import { Session } from '../../sessions/session.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import { SessionNotStoredError } from '../auth.errors.js';

/**
 * Removes the tokens of a stored session. A user's session goes as a whole, since nothing would
 * sweep it; that of the app stays, so that the next grant is known to be a reinstallation.
 * @returns false when another session was stored meanwhile, without our lock
 * @throws {SessionNotStoredError} when the storage says that it did not
 */
export async function removeTokens(storage: SessionStorage, stored: Session): Promise<boolean> {
  const { id, shop, state, scope, isOnline } = stored;
  if (isOnline) return (await storage.deleteSession(id)) !== false;
  const ended = new Session({ id, shop, state, scope, isOnline });
  if (storage.replaceSession) return storage.replaceSession(ended, stored);
  if ((await storage.storeSession(ended)) === false) throw new SessionNotStoredError(shop);
  return true;
}
