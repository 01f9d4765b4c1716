import type { Untyped } from '../core/json.js';
import { PlatformError } from '../core/core.errors.js';
import type { ApiReply } from '../core/http/api-call.js';
import { errorFor } from '../core/http/failed-reply.js';
import { loaded } from '../core/http/http-transport.js';
import { parsedBody, isRecord } from '../core/json.js';
import { TimeLimit } from '../core/http/time-limit.js';
import { itemsMergedAt, mergedAt } from './deferred-data.js';
import type { DeferredPath } from './deferred-data.js';
import type { GraphqlError } from './graphql-client.errors.js';
import { failureOf, resultOf, errorsIn, extensionsIn } from './graphql-result.js';
import { GraphqlErrors } from './graphql-errors.js';
import type { GraphqlExtensions } from './graphql-extensions.js';
import type { ErrorPolicy } from './graphql.options.js';
import { partsOf } from './stream-parts.js';
import type { StreamLimits } from './stream-parts.js';

/** The state of the response after one more part has arrived. */
export interface GraphqlStreamItem<TData = Untyped> {
  /** All the data so far. A deferred fragment is missing until its part arrives. */
  readonly data?: TData | undefined;
  /** The errors of this part. Other parts may still arrive. */
  readonly errors?: GraphqlErrors | undefined;
  readonly extensions?: GraphqlExtensions | undefined;
  readonly headers?: Headers | undefined;
  readonly hasNext: boolean;
}

/** The items of a stream. Leaving the loop closes the stream. */
export type GraphqlStream<TData = Untyped> = AsyncGenerator<
  GraphqlStreamItem<TData>,
  void,
  undefined
>;

/** The time limits of a stream. */
interface StreamOptions extends Omit<StreamLimits, 'deadline'> {
  /** Time limit of the whole stream, in milliseconds. @default none */
  readonly deadline?: number | undefined;
}

/** The body of a reply; `undefined` for one in parts, which are read as they are requested. */
export async function readStart(response: Response): Promise<unknown> {
  return response.ok && isMultipart(response) ? undefined : parsedBody(await response.text());
}

/**
 * Sends the request when the first item is requested, and yields one item per part. Under the
 * policy `all` a failure is the last item.
 * @throws {ApiError} under the policy `throw`, when the call fails, its first part has errors or
 * the stream ends too early or takes too long
 */
export async function* streamOf<TData>(
  send: () => Promise<ApiReply<unknown>>,
  errorPolicy: ErrorPolicy,
  limits: StreamOptions,
): GraphqlStream<TData> {
  const { clock, deadline: ms, signal } = limits;
  const deadline = ms === undefined ? undefined : new TimeLimit(clock, ms, signal);
  let last: GraphqlStreamItem<TData> | undefined;
  let reply: ApiReply<unknown> | undefined;
  try {
    reply = await send();
    if (!reply.response.ok || !isMultipart(reply.response)) {
      const { data, extensions, headers } = await resultOf<TData>(reply);
      yield { data, extensions, headers, hasNext: false };
      return;
    }
    for await (const item of itemsOf<TData>(reply, { ...limits, deadline })) {
      if (!last && item.errors && errorPolicy === 'throw') throw item.errors.cause;
      last = item;
      yield item;
    }
  } catch (error) {
    if (errorPolicy === 'throw' || !(error instanceof PlatformError)) throw error;
    const { data, extensions, headers, errors } = failureOf(error, reply);
    yield {
      data: last?.data ?? data,
      extensions: extensions ?? last?.extensions,
      headers,
      errors,
      hasNext: false,
    };
  } finally {
    deadline?.cancel();
  }
}

async function* itemsOf<TData>(
  reply: ApiReply<unknown>,
  limits: StreamLimits,
): GraphqlStream<TData> {
  const { response } = reply;
  let data: unknown;
  let extensions: GraphqlExtensions | undefined;
  let hasNext = true;
  for await (const text of partsOf(reply, limits)) {
    const part = parsedBody(text);
    if (!isRecord(part))
      throw errorFor(reply, text, 'with a part of a stream that is no GraphQL result');
    data = withPart(data, part);
    extensions = extensionsIn(part).extensions ?? extensions;
    hasNext = part['hasNext'] === true;
    const errors = errorsOf(part);
    if (!isRecord(data) && errors.length === 0)
      throw errorFor(reply, part, 'with neither data nor errors in a part of a stream');
    yield {
      data: data as TData,
      ...(errors.length > 0 && { errors: await errorsWith(reply, errors, { ...part, data }) }),
      ...(extensions && { extensions }),
      headers: response.headers,
      hasNext,
    };
    if (!hasNext) return;
  }
  throw errorFor(reply, undefined, 'with a stream that ended before its last part');
}

async function errorsWith(
  reply: ApiReply<unknown>,
  errors: readonly GraphqlError[],
  body: Readonly<Record<string, unknown>>,
): Promise<GraphqlErrors> {
  const { queryError } = await loaded(import('./graphql-refusal.js'));
  return new GraphqlErrors(queryError(reply, errors, body), reply.response);
}

/** The pieces of a part: `incremental` lists them; older servers send one at a time. */
function piecesOf(
  part: Readonly<Record<string, unknown>>,
): readonly Readonly<Record<string, unknown>>[] {
  if (Array.isArray(part['incremental'])) return part['incremental'].filter(isRecord);
  return Array.isArray(part['path']) ? [part] : [];
}

function withPart(data: unknown, part: Readonly<Record<string, unknown>>): unknown {
  const whole = 'data' in part && !('path' in part) ? mergedAt(data, [], part['data']) : data;
  return piecesOf(part).reduce<unknown>((sum, piece) => {
    const path = (piece['path'] ?? []) as DeferredPath;
    return Array.isArray(piece['items'])
      ? itemsMergedAt(sum, path, piece['items'])
      : mergedAt(sum, path, piece['data']);
  }, whole);
}

function errorsOf(part: Readonly<Record<string, unknown>>): readonly GraphqlError[] {
  const ofPieces = Array.isArray(part['incremental']) ? piecesOf(part).flatMap(errorsIn) : [];
  return [...errorsIn(part), ...ofPieces];
}

function isMultipart(response: Response): boolean {
  return /^multipart\/mixed\b/i.test(response.headers.get('content-type') ?? '');
}
