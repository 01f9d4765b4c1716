/** A leaky bucket: its capacity, and how much of it is restored each second. */
export interface BucketLimit {
  readonly capacity: number;
  readonly restoreRate: number;
}

/** The rate limits of one app in one shop; `'off'` for none. */
export interface ApiLimits {
  /** Counts requests. */
  readonly rest: BucketLimit | 'off';
  /** Counts cost points. Without a limit, a single query may cost more than 1000, too. */
  readonly graphql: BucketLimit | 'off';
}
