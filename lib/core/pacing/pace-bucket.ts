import type { BucketState, PaceKind, Settlement } from './pacer.js';
import { InvalidRequestError } from '../http/http.errors.js';

/** The buckets of the platform's standard plan, which are assumed until the first reply. */
export const STANDARD_BUCKETS: Readonly<
  Record<PaceKind, { readonly capacity: number; readonly restoreRate: number }>
> = {
  rest: { capacity: 40, restoreRate: 2 },
  graphql: { capacity: 2000, restoreRate: 100 },
};

/**
 * The share of an assumed bucket that may be in flight before the first reply: another process may
 * have emptied the real bucket.
 */
export const FIRST_SHARE = 0.25;

/**
 * An empty bucket of any plan is full again after twenty seconds. @see
 * https://shopify.dev/docs/api/usage/limits
 */
export const SECONDS_TO_RESTORE = 20;

/** The tolerance for rounding errors in sums of fractions. */
export const ROUNDING = 1e-6;

/**
 * The settlement without unusable numbers. A reply is untrusted input: a number that is not finite
 * would block every call for ever, or none.
 */
export function credible({ bucket, actualCost, throttled }: Settlement): Settlement {
  return {
    bucket: bucket && isCredible(bucket) ? bucket : undefined,
    actualCost:
      actualCost !== undefined && Number.isFinite(actualCost) && actualCost >= 0
        ? actualCost
        : undefined,
    throttled,
  };
}

function isCredible({ available, capacity, restoreRate = 1 }: BucketState): boolean {
  return (
    Number.isFinite(available) &&
    Number.isFinite(capacity) &&
    Number.isFinite(restoreRate) &&
    capacity > 0 &&
    restoreRate > 0
  );
}

/** What was taken out of the bucket for one call, and what was known at that moment. */
export interface Draw {
  readonly charge: number;
  /** Milliseconds. */
  readonly at: number;
  /** The cost of all calls that had been answered. */
  readonly settled: number;
}

/**
 * The platform's leaky bucket, as far as it can be known from outside. `level` is a lower bound:
 * what is left once every call in flight is charged. The platform charges a call later than it is
 * sent, so a bucket that was full has restored less than its rate. All times are milliseconds of a
 * monotonic clock.
 */
export class PaceBucket {
  readonly #rate: RestoreRate;
  #capacity: number;
  #level: number;
  #at: number;
  #spent = 0;
  #settled = 0;
  #isHeard = false;
  #isTold = false;
  #doubt = 0;

  constructor(kind: PaceKind, now: number) {
    const { capacity, restoreRate } = STANDARD_BUCKETS[kind];
    this.#capacity = capacity;
    this.#level = capacity;
    this.#rate = new RestoreRate(restoreRate);
    this.#at = now;
  }

