import { signedQuery } from '../../../../lib/dev-store/index.js';
import { API_KEY, API_SECRET } from '../../../support/app.js';
import { consented } from '../consent.js';
import type { Returned } from '../consent.js';
import type { Row } from '../row.js';
import type { Scene } from '../world.js';

const HTML = { accept: 'text/html', 'sec-fetch-dest': 'document' };
const seconds = (): number => Math.floor(Date.now() / 1000);

/** The callback with other parameters, signed again by the platform. */
function signedAgain(query: URLSearchParams, change: Record<string, string>): URLSearchParams {
  const { hmac: _, ...rest } = Object.fromEntries(query);
  return signedQuery({ ...rest, ...change }, API_SECRET);
}

const call = (scene: Scene, query: URLSearchParams | string, cookie: string, init = {}) =>
  scene.send(`/auth/callback?${query}`, {
    headers: { accept: 'application/json', cookie },
    ...init,
  });

/** A callback that differs from a good one. */
const changed =
  (change: (returned: Returned, scene: Scene) => URLSearchParams | string) =>
  async (scene: Scene): Promise<Response> => {
    const returned = await consented(scene);
    return call(scene, change(returned, scene), returned.cookie);
  };

const granted = (scene: Scene): Promise<unknown> => scene.install();
const NOTHING = { stored: [], asked: [] };

