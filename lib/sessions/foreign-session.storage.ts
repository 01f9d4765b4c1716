import { inTime, systemClock } from '../core/time/clock.js';
import type { Clock } from '../core/time/clock.js';
import { WrappedSessionStorage } from './encryption/wrapped-session.storage.js';
import { Session, readTimes, unattached } from './session.js';
import { SessionStorage, canReplace } from './session.storage.js';
import { SessionStorageError } from './sessions.errors.js';

/** As long as the engines of the toolkit wait for their servers. */
const TIMEOUT_MS = 10_000;

/**
 * The storage as it is where its calls end in time, it is one of our classes and replaces what it
 * stores; else with a limit and our sessions, see {@link ForeignSessionStorage}.
 */
export function withTimeLimit(storage: SessionStorage): SessionStorage {
  const isOurs = storage instanceof SessionStorage && storage.hasTimeLimit;
  return isOurs && (canReplace(storage) || !storage.replaceSession)
    ? storage
    : new ForeignSessionStorage(storage);
}

/**
 * Makes a storage that is not ours (an official adapter, the app's own) answer with our
 * {@link Session}, and within ten seconds: what takes longer rejects with a
 * {@link SessionStorageError}, goes on by itself, and how it ends is ignored. Work over many
 * sessions has no limit. What it answers with is the same object where that can become one of ours
 * and works for no request yet.
 */
export class ForeignSessionStorage extends WrappedSessionStorage {
  /** @param clock of the limit: the time of servers, whatever time it is for the app */
  constructor(
    storage: SessionStorage,
    private readonly clock: Clock = systemClock,
  ) {
    super(storage);
  }

  override storeSession(session: Session): Promise<boolean> {
    return this.#limited('store a session', () => super.storeSession(session));
  }

  override loadSession(id: string): Promise<Session | undefined> {
    return this.#limited('load a session', () => super.loadSession(id));
  }

  override deleteSession(id: string): Promise<boolean> {
    return this.#limited('delete a session', () => super.deleteSession(id));
  }

  override deleteSessions(ids: string[]): Promise<boolean> {
    return this.#limited('delete sessions', () => super.deleteSessions(ids));
  }

  override findSessionsByShop(shop: string): Promise<Session[]> {
    return this.#limited("find a shop's sessions", () => super.findSessionsByShop(shop));
  }

  protected stored(session: Session): Session {
    return session;
  }

  protected loaded(session: Session): Session {
    if (!(session instanceof Session) && isOfficial(session)) becomeOurs(session);
    return unattached(session);
  }

  protected swap(session: Session, previous: Session): Promise<boolean> {
    return this.#limited(
      'replace a session',
      async () => (await this.storage.replaceSession?.(session, previous)) ?? false,
    );
  }

  async #limited<T>(what: string, work: () => Promise<T>): Promise<T> {
    // Not every such storage makes promises.
    const outcome = (async () => work())();
    return inTime(this.clock, TIMEOUT_MS, outcome, () => {
      const name = WrappedSessionStorage.nameOf(this);
      return new SessionStorageError(
        `The session storage ${name} could not ${what}: it gave no answer within ${TIMEOUT_MS} ms.`,
      );
    });
  }
}

/** What a session of the platform's own library has since its first releases. */
const OFFICIAL_METHODS = ['isActive', 'toObject', 'equals', 'toPropertyArray'];
/** Whether a prototype is that of the platform's own library. */
const OFFICIAL = new WeakMap<object, boolean>();

/**
 * True for a session of the platform's own library, whose every method ours has as well: an app,
 * or its tests, may compare it with what the storage has. Others, such as entities of a database
 * library, keep their class, and are copied.
 */
function isOfficial(session: object): boolean {
  const prototype = Object.getPrototypeOf(session) as object | null;
  if (!prototype || prototype === Object.prototype) return false;
  const known = OFFICIAL.get(prototype);
  if (known !== undefined) return known;
  const names = Reflect.ownKeys(prototype);
  const isKnown =
    Object.getPrototypeOf(prototype) === Object.prototype &&
    OFFICIAL_METHODS.every((name) => names.includes(name)) &&
    names.every((name) => Object.hasOwn(Session.prototype, name));
  OFFICIAL.set(prototype, isKnown);
  return isKnown;
}

/** Without effect on what refuses, such as a frozen object or a proxy: that is copied. */
function becomeOurs(session: Session): void {
  try {
    if (Reflect.setPrototypeOf(session, Session.prototype)) readTimes(session);
  } catch {
    // The trap of a proxy.
  }
}
