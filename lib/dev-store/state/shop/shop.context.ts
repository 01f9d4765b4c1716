import type { AppRegistry } from '../../base/app-registry.js';
import type { EventLog } from '../../base/event-log.js';
import type { WebhookDispatcher } from '../webhooks/webhook.dispatcher.js';
import type { ShopIdentity } from './shop-identity.js';

/** What the parts of one shop share: its identity, its clock and its event log. */
export interface ShopContext {
  readonly identity: ShopIdentity;
  /** The apps of the platform, whether they are installed in this shop or not. */
  readonly apps: AppRegistry;
  readonly now: () => Date;
  readonly log: EventLog;
  readonly dispatcher: WebhookDispatcher;
}