  /**
   * Milliseconds until a call of this cost may be sent, 0 for now; `Infinity` until there is a
   * reply.
   */
  timeUntil(cost: number, now: number): number {
    this.#restore(now);
    const charge = Math.min(cost, this.#capacity);
    const underWay = this.#spent - this.#settled;
    if (!this.#isHeard && underWay > 0 && underWay + charge > this.#capacity * FIRST_SHARE)
      return Infinity;
    if (charge > this.#capacity - underWay + ROUNDING) return Infinity;
    const missing = charge - this.#level;
    return missing <= ROUNDING ? 0 : Math.ceil((1000 * missing) / this.#rate.perSecond);
  }

  /**
   * Takes out the cost of a call. A call that costs more than the bucket holds is sent when it is
   * full.
   */
  draw(cost: number, now: number): Draw {
    this.#restore(now);
    const charge = Math.min(cost, this.#capacity);
    this.#level -= charge;
    this.#spent += charge;
    return { charge, at: now, settled: this.#settled };
  }

  /** Corrects the level by the outcome of a call. Without a reply its cost stays unknown. */
  settle(draw: Draw, now: number, reply?: Settlement): void {
    const told = reply && credible(reply);
    this.#restore(now);
    const actual = told ? this.#costOf(draw, told) : draw.charge;
    this.#settled += actual;
    this.#spent += actual - draw.charge;
    this.#level += draw.charge - actual;
    this.#isHeard ||= told !== undefined;
    if (told?.bucket) this.#read(draw, actual, now, told.bucket);
    if (told?.throttled) this.#refused(told.bucket?.available ?? 0);
    this.#restore(now);
  }

  #costOf(draw: Draw, told: Settlement): number {
    if (told.throttled) return 0;
    if (told.actualCost !== undefined) return told.actualCost;
    // A store whose replies never describe a bucket has none.
    return told.bucket || this.#isTold ? draw.charge : 0;
  }

  #read(draw: Draw, actual: number, now: number, told: BucketState): void {
    if (!this.#isTold) this.#level = -Infinity; // It was a guess.
    if (!this.#isTold || told.capacity !== this.#capacity) {
      this.#capacity = told.capacity;
      this.#rate.perSecond = told.capacity / SECONDS_TO_RESTORE;
      this.#rate.forget();
    }
    this.#isTold = true;
    if (told.restoreRate !== undefined) this.#rate.perSecond = told.restoreRate;
    else
      this.#rate.learn({
        available: told.available,
        sentAt: draw.at,
        at: now,
        cost: actual,
        settled: draw.settled,
        spent: this.#spent,
      });
    // The lower bound: every call that was unanswered when this one was sent was charged after it.
    const least = told.available - this.#doubt - (this.#spent - draw.settled - actual);
    // The upper bound: none of them was, and the bucket has been restored since this one was sent.
    const most = told.available + 1 + (this.#rate.perSecond * (now - draw.at)) / 1000;
    this.#level = Math.min(Math.max(this.#level, least), most);
  }

  #refused(available: number): void {
    // The bucket had less than the replies said: their numbers may be rounded up.
    this.#doubt = 1;
    this.#level = Math.min(this.#level, Math.max(0, available - 1));
  }

  #restore(now: number): void {
    const full = this.#capacity - (this.#spent - this.#settled);
    this.#level += (this.#rate.perSecond * (now - this.#at)) / 1000;
    this.#at = now;
    if (this.#level < full) return;
    this.#level = full;
    this.#rate.forget();
  }
}

/**
 * What one reply says about the bucket, and what is needed to compare it with another reply. Times
 * in milliseconds.
 */
interface Reading {
  readonly available: number;
  /** The call was sent no earlier than this … */
  readonly sentAt: number;
  /** … and answered no later than this. The platform read its bucket in between. */
  readonly at: number;
  /** What the call cost. */
  readonly cost: number;
  /** The cost of all calls answered before this one was sent: certainly included in the reading. */
  readonly settled: number;
  /** The cost of all calls sent before the reply came: nothing else can be included. */
  readonly spent: number;
}

/** Readings further apart than this, in milliseconds, say little about the present. */
export const WINDOW = 10_000;

/**
 * The lowest rate that is learnt, in units per second. Other processes that use the same bucket
 * make it look slow, or as if it lost units; at a rate of zero no further call would correct that.
 */
export const LEAST_RATE = 0.2;

/**
 * How fast a bucket is restored, learnt where the platform does not say. Two readings prove bounds
 * of the rate: what was restored in between is their difference plus what was spent. The rate
 * changes only as far as these bounds require.
 */
class RestoreRate {
  #anchor: Reading | undefined;

  constructor(
    /** Units per second. */
    public perSecond: number,
  ) {}

  /** Starts over: the bucket may have been full in between, and a full bucket is not restored. */
  forget(): void {
    this.#anchor = undefined;
  }

  learn(reading: Reading): void {
    const anchor = this.#anchor;
    if (anchor) this.#compare(anchor, reading);
    if (!anchor || doubtOf(reading) < doubtOf(anchor) / 2 || reading.at - anchor.at > WINDOW)
      this.#anchor = reading;
  }

  #compare(before: Reading, { available, sentAt, at, cost, settled, spent }: Reading): void {
    if (sentAt <= before.at) return;
    const gained = available - before.available;
    // Replies give whole units, so either reading may be off by almost one.
    const least =
      (1000 * (gained + cost + Math.max(0, settled - before.spent) - 1)) / (at - before.sentAt);
    const most = Math.max(
      LEAST_RATE,
      (1000 * (gained + spent - before.settled - before.cost + 1)) / (sentAt - before.at),
    );
    // The platform restores whole units per second.
    if (this.perSecond < least) this.perSecond = Math.min(Math.ceil(least), most);
    if (this.perSecond > most) this.perSecond = most;
  }
}

/** The part of the spent cost that may or may not be included in a reading. */
function doubtOf({ spent, settled, cost }: Reading): number {
  return spent - settled - cost;
}

/**
 * Passes the cost of a call on.
 * @throws {InvalidRequestError} for what would hold everybody back for ever, or give places away
 */
export function checkedCost(cost: number): number {
  if (cost >= 0 && cost < Infinity) return cost;
  throw new InvalidRequestError(
    `The cost of a call (${String(cost)}) is invalid: it must be a number, not negative and not infinite.`,
  );
}
