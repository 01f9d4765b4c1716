import { randomUUID } from 'node:crypto';
import type { AppRegistry } from '../../base/app-registry.js';
import type { DevClock } from '../../base/dev-clock.js';
import type { EventLog } from '../../base/event-log.js';
import { signedWebhook, type SignedWebhook } from '../../base/request-factories.js';
import { HEADERS } from '../../base/vendor.js';
import type { DeliveryFault } from '../../faults/fault.js';
import type { Faults } from '../../faults/faults.js';
import { reasonOf } from '../../http/failed-fetch.js';
import { DeliveryOrder } from './delivery-order.js';
import type { WebhookDelivery } from './webhook-delivery.js';
import type { WebhookSubscription } from './webhook-subscription.js';

/** One event for the subscriptions of its topic. */
interface WebhookEvent {
  shop: string;
  payload: unknown;
  /** When it happened; it may be delivered later. */
  triggeredAt: Date;
  log: EventLog;
}

/** What a {@link WebhookSimulator} depends on. */
interface DeliveryOptions {
  /** The apps, whose secrets sign deliveries. */
  apps: AppRegistry;
  fetch: typeof fetch;
  faults: Faults;
  /** The time that late deliveries wait for. */
  clock: DevClock;
  /** Milliseconds between attempts. */
  retries: readonly number[];
}

const ANSWER_TIMEOUT = 5000;

/**
 * Delivers signed webhooks over HTTP, retries the ones that fail and keeps track of those in
 * flight.
 */
export class WebhookSimulator {
  private readonly closing = new AbortController();
  private readonly inFlight = new Set<Promise<void>>();
  private readonly order = new DeliveryOrder();

  constructor(private readonly options: DeliveryOptions) {}

  /**
   * Starts one delivery for each HTTP subscription; other endpoints are queues the simulated store
   * cannot reach.
   */
  deliver(
    event: WebhookEvent,
    subscriptions: readonly WebhookSubscription[],
  ): Promise<WebhookDelivery[]> {
    const eventId = randomUUID();
    const deliveries = subscriptions.map(async (subscription) => {
      if (subscription.endpoint.kind !== 'http') return [];
      const { apiKey, topic } = subscription;
      const fault = this.options.faults.ofDelivery({ shop: event.shop, topic, apiKey });
      const webhookId = randomUUID();
      const request = this.signed(event, subscription, { webhookId, eventId }, fault);
      const url = subscription.endpoint.callbackUrl;
      const copies = Array.from({ length: fault?.copies ?? 1 }, (): WebhookDelivery => {
        return { webhookId, apiKey, topic, url, state: 'pending', attempts: 0 };
      });
      await this.track(this.send(copies, request, event, fault));
      return copies;
    });
    return Promise.all(deliveries).then((lists) => lists.flat());
  }

  /** Waits until no delivery is in flight, including those that start meanwhile. */
  async settled(): Promise<void> {
    while (this.inFlight.size > 0) {
      // No delivery is left that could overtake those that wait for one.
      if (this.order.size === this.inFlight.size) this.order.release();
      await Promise.race(this.inFlight);
    }
  }

  /** Aborts every pending attempt and retry. */
  async close(): Promise<void> {
    this.closing.abort();
    this.order.release();
    await this.settled();
  }

  private async track(work: Promise<void>): Promise<void> {
    this.inFlight.add(work);
    await work.finally(() => this.inFlight.delete(work));
  }

  private signed(
    { shop, payload, triggeredAt }: WebhookEvent,
    subscription: WebhookSubscription,
    ids: { webhookId: string; eventId: string },
    fault: DeliveryFault | undefined,
  ): SignedWebhook {
    const { apiSecretKey } = this.options.apps.require(subscription.apiKey);
    const { headers, body } = signedWebhook({
      ...{ shop, topic: subscription.topic, apiVersion: subscription.apiVersion, ...ids },
      secret: fault?.signature === 'wrong' ? randomUUID() : apiSecretKey,
      payload: pick(payload, subscription.includeFields),
      triggeredAt: triggeredAt.toISOString(),
      ...(subscription.name === null ? {} : { name: subscription.name }),
    });
    if (fault?.signature === 'missing') delete headers[HEADERS.webhook.hmac];
    return { headers, body };
  }

