import { afterEach, describe, expect, it } from '@jest/globals';

import { APP_URL, SHOP, WEB_HOSTS, extensionToken, seconds, thrown } from './signed.fixture.js';

const FOREIGN = 'https://extensions.example.com';
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'Authorization, Content-Type, X-Extra-Header',
};
const SURFACES = ['checkout', 'customerAccount', 'pos'] as const;
const CASES = WEB_HOSTS.flatMap((host) =>
  SURFACES.map((surface) => ({ host, surface, name: host.name })),
);

describe.each(CASES)('an extension ($surface) of $name', ({ host, surface }) => {
  let close = async (): Promise<void> => {};
  afterEach(() => close());

  function open() {
    const opened = host.open();
    close = () => opened.app.close();
    const authenticate = surface === 'pos' ? opened.pos : opened.app.authenticate.public[surface];
    const send = (headers: Readonly<Record<string, string>>, { method = 'GET', path = '/' } = {}) =>
      authenticate(new Request(APP_URL + path, { method, headers }), {
        corsHeaders: ['content-type', 'X-Extra-Header', 'x-extra-header', 'Authorization'],
      });
    return { ...opened, send, authenticate };
  }
  const bearer = (token: string, more: Readonly<Record<string, string>> = {}) => ({
    authorization: `Bearer ${token}`,
    ...more,
  });

  it('is let in by its token, whose audience is not checked', async () => {
    const { send, clock, platform } = open();
    const now = seconds(clock);
    const { sessionToken } = await send(bearer(extensionToken(clock)));
    expect(sessionToken).toEqual({
      ...{ dest: SHOP, aud: 'another-app', sub: 'gid://shopify/Customer/1' },
      ...{ exp: now + 60.5, nbf: now - 60, iat: now, jti: 'one' },
    });
    expect(platform.sent).toEqual([]);
  });

  it('takes the token of the admin, too', async () => {
    const { send, clock } = open();
    const dest = `https://${SHOP}`;
    const token = extensionToken(clock, { dest, iss: `${SHOP}/admin` });
    expect((await send(bearer(token))).sessionToken.dest).toBe(dest);
  });

  it('takes the token of a post-purchase page, which names its shop in the purchase', async () => {
    const { send, clock } = open();
    const none = {
      dest: undefined,
      aud: undefined,
      exp: undefined,
      nbf: undefined,
      jti: undefined,
    };
    const input_data = { shop: { domain: SHOP }, initialPurchase: { referenceId: 'one' } };
    const token = extensionToken(clock, { ...none, iss: 'shopify', sub: 'one', input_data });
    const { sessionToken } = await send(bearer(token, { origin: 'null' }));
    expect(sessionToken).toMatchObject({ iss: 'shopify', dest: SHOP, input_data });
  });

  it('leaves the response that goes through cors() as it is, and says so when its body is gone', async () => {
    const { send, clock } = open();
    const { cors } = await send(bearer(extensionToken(clock), { origin: FOREIGN }));
    const own = new Response('Welcome');
    expect(await cors(own).text()).toBe('Welcome');
    expect([...own.headers]).toEqual([['content-type', 'text/plain;charset=UTF-8']]);
    expect(() => cors(own)).toThrow(
      'The response of cors() cannot be sent: its body was read, or sent, before. Make a new Response for each request.',
    );
  });

  it('can read a response that goes through cors()', async () => {
    const { send, clock, authenticate } = open();
    const token = bearer(extensionToken(clock), { origin: FOREIGN });
    const { cors } = await send(token);
    const answer = cors(Response.redirect('https://example.com/', 303));
    expect(answer.status).toBe(303);
    expect(Object.fromEntries(answer.headers)).toMatchObject(CORS);
    const plain = await authenticate(new Request(APP_URL, { headers: token }));
    expect(plain.cors(new Response()).headers.get('access-control-allow-headers')).toBe(
      'Authorization, Content-Type',
    );
  });

  it('needs no such headers at the origin of the app', async () => {
    const { send, clock } = open();
    const { cors } = await send(bearer(extensionToken(clock), { origin: APP_URL }));
    expect([...cors(new Response()).headers]).toEqual([]);
  });

  it('is told in advance what it may send', async () => {
    const { send, clock } = open();
    for (const headers of [{}, bearer(extensionToken(clock))]) {
      const foreign = await thrown(send({ ...headers, origin: FOREIGN }, { method: 'OPTIONS' }));
      expect([foreign.status, foreign.body]).toEqual([204, null]);
      expect(Object.fromEntries(foreign.headers)).toMatchObject({
        ...CORS,
        'access-control-max-age': '7200',
      });
      const own = await thrown(send(headers, { method: 'OPTIONS' }));
      expect([own.status, own.headers.has('access-control-allow-origin')]).toEqual([204, false]);
    }
  });

  it.each([
    ['no header', 'session_token_missing', () => ({})],
    ['another scheme', 'session_token_missing', () => ({ authorization: 'Basic abc' })],
    ['no token', 'session_token_missing', () => ({ authorization: 'Bearer ' })],
    ['no session token', 'session_token_invalid', () => bearer('this_is_not_a_valid_token')],
  ])('is refused with %s, readably', async (_, reason, headers) => {
    const { send } = open();
    const response = await thrown(
      send({ ...headers(), origin: FOREIGN, accept: 'application/json' }),
    );
    expect([response.status, response.statusText]).toEqual([401, 'Unauthorized']);
    expect(response.headers.has('x-shopify-retry-invalid-session-request')).toBe(false);
    expect(Object.fromEntries(response.headers)).toMatchObject(CORS);
    expect(await response.json()).toMatchObject({ error: reason });
  });

  it.each([
    ['expired', { exp: 1 }],
    ['not valid yet', { nbf: 99_999_999_999 }],
    ['of no shop', { dest: 'shop.example.com' }],
    ['of two shops', { iss: 'https://other.myshopify.com/admin' }],
    ['without an end', { exp: undefined }],
  ])('is refused with a token that is %s', async (_, claims) => {
    const { send, clock } = open();
    expect((await thrown(send(bearer(extensionToken(clock, claims))))).status).toBe(401);
  });

  it('is refused with a token of another secret', async () => {
    const { send, clock } = open();
    expect((await thrown(send(bearer(extensionToken(clock, {}, 'other'))))).status).toBe(401);
  });

  it('is not let in by a token in the address', async () => {
    const { send, clock } = open();
    const path = `/?id_token=${extensionToken(clock)}`;
    expect((await thrown(send({}, { path }))).status).toBe(401);
  });

  it('is no crawler', async () => {
    const { send, clock } = open();
    for (const method of ['GET', 'OPTIONS']) {
      const headers = bearer(extensionToken(clock), { 'user-agent': 'Googlebot', origin: FOREIGN });
      const response = await thrown(send(headers, { method }));
      expect([response.status, response.statusText]).toEqual([410, 'Gone']);
      expect(Object.fromEntries(response.headers)).toMatchObject(CORS);
    }
    const pos = bearer(extensionToken(clock), { 'user-agent': 'Shopify POS/9 Google' });
    expect(await send(pos)).toHaveProperty('sessionToken');
  });
});

describe('authenticate.pos', () => {
  it('stands where the package of each host has it', async () => {
    const [remix, reactRouter] = WEB_HOSTS.map((host) => host.open().app);
    expect(Object.keys(remix!.authenticate.public)).toContain('pos');
    expect(Object.keys(remix!.authenticate)).not.toContain('pos');
    expect(Object.keys(reactRouter!.authenticate)).toContain('pos');
    expect(Object.keys(reactRouter!.authenticate.public)).not.toContain('pos');
    await Promise.all([remix!.close(), reactRouter!.close()]);
  });
});
