import type { PaceRequest, Pacer, Settlement, Ticket } from '../pacing/pacer.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import type { Clock } from '../time/clock.js';
import { HEADERS } from '../vendor.js';
import type { ApiCall, ApiReply, CallFacts } from './api-call.js';
import type { Deadline } from './time-limit.js';
import { LONGEST_WAIT, backoff, retryAfter } from './retries.js';
import { checkedLimit } from './api-request.js';
import {
  HttpAbortedError,
  HttpRedirectError,
  HttpRequestError,
  HttpTimeoutError,
} from './http.errors.js';
import type { ApiErrorOptions } from './http.errors.js';
import { discard, onDemand } from './http-transport.js';
import type { HttpTransport } from './http-transport.js';

/**
 * After these a call that may be repeated is sent again. A 429 says that nothing was done: after
 * it, any call is.
 */
const RETRIABLE: ReadonlySet<number> = new Set([500, 502, 503, 504]);

export interface ApiCallerOptions {
  readonly transport: HttpTransport;
  readonly pacer: Pacer;
  /** Names the app toward the pacer. */
  readonly app: string;
  /** Attempts after the first. */
  readonly retries: number;
  /** Whether each call counts as having asked for them. @default false */
  readonly isAsked?: boolean | undefined;
  /** Of one attempt, in milliseconds. @default none */
  readonly timeout?: number | undefined;
  /** From 0 up to, not including, 1: spreads the waits between attempts. @default Math.random */
  readonly random?: (() => number) | undefined;
  /** @default nothing is measured */
  readonly telemetry?: Telemetry | undefined;
}

/**
 * The result of one attempt, and after how many milliseconds there may be another; `undefined` when
 * there must be none.
 */
type Outcome<T> = { readonly pause: number | undefined } & (
  | { readonly kind: 'reply'; readonly reply: ApiReply<T> }
  | { readonly kind: 'error'; readonly error: HttpRequestError }
);

/** One way through {@link ApiCaller.call}: the call with what changes from attempt to attempt. */
interface Progress<T> {
  readonly call: ApiCall<T>;
  readonly limit: Deadline | undefined;
  /** With the token as of now. */
  headers: Readonly<Record<string, string>>;
  /** Another token has taken the place of the one the call began with. */
  isRenewed: boolean;
  /** How often it was sent, or is about to be. */
  attempts: number;
  /** How often because it had failed. */
  retries: number;
}

/**
 * Makes calls to the platform: waits for their turn, sends, reads, and sends again what failed
 * where that is safe.
 */
export class ApiCaller {
  readonly clock: Clock;
  /** Of one attempt that names none, in milliseconds; `undefined` for no limit. */
  readonly timeout: number | undefined;
  readonly #options: ApiCallerOptions;

  constructor(options: ApiCallerOptions) {
    this.#options = options;
    this.clock = options.transport.clock;
    this.timeout = options.timeout;
  }