  /** Sends a delivery, in as many copies as it has, when its fault lets it. */
  private async send(
    copies: readonly WebhookDelivery[],
    request: SignedWebhook,
    event: WebhookEvent,
    fault: DeliveryFault | undefined,
  ): Promise<void> {
    const { signal } = this.closing;
    const apiKey = copies[0]?.apiKey ?? '';
    if (fault) event.log.add({ kind: 'fault', summary: wordsFor(copies, fault) });
    // A store that is closed ends the wait; the attempt then says so.
    if (fault?.late) await this.options.clock.sleep(fault.late, signal).catch(() => undefined);
    if (fault?.outOfOrder && !signal.aborted) await this.order.overtaken(apiKey);
    await Promise.all(copies.map((copy) => this.attemptUntilDone(copy, request, event)));
    if (!fault?.outOfOrder) this.order.release(apiKey);
  }

  private async attemptUntilDone(
    delivery: WebhookDelivery,
    request: SignedWebhook,
    event: WebhookEvent,
  ): Promise<void> {
    for (const wait of [...this.options.retries, undefined]) {
      await this.attempt(delivery, request);
      event.log.add(attemptEvent(delivery, request));
      if (delivery.status !== undefined && delivery.status >= 200 && delivery.status < 300) {
        delivery.state = 'delivered';
        return;
      }
      if (wait !== undefined) await pause(wait, this.closing.signal);
      if (this.closing.signal.aborted) break;
    }
    delivery.state = 'failed';
  }

  private async attempt(
    delivery: WebhookDelivery,
    { headers, body }: SignedWebhook,
  ): Promise<void> {
    delivery.attempts++;
    delete delivery.status;
    delete delivery.error;
    const timeout = new AbortController();
    const abort = (): void => timeout.abort();
    const timer = setTimeout(abort, ANSWER_TIMEOUT);
    this.closing.signal.addEventListener('abort', abort);
    if (this.closing.signal.aborted) abort();
    try {
      const init: RequestInit = {
        method: 'POST',
        headers,
        body: new Uint8Array(body),
        redirect: 'manual',
        signal: timeout.signal,
      };
      const response = await this.options.fetch(delivery.url, init);
      delivery.status = response.status;
      await response.body?.cancel();
    } catch (error) {
      if (this.closing.signal.aborted) delivery.error = 'the store was closed';
      else
        delivery.error = timeout.signal.aborted
          ? `no answer within ${ANSWER_TIMEOUT / 1000} s`
          : reasonOf(error);
    } finally {
      clearTimeout(timer);
      this.closing.signal.removeEventListener('abort', abort);
    }
  }
}

function wordsFor(
  [delivery]: readonly WebhookDelivery[],
  { late, copies, outOfOrder, signature }: DeliveryFault,
): string {
  const words = [
    late === undefined ? [] : `${late} ms late`,
    copies === undefined ? [] : `${copies} copies`,
    outOfOrder ? 'out of order' : [],
    signature === undefined ? [] : `${signature} signature`,
  ];
  return `${delivery?.topic}: ${words.flat().join(', ')}`;
}

function attemptEvent(
  delivery: WebhookDelivery,
  request: SignedWebhook,
): Parameters<EventLog['add']>[0] {
  const { origin, pathname } = new URL(delivery.url);
  const outcome =
    delivery.status === undefined ? `failed: ${delivery.error}` : `answered ${delivery.status}`;
  return {
    kind: 'webhook',
    summary: `${delivery.topic} to ${origin}${pathname}, attempt ${delivery.attempts}, ${outcome}`,
    ...(delivery.status === undefined ? {} : { status: delivery.status }),
    detail: {
      webhookId: delivery.webhookId,
      payload: JSON.parse(request.body.toString()) as unknown,
    },
  };
}

/**
 * A copy of the payload with only the named top-level fields; with all of them when none is named.
 */
function pick(payload: unknown, fields: readonly string[]): unknown {
  if (fields.length === 0 || typeof payload !== 'object' || payload === null) return payload;
  return Object.fromEntries(Object.entries(payload).filter(([name]) => fields.includes(name)));
}

/** Resolves after the given milliseconds, or at once when the signal fires. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done);
  });
}
