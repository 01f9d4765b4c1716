/** The part of `fetch` that a client uses. */
export type CustomFetchApi = (
  url: string,
  init?: { method?: string; headers?: HeadersInit; body?: string; signal?: AbortSignal; redirect?: RequestRedirect },
) => Promise<Response>;

/** The same as the `fetch` the transport calls. */
export function asFetch(custom: CustomFetchApi): typeof globalThis.fetch {
  return async (url, { method, headers, body, signal, redirect } = {}) =>
    custom(String(url), {
      ...(method && { method }),
      ...(headers && { headers }),
      ...(typeof body === 'string' && { body }),
      ...(signal && { signal }),
      ...(redirect && { redirect }),
    });
}
