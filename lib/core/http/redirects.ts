import { shopIn } from '../shop-domain.js';
import { discard, isRedirect, withoutQuery } from './http-transport.js';
import type { OutgoingInit } from './http-transport.js';
import { HttpRequestError } from './http.errors.js';

const MOST_REDIRECTS = 3;
/** After these the same request may be sent again, whatever its method. */
const KEEPS_METHOD: ReadonlySet<number> = new Set([307, 308]);

/** Ends the transfer of a redirect. @throws {HttpRequestError} always */
export async function refused(redirect: Response, method: string, from: string): Promise<never> {
  await discard(redirect);
  throw new HttpRequestError(
    `${method} ${withoutQuery(from)} failed: the reply is a redirect, which is not followed.`,
  );
}

/** Sends a request on to where its reply points, as long as it may go there. */
export async function followed(
  redirect: Response,
  from: string,
  { method }: OutgoingInit,
  send: (url: string) => Promise<Response>,
): Promise<Response> {
  let [response, url] = [redirect, from];
  for (let hops = 0; hops < MOST_REDIRECTS; hops++) {
    const next = safeRedirect(response, url, method);
    if (next === undefined) break;
    await discard(response);
    [response, url] = [await send(next), next];
  }
  return response;
}

/**
 * Where a reply sends the caller, if the same request may go there, token and all: to the same
 * origin, or from one shop to another, as when a shop has been renamed. `fetch` by itself would
 * take an access token to any host, since it knows only `Authorization` as a secret, and make a GET
 * of a POST.
 */
export function safeRedirect(response: Response, from: string, method: string): string | undefined {
  const location = isRedirect(response) ? response.headers.get('location') : null;
  if (location === null || !URL.canParse(location, from)) return undefined;
  if (method !== 'GET' && method !== 'HEAD' && !KEEPS_METHOD.has(response.status)) return undefined;
  const target = new URL(location, from);
  const source = new URL(from);
  const betweenShops =
    target.protocol === 'https:' && shopIn(target.host) !== null && shopIn(source.host) !== null;
  return target.origin === source.origin || betweenShops ? target.href : undefined;
}
