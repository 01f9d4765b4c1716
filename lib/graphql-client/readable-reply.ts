import type { ApiReply } from '../core/http/api-call.js';

/** A reply whose body, which has been read, can be read once more. */
export function readable({ response, value }: ApiReply<unknown>): Response {
  const { bodyUsed, status, statusText, headers } = response;
  // Servers may send a status that no `Response` can be made with.
  if (!bodyUsed || status > 599) return response;
  return new Response(typeof value === 'string' ? value : JSON.stringify(value), {
    status,
    statusText,
    headers,
  });
}
