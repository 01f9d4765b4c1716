/** Which of a shop's two buckets a call draws from: the platform has one per kind of API. */
export type PaceKind = 'rest' | 'graphql';

/**
 * A user waits for an `interactive` call (the default), and nobody for a `background` call.
 * Interactive calls are sent first.
 */
export type Priority = 'interactive' | 'background';

/**
 * How many interactive calls are sent for each background call while calls of both kinds wait:
 * every fifth call is a background call.
 */
export const INTERACTIVE_IN_A_ROW = 4;

/** A bucket as a reply describes it, in requests (REST) or points (GraphQL). */
export interface BucketState {
  readonly available: number;
  readonly capacity: number;
  /** Units restored per second. @default learnt from the replies */
  readonly restoreRate?: number | undefined;
}

/** A call that is to be paced. */
export interface PaceRequest {
  /** Name of the app. Two apps in one shop have buckets of their own. */
  readonly app: string;
  readonly shop: string;
  readonly kind: PaceKind;
  /**
   * The estimated cost, finite and not negative: 1 for a REST request, points for a GraphQL
   * document.
   */
  readonly cost: number;
  /** @default 'interactive' */
  readonly priority?: Priority | undefined;
  /** Ends the wait: `reserve` rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The outcome of a call, as its reply reports it. */
export interface Settlement {
  readonly bucket?: BucketState | undefined;
  /** The actual cost of the call, in the unit of the estimate. */
  readonly actualCost?: number | undefined;
  /** The platform rejected the call because the bucket had too little left. */
  readonly throttled?: boolean | undefined;
}

/**
 * The permission to send a call. `settle` is called exactly once: with what the reply reports, or
 * without an argument when there was no reply.
 */
export interface Ticket {
  settle(told?: Settlement): void;
}

/** Delays calls, so that the platform does not reject them for exceeding its rate limits. */
export abstract class Pacer {
  /**
   * A ticket for a call that need not wait; `undefined` when it has to `reserve` one.
   * @default always `undefined`
   */
  reserveNow(_request: PaceRequest): Ticket | undefined {
    return undefined;
  }

  /**
   * Resolves with a ticket when the call may be sent.
   * @throws the signal's reason when it is aborted first
   */
  abstract reserve(request: PaceRequest): Promise<Ticket>;

  /** Closes timers and connections. Calls that wait are sent, and later calls are not paced. */
  abstract close(): Promise<void>;
}

/** A ticket that costs nothing. */
export const FREE_TICKET: Ticket = { settle: () => {} };

/** Sends every call at once. */
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

/**
 * Loads its pacer when the first call is to be paced: a plain client needs none, and what paces
 * over Redis is of no use to most apps.
 */
export class PacerOnDemand extends Pacer {
  readonly #load: () => Promise<Pacer>;
  #loading: Promise<Pacer> | undefined;
  #loaded: Pacer | undefined;
  #isClosed = false;

  constructor(load: () => Promise<Pacer>) {
    super();
    this.#load = load;
  }

  override reserveNow(request: PaceRequest): Ticket | undefined {
    return this.#loaded?.reserveNow(request);
  }

  override async reserve(request: PaceRequest): Promise<Ticket> {
    request.signal?.throwIfAborted();
    return (await (this.#loading ??= this.#begin())).reserve(request);
  }

  override async close(): Promise<void> {
    this.#isClosed = true;
    await (await this.#loading?.catch(() => undefined))?.close();
  }

  /** A failure is not kept: the next call tries again. */
  #begin(): Promise<Pacer> {
    return (this.#isClosed ? Promise.resolve(unpaced) : this.#load()).then(
      (pacer) => (this.#loaded = pacer),
      (error: unknown) => {
        this.#loading = undefined;
        throw error;
      },
    );
  }
}
