import type { ScopesService } from '../../auth/scopes/scopes.service.js';
import type { BillingStateCache } from '../../billing/billing-state-cache.js';
import { AuthenticationError } from '../../core/http/http.errors.js';
import { isRecord } from '../../core/json.js';
import { BulkFinished } from '../../graphql-client/bulk/bulk-finished.js';
import type { RegisteredHandler } from '../../webhooks/handlers/webhook.registry.js';
import { DeliveryMethod } from '../../webhooks/subscriptions/webhook-subscription.js';

const BILLING_TOPICS = ['APP_SUBSCRIPTIONS_UPDATE', 'APP_PURCHASES_ONE_TIME_UPDATE'];

/**
 * The handlers that invalidate the cached billing state of a shop. Other processes read the new
 * state when theirs expires.
 */
export function billingChanges(cache: BillingStateCache): RegisteredHandler[] {
  return BILLING_TOPICS.map((topic) => ({
    kind: 'handler',
    isOwn: true,
    topic,
    subscription: { deliveryMethod: DeliveryMethod.Http },
    name: 'change of what a shop pays',
    run: async ({ shop }) => cache.forget(shop),
  }));
}

/**
 * What has to be registered to hear that a shop has granted other scopes. The delivery says no more
 * than that it is time to ask: what is stored is the platform's own word, so that one that is late,
 * comes twice or names a wrong shop does no harm.
 */
export function scopeChanges(scopes: ScopesService): RegisteredHandler {
  return {
    kind: 'handler',
    isOwn: true,
    topic: 'APP_SCOPES_UPDATE',
    subscription: { deliveryMethod: DeliveryMethod.Http },
    name: 'change of scopes',
    // Without `admin` the token has expired for good.
    run: async ({ session, admin }) =>
      session && admin && scopes.sync({ session }).catch(ignoreRefusedToken),
  };
}

/**
 * A shop whose token is refused is asked when it comes with another: that one brings its scopes
 * along.
 */
function ignoreRefusedToken(error: unknown): void {
  if (!(error instanceof AuthenticationError)) throw error;
}

/**
 * Learns from webhooks that a bulk operation has ended. What another process was told, this one
 * finds out by looking.
 */
export class WebhookBulkFinished extends BulkFinished {
  readonly #waiting = new Map<string, Set<() => void>>();

  /** What has to be registered for the webhook to come. */
  readonly handler: RegisteredHandler = {
    kind: 'handler',
    isOwn: true,
    topic: 'BULK_OPERATIONS_FINISH',
    subscription: { deliveryMethod: DeliveryMethod.Http },
    name: 'end of bulk operations',
    run: ({ shop, payload }) => this.#tell(shop, operationIn(payload)),
  };

  wait(shop: string, operationId: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const key = keyOf(shop, operationId);
      const waiting = this.#waiting.get(key) ?? new Set();
      this.#waiting.set(key, waiting);
      const leave = (): void => {
        signal.removeEventListener('abort', giveUp);
        waiting.delete(tell);
        if (waiting.size === 0) this.#waiting.delete(key);
      };
      const tell = (): void => (leave(), resolve());
      const giveUp = (): void => (leave(), reject(signal.reason));
      signal.addEventListener('abort', giveUp);
      waiting.add(tell);
    });
  }

  #tell(shop: string, operationId: string | undefined): void {
    if (operationId === undefined) return;
    for (const tell of [...(this.#waiting.get(keyOf(shop, operationId)) ?? [])]) tell();
  }
}

function keyOf(shop: string, operationId: string): string {
  return `${shop} ${operationId}`;
}

/** The operation's global id, which other payloads than the platform's may lack. */
function operationIn(payload: unknown): string | undefined {
  const id = isRecord(payload) ? payload['admin_graphql_api_id'] : undefined;
  return typeof id === 'string' ? id : undefined;
}
