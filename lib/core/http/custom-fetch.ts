/**
 * What `fetch` takes, as both browsers and Node declare it: some names of its parts belong to
 * browsers alone.
 */
type FetchOption<Name extends keyof RequestInit> = NonNullable<RequestInit[Name]>;

/** The part of `fetch` that a client uses. */
export type CustomFetchApi = (
  url: string,
  init?: {
    method?: string;
    headers?: FetchOption<'headers'>;
    body?: string;
    signal?: AbortSignal;
    redirect?: FetchOption<'redirect'>;
  },
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
