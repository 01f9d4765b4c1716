import type { Session } from '../../lib/sessions/session.js';
import { MemorySessionStorage } from '../../lib/sessions/storages/memory/memory-session.storage.js';

/**
 * A storage of somebody else's: the five methods and no more, and sessions of a class of its own.
 */
export class FiveMethods {
  readonly #memory = new MemorySessionStorage();

  storeSession(session: Session): Promise<boolean> {
    return this.#memory.storeSession(session);
  }
  async loadSession(id: string): Promise<Session | undefined> {
    const session = await this.#memory.loadSession(id);
    return session && foreign(session);
  }
  deleteSession(id: string): Promise<boolean> {
    return this.#memory.deleteSession(id);
  }
  deleteSessions(ids: string[]): Promise<boolean> {
    return this.#memory.deleteSessions(ids);
  }
  async findSessionsByShop(shop: string): Promise<Session[]> {
    return (await this.#memory.findSessionsByShop(shop)).map(foreign);
  }
}

class ForeignSession {
  constructor(params: object) {
    Object.assign(this, params);
  }
}

function foreign(session: Session): Session {
  return new ForeignSession(session) as Session;
}
