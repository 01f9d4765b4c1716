import type { Clock } from '../time/clock.js';
import { orAborted } from '../concurrency/or-aborted.js';
import type {
  BucketState,
  PaceKind,
  PaceRequest,
  Pacer,
  Priority,
  Settlement,
  Ticket,
} from '../pacing/pacer.js';
import { HEADERS } from '../vendor.js';
import { HttpAbortedError, HttpRequestError, HttpTimeoutError } from './http.errors.js';
import type { ApiErrorOptions } from './http.errors.js';
import type { HttpTransport } from './http-transport.js';
import { LONGEST_WAIT, backoff, isRetriable, retryAfter } from './retry.js';
import { Deadline, checkedLimit } from './time-limit.js';

/** One call to the platform, whatever the interface. */
export interface ApiCall<T> {
  readonly shop: string;
  /** What is called, for errors: `GET products`, `query Products`. */
  readonly operation: string;
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly kind: PaceKind;
  /**
   * The estimate: 1 for a REST request, points for a GraphQL document. Asked anew before each
   * attempt: a refusal may have told better.
   */
  readonly cost: () => number;
  readonly priority?: Priority | undefined;
  /** May be sent again although it may have run. */
  readonly repeatable: boolean;
  /** Attempts after the first. @default the caller's */
  readonly retries?: number | undefined;
  /**
   * Milliseconds between attempts when the platform names none. @default exponential backoff with
   * full jitter, from one second
   */
  readonly wait?: number | undefined;
  /** Of one attempt, in milliseconds. @default the caller's */
  readonly timeout?: number | undefined;
  /** Of all attempts and waits together, in milliseconds. @default none */
  readonly deadline?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Once it is sent it is seen through: the signal ends only the waits before. @default false */
  readonly finishOnceSent?: boolean | undefined;
  /** Reads what is needed of a reply, inside the timeout. */
  readonly read: (response: Response) => T | Promise<T>;
  /** What the reply tells about the bucket. */
  readonly bucket?:
    | ((
        response: Response,
        value: T,
      ) =>
        | { readonly bucket?: BucketState | undefined; readonly actualCost?: number | undefined }
        | undefined)
    | undefined;
  /**
   * The reply says that nothing ran because of throttling though its status is a success:
   * milliseconds to wait, `undefined` otherwise.
   */
  readonly throttled?: ((response: Response, value: T) => number | undefined) | undefined;
  readonly onReply?: ((response: Response) => void) | undefined;
  /**
   * Before each retry; `retry` counts from 1, and there is no `last` reply after a network error.
   */
  readonly onRetry?: ((retry: number, last: Response | undefined) => void) | undefined;
  /**
   * The token was refused (401), so nothing ran: the headers to send it with once more, `undefined`
   * when there is no other token.
   */
  readonly renewed?: (() => Promise<Readonly<Record<string, string>> | undefined>) | undefined;
  /** The reply that is handed over. */
  readonly onFinal?: ((response: Response) => void) | undefined;
}

/** The last reply, whatever its status. */
export interface ApiReply<T> {
  readonly response: Response;
  /** What `read` made of it. */
  readonly value: T;
  /** How often the call was sent. */
  readonly attempts: number;
  /**
   * How often that was because it had failed: not when its token was refused, and another one
   * taken.
   */
  readonly retries: number;
  readonly requestId: string | undefined;
  readonly call: { readonly shop: string; readonly operation: string };
}

export interface ApiCallerOptions {
  readonly transport: HttpTransport;
  readonly pacer: Pacer;
  /** Names the app toward the pacer. */
  readonly app: string;
  /** Attempts after the first. */
  readonly retries: number;
  /** Of one attempt, in milliseconds. @default none */
  readonly timeout?: number | undefined;
  /** From 0 up to, not including, 1: spreads the waits between attempts. @default Math.random */
  readonly random?: (() => number) | undefined;
}

/**
 * What came of one attempt, and after how many milliseconds there may be another; `undefined` when
 * there is none.
 */
