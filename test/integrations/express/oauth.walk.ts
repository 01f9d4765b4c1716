import type { RunningApp } from './express.fixture.js';

/** What a browser brings back from the shop at the end of a grant. */
export interface Returned {
  /** The callback's path with its query. */
  readonly path: string;
  readonly cookie: string;
}

/**
 * Walks a browser from the start of the grant to the shop, which has consented before, and back to
 * the callback.
 */
export async function walkToCallback(
  { send, shop }: RunningApp,
  start = `/auth?shop=${shop.domain}`,
): Promise<Returned> {
  const begun = await send(start);
  const cookie = cookiesOf(begun);
  const consented = await fetch(begun.headers.get('location')!, { redirect: 'manual' });
  const { pathname, search } = new URL(consented.headers.get('location')!);
  return { path: pathname + search, cookie };
}

/** The cookies a response sets, as a browser sends them back. */
export function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
}
