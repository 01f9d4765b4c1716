import type { Clock } from '../../core/time/clock.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import { InvalidOptionsError } from '../../core/core.errors.js';
import { withTimeLimit } from '../../sessions/foreign-session.storage.js';
import { problemsInStorage } from '../../sessions/session.storage.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import { coordinationOver } from '../../sessions/coordination/coordination-stores.js';
import type { CoordinationStores } from '../../sessions/coordination/coordination-stores.js';
import type { SessionsOptions } from '../../sessions/sessions.options.js';
import { MemoryRecordStore } from '../../sessions/storages/memory/memory-record.store.js';
import { MemorySessionStorage } from '../../sessions/storages/memory/memory-session.storage.js';

/** Everything an app remembers, each thing in its place. */
export interface PlatformStorage extends CoordinationStores {
  readonly sessions: SessionStorage;
}

/** The session storage that the app passed, or had made. */
export interface GivenStorage {
  readonly storage: SessionStorage | undefined;
  /** Made for this app alone: closed with it. */
  readonly isOurs: boolean;
}

/**
 * The session storage of the options, made when they say how.
 * @throws {InvalidOptionsError} when what they make is none
 */
export function givenStorage({ sessionStorage }: SessionsOptions): GivenStorage {
  if (typeof sessionStorage !== 'function') return { storage: sessionStorage, isOurs: false };
  const storage: unknown = sessionStorage();
  if (typeof storage === 'object' && problemsInStorage(storage).length === 0)
    return { storage: storage as SessionStorage, isOurs: true };
  const message = 'must return a session storage, such as a SqliteSessionStorage, at once';
  throw new InvalidOptionsError([{ option: 'sessionStorage', message }]);
}

/** The other options of an app's storage, beside the one that was made. */
export type StorageOptions = Omit<SessionsOptions, 'sessionStorage'> & {
  readonly sessionStorage?: SessionStorage | undefined;
};

/** What the app passed, else what its session storage brings along, else memory. */
export function storageFor(options: StorageOptions, clock: Clock): PlatformStorage {
  const sessions = sessionsIn(options.sessionStorage, clock);
  const { lock, installations, inbox } =
    sessions.companions ?? coordinationOver(new MemoryRecordStore(clock));
  return {
    sessions,
    lock: options.lock ?? lock,
    installations: options.installations ?? installations,
    inbox: options.inbox ?? inbox,
  };
}

/** What is lost with the process, for the log; nothing when all is kept. */
export function storageNotices(options: StorageOptions, config: PlatformConfig): string[] {
  const { sessionStorage, inbox, lock, installations } = options;
  if (config.isCustomStoreApp) return [];
  if (sessionStorage === undefined) return config.isProduction ? [ONLY_MEMORY] : [];
  const isComplete = sessionStorage.companions ?? (inbox && lock && installations);
  return isComplete ? [] : [NO_COMPANIONS];
}

/** The app that keeps its sessions in a storage, and how many times it is open. */
const occupants = new WeakMap<object, { readonly apiKey: string; openings: number }>();

/**
 * Notes that an app keeps its sessions in the storage it was given.
 * @returns notes that it does so no longer; to be called once
 * @throws {InvalidOptionsError} when another app of this process does: the sessions of both have
 * the same ids
 */
export function occupy(
  storage: SessionStorage | undefined,
  { apiKey, isCustomStoreApp }: PlatformConfig,
): () => void {
  // The sessions of a custom app are stored nowhere.
  if (storage === undefined || isCustomStoreApp) return () => {};
  const occupant = occupants.get(storage) ?? { apiKey, openings: 0 };
  if (occupant.apiKey !== apiKey)
    throw new InvalidOptionsError([{ option: 'sessionStorage', message: OCCUPIED }]);
  occupants.set(storage, occupant);
  occupant.openings++;
  return () => {
    if (--occupant.openings === 0) occupants.delete(storage);
  };
}

const OCCUPIED =
  'is that of another app of this process, whose sessions have the same ids: each app needs a storage with tables, a prefix or a file of its own';

const NO_COMPANIONS =
  'The session storage keeps sessions only: locks, installations and handled deliveries are kept in the memory of this process, and other processes know nothing of them. Use a storage of the toolkit, or pass lock, installations and inbox.';

function sessionsIn(storage: SessionStorage | undefined, clock: Clock): SessionStorage {
  return storage === undefined ? new MemorySessionStorage(clock) : withTimeLimit(storage);
}

const ONLY_MEMORY =
  'Sessions are kept in memory: they are lost with the process. Pass a sessionStorage, such as SqliteSessionStorage.';
