import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { HOSTS } from '../support/hosts.js';
import type { RunningHost } from '../support/hosts.js';
import { SHOP } from '../support/app.js';

describe.each(HOSTS)('the paths of the toolkit on $name', ({ open }) => {
  let host: RunningHost;
  beforeAll(async () => {
    host = await open();
  });
  afterAll(() => host.close());

  const send = (path: string, method: string): Promise<Response> =>
    fetch(host.url + path, { method, redirect: 'manual' });

  // A HEAD spent the authorization code of the merchant whose browser came next.
  it.each(['HEAD', 'POST'])('answer %s at the end of OAuth with 405', async (method) => {
    const response = await send(`/auth/callback?shop=${SHOP}&code=c&state=s&hmac=h`, method);
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET');
  });

  it('answer HEAD as well at the beginning, and nothing that sends a body', async () => {
    expect((await send(`/auth?shop=${SHOP}`, 'HEAD')).status).toBe(302);
    const response = await send(`/auth?shop=${SHOP}`, 'POST');
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD');
  });
});
