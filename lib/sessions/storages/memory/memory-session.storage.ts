import { systemClock } from '../../../core/time/clock.js';
import type { Clock } from '../../../core/time/clock.js';
import type { RecordStore } from '../../coordination/record.store.js';
import { Session, checkStorable, hasTokensOf } from '../../session.js';
import { SessionStorage } from '../../session.storage.js';
import type { SessionPage } from '../../session.storage.js';
import { coordinationOver } from '../../coordination/coordination-stores.js';
import type { CoordinationStores } from '../../coordination/coordination-stores.js';
import { pageLimit } from '../connection/page-limit.js';
import { MemoryRecordStore } from './memory-record.store.js';

/**
 * Keeps sessions in this process: for development, tests and custom apps. They are lost when it
 * ends. None is dropped before, so that memory grows with the shops that have the app and, with
 * online tokens, the users of a day: expired online sessions are swept every hour.
 */
export class MemorySessionStorage extends SessionStorage {
  override readonly hasTimeLimit = true;
  override readonly companions: CoordinationStores;
  /** What {@link companions} are kept in. */
  readonly records: RecordStore;
  readonly #sessions = new Map<string, Session>();

  /** @param clock of the records' leases; default the system's */
  constructor(clock: Clock = systemClock) {
    super();
    this.records = new MemoryRecordStore(clock);
    this.companions = coordinationOver(this.records);
  }

  /** Resolved: there is nothing to wait for. */
  readonly ready: Promise<void> = Promise.resolve();

  async storeSession(session: Session): Promise<boolean> {
    checkStorable(session);
    this.#sessions.set(session.id, copyOf(session));
    return true;
  }

  async loadSession(id: string): Promise<Session | undefined> {
    const session = this.#sessions.get(id);
    return session && copyOf(session);
  }

  async deleteSession(id: string): Promise<boolean> {
    return this.#sessions.delete(id) || true;
  }

  async deleteSessions(ids: string[]): Promise<boolean> {
    for (const id of ids) this.#sessions.delete(id);
    return true;
  }

  async findSessionsByShop(shop: string): Promise<Session[]> {
    return [...this.#sessions.values()].filter((session) => session.shop === shop).map(copyOf);
  }

  override async replaceSession(session: Session, previous: Session): Promise<boolean> {
    const stored = this.#sessions.get(session.id);
    return stored && hasTokensOf(stored, previous) ? this.storeSession(session) : false;
  }

  override async deleteExpiredSessions(moment: Date): Promise<number> {
    const expired = [...this.#sessions.values()].filter(
      ({ isOnline, expires }) => isOnline && expires && expires < moment,
    );
    for (const { id } of expired) this.#sessions.delete(id);
    return expired.length;
  }

  override async listSessions({ after, limit }: SessionPage): Promise<Session[]> {
    return [...this.#sessions.values()]
      .filter(({ id }) => after === undefined || byCodePoints(id, after) > 0)
      .sort((a, b) => byCodePoints(a.id, b.id))
      .slice(0, pageLimit(limit))
      .map(copyOf);
  }

  override async verify(): Promise<void> {}

  /** Keeps what it has: memory holds nothing open. */
  override async close(): Promise<void> {}

  /** The same as {@link close}, by the name the official storages have. */
  disconnect(): Promise<void> {
    return this.close();
  }
}

/** In the order of UTF-8, which strings, made of UTF-16, do not compare in. */
function byCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/**
 * Nothing of a copy is shared, so that a later change to what was stored or loaded stays with the
 * one who makes it.
 */
function copyOf(session: Session): Session {
  const copy = new Session(session);
  if (copy.expires) copy.expires = new Date(copy.expires);
  if (copy.refreshTokenExpires) copy.refreshTokenExpires = new Date(copy.refreshTokenExpires);
  const online = copy.onlineAccessInfo;
  if (online) copy.onlineAccessInfo = { ...online, associated_user: { ...online.associated_user } };
  return copy;
}
