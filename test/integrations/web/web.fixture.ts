import { base64Host, signedSessionToken } from '../../../lib/dev-store/index.js';
import { platformApp as reactRouterApp } from '../../../lib/integrations/react-router/index.js';
import type { ReactRouterApp } from '../../../lib/integrations/react-router/index.js';
import {
  MemorySessionStorage,
  platformApp as remixApp,
} from '../../../lib/integrations/remix/index.js';
import type { RemixApp, RemixAppOptions } from '../../../lib/integrations/remix/index.js';
import type { SessionParams } from '../../../lib/sessions/session.js';
import { API_KEY, API_SECRET, APP_URL, SHOP, appOptions } from '../../support/app.js';
import { offlineSession } from '../../support/offline-session.js';

export const HOST = base64Host(SHOP);
export const CDN = 'https://cdn.shopify.com';
const APP_BRIDGE = `${CDN}/shopifycloud/app-bridge.js`;
/** What a page that loads App Bridge has of it. */
export const APP_BRIDGE_TAG = `<script data-api-key="${API_KEY}" src="${APP_BRIDGE}"></script>`;
/** Who may frame a page of the shop. */
export const ANCESTORS =
  'https://admin.shopify.com https://*.spin.dev https://admin.myshopify.io https://admin.shop.dev;';
export const POLICY = `frame-ancestors https://${SHOP} ${ANCESTORS}`;
export const INVALID_SUBJECT = { error: 'invalid_subject_token' };

type WebApp = RemixApp | ReactRouterApp;

/** The platform as an app reaches it: by default it grants tokens and answers every query. */
export class Platform {
  /** Bodies of the requests for tokens. */
  readonly tokenRequests: string[] = [];
  /** Bodies of the queries. */
  readonly queries: string[] = [];
  token = (): Response => Response.json({ access_token: 'shpat_granted', scope: 'write_products' });
  graphql = (_query: string): Response => Response.json({ data: {} });

  readonly fetch: typeof globalThis.fetch = async (url, init) => {
    const body = String(init?.body ?? '');
    const isToken = String(url).includes('/oauth/access_token');
    (isToken ? this.tokenRequests : this.queries).push(body);
    return isToken ? this.token() : this.graphql(body);
  };

  /** From now on no token of the app is good, and no other is to be had. */
  refuseAll(): void {
    this.token = () => Response.json(INVALID_SUBJECT, { status: 400 });
    this.graphql = () => Response.json({ errors: 'revoked' }, { status: 401 });
  }
}

/** A host of web requests. */
export interface Routes {
  readonly name: 'Remix' | 'React Router';
  /** The value of `Link` on its pages. */
  readonly link: string;
  open(options?: Partial<RemixAppOptions>): WebApp;
}

const preload = `<${APP_BRIDGE}>; rel="preload"; as="script"`;
const withDefaults = (options: Partial<RemixAppOptions>): RemixAppOptions => ({
  ...appOptions(),
  scopes: ['write_products'],
  sessionStorage: new MemorySessionStorage(),
  fetch: new Platform().fetch,
  ...options,
});

export const REMIX: Routes = {
  name: 'Remix',
  link: `${preload};`,
  open: (options = {}) => remixApp(withDefaults(options)),
};
export const REACT_ROUTER: Routes = {
  name: 'React Router',
  link: `<${CDN}>; rel="preconnect", ${preload}, <${CDN}/shopifycloud/polaris.js>; rel="preload"; as="script"`,
  open(options = {}) {
    const { isEmbeddedApp: _, ...others } = withDefaults(options);
    return reactRouterApp(others);
  },
};
export const ROUTES: readonly Routes[] = [REMIX, REACT_ROUTER];

export const sessionToken = (overrides: Record<string, unknown> = {}): string =>
  signedSessionToken({ apiKey: API_KEY, secret: API_SECRET, shop: SHOP, overrides });

/** A request as apps make them in tests: it says nothing about what it accepts. */
export const request = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  new Request(APP_URL + path, { headers, method });

/** What the admin adds to the address of a page that it frames. */
export const FRAME = { embedded: '1', shop: SHOP, host: HOST };

/** A page that the admin opens. */
export const page = (path = '/', params: Record<string, string> = {}, headers = {}): Request =>
  request(`${path}?${new URLSearchParams({ ...FRAME, ...params })}`, headers);

/** A page with a session token that counts. */
export const tokenPage = (path = '/', params: Record<string, string> = {}): Request =>
  page(path, { ...params, id_token: sessionToken() });

/** A `fetch` of App Bridge. */
export const script = (path = '/', headers = {}, method = 'GET'): Request =>
  request(path, { authorization: `Bearer ${sessionToken()}`, ...headers }, method);

/** A request of App Bridge for a page, whose answer it shows. */
export const bounce = (path = '/'): Request => script(path, { 'x-shopify-bounce': '1' });

/** A storage with the session of a shop that has the app. */
export async function installed(
  params: Partial<SessionParams> = {},
): Promise<MemorySessionStorage> {
  const sessionStorage = new MemorySessionStorage();
  await sessionStorage.storeSession(
    offlineSession({ id: `offline_${SHOP}`, shop: SHOP, scope: 'write_products', ...params }),
  );
  return sessionStorage;
}

/** What a call throws in place of an answer. */
export function thrown(call: () => unknown): Promise<Response> {
  return Promise.resolve()
    .then(call)
    .then(
      () => Promise.reject(new Error('Nothing was thrown.')),
      (error: unknown) => (error instanceof Response ? error : Promise.reject(error)),
    );
}

/** What a page of App Bridge opens, and in which window. */
export async function openedBy(
  response: Response,
): Promise<readonly [url: string, target: string]> {
  const [, url, target] = /<script>window\.open\(("[^"]*"), ("[^"]*")\)<\/script>/.exec(
    await response.clone().text(),
  ) ?? ['', '""', '""'];
  return [JSON.parse(url!) as string, JSON.parse(target!) as string];
}

/** The headers of a page of auth for the shop. */
export function pageHeaders({ headers }: Response): Record<string, string | null> {
  return Object.fromEntries(
    ['content-type', 'content-security-policy', 'link'].map((name) => [name, headers.get(name)]),
  );
}
