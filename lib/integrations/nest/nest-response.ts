import { HttpException, StreamableFile } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';

import type { HeaderList } from '../../core/decision.js';
import { mergeHeaders } from '../../core/http/inbound-request.js';
import type { Reply } from '../../core/http/inbound-request.js';

const CONTENT_TYPE = 'content-type';

/**
 * Puts headers on a reply that the app will finish: cookies and policies that are there already
 * stay.
 */
export function addHeaders(
  adapter: AbstractHttpAdapter,
  response: unknown,
  headers: HeaderList = [],
): void {
  if (headers.length === 0) return;
  mergeHeaders(
    {
      get: (name) => adapter.getHeader(response, name),
      set: (name, value) => adapter.setHeader(response, name, value),
      append: (name, value) => adapter.appendHeader(response, name, value),
    },
    headers,
  );
}

/**
 * A reply that ends the request, with its headers put on the response, as an exception that the
 * app's filters may still dress.
 */
export function exceptionFor(
  adapter: AbstractHttpAdapter,
  response: unknown,
  { status, headers, body }: Reply,
): HttpException {
  const type = headers.find(([name]) => name === CONTENT_TYPE)?.[1] ?? '';
  // The type goes with the body: a filter may put another in its place.
  addHeaders(
    adapter,
    response,
    headers.filter(([name]) => name !== CONTENT_TYPE),
  );
  return new HttpException(contentOf(status, type, body), status);
}

/** A reply without a body, as an exception. */
export function emptyReply(status: number): HttpException {
  return new HttpException(new StreamableFile(Buffer.alloc(0)), status);
}

function contentOf(status: number, type: string, body: string): object {
  if (body === '') return { statusCode: status, message: 'Redirecting' };
  if (type.startsWith('application/json'))
    return { ...(JSON.parse(body) as object), statusCode: status };
  // Of all that an exception can hold, only a file reaches the browser as it is.
  return new StreamableFile(Buffer.from(body), { type });
}
