import { describe, expect, it } from '@jest/globals';

import type { AuthService } from '../../lib/auth/auth.service.js';
import type { HeaderList } from '../../lib/core/decision.js';
import type { InboundRequest } from '../../lib/core/http/inbound-request.js';
import {
  API_KEY,
  APP_URL,
  HOST,
  SHOP,
  createApp,
  inbound,
  offlineSession,
  offlineToken,
  sessionToken,
} from './auth.fixture.js';
import type { Call } from './auth.fixture.js';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const SHOPS = [
  ...[
    '',
    ' ',
    '.',
    '..',
    '/',
    '//',
    '\\',
    '-',
    '_',
    '*',
    '%',
    '%00',
    '\0',
    '\t',
    '\r\n',
    '\u2028',
    '💥',
    'null',
    'undefined',
    'true',
    '0',
  ],
  ...[
    '[object Object]',
    '__proto__',
    'constructor',
    'toString',
    'shop',
    'localhost',
    '127.0.0.1',
    '[::1]',
    '169.254.169.254',
  ],
  ...[
    'evil.example.com',
    'https://evil.example.com',
    '//evil.example.com',
    '/\\evil.example.com',
    'javascript:alert(1)',
    'data:text/html,x',
  ],
  ...[
    'myshopify.com',
    '.myshopify.com',
    '..myshopify.com',
    '-.myshopify.com',
    'a..myshopify.com',
    'a.b.myshopify.com',
    'admin.shopify.com',
  ],
  ...[
    'admin.myshopify.com',
    'x.shopify.com',
    'notmyshopify.com',
    'a.notmyshopify.com',
    'a.myshopify.com.evil.example.com',
    'a.myshopify.co',
  ],
  ...[
    'a.myshopify.com@evil.example.com',
    'evil.example.com/a.myshopify.com',
    'evil.example.com?a.myshopify.com',
    'evil.example.com#a.myshopify.com',
  ],
  ...[
    'a.myshopify.com/../evil',
    'a.myshopify.com/admin',
    'a.myshopify.com:8080',
    'a.myshopify.com?x=1',
    'a.myshopify.com#x',
    'a.myshopify.com\\@evil',
  ],
  ...[
    'a.myshopify.com\0',
    'a.myshopify.com\n',
    'a.myshopify.com\r\nSet-Cookie: x=y',
    ' a.myshopify.com',
    'a.myshopify.com ',
    'a .myshopify.com',
  ],
  ...[
    "'; DROP TABLE sessions; --",
    '"><script>alert(1)</script>',
    "frame-ancestors *; 'unsafe-inline'",
    '${7*7}',
    '{{7*7}}',
    '%2e%2e%2f',
    '%0d%0a',
  ],
  ...[
    'á.myshopify.com',
    'а.myshopify.com',
    'a.myshopıfy.com',
    'a。myshopify.com',
    'xn--a.myshopify.com.',
    'a.myshopify.com.',
    'ａ.myshopify.com',
  ],
  ...[
    'https://admin.shopify.com/store/',
    'https://admin.shopify.com/store/../x',
    'https://admin.shopify.com/store/a/b',
    'admin.shopify.com/store/@evil',
  ],
  ...[
    'https://admin.shopify.com@evil.example.com/store/a',
    'https://evil.example.com/admin.shopify.com/store/a',
    'ftp://admin.shopify.com/store/a',
  ],
  ...[
    'a'.repeat(10_000),
    `${'a'.repeat(300)}.myshopify.com`,
    'a.myshopify.com'.repeat(200),
    '/'.repeat(5_000),
    `a.myshopify.com${'/'.repeat(5_000)}x`,
  ],
];
const HOSTS = [
  ...[
    '',
    ' ',
    '=',
    '====',
    '%',
    '\0',
    'A',
    'AB=',
    'null',
    'undefined',
    '__proto__',
    'not base64',
    'YWRtaW4',
    '💥',
    '_-_-',
    '"><script>',
  ],
  ...[
    'evil.example.com',
    'https://evil.example.com',
    'evil.example.com/admin',
    'admin.shopify.com@evil.example.com',
    'evil.example.com/.shopify.com',
  ].map(base64),
  ...[
    'shopify.com',
    'evilshopify.com',
    'admin.shopify.com.evil.example.com',
    'admin.shopify.com:8080',
    'admin.shopify.com//evil.example.com',
  ].map(base64),
  ...[
    'admin.shopify.com\\@evil',
    'admin.shopify.com\n.evil',
    'admin.shopify.com/store/other-shop',
    'x.myshopify.com/admin',
    'a.shopify.com',
  ].map(base64),
  ...[
    'admin.shopify.com/store/dev-shop/../other',
    'admin.shopify.com?x',
    'admin.shopify.com#x',
    '\0\0\0',
    'javascript:alert(1)',
    '',
  ].map(base64),
  ...[base64('a'.repeat(5_000)), 'A'.repeat(100_000), HOST.repeat(50)],
];
const INPUTS = [
  ...SHOPS.map((shop) => ({ shop, host: HOST })),
  ...HOSTS.map((host) => ({ shop: SHOP, host })),
  ...HOSTS.map((host, i) => ({ shop: SHOPS[i] ?? '', host })),
];

