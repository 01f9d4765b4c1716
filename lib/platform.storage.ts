import type { Clock } from './core/clock.js';
import type { PlatformConfig } from './core/config/platform.config.js';
import type { PlatformLogger } from './core/logger.js';
import { ForeignSessionStorage } from './sessions/foreign-session.storage.js';
import { SessionStorage } from './sessions/session.storage.js';
import type { StorageCompanions } from './sessions/session.storage.js';
import type { SessionsOptions } from './sessions/sessions.options.js';
import { MemoryInstallationStore } from './sessions/storages/memory/memory-installation.store.js';
import { MemoryLock } from './sessions/storages/memory/memory.lock.js';
import { MemorySessionStorage } from './sessions/storages/memory/memory-session.storage.js';
import { MemoryWebhookInbox } from './sessions/storages/memory/memory-webhook.inbox.js';

/** Everything an app remembers, each thing in its place. */
export interface PlatformStorage extends StorageCompanions {
  readonly sessions: SessionStorage;
}

/** What the app passed, else what its session storage brings along, else memory: with a warning where that loses something. */
export function storageFor(options: SessionsOptions, config: PlatformConfig, clock: Clock, logger: PlatformLogger): PlatformStorage {
  const sessions = sessionsIn(options.sessionStorage, clock);
  const { companions } = sessions;
  const isComplete = companions !== undefined || (options.inbox && options.lock && options.installations) !== undefined;
  if (options.sessionStorage === undefined) warnOfMemory(config, logger);
  else if (!isComplete && !config.isCustomStoreApp) logger.warn(NO_COMPANIONS);
  return {
    sessions,
    lock: options.lock ?? companions?.lock ?? new MemoryLock(clock),
    installations: options.installations ?? companions?.installations ?? new MemoryInstallationStore(),
    inbox: options.inbox ?? companions?.inbox ?? new MemoryWebhookInbox(clock),
  };
}

const NO_COMPANIONS =
  'The session storage keeps sessions only: locks, installations and handled deliveries are kept in the memory of this process, and other processes know nothing of them. Use a storage of the toolkit, or pass lock, installations and inbox.';

function sessionsIn(storage: SessionStorage | undefined, clock: Clock): SessionStorage {
  if (storage === undefined) return new MemorySessionStorage(clock);
  return storage instanceof SessionStorage ? storage : new ForeignSessionStorage(storage);
}

function warnOfMemory(config: PlatformConfig, logger: PlatformLogger): void {
  if (!config.isProduction || config.isCustomStoreApp) return;
  logger.warn('Sessions are kept in memory: they are lost with the process. Pass a sessionStorage, such as SqliteSessionStorage.');
}
