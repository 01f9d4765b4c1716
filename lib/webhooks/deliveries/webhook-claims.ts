import { keepLease } from '../../core/concurrency/keep-lease.js';
import { stopwatch } from '../../core/time/clock.js';
import type { Clock } from '../../core/time/clock.js';
import type { PlatformLogger } from '../../core/logger.js';
import type { DeliveryKey, WebhookInbox } from '../../sessions/coordination/webhook.inbox.js';

/**
 * How long a claim lasts after its last renewal, in milliseconds: a delivery whose process died can
 * be claimed again after that. A handler may block the event loop, and with it the renewals, for
 * the difference between the two.
 */
const LEASE = 30_000;
const RENEWAL_INTERVAL = 10_000;
/**
 * How long a duplicate waits for the outcome of the delivery it repeats, in milliseconds: the
 * platform closes the connection after 5 s.
 */
const MAX_WAIT = 4_000;
const POLL_INTERVAL = 200;

/** What {@link WebhookClaims} depends on. */
export interface WebhookClaimsDependencies {
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  readonly inbox: WebhookInbox;
}

/** A delivery is done, held by another process or request, or held by the caller from now on. */
export type ClaimResult = { readonly kind: 'done' } | { readonly kind: 'busy' } | HeldClaim;

/** Claims deliveries in the inbox, so that each is handled by one process at a time. */
export class WebhookClaims {
  constructor(private readonly dependencies: WebhookClaimsDependencies) {}

  /**
   * Claims a delivery. When it is being handled already, waits up to 4 s for the outcome: it may be
   * done, or be released for another attempt.
   * @throws what the inbox throws
   */
  async take(key: DeliveryKey): Promise<ClaimResult> {
    const { clock, inbox } = this.dependencies;
    const waited = stopwatch(clock);
    for (;;) {
      const claim = await inbox.claim(key, LEASE);
      if (claim.state === 'claimed')
        return new HeldClaim(this.dependencies, key, claim.token, claim.handled);
      if (claim.state === 'done') return { kind: 'done' };
      if (waited() >= MAX_WAIT) return { kind: 'busy' };
      await clock.sleep(POLL_INTERVAL);
    }
  }
}

/** The claim on one delivery. It is renewed until it is completed, released or lost. */
export class HeldClaim {
  readonly kind = 'held';
  readonly #stopRenewing: () => void;

  constructor(
    private readonly dependencies: WebhookClaimsDependencies,
    private readonly key: DeliveryKey,
    private readonly token: string,
    /** Names of the handlers that succeeded in earlier attempts: they must not run again. */
    readonly handled: readonly string[],
  ) {
    this.#stopRenewing = this.#keep();
  }

  /** Marks the delivery as done. A failure is only logged: its handlers have run. */
  async complete(): Promise<void> {
    this.#stopRenewing();
    await this.#attempt('complete', (inbox) => inbox.complete(this.key, this.token));
  }

  /**
   * Gives the delivery back with the names of all handlers that have succeeded. A failure is only
   * logged: the lease ends by itself.
   */
  async release(handled: Iterable<string>): Promise<void> {
    this.#stopRenewing();
    await this.#attempt('release', (inbox) => inbox.release(this.key, this.token, [...handled]));
  }

  #keep(): () => void {
    return keepLease({
      clock: this.dependencies.clock,
      interval: RENEWAL_INTERVAL,
      // A renewal that fails is logged, and counts as held until the next one is due.
      renew: async () => {
        const isHeld = await this.#attempt('renew', (inbox) =>
          inbox.renew(this.key, this.token, LEASE),
        );
        return isHeld !== false;
      },
      onLost: () =>
        this.dependencies.logger.warn(
          'The claim on a delivery was lost while it was being handled; it may be handled a second time',
          logFieldsOf(this.key),
        ),
    });
  }

  async #attempt<T>(
    action: 'complete' | 'release' | 'renew',
    run: (inbox: WebhookInbox) => Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await run(this.dependencies.inbox);
    } catch (error) {
      this.dependencies.logger.error(`The inbox failed to ${action} a delivery`, {
        ...logFieldsOf(this.key),
        error,
      });
      return undefined;
    }
  }
}

function logFieldsOf({ shop, webhookId }: DeliveryKey): Record<string, string> {
  return { shop, webhookId };
}