const DOORS: [
  string,
  (auth: AuthService, request: InboundRequest) => AnyDecision | Promise<AnyDecision>,
][] = [
  ['begin', (auth, request) => auth.begin(request)],
  ['callback', (auth, request) => auth.callback(request)],
  ['authenticateAdmin', (auth, request) => auth.authenticateAdmin(request)],
  ['ensureInstalled', (auth, request) => auth.ensureInstalled(request)],
  ['exitIframe', (auth, request) => auth.exitIframe(request)],
  ['sessionTokenPage', (auth, request) => auth.sessionTokenPage(request)],
  ['landing', (auth, request) => auth.landing(request, offlineSession())],
  [
    'leaveApp',
    (auth, request) =>
      auth.leaveApp(request, '/auth', request.url.searchParams.get('shop') ?? undefined),
  ],
];

/** The platform: a token, and the shop for whoever asks whether it has the app. */
const answer = ({ url }: Call): Response =>
  url.endsWith('/graphql.json')
    ? Response.json({ data: { shop: { id: 'gid://shopify/Shop/1' } } })
    : offlineToken();

const KINDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a page': { accept: 'text/html', 'sec-fetch-dest': 'document' },
  'a framed page': { accept: 'text/html', 'sec-fetch-dest': 'iframe' },
  'a fetch': { accept: '*/*', 'sec-fetch-dest': 'empty' },
  'an API call': { authorization: 'Bearer x.y.z' },
};

interface AnyDecision {
  readonly kind: string;
  readonly status?: number | undefined;
  readonly location?: string;
  readonly headers?: HeaderList | undefined;
  readonly html?: string;
}

/**
 * What is wrong with an answer; nothing when it is a decision that leads to the app, the shop, or
 * that shop's place in the admin.
 */
function faultOf({
  kind,
  status = 0,
  location,
  headers = [],
  html = '',
}: AnyDecision): string | undefined {
  if (headers.some(([, value]) => /[^\x20-\x7e]/.test(value)))
    return 'a header that cannot be sent';
  const [, opened] = /window\.open\(("[^"]*"), "_top"\)/.exec(html) ?? [];
  if (opened !== undefined) return faultIn(kind, JSON.parse(opened) as string);
  if (kind === 'granted' || kind === 'document') return undefined;
  if (kind === 'denied') return status >= 400 && status < 500 ? undefined : `status ${status}`;
  return faultIn(kind, location ?? '');
}

function faultIn(kind: string, location: string): string | undefined {
  const { origin, pathname, username } = new URL(location, APP_URL);
  const inAdmin =
    origin === 'https://admin.shopify.com' &&
    pathname.startsWith(`/store/dev-shop/apps/${API_KEY}`);
  return username === '' && (inAdmin || origin === APP_URL || origin === `https://${SHOP}`)
    ? undefined
    : `${kind} to ${location}`;
}

describe.each([true, false])('with isEmbeddedApp %s', (isEmbeddedApp) => {
  describe.each(DOORS)('%s', (_, enter) => {
    it.each(Object.keys(KINDS))(
      'answers %s with nasty shops and hosts by a decision that leads nobody astray',
      async (kind) => {
        const app = createApp({ options: { isEmbeddedApp }, token: answer });
        await app.storage.storeSession(offlineSession());
        const id_token = sessionToken(app.clock);
        const faults: unknown[] = [];
        for (const input of INPUTS) {
          for (const more of [{}, { embedded: '1' }, { embedded: '1', id_token }]) {
            const query = new URLSearchParams({
              ...input,
              ...more,
              redirectUri: `https://${input.shop}/`,
              'shopify-reload': `//${input.shop}`,
            });
            const fault = faultOf(await enter(app.auth, inbound(`/page?${query}`, KINDS[kind])));
            if (fault !== undefined) faults.push({ fault, input });
          }
        }
        expect(faults).toEqual([]);
      },
    );
  });
});

it('knows at least a hundred nasty strings', () => {
  expect(new Set([...SHOPS, ...HOSTS]).size).toBeGreaterThanOrEqual(100);
});
