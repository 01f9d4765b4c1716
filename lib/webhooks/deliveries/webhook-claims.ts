import { LinkedSet } from '../../core/concurrency/in-flight.js';
import type { Place } from '../../core/concurrency/in-flight.js';
import { setTimer, stopwatch } from '../../core/time/clock.js';
import type { Clock } from '../../core/time/clock.js';
import type { PlatformLogger } from '../../core/logger.js';
import type {
  Claim,
  DeliveryKey,
  GrantedClaim,
  WebhookInbox,
} from '../../sessions/coordination/webhook.inbox.js';

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
interface WebhookClaimsDependencies {
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  readonly inbox: WebhookInbox;
}

/** A delivery is done, held by another process or request, or held by the caller from now on. */
export type ClaimResult = { readonly kind: 'done' } | { readonly kind: 'busy' } | HeldClaim;

/**
 * Claims deliveries in the inbox, so that each is handled by one process at a time. One timer
 * renews all the claims that are held.
 */
export class WebhookClaims {
  readonly #held = new LinkedSet<HeldClaim>();
  #cancelRenewal: (() => void) | undefined;

  constructor(private readonly dependencies: WebhookClaimsDependencies) {}

  /**
   * Claims a delivery. When it is being handled already, waits up to 4 s for the outcome: it may be
   * done, or be released for another attempt.
   * @throws what the inbox throws
   */
  async take(key: DeliveryKey): Promise<ClaimResult> {
    const claim = await this.dependencies.inbox.claim(key, LEASE);
    return claim.state === 'busy' ? this.#waitFor(key) : this.#resultOf(claim, key);
  }

  async #waitFor(key: DeliveryKey): Promise<ClaimResult> {
    const { clock } = this.dependencies;
    const waited = stopwatch(clock);
    while (waited() < MAX_WAIT) {
      await clock.sleep(POLL_INTERVAL);
      const claim = await this.dependencies.inbox.claim(key, LEASE);
      if (claim.state !== 'busy') return this.#resultOf(claim, key);
    }
    return BUSY;
  }

  #resultOf(claim: Exclude<Claim, { state: 'busy' }>, key: DeliveryKey): ClaimResult {
    if (claim.state === 'done') return DONE;
    const held = new HeldClaim(this.dependencies, key, claim, this);
    held.place = this.#held.add(held);
    if (this.#held.size === 1) this.#scheduleRenewal();
    return held;
  }

  /** @internal Called when a claim need not be renewed any more. */
  over({ place }: HeldClaim): void {
    if (place && this.#held.delete(place) && this.#held.size === 0) this.#cancelRenewal?.();
  }

  #scheduleRenewal(): void {
    this.#cancelRenewal = setTimer(this.dependencies.clock, RENEWAL_INTERVAL, () => {
      for (const claim of this.#held.values()) void claim.renew();
      if (this.#held.size > 0) this.#scheduleRenewal();
    });
  }
}

const DONE = { kind: 'done' } as const;
const BUSY = { kind: 'busy' } as const;

/** The claim on one delivery. It is renewed until it is completed, released or lost. */
class HeldClaim {
  readonly kind = 'held';
  /** Names of the handlers that succeeded in earlier attempts: they must not run again. */
  readonly handled: readonly string[];
  readonly #token: string;
  #isRenewing = false;
  #isOver = false;
  /** @internal Where its keeper keeps it. */
  place: Place<HeldClaim> | undefined;

  constructor(
    private readonly dependencies: WebhookClaimsDependencies,
    private readonly key: DeliveryKey,
    { token, handled }: GrantedClaim,
    // No function of its own to call instead: as a property V8 would keep each until it collects
    // the whole heap.
    private readonly keeper: WebhookClaims,
  ) {
    this.#token = token;
    this.handled = handled;
  }

  /** Marks the delivery as done. A failure is only logged: its handlers have run. */
  complete(): Promise<void> {
    this.#end();
    return this.#attempt('complete', (inbox) => inbox.complete(this.key, this.#token));
  }

  /**
   * Gives the delivery back with the names of all handlers that have succeeded. A failure is only
   * logged: the lease ends by itself.
   */
  release(handled: readonly string[]): Promise<void> {
    this.#end();
    return this.#attempt('release', (inbox) => inbox.release(this.key, this.#token, handled));
  }

  /**
   * Renews the lease, unless that is under way already. A renewal that fails is logged, and counts
   * as held until the next one is due.
   */
  async renew(): Promise<void> {
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    const isHeld = await this.#attempt('renew', (inbox) =>
      inbox.renew(this.key, this.#token, LEASE),
    );
    this.#isRenewing = false;
    if (isHeld !== false || this.#isOver) return;
    this.#end();
    this.dependencies.logger.warn(
      'The claim on a delivery was lost while it was being handled; it may be handled a second time',
      logFieldsOf(this.key),
    );
  }

  #end(): void {
    this.#isOver = true;
    this.keeper.over(this);
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
