/**
 * Sessions and where they are kept.
 * @module shopwright/sessions
 */
export { AuthScopes } from '../core/scopes.js';
export { PlatformError } from '../core/core.errors.js';
export { describeSessionStorage } from './session.storage.suite.js';
export type { StorageSuiteRunner } from './session.storage.suite.js';
export { offlineSessionId, onlineSessionId } from './session.ids.js';
export { Session } from './session.js';
export type { OnlineAccessInfo, OnlineAccessUser, ScopesLike, SessionObject, SessionParams, StoredOnlineAccessInfo } from './session.js';
export { SessionStorage } from './session.storage.js';
export { InvalidSession, MissingDriverError, SessionStorageError } from './sessions.errors.js';
export { MemorySessionStorage } from './storages/memory/memory-session.storage.js';
export { MemoryWebhookInbox } from './storages/memory/memory-webhook.inbox.js';
export { WebhookInbox } from './webhook.inbox.js';
export type { Claim, DeliveryKey, GrantedClaim } from './webhook.inbox.js';
