import { createHash, randomBytes } from 'node:crypto';

import { isTexts, parsedBody } from '../../core/json.js';
import { InstallationStore } from './installation.store.js';
import type { Installation } from './installation.store.js';
import { Lock } from './lock.js';
import type { RecordKey, RecordStore } from './record.store.js';
import { WebhookInbox } from './webhook.inbox.js';
import type { Claim, DeliveryKey, RememberedDelivery } from './webhook.inbox.js';

/** What an app has to remember beside its sessions, in all its processes. */
export interface CoordinationStores {
  readonly lock: Lock;
  readonly installations: InstallationStore;
  readonly inbox: WebhookInbox;
  /**
   * Where they are kept, for what else all processes share: how far a named run over all shops has
   * come. @default such runs are not resumed by name
   */
  readonly records?: RecordStore | undefined;
}

/** Keeps all three in one engine. */
export function coordinationOver(records: RecordStore): CoordinationStores {
  return {
    lock: new RecordLock(records),
    installations: new RecordInstallationStore(records),
    inbox: new RecordWebhookInbox(records),
    records,
  };
}

/** Holds names as leased records, which are removed when they are released. */
export class RecordLock extends Lock {
  constructor(private readonly records: RecordStore) {
    super();
  }

  async take(name: string, holder: string, leaseMs: number): Promise<boolean> {
    return (await this.records.lease(keyOf('lock', name), holder, { leaseMs })).kind === 'granted';
  }

  renew(name: string, holder: string, leaseMs: number): Promise<boolean> {
    return this.records.renew(keyOf('lock', name), holder, { leaseMs });
  }

  release(name: string, holder: string): Promise<void> {
    return this.records.end(keyOf('lock', name), holder);
  }
}

/** Keeps each installation as a record whose state is the installation's status. */
export class RecordInstallationStore extends InstallationStore {
  constructor(private readonly records: RecordStore) {
    super();
  }

  async load(app: string, shop: string): Promise<Installation | undefined> {
    const record = await this.records.get(keyOf('installation', app, shop));
    if (!record) return undefined;
    const installation = JSON.parse(record.data) as Installation;
    return { ...installation, grantedAt: new Date(installation.grantedAt) };
  }

  save(installation: Installation): Promise<boolean> {
    const { app, shop, status, version } = installation;
    const data = JSON.stringify(installation);
    return this.records.put({ ...keyOf('installation', app, shop), state: status, data, version });
  }
}

/**
 * How long a delivery is remembered, in milliseconds: seven days, also one that is not done, so
 * that the platform's next attempt knows which handlers have finished it.
 */
const REMEMBERED_MS = 7 * 24 * 60 * 60 * 1000;

const DELIVERY = 'delivery';
const MOST_LISTED = 1_000;

/** Remembers deliveries as leased records. */
export class RecordWebhookInbox extends WebhookInbox {
  /**
   * With a number behind it, a token that no other process has. Workers give out random bytes only
   * while they answer a request.
   */
  #holder: string | undefined;
  #claims = 0;
  /** Of the last call. Most deliveries are done before another one comes. */
  #last: (DeliveryKey & { readonly record: RecordKey }) | undefined;

  constructor(private readonly records: RecordStore) {
    super();
  }

  claim(key: DeliveryKey, leaseMs: number): Promise<Claim> {
    this.#holder ??= randomBytes(18).toString('base64url');
    const token = `${this.#holder}${this.#claims++}`;
    const terms = { leaseMs, keepMs: REMEMBERED_MS };
    return this.records.lease(this.#keyOf(key), token, terms).then((lease) => {
      if (lease.kind === 'held') return { state: 'busy' };
      if (lease.kind === 'ended') return { state: 'done' };
      const handled = lease.data ? (JSON.parse(lease.data) as string[]) : [];
      return { state: 'claimed', token, handled };
    });
  }

  renew(key: DeliveryKey, token: string, leaseMs: number): Promise<boolean> {
    return this.records.renew(this.#keyOf(key), token, { leaseMs, keepMs: REMEMBERED_MS });
  }

  complete(key: DeliveryKey, token: string): Promise<void> {
    const outcome = { state: 'done', data: '', keepMs: REMEMBERED_MS };
    return this.records.end(this.#keyOf(key), token, outcome);
  }

  release(key: DeliveryKey, token: string, handled: readonly string[]): Promise<void> {
    const outcome = { data: JSON.stringify(handled), keepMs: REMEMBERED_MS };
    return this.records.end(this.#keyOf(key), token, outcome);
  }

  override async since(app: string, moment: Date): Promise<RememberedDelivery[]> {
    const query = { kind: DELIVERY, changedSince: moment, limit: MOST_LISTED };
    return (await this.records.list(query)).flatMap(({ id, state, changedAt }) => {
      const parts = parsedBody(id);
      // A digest says nothing.
      if (!isTexts(parts) || parts[0] !== app) return [];
      const [, shop = '', webhookId = ''] = parts;
      return [{ app, shop, webhookId, isDone: state !== undefined, changedAt }];
    });
  }

  #keyOf({ app, shop, webhookId }: DeliveryKey): RecordKey {
    const last = this.#last;
    if (last?.webhookId === webhookId && last.shop === shop && last.app === app) return last.record;
    const record = keyOf(DELIVERY, app, shop, webhookId);
    this.#last = { app, shop, webhookId, record };
    return record;
  }
}

function keyOf(kind: string, ...parts: readonly string[]): RecordKey {
  return { kind, id: recordId(...parts) };
}

/** An id of at most 190 visible ASCII characters for texts of any length and alphabet. */
export function recordId(...parts: readonly string[]): string {
  const text = JSON.stringify(parts);
  // A digest costs more than a whole call to an engine in memory.
  return /^[!-~]{1,190}$/.test(text) ? text : recordDigest(...parts);
}

/** A digest of texts, for engines whose collation may take letters of both cases for the same. */
export function recordDigest(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
