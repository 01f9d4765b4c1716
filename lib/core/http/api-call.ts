import type { AccessToken } from '../api-session.js';
import type { SessionRequest } from '../session-request.js';
import type { PaceKind, Priority, Settlement } from '../pacing/pacer.js';

/** The HTTP request of a call. */
export interface ApiRequest {
  readonly url: string;
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** How often a call is sent, how long it may take and how much it matters. */
interface ApiCallLimits {
  /** Attempts after the first. @default the caller's */
  readonly retries?: number | undefined;
  /** Of one attempt, in milliseconds. @default the caller's */
  readonly timeout?: number | undefined;
  /** Of all attempts and waits together, in milliseconds. @default none */
  readonly deadline?: number | undefined;
  /** Ends the call, also while it waits. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Once the call is sent, its outcome is awaited: the signal ends only the waits before.
   * @default false
   */
  readonly finishOnceSent?: boolean | undefined;
  /** `background` calls let `interactive` ones go first. @default 'interactive' */
  readonly priority?: Priority | undefined;
  /** In a browser, the call outlives the page that makes it. @default false */
  readonly keepalive?: boolean | undefined;
}

/** What identifies a call. */
export interface CallFacts {
  readonly shop: string;
  /** What is called, for errors and logs: `GET products`, `query Products`. */
  readonly operation: string;
}

/** The part of a call that an observer sees. */
export interface ObservedCall extends CallFacts {
  readonly request: ApiRequest;
}

/** Is told what happens to a call: to log it, or to measure it. Must not throw. */
export interface ApiCallObserver {
  /** A reply has arrived, whatever its status; its body is unread. */
  replied?(call: ObservedCall, response: Response): void;
  /** The call failed and is sent again. */
  retried?(call: ObservedCall, retry: CallRetry): void;
  /** The final reply says that what was called is deprecated, and why. */
  deprecated?(call: ObservedCall, reason: string): void;
}

/** One of the retries of a call. */
export interface CallRetry {
  /** Counts from 1. */
  readonly number: number;
  /** How many there may be. */
  readonly most: number;
  /** The reply that led to it; `undefined` after a network error. */
  readonly last: Response | undefined;
}

/** What a reply says of the bucket and of throttling. */
export interface ReplyUsage extends Pick<Settlement, 'bucket' | 'actualCost'> {
  /**
   * The call did not run because of throttling, though the status is a success: milliseconds to
   * wait.
   */
  readonly throttledFor?: number | undefined;
}

/** One call to the platform, whatever the interface. */
export interface ApiCall<T> extends ObservedCall, ApiCallLimits {
  /** Replaced once when the platform refuses it (401). @default a refused token is final */
  readonly token?: AccessToken | undefined;
  readonly kind: PaceKind;
  /**
   * The estimate: 1 for a REST request, points for a GraphQL document. Asked before each attempt,
   * because a throttled reply may have corrected it.
   */
  readonly cost: () => number;
  /** May be sent again although it may have run. */
  readonly repeatable: boolean;
  /** The statuses after which it is sent again. @default those that pass */
  readonly retriable?: readonly number[] | undefined;
  /**
   * Milliseconds between attempts when the platform names none. @default exponential backoff with
   * full jitter, from one second
   */
  readonly wait?: number | undefined;
  /** Reads what is needed of a reply, inside the timeout. */
  readonly read: (response: Response) => T | Promise<T>;
  readonly usage?: ((response: Response, value: T) => ReplyUsage | undefined) | undefined;
  readonly observer?: ApiCallObserver | undefined;
}

/** The last reply, whatever its status. */
export interface ApiReply<T> {
  readonly response: Response;
  /** The result of `read`. */
  readonly value: T;
  /** How often the call was sent. */
  readonly attempts: number;
  /** How often it was sent again because it had failed; a renewed token does not count. */
  readonly retries: number;
  /** Whether whoever made the call asked for retries. */
  readonly isAsked: boolean;
  readonly requestId: string | undefined;
  /** What it says of the bucket, and of its cost. */
  readonly usage?: ReplyUsage | undefined;
  /** The request whose token was rejected for good. */
  readonly refusedFor?: SessionRequest | undefined;
  readonly call: CallFacts;
}
