import { Session } from '../../lib/sessions/session.js';
import { MemorySessionStorage } from '../../lib/sessions/storages/memory/memory-session.storage.js';

/** As apps extend the official storages: nobody who reads the table has a token. */
export class EncryptingStorage extends MemorySessionStorage {
  override storeSession(session: Session): Promise<boolean> {
    const accessToken = `sealed ${session.accessToken}`;
    return super.storeSession(new Session({ ...session.toObject(), accessToken }));
  }

  override async loadSession(id: string): Promise<Session | undefined> {
    const session = await super.loadSession(id);
    const accessToken = session?.accessToken?.replace('sealed ', '');
    return session && new Session({ ...session.toObject(), accessToken });
  }
}
