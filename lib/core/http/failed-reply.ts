import { isRecord } from '../json.js';
import { markRefused } from '../session-request.js';
import type { SessionRequest } from '../session-request.js';
import { HEADERS } from '../vendor.js';
import {
  AccessDeniedError,
  AuthenticationError,
  HttpInternalError,
  HttpMaxRetriesError,
  HttpResponseError,
  HttpRetriableError,
  HttpThrottlingError,
  MalformedReplyError,
  headerMap,
} from './http.errors.js';
import type { ApiFacts, ErrorResponse } from './http.errors.js';

/** Characters of the platform's own message that go into an error's. */
const LONGEST_DETAIL = 2000;

/** The part of a reply that goes into an error. */
export interface FailedReply {
  readonly response: Response;
  readonly attempts: number;
  /** How many of the attempts followed a failure. @default 0 */
  readonly retries?: number | undefined;
  /** Whether whoever made the call asked for retries. @default false */
  readonly isAsked?: boolean | undefined;
  readonly call?: { readonly shop: string; readonly operation: string } | undefined;
  /** The request whose token was rejected for good. */
  readonly refusedFor?: SessionRequest | undefined;
}

/**
 * The typed error for a reply that is not what was asked for. When every retry that the call asked
 * for failed as well, it is the cause of a {@link HttpMaxRetriesError}; apps that ask for none
 * expect the error of one attempt.
 * @param why what is wrong with a reply whose status is a success
 */
export function errorFor(
  { response, attempts, retries = 0, isAsked, call, refusedFor }: FailedReply,
  body: unknown,
  why?: string,
): HttpResponseError {
  const facts = { ...call, attempts };
  const error = errorOfStatus(response, body, why, facts);
  if (refusedFor) markRefused(error, refusedFor);
  return error instanceof HttpRetriableError && isAsked && retries > 0
    ? new HttpMaxRetriesError(
        `Gave up after ${attempts} attempts. ${error.message}`,
        error.response,
        { ...facts, cause: error },
      )
    : error;
}

function errorOfStatus(
  response: Response,
  body: unknown,
  why: string | undefined,
  facts: ApiFacts,
): HttpResponseError {
  const kept: ErrorResponse = {
    code: response.status,
    statusText: response.statusText,
    body,
    headers: headerMap(response.headers),
    ...retryAfterOf(response.headers),
  };
  const status = `${response.status} ${response.statusText}`.trim();
  const message = `the platform answered ${status}${why ? `, ${why}` : ''}${detailOf(body, response.headers)}`;
  if (response.ok)
    return new MalformedReplyError(`Received an unusable reply: ${message}`, kept, facts);
  if (response.status === 401)
    return new AuthenticationError(`The access token was refused: ${message}`, kept, facts);
  if (response.status === 403)
    return new AccessDeniedError(`Access denied: ${message}`, kept, facts);
  if (response.status === 429) return new HttpThrottlingError(`Throttled: ${message}`, kept, facts);
  if (response.status >= 500)
    return new HttpInternalError(`Internal error: ${message}`, kept, facts);
  return new HttpResponseError(`Received an error: ${message}`, kept, facts);
}

function retryAfterOf(headers: Headers): { retryAfter?: number } {
  const seconds = Number.parseFloat(headers.get('retry-after') ?? '');
  return Number.isNaN(seconds) ? {} : { retryAfter: seconds };
}

function detailOf(body: unknown, headers: Headers): string {
  const id = headers.get(HEADERS.requestId);
  const parts = [
    messageIn(body)?.slice(0, LONGEST_DETAIL),
    id && `If you report this error, please include this id: ${id}`,
  ].filter(Boolean);
  return parts.length > 0 ? `:\n${parts.join('\n')}` : '';
}

/** What a reply says is wrong: most have `errors`, the token endpoint and a few others `error`. */
function messageIn(body: unknown): string | undefined {
  if (!isRecord(body)) return undefined;
  if ('errors' in body) return JSON.stringify(body['errors'], null, 2);
  const texts = [body['error'], body['error_description']].filter(
    (text) => typeof text === 'string' && text !== '',
  );
  return texts.map((text) => JSON.stringify(text)).join(': ');
}
