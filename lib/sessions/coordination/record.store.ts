/** Names one record. */
export interface RecordKey {
  /** What it is a record of, such as `lock`: at most 32 letters. */
  readonly kind: string;
  /** Unique among its kind, compared exactly: at most 190 of ASCII's visible characters. */
  readonly id: string;
}

/** What is kept under a key. */
export interface StoredRecord {
  readonly id: string;
  /** None while the record is leased, or waits for its next lease. */
  readonly state: string | undefined;
  readonly data: string;
  /** Counts the writes of `put`; 0 for a record that is leased instead. */
  readonly version: number;
  /** When it was last written, by the engine's clock. */
  readonly changedAt: Date;
}

/** A record as `put` writes it. */
export interface VersionedRecord extends RecordKey {
  readonly state: string;
  readonly data: string;
  /** One more than that of the stored record: 1 when there is to be none. */
  readonly version: number;
}

/** How long a lease lasts. */
export interface LeaseTerms {
  readonly leaseMs: number;
  /** Milliseconds the record is kept after a lease that nobody has ended. @default 0 */
  readonly keepMs?: number | undefined;
}

/** Whether a record is leased to the caller, and if not, why. */
export type Lease =
  /** `data` is what the lease before was ended with; empty when there was none. */
  | { readonly kind: 'granted'; readonly data: string }
  | { readonly kind: 'held' }
  /** The record has its final state, and is leased no more until it expires. */
  | { readonly kind: 'ended'; readonly state: string };

/** What is left of a record when its lease is given up. */
export interface LeaseOutcome {
  /** The final state. @default none: the record may be leased again at once */
  readonly state?: string | undefined;
  readonly data: string;
  /** Milliseconds from now until the record expires. */
  readonly keepMs: number;
}

/** Which records `list` answers with. */
export interface RecordQuery {
  readonly kind: string;
  /** @default any state, and none */
  readonly state?: string | undefined;
  /** Those written at that moment or later, the newest first. */
  readonly changedSince?: Date | undefined;
  /** Those whose id comes after this one: the last of the page before, in the order of ids. */
  readonly after?: string | undefined;
  /** At most so many: a fraction is cut off, below 1 or NaN means none. */
  readonly limit: number;
}

/**
 * Records that all processes share, each changed by compare-and-set on the engine's own clock. A
 * port that an engine implements once; locks, deliveries and installations are kept in it.
 *
 * A kind of records is used in one of three ways: its records are *written* in versions with `put`
 * and kept for good; or *leased and kept*, with `keepMs`, until they expire; or *leased alone*, as
 * locks are: an engine need not find these with `get` and `list`. An expired record is the same as
 * none, though an engine may remove it later. Each method is one round trip where the engine has a
 * way.
 */
export abstract class RecordStore {
  abstract get(key: RecordKey): Promise<StoredRecord | undefined>;
  /** In the order of their ids unless `changedSince` is given; none that has expired. */
  abstract list(query: RecordQuery): Promise<StoredRecord[]>;
  /**
   * Writes the record if the stored one has the version before it.
   * @returns false, and changes nothing, when someone else has written meanwhile
   */
  abstract put(record: VersionedRecord): Promise<boolean>;
  /**
   * Leases the record to `owner` unless it is leased or has a final state. Answers at once.
   * @param owner unique to this lease
   */
  abstract lease(key: RecordKey, owner: string, terms: LeaseTerms): Promise<Lease>;
  /**
   * The lease now ends `leaseMs` from now. One that is over can be renewed while its record is kept
   * and nobody else has leased it.
   * @returns false, and changes nothing, when the record has expired or is no longer the owner's
   */
  abstract renew(key: RecordKey, owner: string, terms: LeaseTerms): Promise<boolean>;
  /**
   * Ends the lease, and removes the record unless there is an outcome to keep. Without effect when
   * the record is no longer the owner's.
   */
  abstract end(key: RecordKey, owner: string, outcome?: LeaseOutcome): Promise<void>;
}
