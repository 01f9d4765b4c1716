import { InstallationStore, RecordInstallationStore } from './installation.store.js';
import { Lock, RecordLock } from './lock.js';
import type { RecordStore } from './record.store.js';
import { RecordWebhookInbox, WebhookInbox } from './webhook.inbox.js';

/** What an app has to remember beside its sessions, in all its processes. */
export interface CoordinationStores {
  readonly lock: Lock;
  readonly installations: InstallationStore;
  readonly inbox: WebhookInbox;
}

/** Keeps all three in one engine. */
export function coordinationOver(records: RecordStore): CoordinationStores {
  return {
    lock: new RecordLock(records),
    installations: new RecordInstallationStore(records),
    inbox: new RecordWebhookInbox(records),
  };
}
