import { describe, expect, it } from '@jest/globals';

import { errorFor } from '../../../lib/core/http/failed-reply.js';

const reply = (status: number, headers: [string, string][]): Response =>
  new Response(null, { status, headers });

describe('the error for a reply', () => {
  // Headers were a record of texts under names in lower case.
  it('keeps the headers as the platform library does: spelled in its way, each a list', () => {
    const { response } = errorFor(
      {
        response: reply(429, [
          ['retry-after', '2.0'],
          ['X-SHOPIFY-API-VERSION', '2026-07'],
          ['set-cookie', 'a=1'],
          ['set-cookie', 'b=2'],
        ]),
        attempts: 1,
      },
      undefined,
    );
    expect(response.headers).toEqual({
      'Retry-After': ['2.0'],
      'X-Shopify-Api-Version': ['2026-07'],
      'Set-Cookie': ['a=1', 'b=2'],
    });
    expect(response.retryAfter).toBe(2);
  });

  // A TypeError: such an object has one already.
  it('keeps a header that is called like the prototype of an object', () => {
    const response = reply(500, [['__proto__', 'mine']]);
    const { headers } = errorFor({ response, attempts: 1 }, undefined).response;
    expect(Object.entries(headers)).toEqual([['__proto__', ['mine']]]);
  });

  it('names the id of the request where a `fetch` keeps the case of its headers', () => {
    const headers = new Map([
      ['X-REQUEST-ID', 'req-1'],
      ['retry-After', '2.0'],
    ]);
    const response = { status: 500, statusText: '', headers } as unknown as Response;
    const error = errorFor({ response, attempts: 1 }, undefined);
    expect(error.requestId).toBe('req-1');
    expect(error.response.headers).toEqual({ 'X-Request-Id': ['req-1'], 'Retry-After': ['2.0'] });
  });

  it('names the id of the request', () => {
    const response = reply(500, [['x-request-id', 'req-1']]);
    expect(errorFor({ response, attempts: 1 }, undefined).requestId).toBe('req-1');
  });
});
