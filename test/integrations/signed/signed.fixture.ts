import { createHmac } from 'node:crypto';

import { MemorySessionStorage, Session } from '../../../lib/integrations/remix/index.js';
import { platformApp as reactRouterApp } from '../../../lib/integrations/react-router/index.js';
import { platformApp as remixApp } from '../../../lib/integrations/remix/index.js';
import type { RemixAppOptions } from '../../../lib/integrations/remix/index.js';
import { API_KEY, API_SECRET, APP_URL, SHOP, appOptions } from '../../support/app.js';
import { ManualClock } from '../../support/manual.clock.js';
import { ScriptedFetch, json } from '../../support/scripted-fetch.js';
import type { SentRequest } from '../../support/scripted-fetch.js';

export { API_KEY, API_SECRET, APP_URL, SHOP };
export const TOKEN = 'shpat_0123456789abcdef0123456789abcdef';
export const GRANTED = { token: 'shpat_ffffffffffffffffffffffffffffffff', refresh: 'shprt_next' };

/** What an app of a test is made of: a still clock, and a platform that answers every call. */
export function appParts(options: Partial<RemixAppOptions> = {}) {
  // Nothing that waits is over by itself: a renewal has all the time it needs.
  const clock = new ManualClock(0);
  const platform: ScriptedFetch = new ScriptedFetch(() => answerTo(platform.last));
  const sessionStorage = new MemorySessionStorage();
  const given = {
    ...appOptions(),
    scopes: [],
    clock,
    fetch: platform.fetch,
    sessionStorage,
    ...options,
  };
  return { clock, platform, sessionStorage, options: given as RemixAppOptions };
}

function answerTo({ url }: SentRequest): Response {
  if (!url.endsWith('/admin/oauth/access_token')) return json({ data: { shop: { name: 'Test' } } });
  const { token, refresh } = GRANTED;
  return json({
    ...{ access_token: token, scope: '', expires_in: 3600 },
    ...{ refresh_token: refresh, refresh_token_expires_in: 86_400 },
  });
}

type Parts = ReturnType<typeof appParts>;

/** The hosts of web requests, with the authenticator of each at one name. */
export const WEB_HOSTS = [
  {
    name: 'Remix',
    open(options?: Partial<RemixAppOptions>) {
      const parts = appParts(options);
      const app = remixApp(parts.options);
      return { ...parts, app, pos: app.authenticate.public.pos };
    },
  },
  {
    name: 'React Router',
    open(options?: Partial<RemixAppOptions>) {
      const parts = appParts(options);
      const { isEmbeddedApp: _, ...own } = parts.options;
      const app = reactRouterApp(own);
      return { ...parts, app, pos: app.authenticate.pos };
    },
  },
] as const;

/** Stores the app's own session of the shop. */
export async function install(
  { sessionStorage }: Pick<Parts, 'sessionStorage'>,
  params: Partial<ConstructorParameters<typeof Session>[0]> = {},
): Promise<Session> {
  const session = new Session({
    id: `offline_${SHOP}`,
    shop: SHOP,
    state: '',
    isOnline: false,
    accessToken: TOKEN,
    scope: '',
    ...params,
  });
  await sessionStorage.storeSession(session);
  return session;
}

export const seconds = (clock: ManualClock): number => Math.floor(clock.now().getTime() / 1000);

/** A query as the app proxy signs it. */
export function proxyQuery(params: Readonly<Record<string, string>>): string {
  const message = Object.entries(params)
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join('');
  const signature = createHmac('sha256', API_SECRET).update(message).digest('hex');
  return new URLSearchParams({ ...params, signature }).toString();
}

export const bodySignature = (body: string, secret = API_SECRET): string =>
  createHmac('sha256', secret).update(body).digest('base64');

/** What the platform posts: a body and its signature. */
export function signedPost(
  payload: unknown,
  headers: Readonly<Record<string, string>> = {},
): { method: string; body: string; headers: Record<string, string> } {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'x-shopify-hmac-sha256': bodySignature(body),
      'x-shopify-shop-domain': SHOP,
      ...headers,
    },
  };
}

/** The token of an extension; claims that are undefined are left out. */
export function extensionToken(
  clock: ManualClock,
  claims: Readonly<Record<string, unknown>> = {},
  secret = API_SECRET,
): string {
  const now = seconds(clock);
  const payload = {
    ...{ dest: SHOP, aud: 'another-app', sub: 'gid://shopify/Customer/1' },
    ...{ exp: now + 60.5, nbf: now - 60, iat: now, jti: 'one' },
    ...claims,
  };
  const signed = [{ alg: 'HS256', typ: 'JWT' }, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

/** The response that a call has thrown. */
export async function thrown(call: Promise<unknown>): Promise<Response> {
  const found = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (found instanceof Response) return found;
  throw new Error(`no response was thrown: ${String(found)}`, { cause: found });
}
