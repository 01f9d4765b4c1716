/**
 * Sessions and where they are kept.
 * @module shopwright/sessions
 */
export { AuthScopes } from '../core/scopes.js';
export type { ScopesLike } from '../core/scopes.js';
export { PlatformError } from '../core/core.errors.js';
export type { ErrorCode } from '../core/core.errors.js';
export { EncryptedSessionStorage } from './encryption/encrypted-session.storage.js';
export type { EncryptedSessionStorageOptions } from './encryption/encrypted-session.storage.js';
export type { EncryptionKey } from './encryption/key-ring.js';
export { describeInstallationStore } from './conformance/installation-store.conformance.js';
export { InstallationStore } from './coordination/installation.store.js';
export type {
  Installation,
  LifecycleEvent,
  PendingEvent,
} from './coordination/installation.store.js';
export { describeLock } from './conformance/lock.conformance.js';
export { Lock } from './coordination/lock.js';
export { RecordStore } from './coordination/record.store.js';
export type {
  Lease,
  LeaseOutcome,
  LeaseTerms,
  RecordKey,
  RecordQuery,
  StoredRecord,
  VersionedRecord,
} from './coordination/record.store.js';
export type { SuiteRunner } from './conformance/port.conformance.js';
export { describeRecordStore } from './conformance/record-store.conformance.js';
export { describeSessionStorage } from './conformance/session-storage.conformance.js';
export { Session, offlineSessionId, onlineSessionId } from './session.js';
export type {
  OnlineAccessInfo,
  OnlineAccessUser,
  SessionObject,
  SessionParams,
  StoredOnlineAccessInfo,
} from './session.js';
export { SessionStorage } from './session.storage.js';
export {
  RecordInstallationStore,
  RecordLock,
  RecordWebhookInbox,
  coordinationOver,
  recordId,
} from './coordination/coordination-stores.js';
export type { CoordinationStores } from './coordination/coordination-stores.js';
export type { SessionPage, SessionReader } from './session.storage.js';
export {
  InvalidSession,
  MissingDriverError,
  SessionEncryptionError,
  SessionStorageError,
} from './sessions.errors.js';
export type { OfficialRecord } from './storages/sql/sql.migrations.js';
export { MemoryRecordStore } from './storages/memory/memory-record.store.js';
export { MemorySessionStorage } from './storages/memory/memory-session.storage.js';
export { describeWebhookInbox } from './conformance/webhook-inbox.conformance.js';
export { WebhookInbox } from './coordination/webhook.inbox.js';
export type {
  Claim,
  DeliveryKey,
  GrantedClaim,
  RememberedDelivery,
} from './coordination/webhook.inbox.js';
