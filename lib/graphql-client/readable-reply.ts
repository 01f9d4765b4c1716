import type { ApiReply } from '../core/http/api-call.js';

/** A reply whose body, which has been read, can be read once more. */
export function readable({ response, value }: ApiReply<unknown>): Response {
  if (!response.bodyUsed) return response;
  const { status, statusText, headers } = response;
  return new Response(typeof value === 'string' ? value : JSON.stringify(value), {
    status,
    statusText,
    headers,
  });
}