interface Outcome<T> {
  readonly result: ApiReply<T> | HttpRequestError;
  readonly pause: number | undefined;
}

/**
 * Makes calls to the platform: waits for its turn, sends, reads, and sends again what failed where
 * that does no harm.
 */
export class ApiCaller {
  readonly clock: Clock;
  /** Of one attempt that names none, in milliseconds; `undefined` for no limit. */
  readonly timeout: number | undefined;
  readonly #options: ApiCallerOptions;
  readonly #random: () => number;

  constructor(options: ApiCallerOptions) {
    this.#options = options;
    this.#random = options.random ?? Math.random;
    this.clock = options.transport.clock;
    this.timeout = options.timeout;
  }

  /**
   * Sends until a reply need not be retried, the retries are used up or the next wait would pass
   * the deadline. Waits as long as the platform says. A call whose token was refused is sent once
   * more with another token, if there is one.
   * @throws {HttpTimeoutError} when the last attempt took too long
   * @throws {HttpAbortedError} when the signal was aborted
   * @throws {HttpRequestError} when no reply came to the last attempt
   */
  async call<T>(asked: ApiCall<T>): Promise<ApiReply<T>> {
    let call = asked;
    let retries = 0;
    const most = call.retries ?? this.#options.retries;
    const deadline = checkedLimit('deadline', call.deadline);
    const limit =
      deadline === undefined ? undefined : new Deadline(this.clock, deadline, call.signal);
    try {
      for (let attempt = 1; ; attempt++) {
        const { result, pause } = await this.#attempt(call, attempt, retries, limit);
        const failed = result instanceof HttpRequestError;
        const headers =
          !failed && result.response.status === 401
            ? await this.#renewed(call, result, limit)
            : undefined;
        if (headers && !failed) {
          await discard(result.response);
          call = { ...call, headers, renewed: undefined };
          continue;
        }
        if (
          retries >= most ||
          pause === undefined ||
          pause > LONGEST_WAIT ||
          (limit && pause >= limit.remaining)
        ) {
          if (failed) throw result;
          call.onFinal?.(result.response);
          return result;
        }
        const last = failed ? undefined : result.response;
        await this.#wait(call, attempt, pause, last);
        retries++;
        call.onRetry?.(retries, last);
      }
    } finally {
      limit?.cancel();
    }
  }

  /** Ends the pacing: calls that wait are let through, and so is every later one. */
  close(): Promise<void> {
    return this.#options.pacer.close();
  }

