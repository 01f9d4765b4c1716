import type { ApiLimits, BucketLimit } from './rate-limits.js';

/** The limits of the platform's standard plan. */
const STANDARD_LIMITS = {
  rest: { capacity: 40, restoreRate: 2 },
  graphql: { capacity: 2000, restoreRate: 100 },
} as const satisfies ApiLimits;

/** The buckets of one shop: one for each app and kind of API. */
export class ApiBuckets {
  private readonly buckets = new Map<string, ApiBucket>();

  constructor(
    private current: ApiLimits,
    private readonly now: () => Date,
  ) {}

  get limits(): ApiLimits {
    return this.current;
  }

  /**
   * Changes limits at run time, as a change of plan does: what is used stays used.
   * @throws TypeError for an invalid limit
   */
  change(limits: Partial<ApiLimits>): void {
    this.current = checkedLimits({ ...this.current, ...limits });
    for (const bucket of this.buckets.values()) bucket.limit = this.current[bucket.kind];
  }

  of(kind: keyof ApiLimits, apiKey: string): ApiBucket {
    const name = `${kind} ${apiKey}`;
    const bucket = this.buckets.get(name) ?? new ApiBucket(kind, this.current[kind], this.now);
    this.buckets.set(name, bucket);
    return bucket;
  }
}

/** One bucket. Without a limit, it is full before each call. */
export class ApiBucket {
  private used = 0;
  private at: number;

  constructor(
    readonly kind: keyof ApiLimits,
    private granted: BucketLimit | 'off',
    private readonly now: () => Date,
  ) {
    this.at = now().getTime();
  }

  set limit(limit: BucketLimit | 'off') {
    this.leak();
    this.granted = limit;
  }

  get capacity(): number {
    return this.size.capacity;
  }

  get restoreRate(): number {
    return this.size.restoreRate;
  }

  /** True when nothing limits the calls, the cost of a single one included. */
  get isUnlimited(): boolean {
    return this.granted === 'off';
  }

  /** What is left, in whole units. */
  get available(): number {
    this.leak();
    return Math.max(0, Math.floor(this.capacity - this.used + ROUNDING));
  }

  /** Takes the cost of a call, if enough is left. */
  take(cost: number): boolean {
    this.leak();
    if (this.granted === 'off') this.used = 0;
    else if (this.used + cost > this.capacity + ROUNDING) return false;
    this.used += cost;
    return true;
  }

  /** Returns the part of a call's charge that it did not use. */
  refund(cost: number): void {
    this.used = Math.max(0, this.used - cost);
  }

  /** Seconds until a cost can be taken. */
  secondsUntil(cost: number): number {
    this.leak();
    return Math.max(0, this.used + cost - this.capacity) / this.restoreRate;
  }

  private get size(): BucketLimit {
    return sizeOf(this.kind, this.granted);
  }

  private leak(): void {
    const now = this.now().getTime();
    // A clock that is set back restores nothing.
    const seconds = Math.max(0, now - this.at) / 1000;
    if (this.granted !== 'off') this.used = Math.max(0, this.used - seconds * this.restoreRate);
    this.at = now;
  }
}

/** The size of a bucket: that of the standard plan when nothing limits the calls. */
export function sizeOf(kind: keyof ApiLimits, limit: BucketLimit | 'off'): BucketLimit {
  return limit === 'off' ? STANDARD_LIMITS[kind] : limit;
}

/** Tolerance for rounding errors. */
const ROUNDING = 1e-6;

/** The standard limits, overridden by the given ones. @throws TypeError for an invalid limit */
export function checkedLimits(limits: Partial<ApiLimits>): ApiLimits {
  const all = { ...STANDARD_LIMITS, ...limits };
  for (const kind of ['rest', 'graphql'] as const) {
    const limit = all[kind];
    if (limit !== 'off' && !(limit.capacity >= 1 && limit.restoreRate > 0)) {
      throw new TypeError(
        `limits.${kind} is { capacity, restoreRate } in positive numbers, or 'off'; got ${JSON.stringify(limit)}.`,
      );
    }
  }
  return all;
}
