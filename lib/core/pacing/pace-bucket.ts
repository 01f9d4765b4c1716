import type { BucketState, PaceKind, Settlement } from './pacer.js';
import { InvalidRequestError } from '../http/http.errors.js';

/** What is assumed until a reply tells: the platform's standard plan. */
export const STANDARD_BUCKETS: Readonly<
  Record<PaceKind, { readonly capacity: number; readonly restoreRate: number }>
> = {
  rest: { capacity: 40, restoreRate: 2 },
  graphql: { capacity: 2000, restoreRate: 100 },
};

/**
 * Of the assumed bucket, what may be under way before the first reply: another process may have
 * emptied the real one.
 */
export const FIRST_SHARE = 0.25;

/**
 * An empty bucket of any plan is full again after twenty seconds. @see
 * https://shopify.dev/docs/api/usage/limits
 */
export const SECONDS_TO_RESTORE = 20;

/** Sums of fractions are off by less than this. */
export const ROUNDING = 1e-6;

/**
 * What a reply told, without the numbers that nothing can be reckoned with: they come from outside,
 * and one that is none would hold everybody back for ever, or nobody.
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

/** What was taken out for one call, and what was known at that moment. */
export interface Draw {
  readonly charge: number;
  /** Milliseconds. */
  readonly at: number;
  /** The cost of all calls that had been answered. */
  readonly settled: number;
}

/**
 * The platform's leaky bucket as far as it can be known from outside. `level` is what would be left
 * if every call under way had been charged, and never more than that: a call is charged later than
 * it is sent, so a bucket that was full has lost what came back meanwhile. All times are
 * milliseconds of a clock of the caller's that never goes back.
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
   * Milliseconds until a call of this cost may be sent, 0 for now; `Infinity` when that takes a
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

  /** Takes out what a call costs. What costs more than the bucket holds is sent when it is full. */
  draw(cost: number, now: number): Draw {
    this.#restore(now);
    const charge = Math.min(cost, this.#capacity);
    this.#level -= charge;
    this.#spent += charge;
    return { charge, at: now, settled: this.#settled };
  }

  /** Corrects the level by what became of a call; without a reply what it cost stays unknown. */
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
    // A store that never tells of a bucket has none.
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
    // The least that can be left: every call that was not answered before this one was sent has
    // been charged after it.
    const least = told.available - this.#doubt - (this.#spent - draw.settled - actual);
    // The most: none was, and the bucket has been filling up ever since this one was sent.
    const most = told.available + 1 + (this.#rate.perSecond * (now - draw.at)) / 1000;
    this.#level = Math.min(Math.max(this.#level, least), most);
  }

  #refused(available: number): void {
    // There was less than the replies had told: perhaps they round up.
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
 * What one reply told about the bucket, with what is needed to compare it with another. Times in
 * milliseconds.
 */
interface Reading {
  readonly available: number;
  /** The call it answers was sent no earlier than this … */
  readonly sentAt: number;
  /** … and answered no later than this: in between the platform looked into the bucket. */
  readonly at: number;
  /** What the call cost. */
  readonly cost: number;
  /** Everything that had been answered before the call was sent: surely inside the reading. */
  readonly settled: number;
  /** Everything that had been sent when the reply came: nothing else can be inside. */
  readonly spent: number;
}

/** Readings further apart than this say little about the present. Milliseconds. */
export const WINDOW = 10_000;

/**
 * No learnt rate is lower, in units per second: what others take out of the same bucket looks like
 * a slow one, or like one that loses, and without a call no reply would prove the opposite.
 */
export const LEAST_RATE = 0.2;

/**
 * How fast a bucket fills up, learnt where the platform does not say. Any two readings prove that
 * the rate lies between two bounds, because what came back in between is the difference of the
 * readings plus what was spent; the rate moves only as far as a proof makes it.
 */
class RestoreRate {
  #anchor: Reading | undefined;

  constructor(
    /** Units per second. */
    public perSecond: number,
  ) {}

  /** Starts over: the bucket may have been full in between, and a full bucket does not fill up. */
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
    // Replies tell whole units, so either end may be off by almost one.
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

/** How much of what was spent may or may not be inside a reading. */
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
