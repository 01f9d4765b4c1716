import { Session } from '../../session.js';
import { SessionStorage } from '../../session.storage.js';

/** Keeps sessions in this process: for development, tests and custom apps. They are lost when it ends. */
export class MemorySessionStorage extends SessionStorage {
  readonly #sessions = new Map<string, Session>();

  async storeSession(session: Session): Promise<boolean> {
    this.#sessions.set(session.id, copyOf(session));
    return true;
  }

  async loadSession(id: string): Promise<Session | undefined> {
    const session = this.#sessions.get(id);
    return session && copyOf(session);
  }

  async deleteSession(id: string): Promise<boolean> {
    this.#sessions.delete(id);
    return true;
  }

  async deleteSessions(ids: string[]): Promise<boolean> {
    for (const id of ids) this.#sessions.delete(id);
    return true;
  }

  async findSessionsByShop(shop: string): Promise<Session[]> {
    return [...this.#sessions.values()].filter((session) => session.shop === shop).map(copyOf);
  }
}

/** Nothing of a copy is shared, so that a later change to what was stored or loaded stays with the one who makes it. */
function copyOf(session: Session): Session {
  const copy = new Session(session);
  if (copy.expires) copy.expires = new Date(copy.expires);
  if (copy.refreshTokenExpires) copy.refreshTokenExpires = new Date(copy.refreshTokenExpires);
  const online = copy.onlineAccessInfo;
  if (online) copy.onlineAccessInfo = { ...online, associated_user: { ...online.associated_user } };
  return copy;
}
