import type { HeaderList } from '../../core/decision.js';

/** A copy with more headers: those of some responses, such as `Response.redirect()`, are fixed. */
export function withHeaders(response: Response, headers: HeaderList): Response {
  if (headers.length === 0) return response;
  const copy = new Response(response.body, response);
  for (const [name, value] of headers) copy.headers.set(name, value);
  return copy;
}
