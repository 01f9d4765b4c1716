import { Session } from './session.js';
import { SessionStorage } from './session.storage.js';

/** Makes a storage that is not ours (an official adapter, the app's own class) answer with our {@link Session}. */
export class ForeignSessionStorage extends SessionStorage {
  constructor(private readonly storage: SessionStorage) {
    super();
  }

  storeSession(session: Session): Promise<boolean> {
    return this.storage.storeSession(session);
  }

  async loadSession(id: string): Promise<Session | undefined> {
    const session = await this.storage.loadSession(id);
    return session ? ours(session) : undefined;
  }

  deleteSession(id: string): Promise<boolean> {
    return this.storage.deleteSession(id);
  }

  deleteSessions(ids: string[]): Promise<boolean> {
    return this.storage.deleteSessions(ids);
  }

  async findSessionsByShop(shop: string): Promise<Session[]> {
    return (await this.storage.findSessionsByShop(shop)).map(ours);
  }
}

function ours(session: Session): Session {
  return session instanceof Session ? session : new Session(session);
}
