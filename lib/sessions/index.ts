/**
 * Sessions and where they are kept.
 * @module shopwright/sessions
 */
export { AuthScopes } from '../core/scopes.js';
export { PlatformError } from '../core/core.errors.js';
export { EncryptedSessionStorage } from './encrypted-session.storage.js';
export type { EncryptedSessionStorageOptions } from './encrypted-session.storage.js';
export type { EncryptionKey } from './encryption/key-ring.js';
export { describeInstallationStore } from './installation.store.suite.js';
export { InstallationStore, parseInstallation, serializeInstallation } from './installation.store.js';
export type { Installation, LifecycleEvent, PendingEvent } from './installation.store.js';
export { describeLock } from './lock.suite.js';
export { Lock } from './lock.js';
export type { SuiteRunner } from './port.suite.js';
export { describeSessionStorage } from './session.storage.suite.js';
export { offlineSessionId, onlineSessionId } from './session.ids.js';
export { Session } from './session.js';
export type { OnlineAccessInfo, OnlineAccessUser, ScopesLike, SessionObject, SessionParams, StoredOnlineAccessInfo } from './session.js';
export { SessionStorage } from './session.storage.js';
export type { SessionReader, StorageCompanions } from './session.storage.js';
export { InvalidSession, MissingDriverError, SessionEncryptionError, SessionStorageError } from './sessions.errors.js';
export { MemoryInstallationStore } from './storages/memory/memory-installation.store.js';
export { MemorySessionStorage } from './storages/memory/memory-session.storage.js';
export { MemoryWebhookInbox } from './storages/memory/memory-webhook.inbox.js';
export { MemoryLock } from './storages/memory/memory.lock.js';
export { describeWebhookInbox } from './webhook.inbox.suite.js';
export { WebhookInbox } from './webhook.inbox.js';
export type { Claim, DeliveryKey, GrantedClaim } from './webhook.inbox.js';
