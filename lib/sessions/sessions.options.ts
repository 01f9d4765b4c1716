import type { InstallationStore } from './coordination/installation.store.js';
import type { Lock } from './coordination/lock.js';
import type { SessionStorage } from './session.storage.js';
import type { WebhookInbox } from './coordination/webhook.inbox.js';

/**
 * Where an app keeps what must outlive a request. Storages of the toolkit bring the other three
 * along.
 */
export interface SessionsOptions {
  /**
   * One that the app makes and closes, or a function that makes one when the app starts: that one
   * is closed with the app. @default memory, lost with the process; with a warning in production
   */
  readonly sessionStorage?: SessionStorage | (() => SessionStorage) | undefined;
  /** @default the storage's engine, else memory of this process alone */
  readonly inbox?: WebhookInbox | undefined;
  /** @default the storage's engine, else memory of this process alone */
  readonly lock?: Lock | undefined;
  /** @default the storage's engine, else memory of this process alone */
  readonly installations?: InstallationStore | undefined;
}
