import type { Clock } from '../../core/time/clock.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import { InvalidOptionsError } from '../../core/core.errors.js';
import type { PlatformLogger } from '../../core/logger.js';
import { ForeignSessionStorage } from '../../sessions/foreign-session.storage.js';
import { SessionStorage } from '../../sessions/session.storage.js';
import { coordinationOver } from '../../sessions/coordination/coordination-stores.js';
import type { CoordinationStores } from '../../sessions/coordination/coordination-stores.js';
import type { SessionsOptions } from '../../sessions/sessions.options.js';
import { MemoryRecordStore } from '../../sessions/storages/memory/memory-record.store.js';
import { MemorySessionStorage } from '../../sessions/storages/memory/memory-session.storage.js';

/** Everything an app remembers, each thing in its place. */
export interface PlatformStorage extends CoordinationStores {
  readonly sessions: SessionStorage;
}

/**
 * What the app passed, else what its session storage brings along, else memory: with a warning
 * where that loses something.
 */
export function storageFor(
  options: SessionsOptions,
  config: PlatformConfig,
  clock: Clock,
  logger: PlatformLogger,
): PlatformStorage {
  const sessions = sessionsIn(options.sessionStorage, clock);
  const { companions } = sessions;
  const isComplete =
    companions !== undefined ||
    (options.inbox && options.lock && options.installations) !== undefined;
  if (options.sessionStorage === undefined) warnOfMemory(config, logger);
  else if (!isComplete && !config.isCustomStoreApp) logger.warn(NO_COMPANIONS);
  const { lock, installations, inbox } =
    companions ?? coordinationOver(new MemoryRecordStore(clock));
  return {
    sessions,
    lock: options.lock ?? lock,
    installations: options.installations ?? installations,
    inbox: options.inbox ?? inbox,
  };
}

/** The app that keeps its sessions in a storage, and how many kernels of it there are. */
const occupants = new WeakMap<object, { readonly apiKey: string; kernels: number }>();

/**
 * Notes that an app keeps its sessions in the storage it was given.
 * @returns notes that it does so no longer; to be called once
 * @throws {InvalidOptionsError} when another app of this process does: the sessions of both have
 * the same ids
 */
export function occupy(
  { sessionStorage: storage }: SessionsOptions,
  { apiKey, isCustomStoreApp }: PlatformConfig,
): () => void {
  // The sessions of a custom app are stored nowhere.
  if (storage === undefined || isCustomStoreApp) return () => {};
  const occupant = occupants.get(storage) ?? { apiKey, kernels: 0 };
  if (occupant.apiKey !== apiKey)
    throw new InvalidOptionsError([{ option: 'sessionStorage', message: OCCUPIED }]);
  occupants.set(storage, occupant);
  occupant.kernels++;
  return () => {
    if (--occupant.kernels === 0) occupants.delete(storage);
  };
}

const OCCUPIED =
  'is that of another app of this process, whose sessions have the same ids: each app needs a storage with tables, a prefix or a file of its own';

const NO_COMPANIONS =
  'The session storage keeps sessions only: locks, installations and handled deliveries are kept in the memory of this process, and other processes know nothing of them. Use a storage of the toolkit, or pass lock, installations and inbox.';

function sessionsIn(storage: SessionStorage | undefined, clock: Clock): SessionStorage {
  if (storage === undefined) return new MemorySessionStorage(clock);
  return storage instanceof SessionStorage ? storage : new ForeignSessionStorage(storage);
}

function warnOfMemory(config: PlatformConfig, logger: PlatformLogger): void {
  if (!config.isProduction || config.isCustomStoreApp) return;
  logger.warn(
    'Sessions are kept in memory: they are lost with the process. Pass a sessionStorage, such as SqliteSessionStorage.',
  );
}
