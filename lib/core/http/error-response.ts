import type { PlatformError } from '../core.errors.js';
import { HEADERS } from '../vendor.js';
import { HttpInternalError, HttpMaxRetriesError, HttpRequestError, HttpResponseError, HttpThrottlingError } from './http.errors.js';
import type { ErrorResponse } from './http.errors.js';
import type { Replied } from './retry.js';

const LONGEST_DETAIL = 2000;

/**
 * The text of a reply.
 * @throws {HttpRequestError} when the connection breaks while it is read
 */
export async function readText(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (cause) {
    throw new HttpRequestError(`The reply (status ${response.status}) broke off while it was read.`, { cause });
  }
}

/** The text as JSON; itself when it is none, `undefined` when it is empty. */
export function parsedBody(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The typed error for a reply that is not what was asked for. When retries were of no avail, it is the cause of a {@link HttpMaxRetriesError}. */
export function errorFor({ response, attempts }: Replied, body: unknown, why?: string): PlatformError {
  const error = errorOfStatus(response, body, why);
  const retriable = error instanceof HttpThrottlingError || error instanceof HttpInternalError;
  return retriable && attempts > 1
    ? new HttpMaxRetriesError(`Attempted the maximum number of retries: after ${attempts} attempts, ${error.message}`, { cause: error })
    : error;
}

function errorOfStatus(response: Response, body: unknown, why: string | undefined): HttpResponseError {
  const kept: ErrorResponse = {
    code: response.status,
    statusText: response.statusText,
    body,
    headers: Object.fromEntries(response.headers),
    ...retryAfterOf(response.headers),
  };
  const status = `${response.status} ${response.statusText}`.trim();
  const message = `the platform answered ${status}${why ? `, ${why}` : ''}${detailOf(body, response.headers)}`;
  if (response.status === 429) return new HttpThrottlingError(`Throttled: ${message}`, kept);
  if (response.status >= 500) return new HttpInternalError(`Internal error: ${message}`, kept);
  return new HttpResponseError(`Received an error: ${message}`, kept);
}

function retryAfterOf(headers: Headers): { retryAfter?: number } {
  const seconds = Number.parseFloat(headers.get('retry-after') ?? '');
  return Number.isNaN(seconds) ? {} : { retryAfter: seconds };
}

function detailOf(body: unknown, headers: Headers): string {
  const errors = typeof body === 'object' && body !== null && 'errors' in body ? JSON.stringify(body.errors, null, 2) : undefined;
  const id = headers.get(HEADERS.requestId);
  const parts = [errors?.slice(0, LONGEST_DETAIL), id && `If you report this error, please include this id: ${id}`].filter(Boolean);
  return parts.length > 0 ? `:\n${parts.join('\n')}` : '';
}
