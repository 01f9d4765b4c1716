import type { SessionStorage } from './session.storage.js';
import type { WebhookInbox } from './webhook.inbox.js';

/** Where an app keeps what must outlive a request. */
export interface SessionsOptions {
  /** @default memory, lost with the process; with a warning in production */
  readonly sessionStorage?: SessionStorage | undefined;
  /** @default memory, of this process alone */
  readonly inbox?: WebhookInbox | undefined;
}
