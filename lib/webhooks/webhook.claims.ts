import { stopwatch } from '../core/clock.js';
import type { Clock } from '../core/clock.js';
import type { PlatformLogger } from '../core/logger.js';
import type { Claim, DeliveryKey, GrantedClaim, WebhookInbox } from '../sessions/webhook.inbox.js';

/**
 * How long a claim lasts without word from its holder, in milliseconds. Much longer than the 5 s the platform waits for an answer, so
 * that its next attempt does not run beside a slow handler; short enough that a delivery that died with its process is handled soon.
 */
const LEASE = 60_000;
const RENEWAL_INTERVAL = LEASE / 3;
/** Handlers that are not back after an hour are taken for dead: the platform's next attempt may then run them anew. */
const MOST_RENEWALS = (60 * 60_000) / RENEWAL_INTERVAL;
/** How long a duplicate waits for the outcome of the delivery it repeats, in milliseconds: the platform hangs up after 5 s. */
const PATIENCE = 4_000;
const POLL_INTERVAL = 200;

/** What {@link WebhookClaims} work with. */
export interface WebhookClaimsParts {
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  readonly inbox: WebhookInbox;
}

/** Deals with the inbox on behalf of the receiver: waits for a claim, keeps it while handlers run, and gives it up. */
export class WebhookClaims {
  constructor(private readonly parts: WebhookClaimsParts) {}

  /**
   * The claim, or what stands in its way after a while: whoever holds the delivery may be about to finish it, or to give it back.
   * @throws what the inbox throws
   */
  async take(key: DeliveryKey): Promise<Claim> {
    const { clock, inbox } = this.parts;
    const waited = stopwatch(clock);
    for (;;) {
      const claim = await inbox.claim(key, LEASE);
      if (claim.state !== 'busy' || waited() >= PATIENCE) return claim;
      await clock.sleep(POLL_INTERVAL);
    }
  }

  /** Does `work`, however long it takes, and keeps the claim meanwhile: a second attempt must not run beside it. */
  async holding<T>(key: DeliveryKey, { token }: GrantedClaim, work: () => Promise<T>): Promise<T> {
    const over = new AbortController();
    void this.renew(key, token, over.signal);
    try {
      return await work();
    } finally {
      over.abort();
    }
  }

  /** Marks the delivery as done. A failure is logged: handled is handled, and a repetition the lesser evil. */
  async complete(key: DeliveryKey, { token }: GrantedClaim): Promise<void> {
    await this.tried('complete', key, () => this.parts.inbox.complete(key, token));
  }

  /** Gives the delivery back with the names of the handlers that are done with it. A failure is logged: the lease ends by itself. */
  async release(key: DeliveryKey, { token }: GrantedClaim, handled: Iterable<string>): Promise<void> {
    await this.tried('release', key, () => this.parts.inbox.release(key, token, [...handled]));
  }

  private async renew(key: DeliveryKey, token: string, over: AbortSignal): Promise<void> {
    const { clock, inbox, logger } = this.parts;
    for (let renewals = 0; renewals < MOST_RENEWALS; renewals++) {
      await clock.sleep(RENEWAL_INTERVAL, over).catch(() => {});
      if (over.aborted) return;
      const held = await this.tried('renew', key, () => inbox.renew(key, token, LEASE));
      if (over.aborted) return;
      if (held === false) {
        logger.warn('The claim on a delivery was lost while it was being handled; it may be handled a second time', factsOf(key));
        return;
      }
    }
  }

  private async tried<T>(how: 'complete' | 'release' | 'renew', key: DeliveryKey, act: () => Promise<T>): Promise<T | undefined> {
    try {
      return await act();
    } catch (error) {
      this.parts.logger.error(`The inbox failed to ${how} a delivery`, { ...factsOf(key), error });
      return undefined;
    }
  }
}

function factsOf({ shop, webhookId }: DeliveryKey): Record<string, string> {
  return { shop, webhookId };
}
