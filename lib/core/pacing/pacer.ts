/** Which of a shop's two buckets a call draws from; the platform keeps them apart. */
export type PaceKind = 'rest' | 'graphql';

/**
 * Someone waits for an `interactive` call (the default), nobody for a `background` one; the first
 * kind goes ahead of the second.
 */
export type Priority = 'interactive' | 'background';

/**
 * While calls of both kinds wait, one background call goes after this many interactive ones: a
 * fifth of all calls is theirs.
 */
export const INTERACTIVE_IN_A_ROW = 4;

/** A bucket as a reply describes it, in requests (REST) or points (GraphQL). */
export interface BucketState {
  readonly available: number;
  readonly capacity: number;
  /** How much comes back per second. @default learnt from the replies, where they do not say */
  readonly restoreRate?: number | undefined;
}

/** What is asked of a pacer before a call is sent. */
export interface PaceRequest {
  /** Names the app: two apps in one shop have buckets of their own. */
  readonly app: string;
  readonly shop: string;
  readonly kind: PaceKind;
  /** The estimate, finite and not negative: 1 for a REST request, points for a GraphQL document. */
  readonly cost: number;
  /** @default 'interactive' */
  readonly priority?: Priority | undefined;
  /** Ends the wait; `reserve` then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Names the bucket a call draws from; none of the parts can contain a space. */
export function bucketName({ app, shop, kind }: PaceRequest): string {
  return `${kind} ${app} ${shop}`;
}

/** What a reply told about the bucket. */
export interface Settlement {
  readonly bucket?: BucketState | undefined;
  /** What the call really cost, in the unit of its estimate. */
  readonly actualCost?: number | undefined;
  /** The platform refused the call for want of room. */
  readonly throttled?: boolean | undefined;
}

/**
 * A place in the bucket. `settle` is called exactly once: with what the reply told, or with nothing
 * when there was no reply.
 */
export interface Ticket {
  settle(told?: Settlement): void;
}

/** Holds calls back so that the platform never has to refuse one. */
export abstract class Pacer {
  /**
   * A place for a call that need not wait for it; `undefined` when it has to be reserved. @default
   * none ever
   */
  reserveNow(_request: PaceRequest): Ticket | undefined {
    return undefined;
  }

  /**
   * Resolves when the call may be sent.
   * @throws the signal's reason when it is aborted first
   */
  abstract reserve(request: PaceRequest): Promise<Ticket>;

  /**
   * Lets go of timers and connections. Calls that wait are let through, and so is every later one.
   */
  abstract close(): Promise<void>;
}

/** A place that costs nothing. */
export const FREE_TICKET: Ticket = { settle: () => {} };

/** Lets every call through at once. */
export const unpaced: Pacer = new (class Unpaced extends Pacer {
  override reserveNow({ signal }: PaceRequest): Ticket | undefined {
    return signal?.aborted ? undefined : FREE_TICKET;
  }

  override reserve({ signal }: PaceRequest): Promise<Ticket> {
    return signal?.aborted ? Promise.reject(signal.reason) : Promise.resolve(FREE_TICKET);
  }

  override close(): Promise<void> {
    return Promise.resolve();
  }
})();
