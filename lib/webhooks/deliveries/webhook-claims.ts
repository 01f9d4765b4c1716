import { keepLease } from '../../core/concurrency/keep-lease.js';
import { stopwatch } from '../../core/time/clock.js';
import type { Clock } from '../../core/time/clock.js';
import type { PlatformLogger } from '../../core/logger.js';
import type {
  Claim,
  DeliveryKey,
  GrantedClaim,
  WebhookInbox,
} from '../../sessions/coordination/webhook.inbox.js';

/**
 * How long a claim lasts without word from its holder, in milliseconds: what died with its process
 * is handled by the first attempt after that. A handler may block the event loop, and with it the
 * renewals, for the difference between the two.
 */
const LEASE = 30_000;
const RENEWAL_INTERVAL = 10_000;
/**
 * How long a duplicate waits for the outcome of the delivery it repeats, in milliseconds: the
 * platform hangs up after 5 s.
 */
const PATIENCE = 4_000;
const POLL_INTERVAL = 200;

/** What {@link WebhookClaims} work with. */
export interface WebhookClaimsDependencies {
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  readonly inbox: WebhookInbox;
}

/**
 * Deals with the inbox on behalf of the receiver: waits for a claim, keeps it while handlers run,
 * and gives it up.
 */
export class WebhookClaims {
  constructor(private readonly dependencies: WebhookClaimsDependencies) {}

  /**
   * The claim, or what stands in its way after a while: whoever holds the delivery may be about to
   * finish it, or to give it back.
   * @throws what the inbox throws
   */
  async take(key: DeliveryKey): Promise<Claim> {
    const { clock, inbox } = this.dependencies;
    const waited = stopwatch(clock);
    for (;;) {
      const claim = await inbox.claim(key, LEASE);
      if (claim.state !== 'busy' || waited() >= PATIENCE) return claim;
      await clock.sleep(POLL_INTERVAL);
    }
  }

  /**
   * Does `work`, however long it takes, and keeps the claim meanwhile: a second attempt must not
   * run beside it.
   */
  async holding<T>(key: DeliveryKey, { token }: GrantedClaim, work: () => Promise<T>): Promise<T> {
    const stop = this.keep(key, token);
    try {
      return await work();
    } finally {
      stop();
    }
  }

  /**
   * Marks the delivery as done. A failure is logged: handled is handled, and a repetition the
   * lesser evil.
   */
  async complete(key: DeliveryKey, { token }: GrantedClaim): Promise<void> {
    await this.tried('complete', key, () => this.dependencies.inbox.complete(key, token));
  }

  /**
   * Gives the delivery back with the names of the handlers that are done with it. A failure is
   * logged: the lease ends by itself.
   */
  async release(
    key: DeliveryKey,
    { token }: GrantedClaim,
    handled: Iterable<string>,
  ): Promise<void> {
    await this.tried('release', key, () =>
      this.dependencies.inbox.release(key, token, [...handled]),
    );
  }

  /**
   * Renews the claim until it is lost. A renewal that fails is tried again when the next one is
   * due.
   * @returns ends it
   */
  private keep(key: DeliveryKey, token: string): () => void {
    const { clock, inbox, logger } = this.dependencies;
    return keepLease({
      clock,
      interval: RENEWAL_INTERVAL,
      // One that fails is logged, and counts as held until the next one is due.
      renew: async () =>
        (await this.tried('renew', key, () => inbox.renew(key, token, LEASE))) !== false,
      onLost: () =>
        logger.warn(
          'The claim on a delivery was lost while it was being handled; it may be handled a second time',
          factsOf(key),
        ),
    });
  }

  private async tried<T>(
    how: 'complete' | 'release' | 'renew',
    key: DeliveryKey,
    act: () => Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await act();
    } catch (error) {
      this.dependencies.logger.error(`The inbox failed to ${how} a delivery`, {
        ...factsOf(key),
        error,
      });
      return undefined;
    }
  }
}

function factsOf({ shop, webhookId }: DeliveryKey): Record<string, string> {
  return { shop, webhookId };
}