  async #attempt<T>(
    call: ApiCall<T>,
    attempt: number,
    retries: number,
    limit: Deadline | undefined,
  ): Promise<Outcome<T>> {
    const { shop, operation, url, method, headers, body, kind, cost, priority, read, onReply } =
      call;
    const { pacer, app, transport } = this.#options;
    const patience = checkedLimit('timeout', call.timeout ?? this.timeout);
    const request: PaceRequest = {
      app,
      shop,
      kind,
      cost: cost(),
      priority,
      signal: limit?.signal ?? call.signal,
    };
    // Most have their turn at once: they need not wait.
    const ticket = pacer.reserveNow(request) ?? (await this.#turn(request, call, attempt, limit));
    const signal = call.finishOnceSent ? undefined : call.signal;
    const timeout = limit ? Math.min(patience ?? Infinity, limit.remaining) : patience;
    let told: Settlement | undefined;
    let response!: Response;
    try {
      const value = await transport.receive(
        url,
        { method, headers, body: body ?? null, timeout, signal },
        (reply) => {
          response = reply;
          onReply?.(reply);
          return read(reply);
        },
      );
      const throttledFor = response.ok ? call.throttled?.(response, value) : undefined;
      const spent = call.bucket?.(response, value);
      told = {
        bucket: spent?.bucket,
        actualCost: spent?.actualCost,
        throttled: response.status === 429 || throttledFor !== undefined,
      };
      const requestId = response.headers.get(HEADERS.requestId) ?? undefined;
      const result = {
        response,
        value,
        attempts: attempt,
        retries,
        requestId,
        call: { shop, operation },
      };
      return { result, pause: throttledFor ?? this.#pauseAfter(response, call, retries) };
    } catch (error) {
      if (!(error instanceof HttpRequestError)) throw error;
      const again = call.repeatable && !(error instanceof HttpAbortedError);
      return {
        result: withFacts(error, call, attempt, retries),
        pause: again ? this.#unaskedPause(call, retries) : undefined,
      };
    } finally {
      ticket.settle(told);
    }
  }

  async #turn<T>(
    request: PaceRequest,
    call: ApiCall<T>,
    attempt: number,
    limit: Deadline | undefined,
  ): Promise<Ticket> {
    try {
      const ticket = await this.#options.pacer.reserve(request);
      if (!request.signal?.aborted) return ticket;
      ticket.settle();
      throw request.signal.reason;
    } catch (cause) {
      throw endOfWait('its turn', call, limit, { ...factsOf(call, attempt - 1), cause });
    }
  }

  /**
   * The headers with another token. When they are waited for no longer, the renewal goes on: the
   * calls after this one profit by it.
   */
  async #renewed<T>(
    call: ApiCall<T>,
    { response, attempts }: ApiReply<T>,
    limit: Deadline | undefined,
  ): Promise<Readonly<Record<string, string>> | undefined> {
    if (!call.renewed) return undefined;
    try {
      return await orAborted(call.renewed(), limit?.signal ?? call.signal);
    } catch (cause) {
      await discard(response);
      throw endOfWait('another token', call, limit, {
        ...factsOf(call, attempts),
        status: response.status,
        cause,
      });
    }
  }

  async #wait<T>(
    call: ApiCall<T>,
    attempt: number,
    pause: number,
    last: Response | undefined,
  ): Promise<void> {
    await discard(last);
    await this.clock.sleep(pause, call.signal).catch((cause: unknown) => {
      const facts = { ...factsOf(call, attempt), status: last?.status, cause };
      throw new HttpAbortedError(
        `${call.operation} was aborted while it waited for its next attempt.`,
        facts,
      );
    });
  }

  #pauseAfter<T>(
    { status, headers }: Response,
    call: ApiCall<T>,
    retries: number,
  ): number | undefined {
    if (!isRetriable(status, call.repeatable)) return undefined;
    return retryAfter(headers, this.clock) ?? this.#unaskedPause(call, retries);
  }

  #unaskedPause<T>({ wait }: ApiCall<T>, retries: number): number {
    return wait ?? backoff(retries + 1, this.#random);
  }
}

/**
 * Why a wait for `what` ended before it was there: the caller, the deadline, or else the cause
 * itself.
 */
function endOfWait<T>(
  what: string,
  call: ApiCall<T>,
  limit: Deadline | undefined,
  facts: ApiErrorOptions,
): unknown {
  if (call.signal?.aborted)
    return new HttpAbortedError(
      `${call.operation} was aborted while it waited for ${what}.`,
      facts,
    );
  if (limit?.isOver)
    return new HttpTimeoutError(
      `${call.operation} did not get ${what} within ${call.deadline} ms.`,
      facts,
    );
  return facts.cause;
}

/** An unread body would keep the connection busy. */
async function discard(response: Response | undefined): Promise<void> {
  await response?.body?.cancel().catch(() => {});
}

interface Named {
  readonly shop: string;
  readonly operation: string;
}

function factsOf({ shop, operation }: Named, attempts: number) {
  return { shop, operation, attempts };
}

/** The same error, told what the transport does not know. */
function withFacts(
  error: HttpRequestError,
  call: Named,
  attempts: number,
  retries: number,
): HttpRequestError {
  const message =
    retries > 0 ? `${error.message} Gave up after ${attempts} attempts.` : error.message;
  const Kind =
    error instanceof HttpTimeoutError
      ? HttpTimeoutError
      : error instanceof HttpAbortedError
        ? HttpAbortedError
        : HttpRequestError;
  return new Kind(message, { ...factsOf(call, attempts), cause: error.cause });
}
