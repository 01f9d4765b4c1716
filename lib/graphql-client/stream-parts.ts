import type { Clock } from '../core/time/clock.js';
import type { ApiReply } from '../core/http/api-call.js';
import { HttpAbortedError, HttpRequestError, HttpTimeoutError } from '../core/http/http.errors.js';
import { TimeLimit } from '../core/http/call-limits.js';
import { boundaryOf, readParts } from './multipart.reader.js';
import type { Chunks } from './multipart.reader.js';

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
  const { headers, body } = reply.response;
  if (!body) return;
  const reader = body.getReader();
  // Independent of the signal that `fetch` got: this also ends the wait for a body that ignores it.
  const cancel = (): void => void reader.cancel().catch(() => {});
  const stopped = limits.deadline?.signal ?? limits.signal;
  stopped?.addEventListener('abort', cancel);
  if (stopped?.aborted) cancel();
  try {
    const parts = readParts(chunksOf(reader), boundaryOf(headers.get('content-type') ?? ''));
    for (
      let part = await next(parts, reply, limits, cancel);
      !part.done;
      part = await next(parts, reply, limits, cancel)
    )
      yield part.value;
  } finally {
    stopped?.removeEventListener('abort', cancel);
    cancel();
    reader.releaseLock();
  }
}

async function next(
  parts: AsyncGenerator<string, void, undefined>,
  reply: ApiReply<unknown>,
  { clock, timeout, deadline, signal }: StreamLimits,
  cancel: () => void,
): Promise<IteratorResult<string, void>> {
  const patience = timeout === undefined ? undefined : new TimeLimit(clock, timeout);
  patience?.signal.addEventListener('abort', cancel);
  const { operation } = reply.call;
  const facts = {
    ...reply.call,
    attempts: reply.attempts,
    requestId: reply.requestId,
    status: reply.response.status,
  };
  // A cancelled body ends like a complete one.
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

async function* chunksOf(reader: ReadableStreamDefaultReader<Uint8Array>): Chunks {
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) yield chunk.value;
}
