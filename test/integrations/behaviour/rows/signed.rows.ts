import {
  signedAppProxyQuery,
  signedExtensionToken,
  signedFlowAction,
  signedFulfillmentNotification,
} from '../../../../lib/dev-store/index.js';
import type { ExtensionSurface } from '../../../../lib/dev-store/index.js';
import { API_KEY, API_SECRET } from '../../../support/app.js';
import type { Row } from '../row.js';
import type { Scene } from '../world.js';

const FOREIGN = 'https://extensions.example.com';
const JSON_ONLY = { accept: 'application/json' };
const installed = (scene: Scene): Promise<unknown> => scene.install();
const LET_IN = { status: 200, body: /"in":true/, asked: [] } as const;

const proxied = ({ shop }: Scene): string => new URL(shop.appProxyUrl(API_KEY, '/page')).search;
const visit = (scene: Scene, query: string, init: RequestInit = {}): Promise<Response> =>
  scene.send(`/proxy${query}`, { headers: JSON_ONLY, ...init });
const proxyRefused = (name: string, query: (scene: Scene) => string, error: string): Row => ({
  name: `a request to the app proxy ${name} is refused`,
  prepare: installed,
  send: (scene) => visit(scene, query(scene)),
  expects: { status: 400, error, asked: [] },
});

const PROXY_ROWS: readonly Row[] = [
  {
    name: 'a request to the app proxy is let in',
    prepare: installed,
    send: (scene) => visit(scene, proxied(scene)),
    expects: LET_IN,
  },
  {
    name: 'a request to the app proxy is let in with any method',
    prepare: installed,
    send: (scene) => visit(scene, proxied(scene), { method: 'POST', body: 'a=1' }),
    expects: LET_IN,
  },
  {
    name: 'a request to the app proxy of a shop without a session is let in',
    send: (scene) => visit(scene, proxied(scene)),
    expects: { ...LET_IN, stored: [] },
  },
  {
    name: 'a request to the app proxy that comes again within its time is let in again',
    prepare: installed,
    async send(scene) {
      const query = proxied(scene);
      await visit(scene, query);
      return visit(scene, query);
    },
    expects: LET_IN,
  },
  proxyRefused(
    'without a signature',
    (scene) => proxied(scene).replace(/signature=\w+&?/, ''),
    'signature_missing',
  ),
  proxyRefused(
    'with a wrong signature',
    (scene) => proxied(scene).replace(/signature=\w{4}/, 'signature=0000'),
    'signature_invalid',
  ),
  proxyRefused(
    'that was signed two minutes ago',
    ({ domain }) =>
      `?${signedAppProxyQuery({ secret: API_SECRET, shop: domain, now: new Date(Date.now() - 120_000) })}`,
    'timestamp_stale',
  ),
  proxyRefused(
    'that names its shop twice',
    (scene) => `${proxied(scene)}&shop=${scene.domain}`,
    'parameter_repeated',
  ),
];

const EXTENSIONS: readonly (readonly [path: string, surface: ExtensionSurface])[] = [
  ['/checkout', 'checkout'],
  ['/account', 'customer-account'],
  ['/pos', 'pos'],
];

const CORS = { 'access-control-allow-origin': '*' } as const;

const EXTENSION_ROWS: readonly Row[] = EXTENSIONS.flatMap(([path, surface]): Row[] => {
  const call = (scene: Scene, token: string | undefined, init: RequestInit = {}) =>
    scene.send(path, {
      headers: {
        ...JSON_ONLY,
        origin: FOREIGN,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...init,
    });
  const token = ({ shop }: Scene): string => shop.extensionToken(API_KEY, surface);
  const refused = (name: string, make: (scene: Scene) => string | undefined, error: string) => ({
    name: `an extension (${surface}) ${name} is refused, and can read why`,
    send: (scene: Scene) => call(scene, make(scene)),
    expects: { status: 401, error, headers: CORS, asked: [], stored: [] },
  });
  return [
    {
      name: `an extension (${surface}) is let in by its token, and can read the answer`,
      send: (scene) => call(scene, token(scene)),
      expects: { ...LET_IN, headers: CORS },
    },
    {
      name: `a preflight request of an extension (${surface}) is answered`,
      send: (scene) =>
        scene.send(path, {
          method: 'OPTIONS',
          headers: { origin: FOREIGN, 'access-control-request-method': 'GET' },
        }),
      expects: {
        status: 204,
        body: 'empty',
        headers: { ...CORS, 'access-control-allow-headers': 'Authorization, Content-Type' },
      },
    },
    refused('without a token', () => undefined, 'session_token_missing'),
    refused('with a changed token', (scene) => `${token(scene)}x`, 'session_token_invalid'),
    refused(
      'with a token of another secret',
      ({ domain }) =>
        signedExtensionToken({ apiKey: API_KEY, secret: 'another', shop: domain, surface }),
      'session_token_invalid',
    ),
  ];
});

type Signed = ReturnType<typeof signedFlowAction>;
const post = (
  scene: Scene,
  path: string,
  { headers, body }: Signed,
  change: RequestInit = {},
): Promise<Response> =>
  scene.send(path, {
    method: 'POST',
    headers: { ...headers, ...JSON_ONLY },
    body: new Uint8Array(body),
    ...change,
  });

const BODIES = [
  [
    'an action of Flow',
    '/flow',
    (shop: string, secret = API_SECRET): Signed => signedFlowAction({ secret, shop }),
  ],
  [
    'a notification of the fulfillment service',
    '/service/fulfillment_order_notification',
    (shop: string, secret = API_SECRET): Signed => signedFulfillmentNotification({ secret, shop }),
  ],
] as const;

const BODY_ROWS: readonly Row[] = BODIES.flatMap(([what, path, sign]): Row[] => [
  {
    name: `${what} is let in`,
    prepare: installed,
    send: (scene) => post(scene, path, sign(scene.domain)),
    expects: LET_IN,
  },
  {
    name: `${what} of another secret is refused`,
    prepare: installed,
    send: (scene) => post(scene, path, sign(scene.domain, 'another secret')),
    expects: { status: 400, error: 'invalid_hmac', asked: [] },
  },
  {
    name: `${what} whose body was changed is refused`,
    prepare: installed,
    send: (scene) => post(scene, path, sign(scene.domain), { body: '{"kind":"changed"}' }),
    expects: { status: 400, error: 'invalid_hmac', asked: [] },
  },
  {
    name: `${what} without a signature is refused`,
    prepare: installed,
    send: (scene) =>
      post(scene, path, sign(scene.domain), {
        headers: { ...JSON_ONLY, 'content-type': 'application/json' },
      }),
    expects: { status: 400, error: 'missing_hmac', asked: [] },
  },
  {
    name: `${what} for a shop without the app is refused`,
    send: (scene) => post(scene, path, sign(scene.domain)),
    expects: { status: 400, error: 'session_missing', asked: [], stored: [] },
  },
  {
    name: `${what} that is no POST is refused`,
    send: (scene) => scene.send(path, { headers: JSON_ONLY }),
    expects: { status: 405, error: 'method_not_allowed', headers: { allow: 'POST' } },
  },
]);

export const SIGNED_ROWS: readonly Row[] = [...PROXY_ROWS, ...EXTENSION_ROWS, ...BODY_ROWS];