  /**
   * Sends until a reply need not be retried, the retries are used up or the next wait would pass
   * the deadline. Waits as long as the platform says. A call whose token is refused is sent once
   * more with the token that replaces it, if there is one.
   * @throws {HttpTimeoutError} when the last attempt took too long
   * @throws {HttpAbortedError} when the signal was aborted
   * @throws {HttpRedirectError} in a browser, when the reply is a redirect
   * @throws {HttpRequestError} when no reply came to the last attempt
   */
  call<T>(call: ApiCall<T>): Promise<ApiReply<T>> {
    const instruments = this.#options.telemetry?.instruments;
    return instruments ? instruments.apiCall(call, () => this.#call(call)) : this.#call(call);
  }

  async #call<T>(call: ApiCall<T>): Promise<ApiReply<T>> {
    const { observer } = call;
    const most = call.retries ?? this.#options.retries;
    const deadline = checkedLimit('deadline', call.deadline);
    const limit =
      deadline === undefined
        ? undefined
        : new (await onDemand()).Deadline(this.clock, deadline, call.signal);
    const progress: Progress<T> = {
      call,
      limit,
      headers: call.request.headers,
      isRenewed: false,
      attempts: 1,
      retries: 0,
    };
    try {
      for (; ; progress.attempts++) {
        const outcome = await this.#attempt(progress);
        const { pause } = outcome;
        const last = outcome.kind === 'reply' ? outcome.reply.response : undefined;
        if (last?.status === 401 && (await this.#renewed(progress, last))) continue;
        if (
          progress.retries >= most ||
          pause === undefined ||
          pause > LONGEST_WAIT ||
          (limit && pause >= limit.remaining)
        ) {
          if (outcome.kind === 'error') throw outcome.error;
          const deprecation = outcome.reply.response.headers.get(HEADERS.deprecatedReason);
          if (deprecation) observer?.deprecated?.(call, deprecation);
          const refusedFor = last?.status === 401 ? call.token?.refusedFor : undefined;
          return refusedFor ? { ...outcome.reply, refusedFor } : outcome.reply;
        }
        await this.#wait(progress, pause, last);
        progress.retries++;
        observer?.retried?.(call, { number: progress.retries, most, last });
      }
    } finally {
      limit?.cancel();
    }
  }

  /** Ends the pacing: calls that wait are let through, and so is every later one. */
  close(): Promise<void> {
    return this.#options.pacer.close();
  }

  async #attempt<T>(progress: Progress<T>): Promise<Outcome<T>> {
    const { call, limit, headers, attempts, retries } = progress;
    const { shop, operation, request, kind, cost, priority, keepalive, read, observer } = call;
    const { pacer, app, transport } = this.#options;
    const ownTimeout = checkedLimit('timeout', call.timeout ?? this.timeout);
    const aborted = limit?.signal ?? call.signal;
    const pace: PaceRequest = { app, shop, kind, cost: cost(), priority, signal: aborted };
    // Most have their turn at once: they need not wait.
    const ticket = pacer.reserveNow(pace) ?? (await this.#turn(pace, progress));
    const signal = call.finishOnceSent ? undefined : call.signal;
    const timeout = limit ? Math.min(ownTimeout ?? Infinity, limit.remaining) : ownTimeout;
    let settlement: Settlement | undefined;
    let response!: Response;
    try {
      const value = await transport.receive(
        request.url,
        { method: request.method, headers, body: request.body, timeout, signal, keepalive },
        (reply) => {
          response = reply;
          observer?.replied?.(call, reply);
          return read(reply);
        },
      );
      const usage = call.usage?.(response, value);
      const throttledFor = response.ok ? usage?.throttledFor : undefined;
      settlement = {
        bucket: usage?.bucket,
        actualCost: usage?.actualCost,
        throttled: response.status === 429 || throttledFor !== undefined,
      };
      return {
        kind: 'reply',
        reply: {
          response,
          value,
          attempts,
          retries,
          isAsked: this.#options.isAsked || call.retries !== undefined,
          requestId: response.headers.get(HEADERS.requestId) ?? undefined,
          usage,
          call: { shop, operation },
        },
        pause: throttledFor ?? this.#pauseAfter(response, progress),
      };
    } catch (error) {
      if (!(error instanceof HttpRequestError)) throw error;
      const isFinal = error instanceof HttpAbortedError || error instanceof HttpRedirectError;
      return {
        kind: 'error',
        error: withFacts(error, progress, response),
        pause: call.repeatable && !isFinal ? this.#defaultPause(progress) : undefined,
      };
    } finally {
      ticket.settle(settlement);
    }
  }

  async #turn<T>(pace: PaceRequest, progress: Progress<T>): Promise<Ticket> {
    try {
      const ticket = await this.#options.pacer.reserve(pace);
      if (!pace.signal?.aborted) return ticket;
      ticket.settle();
      throw pace.signal.reason;
    } catch (cause) {
      const facts = factsOf(progress.call, progress.attempts - 1);
      throw endOfWait('its turn', progress, { ...facts, cause });
    }
  }

  /**
   * Replaces the token of a call that met a 401, once: true when it can be sent again. A caller
   * that stops waiting does not stop the renewal, which later calls can use.
   */
  async #renewed<T>(progress: Progress<T>, response: Response): Promise<boolean> {
    const { call, limit, headers, isRenewed } = progress;
    if (!call.token?.isRenewable || isRenewed) return false;
    try {
      const { orAborted } = await onDemand();
      const replacing = call.token.replace(headers[HEADERS.accessToken] ?? '');
      const token = await orAborted(replacing, limit?.signal ?? call.signal);
      if (token === undefined) return false;
      progress.headers = { ...headers, [HEADERS.accessToken]: token };
      progress.isRenewed = true;
    } catch (cause) {
      await discard(response);
      const facts = { ...factsOf(call, progress.attempts, response), cause };
      throw endOfWait('another token', progress, facts);
    }
    await discard(response);
    return true;
  }

  async #wait<T>(
    { call, attempts }: Progress<T>,
    pause: number,
    last: Response | undefined,
  ): Promise<void> {
    await discard(last);
    await this.clock.sleep(pause, call.signal).catch((cause: unknown) => {
      throw new HttpAbortedError(
        `${call.operation} was aborted while it waited for its next attempt.`,
        { ...factsOf(call, attempts, last), cause },
      );
    });
  }

  #pauseAfter<T>({ status, headers }: Response, progress: Progress<T>): number | undefined {
    const { retriable, repeatable } = progress.call;
    if (!(retriable?.includes(status) ?? isRetriable(status, repeatable))) return undefined;
    return retryAfter(headers, this.clock) ?? this.#defaultPause(progress);
  }

  #defaultPause<T>({ call, retries }: Progress<T>): number {
    return call.wait ?? backoff(retries + 1, this.#options.random);
  }
}

/** True for a status after which a call is sent again. */
export function isRetriable(status: number, repeatable: boolean): boolean {
  return status === 429 || (repeatable && RETRIABLE.has(status));
}

/**
 * Why a wait for `what` ended too early: the caller aborted it, the deadline passed, or else the
 * cause itself.
 */
function endOfWait<T>(what: string, { call, limit }: Progress<T>, facts: ApiErrorOptions): unknown {
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

function factsOf({ shop, operation }: CallFacts, attempts: number, last?: Response) {
  const requestId = last?.headers.get(HEADERS.requestId) ?? undefined;
  return { shop, operation, attempts, status: last?.status, requestId };
}

/** The same error with what the transport does not know. @param begun a reply that broke off */
function withFacts<T>(
  error: HttpRequestError,
  { call, attempts, retries }: Progress<T>,
  begun: Response | undefined,
): HttpRequestError {
  const message =
    retries > 0 ? `${error.message} Gave up after ${attempts} attempts.` : error.message;
  const Kind = error.constructor as typeof HttpRequestError;
  return new Kind(message, { ...factsOf(call, attempts, begun), cause: error.cause });
}
