import { parsedObject } from '../base/typed-values.js';

/** A request to the simulated store, with its body. */
export interface StoreRequest {
  readonly method: string;
  readonly url: URL;
  /** Looks a header up by name; the first value if it was repeated. */
  header(name: string): string | undefined;
  /** Every header as it was sent, name and value. */
  readonly headers: Iterable<readonly [string, string]>;
  readonly body: Buffer;
}

/** A response of the simulated store. */
export interface StoreReply {
  status: number;
  headers?: Record<string, string>;
  /** Text or bytes, or a stream of them. A stream that throws closes the connection. */
  body?: string | Uint8Array | ByteStream;
  /** Details for the event log; never sent. */
  note?: string;
  /** The call was throttled; for the event log. */
  throttled?: boolean;
  /** Resets the connection before the response, or ends it in the middle of the body. */
  breaks?: 'before' | 'within';
}

/** The chunks of a body. */
export type ByteStream = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/** A response that is thrown where a request turns out to be invalid. */
export class StoreReplyError extends Error {
  constructor(readonly reply: StoreReply) {
    super(`Refused with status ${reply.status}`);
  }
}

/** The response a function returns or throws. */
export async function replyOrThrownReply(
  answer: () => StoreReply | Promise<StoreReply>,
): Promise<StoreReply> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof StoreReplyError) return error.reply;
    throw error;
  }
}

/** A JSON response. */
export function jsonReply(
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): StoreReply {
  return {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(value),
  };
}

/** A redirect. @default status 302 */
export function redirectReply(location: string, status: 302 | 303 = 302): StoreReply {
  return { status, headers: { Location: location, 'Cache-Control': 'no-store' } };
}

/** The fields of a posted form. */
export function formOf(request: StoreRequest): URLSearchParams {
  return new URLSearchParams(request.body.toString());
}

/** The posted JSON object. @throws StoreReplyError with 400 when the body is not one */
export function jsonOf(request: StoreRequest): Record<string, unknown> {
  const value = parsedObject(request.body.toString());
  if (value) return value;
  throw new StoreReplyError(jsonReply(400, { errors: 'The request body is not a JSON object' }));
}

/** The requests an endpoint serves. */
export interface Endpoint {
  /** `GET` also serves `HEAD`. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly pattern: RegExp;
}

/** An endpoint and its handler; `params` are the decoded groups of its pattern. */
export interface Route extends Endpoint {
  answer(request: StoreRequest, params: string[]): StoreReply | Promise<StoreReply>;
}

/**
 * The endpoint for a method and a path; undefined when none matches the path.
 * @throws StoreReplyError with 405 when one matches the path but not the method, with 400 when the
 * path is encoded wrongly
 */
export function findEndpoint<E extends Endpoint>(
  endpoints: readonly E[],
  method: string,
  path: string,
): { endpoint: E; params: string[] } | undefined {
  const candidates = endpoints.filter(({ pattern }) => pattern.test(path));
  if (candidates.length === 0) return undefined;
  const endpoint = candidates.find(
    (candidate) => candidate.method === (method === 'HEAD' ? 'GET' : method),
  );
  if (!endpoint) {
    const allowed = candidates.map((candidate) => candidate.method).join(', ');
    throw new StoreReplyError(jsonReply(405, { errors: 'Method Not Allowed' }, { Allow: allowed }));
  }
  return { endpoint, params: (endpoint.pattern.exec(path)?.slice(1) ?? []).map(decodeSegment) };
}

function decodeSegment(segment: string | undefined): string {
  try {
    return decodeURIComponent(segment ?? '');
  } catch {
    throw new StoreReplyError(jsonReply(400, { errors: 'The path is not valid percent-encoding' }));
  }
}
