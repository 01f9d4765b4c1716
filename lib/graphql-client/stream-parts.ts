import type { Clock } from '../core/time/clock.js';
import type { ApiReply } from '../core/http/api-call.js';
import { HttpAbortedError, HttpRequestError, HttpTimeoutError } from '../core/http/http.errors.js';
import { TimeLimit } from '../core/http/time-limit.js';
import { readerOf } from '../core/http/reply-body.js';
import { boundaryOf, readParts } from './multipart.reader.js';

/** What ends a stream before its last part. */
export interface StreamLimits {
  readonly clock: Clock;
  /**
   * Time limit for each part, in milliseconds; the reader's own time does not count.
   * @default none
   */
  readonly timeout?: number | undefined;
  /** Time limit of the whole stream, which runs already. @default none */
  readonly deadline?: TimeLimit | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Yields the parts of a reply as they arrive. The body is closed in every case.
 * @throws {HttpTimeoutError} when a part does not come in time, or the deadline passes
 * @throws {HttpAbortedError} when the signal is aborted
 * @throws {HttpRequestError} when the connection breaks
 */
export async function* partsOf(
  reply: ApiReply<unknown>,
  limits: StreamLimits,
): AsyncGenerator<string, void, undefined> {
  const { chunks, close } = readerOf(reply.response);
  const stopped = limits.deadline?.signal ?? limits.signal;
  // Independent of the signal that `fetch` got: this also ends the wait for a body that ignores it.
  stopped?.addEventListener('abort', close);
  if (stopped?.aborted) close();
  try {
    const contentType = reply.response.headers.get('content-type') ?? '';
    const parts = readParts(chunks, boundaryOf(contentType));
    for (
      let part = await next(parts, reply, limits, close);
      !part.done;
      part = await next(parts, reply, limits, close)
    )
      yield part.value;
  } finally {
    stopped?.removeEventListener('abort', close);
    close();
  }
}

async function next(
  parts: AsyncGenerator<string, void, undefined>,
  reply: ApiReply<unknown>,
  { clock, timeout, deadline, signal }: StreamLimits,
  close: () => void,
): Promise<IteratorResult<string, void>> {
  const patience = timeout === undefined ? undefined : new TimeLimit(clock, timeout);
  patience?.signal.addEventListener('abort', close);
  const { operation } = reply.call;
  const facts = {
    ...reply.call,
    attempts: reply.attempts,
    requestId: reply.requestId,
    status: reply.response.status,
  };
  // A closed body ends like a complete one.
  const throwIfOver = (cause?: unknown): void => {
    if (signal?.aborted)
      throw new HttpAbortedError(`${operation} was aborted while its stream was read.`, {
        ...facts,
        cause,
      });
    if (deadline?.isOver)
      throw new HttpTimeoutError(`${operation} failed: its stream did not end by the deadline.`, {
        ...facts,
        cause,
      });
    if (patience?.isOver)
      throw new HttpTimeoutError(`${operation} failed: no part came within ${timeout} ms.`, {
        ...facts,
        cause,
      });
  };
  try {
    const part = await parts.next();
    throwIfOver();
    return part;
  } catch (cause) {
    if (cause instanceof HttpRequestError) throw cause;
    throwIfOver(cause);
    throw new HttpRequestError(`${operation} failed: the stream broke off.`, { ...facts, cause });
  } finally {
    patience?.cancel();
  }
}
