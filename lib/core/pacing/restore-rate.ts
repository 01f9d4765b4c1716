/**
 * What one reply told about the bucket, with what is needed to compare it with another. Times in
 * milliseconds.
 */
export interface Reading {
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
export class RestoreRate {
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
