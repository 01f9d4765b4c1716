import type { Clock } from '../clock.js';
import { HttpRequestError, InvalidRequestError } from './http.errors.js';

/** Waited before another attempt when the platform does not say how long, in milliseconds. */
const DEFAULT_RETRY_WAIT = 1000;
/** Longer than this nobody waits inside a call: the reply is handed over instead, which says how long. Milliseconds. */
const LONGEST_WAIT = 60_000;
const MOST_RETRIES = 3;

/** What may be sent again without being done twice. */
export interface RetryRule {
  readonly statuses: readonly number[];
  /** Also when no reply came. */
  readonly networkErrors: boolean;
}

/** For calls that change nothing, or the same thing when repeated. */
export const REPEATABLE: RetryRule = { statuses: [429, 500, 502, 503, 504], networkErrors: true };
/** For calls that would be done twice: only after a 429, which says that nothing was done. */
export const ONCE_ONLY: RetryRule = { statuses: [429], networkErrors: false };

export interface RetryOptions {
  readonly clock: Clock;
  readonly rule: RetryRule;
  /** Attempts after the first. */
  readonly retries: number;
  /** Milliseconds between attempts without a `Retry-After`. @default 1000 */
  readonly wait?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onReply?: ((response: Response) => void) | undefined;
  /** Before each attempt but the first; `attempt` counts from 1, and there is no `last` reply after a network error. */
  readonly onRetry?: ((attempt: number, last: Response | undefined) => void) | undefined;
  /** The reply that is handed over. */
  readonly onFinal?: ((response: Response) => void) | undefined;
}

/** The last reply, whatever its status, and how many attempts it took. */
export interface Replied {
  readonly response: Response;
  readonly attempts: number;
}

/**
 * Sends until a reply need not be retried or the retries are used up. Waits as long as `Retry-After` says.
 * @throws {HttpRequestError} when no reply came to the last attempt, or the call was aborted
 */
export async function sendWithRetries(send: () => Promise<Response>, options: RetryOptions): Promise<Replied> {
  const { clock, rule, retries, wait = DEFAULT_RETRY_WAIT, signal, onReply, onRetry, onFinal } = options;
  for (let attempt = 1; ; attempt++) {
    const isLast = attempt > retries;
    const outcome = await send().catch((error: unknown) => {
      if (!isLast && rule.networkErrors && !signal?.aborted) return undefined;
      throw attempt > 1 ? afterAttempts(error, attempt) : error;
    });
    if (outcome) onReply?.(outcome);
    const pause = outcome ? (retryAfter(outcome.headers, clock) ?? wait) : wait;
    if (outcome && (isLast || !rule.statuses.includes(outcome.status) || pause > LONGEST_WAIT)) {
      onFinal?.(outcome);
      return { response: outcome, attempts: attempt };
    }
    // An unread body would keep the connection busy.
    await outcome?.body?.cancel().catch(() => {});
    await clock.sleep(pause, signal).catch((cause: unknown) => {
      throw new HttpRequestError('The call was aborted while it waited for its next attempt.', { cause });
    });
    onRetry?.(attempt, outcome);
  }
}

function afterAttempts(error: unknown, attempts: number): unknown {
  return error instanceof HttpRequestError
    ? new HttpRequestError(`${error.message} Gave up after ${attempts} attempts.`, { cause: error })
    : error;
}

/** How long the platform asks to wait, in milliseconds: `Retry-After` in seconds (fractions too) or as a date. */
export function retryAfter(headers: Headers, clock: Clock): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (!value) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - clock.now().getTime());
}

/**
 * Passes a number of retries on, 0 to 3.
 * @throws {InvalidRequestError} for anything else
 */
export function checkedRetries(retries: unknown): number {
  if (typeof retries === 'number' && Number.isInteger(retries) && retries >= 0 && retries <= MOST_RETRIES) return retries;
  throw new InvalidRequestError(
    `The "retries" value (${String(retries)}) is invalid: it must be a whole number from 0 to ${MOST_RETRIES}.`,
  );
}
