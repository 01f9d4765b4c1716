import { API_KEY } from '../../support/app.js';
import { SCOPES } from './world.js';
import type { Scene } from './world.js';

/** What a browser brings back from the shop. */
export interface Returned {
  readonly query: URLSearchParams;
  readonly cookie: string;
}

/** Walks to the consent page of a shop that has consented before, and back from it. */
export async function consented({ shop, domain, send }: Scene): Promise<Returned> {
  if (!shop.installation(API_KEY)) shop.install(API_KEY, { scopes: SCOPES });
  const headers = { accept: 'text/html', 'sec-fetch-dest': 'document' };
  const begun = await send(`/auth?shop=${domain}`, { headers });
  const answer = await fetch(begun.headers.get('location')!, { redirect: 'manual' });
  const query = new URL(answer.headers.get('location')!).searchParams;
  return { query, cookie: cookiesOf(begun) };
}

/** The cookies that a response sets, as a browser sends them back. */
export function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
}
