import { checkStorable } from '../session.js';
import type { Session } from '../session.js';
import { SessionStorage, canReplace, storesAsWith } from '../session.storage.js';
import type { CoordinationStores } from '../coordination/coordination-stores.js';
import type { SessionReader } from '../session.storage.js';

/** A storage over another one. It has the optional methods of that one which can be used. */
export abstract class WrappedSessionStorage extends SessionStorage {
  /** Each is a limit, or stands over one. */
  override readonly hasTimeLimit = true;
  override readonly companions: CoordinationStores | undefined;
  override readonly sealed: SessionReader | undefined;

  constructor(protected readonly storage: SessionStorage) {
    super();
    this.companions = storage.companions;
    this.sealed = storage.sealed;
    if (canReplace(storage) && !this.replaceSession && storesAsWith(this, 'swap'))
      this.replaceSession = (session, previous) => this.swap(session, previous);
    if (storage.deleteExpiredSessions)
      this.deleteExpiredSessions = storage.deleteExpiredSessions.bind(storage);
    if (storage.listSessions) {
      const list = storage.listSessions.bind(storage);
      this.listSessions = async (page) => this.#loadedAll(await list(page));
    }
    if (storage.verify) this.verify = storage.verify.bind(storage);
    if (storage.close) this.close = storage.close.bind(storage);
  }

  /** The class of the storage below all that is wrapped around it: the one an app knows. */
  static nameOf(storage: SessionStorage): string {
    return storage instanceof WrappedSessionStorage
      ? WrappedSessionStorage.nameOf(storage.storage)
      : storage.constructor.name;
  }

  /** What the storage below is given to keep. */
  protected abstract stored(session: Session): Session;
  /** The way back. */
  protected abstract loaded(session: Session): Session;
  /** {@link SessionStorage.replaceSession}; called where the storage below has it. */
  protected abstract swap(session: Session, previous: Session): Promise<boolean>;

  async storeSession(session: Session): Promise<boolean> {
    checkStorable(session);
    return this.storage.storeSession(this.stored(session));
  }

  async loadSession(id: string): Promise<Session | undefined> {
    const session = await this.storage.loadSession(id);
    return session ? this.loaded(session) : undefined;
  }

  deleteSession(id: string): Promise<boolean> {
    return this.storage.deleteSession(id);
  }

  deleteSessions(ids: string[]): Promise<boolean> {
    return this.storage.deleteSessions(ids);
  }

  async findSessionsByShop(shop: string): Promise<Session[]> {
    return this.#loadedAll(await this.storage.findSessionsByShop(shop));
  }

  /**
   * A storage that is not ours may list a session that is gone, and answer with nothing in its
   * place.
   */
  #loadedAll(sessions: readonly (Session | null | undefined)[]): Session[] {
    return sessions.flatMap((session) => (session ? [this.loaded(session)] : []));
  }
}