export const OAUTH_ROWS: readonly Row[] = [
  {
    name: 'a start sends the window to the consent page, with a cookie',
    send: (scene) => scene.send(`/auth?shop=${scene.domain}`, { headers: HTML }),
    expects: {
      status: 302,
      location: ({ shop }) => `${shop.origin}/admin/oauth/authorize`,
      headers: { 'set-cookie': /HttpOnly.*Secure|Secure.*HttpOnly/i },
      ...NOTHING,
    },
  },
  {
    name: 'a start in the frame of the admin leaves the frame first',
    send: (scene) =>
      scene.send(`/auth?shop=${scene.domain}&embedded=1`, {
        headers: { ...HTML, 'sec-fetch-dest': 'iframe' },
      }),
    expects: { status: 302, location: () => '/exitiframe', headers: { 'set-cookie': null } },
    differs: { exitPage: { location: () => '/auth/exit-iframe' } },
  },
  {
    name: 'a start without a shop is refused',
    send: (scene) => scene.send('/auth', { headers: { accept: 'application/json' } }),
    expects: { status: 400, error: 'shop_missing' },
  },
  {
    name: 'a start with the domain of somebody else is refused',
    send: (scene) =>
      scene.send('/auth?shop=evil.example', { headers: { accept: 'application/json' } }),
    expects: { status: 400, error: 'shop_invalid' },
  },
  {
    name: 'a start with two shops is refused',
    send: (scene) =>
      scene.send(`/auth?shop=${scene.domain}&shop=other.myshopify.com`, {
        headers: { accept: 'application/json' },
      }),
    expects: { status: 400, error: 'shop_invalid' },
  },
  {
    name: 'a start that is no GET is refused',
    send: (scene) => scene.send(`/auth?shop=${scene.domain}`, { method: 'POST' }),
    expects: { status: 405, error: 'method_not_allowed', headers: { allow: 'GET, HEAD' } },
  },
  {
    name: 'a start with HEAD gets the headers alone',
    send: (scene) => scene.send(`/auth?shop=${scene.domain}`, { method: 'HEAD', headers: HTML }),
    expects: {
      status: 302,
      location: ({ shop }) => `${shop.origin}/admin/oauth/authorize`,
      body: 'empty',
    },
  },
  {
    name: 'a start with OPTIONS is refused',
    send: (scene) => scene.send(`/auth?shop=${scene.domain}`, { method: 'OPTIONS' }),
    expects: { status: 405, headers: { allow: 'GET, HEAD', 'access-control-allow-origin': null } },
    differs: { adminPreflight: { status: 204, headers: { 'access-control-allow-origin': null } } },
  },
  {
    name: 'a start of a crawler is refused',
    send: (scene) =>
      scene.send(`/auth?shop=${scene.domain}`, { headers: { ...HTML, 'user-agent': 'Googlebot' } }),
    expects: { status: 410, headers: { 'set-cookie': null } },
  },
  {
    name: 'a good callback stores a session and leads into the admin',
    prepare: granted,
    send: changed(({ query }) => query),
    expects: {
      status: 302,
      location: ({ shop }) => `${shop.origin}/admin/apps/${API_KEY}`,
      stored: ['offline_'],
    },
  },
  {
    name: 'a good callback of an app with a window of its own leads to its root, with a cookie',
    app: 'standalone',
    prepare: granted,
    send: changed(({ query }) => query),
    expects: {
      status: 302,
      location: () => '/',
      headers: { 'set-cookie': /HttpOnly/i },
      stored: ['offline_'],
    },
  },
  {
    name: 'a callback with another state is refused',
    send: changed(({ query }) => signedAgain(query, { state: 'f'.repeat(64) })),
    expects: { status: 400, error: 'state_mismatch', ...NOTHING },
  },
  {
    name: 'a callback with a wrong signature is refused',
    send: changed(({ query }) => `${query}`.replace(/hmac=\w{4}/, 'hmac=0000')),
    expects: { status: 400, error: 'hmac_invalid', ...NOTHING },
  },
  {
    name: 'a callback without a signature is refused',
    send: changed(({ query }) => `${query}`.replace(/hmac=\w+&?/, '')),
    expects: { status: 400, error: 'hmac_invalid', ...NOTHING },
  },
  {
    name: 'a callback without its cookie begins once more, when a browser asks',
    async send(scene) {
      const { query } = await consented(scene);
      return scene.send(`/auth/callback?${query}`, { headers: HTML });
    },
    expects: {
      status: 302,
      location: ({ shop }) => `${shop.origin}/admin/oauth/authorize`,
      headers: { 'set-cookie': /./ },
      ...NOTHING,
    },
  },
  {
    name: 'a callback without its cookie is refused, when a script asks',
    send: async (scene) => call(scene, (await consented(scene)).query, ''),
    expects: { status: 400, error: 'state_missing', ...NOTHING },
  },
  {
    name: 'a callback that names another shop is refused',
    send: changed(({ query }) => signedAgain(query, { shop: 'other.myshopify.com' })),
    expects: { status: 400, error: 'state_missing', ...NOTHING },
  },
  {
    name: 'a callback that names no shop is refused',
    send: changed(({ query }) => signedAgain(query, { shop: 'evil.example' })),
    expects: { status: 400, error: 'shop_invalid', ...NOTHING },
  },
  {
    name: 'a callback that was signed two minutes ago is refused',
    send: changed(({ query }) => signedAgain(query, { timestamp: String(seconds() - 120) })),
    expects: { status: 400, error: 'timestamp_stale', ...NOTHING },
  },
  {
    name: 'a callback that is signed for in two minutes is refused',
    send: changed(({ query }) => signedAgain(query, { timestamp: String(seconds() + 120) })),
    expects: { status: 400, error: 'timestamp_stale', ...NOTHING },
  },
  {
    name: 'a callback with a repeated parameter is refused',
    send: changed(({ query }, { domain }) => `${query}&shop=${domain}`),
    expects: { status: 400, error: 'hmac_invalid', ...NOTHING },
  },
  {
    name: 'a callback without a code is refused',
    send: changed(({ query }) => signedAgain(query, { code: '' })),
    expects: { status: 400, error: 'code_missing', ...NOTHING },
  },
  {
    name: 'a callback counts once',
    prepare: granted,
    async send(scene) {
      const { query, cookie } = await consented(scene);
      await call(scene, query, cookie);
      return call(scene, query, cookie);
    },
    expects: { status: 400, error: 'state_spent', stored: ['offline_'] },
  },
  {
    name: 'a callback with HEAD uses nothing up',
    async send(scene) {
      const { query, cookie } = await consented(scene);
      return call(scene, query, cookie, { method: 'HEAD' });
    },
    expects: { status: 405, headers: { allow: 'GET' }, body: 'empty', ...NOTHING },
  },
];
