import { createHash, createHmac } from 'node:crypto';

import type { AuthHooks } from '../../lib/auth/auth.options.js';
import { AuthService } from '../../lib/auth/auth.service.js';
import { ApiClients } from '../../lib/auth/clients/shop-clients.js';
import { InstallationRecords } from '../../lib/auth/installations/installation-records.js';
import { AfterInstall } from '../../lib/auth/lifecycle/lifecycle.js';
import { TokenManager } from '../../lib/auth/tokens/token-manager.js';
import { bindValue } from '../../lib/core/binding.js';
import type { ConfigOptions } from '../../lib/core/config/config.options.js';
import { PlatformConfig } from '../../lib/core/config/platform-config.js';
import { SecretKeys } from '../../lib/core/crypto/secret-keys.js';
import { SessionTokenVerifier } from '../../lib/auth/credentials/session-token.verifier.js';
import type { HeaderList } from '../../lib/core/decision.js';
import { inboundUrl } from '../../lib/core/http/inbound-request.js';
import type { InboundRequest } from '../../lib/core/http/inbound-request.js';
import { LogSeverity, PlatformLogger } from '../../lib/core/logger.js';
import { Clock } from '../../lib/core/time/clock.js';
import { createResolver } from '../../lib/platform/kernel/platform.providers.js';
import type { InstallationStore } from '../../lib/sessions/coordination/installation.store.js';
import type { Lock } from '../../lib/sessions/coordination/lock.js';
import { Session } from '../../lib/sessions/session.js';
import type { SessionParams } from '../../lib/sessions/session.js';
import type { SessionStorage } from '../../lib/sessions/session.storage.js';
import { MemoryRecordStore } from '../../lib/sessions/storages/memory/memory-record.store.js';
import {
  RecordInstallationStore,
  RecordLock,
} from '../../lib/sessions/coordination/coordination-stores.js';
import { MemorySessionStorage } from '../../lib/sessions/storages/memory/memory-session.storage.js';

export const SHOP = 'dev-shop.myshopify.com';
export const OTHER_SHOP = 'other-shop.myshopify.com';
export const API_KEY = 'api-key';
export const SECRET = 'hush-hush-secret';
export const APP_URL = 'https://app.example.com';
export const ACCESS_TOKEN = 'shpat_0123456789abcdef';
export const CODE = '0907a61c0c8d55e99db179b68161bc00';
/** As the admin sends it for {@link SHOP}. */
export const HOST = Buffer.from('admin.shopify.com/store/dev-shop').toString('base64');
export const USER = { id: 42, first_name: 'Ada', email: 'ada@example.com' };

/**
 * Stands still until it is told to move. What sleeps for less than a second is woken at once, what
 * sleeps longer never.
 */
export class StillClock extends Clock {
  time = new Date('2026-01-15T12:00:00.000Z');

  now(): Date {
    return new Date(this.time);
  }

  sleep(ms = Infinity, signal?: AbortSignal): Promise<void> {
    if (ms < 1000) return new Promise((resolve) => setImmediate(resolve));
    return new Promise((_, reject) =>
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true }),
    );
  }

  get seconds(): number {
    return Math.floor(this.time.getTime() / 1000);
  }

  advance(ms: number): void {
    this.time = new Date(this.time.getTime() + ms);
  }
}

export interface Call {
  readonly url: string;
  readonly headers: Headers;
  readonly body: unknown;
  readonly redirect: RequestRedirect | undefined;
}

export interface App {
  readonly auth: AuthService;
  readonly config: PlatformConfig;
  readonly clock: StillClock;
  readonly keys: SecretKeys;
  readonly sessionTokens: SessionTokenVerifier;
  readonly storage: SessionStorage;
  readonly tokens: TokenManager;
  readonly records: InstallationRecords;
  readonly clients: ApiClients;
  readonly logger: PlatformLogger;
  /** What was asked of the platform. */
  readonly calls: Call[];
  readonly lines: string[];
  /** Shops `AfterInstall` ran for. */
  readonly installs: string[];
}

export interface AppSetup {
  readonly options?: Partial<ConfigOptions>;
  /** Answers the platform, first of all its token endpoint. */
  readonly token?: (call: Call) => Response | Promise<Response>;
  readonly hooks?: AuthHooks;
  readonly storage?: SessionStorage;
  /** What several processes of an app share, beside the storage. */
  readonly lock?: Lock;
  readonly installations?: InstallationStore;
  readonly afterInstall?: AfterInstall;
  readonly clock?: StillClock;
}

/**
 * The auth of an app over a memory storage, with a token endpoint that answers what the test wants.
 */
export function createApp({
  options = {},
  token = () => offlineToken(),
  hooks = {},
  storage = new MemorySessionStorage(),
  afterInstall,
  clock = new StillClock(),
  lock = new RecordLock(new MemoryRecordStore(clock)),
  installations = new RecordInstallationStore(new MemoryRecordStore(clock)),
}: AppSetup = {}): App {
  const calls: Call[] = [];
  const lines: string[] = [];
  const installs: string[] = [];
  const logger = {
    level: LogSeverity.Debug,
    log: (_severity: LogSeverity, line: string) => lines.push(line),
  };
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const body: unknown = JSON.parse(String(init?.body ?? 'null'));
    const call = {
      url: String(input),
      headers: new Headers(init?.headers),
      body,
      redirect: init?.redirect,
    };
    calls.push(call);
    return token(call);
  };
  const app = createResolver(
    {
      apiKey: API_KEY,
      apiSecretKey: SECRET,
      appUrl: APP_URL,
      apiVersion: '2026-01',
      scopes: ['write_products'],
      ...{ clock, logger, fetch, hooks, lock, installations, sessionStorage: storage },
      ...options,
    },
    { environment: {} },
    [
      bindValue(
        AfterInstall,
        afterInstall ?? { run: async ({ shop }) => void installs.push(shop) },
      ),
    ],
  );
  return {
    auth: app.get(AuthService),
    config: app.get(PlatformConfig),
    clock,
    keys: app.get(SecretKeys),
    sessionTokens: app.get(SessionTokenVerifier),
    storage,
    tokens: app.get(TokenManager),
    records: app.get(InstallationRecords),
    clients: app.get(ApiClients),
    logger: app.get(PlatformLogger),
    calls,
    lines,
    installs,
  };
}

export function offlineToken(more: object = {}): Response {
  return Response.json({ access_token: ACCESS_TOKEN, scope: 'write_products', ...more });
}

export function onlineToken(more: object = {}): Response {
  return offlineToken({
    expires_in: 86_399,
    associated_user_scope: 'write_products',
    associated_user: USER,
    ...more,
  });
}

export function offlineSession(more: Partial<SessionParams> = {}): Session {
  const shop = more.shop ?? SHOP;
  return new Session({
    id: `offline_${shop}`,
    shop,
    state: '',
    isOnline: false,
    scope: 'write_products',
    accessToken: ACCESS_TOKEN,
    ...more,
  });
}

type RequestHeaders = Readonly<Record<string, string>>;

/** A request to the app; header names in lower case. */
export function inbound(
  target: string,
  headers: RequestHeaders = {},
  method = 'GET',
  appUrl = APP_URL,
): InboundRequest {
  const url = inboundUrl(target, appUrl);
  return {
    method,
    url,
    path: url.pathname,
    // Whatever comes over a wire says what it accepts.
    header: (name) => ({ accept: '*/*', ...headers })[name.toLowerCase()],
    rawBody: () => Promise.resolve(Buffer.alloc(0)),
  };
}

/** A page load of a browser window. */
export function page(target: string, headers: RequestHeaders = {}): InboundRequest {
  return inbound(target, {
    accept: 'text/html,*/*;q=0.8',
    'sec-fetch-dest': 'document',
    ...headers,
  });
}

/** A `fetch` as App Bridge makes it, with a session token when one is given. */
export function script(target: string, token?: string): InboundRequest {
  return inbound(target, {
    accept: '*/*',
    'sec-fetch-dest': 'empty',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  });
}

export function query(params: Readonly<Record<string, string>>): string {
  return new URLSearchParams(params).toString();
}

/**
 * A session token of a user of {@link SHOP}, valid for a minute; `claims` replace or, when
 * undefined, remove what it says.
 */
export function sessionToken(
  clock: StillClock,
  claims: Readonly<Record<string, unknown>> = {},
  secret = SECRET,
): string {
  const now = clock.seconds;
  const payload = {
    iss: `https://${SHOP}/admin`,
    dest: `https://${SHOP}`,
    aud: API_KEY,
    sub: String(USER.id),
    exp: now + 60,
    nbf: now,
    iat: now,
    jti: '1',
    sid: '2',
    ...claims,
  };
  return signJwt({ alg: 'HS256', typ: 'JWT' }, payload, secret);
}

export function signJwt(header: object, payload: unknown, secret: string): string {
  const signed = [header, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

/** A query as the platform signs it, for values that need no escaping beyond what forms do. */
export function signedQuery(params: Readonly<Record<string, string>>, secret = SECRET): string {
  const sorted = Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1));
  const message = new URLSearchParams(sorted).toString().replaceAll('+', '%20');
  return `${message}&hmac=${createHmac('sha256', secret).update(message).digest('hex')}`;
}

/** The cookies a browser would hold after a reply with these headers, as a `Cookie` header. */
export function cookiesAfter(headers: HeaderList | undefined): string {
  return cookiesIn(headers)
    .filter(({ value }) => value !== '')
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ');
}

/** The session cookie of an app with `value` in it, signed, as a `Cookie` header. */
export function sessionCookieFor({ config, keys }: App, value: string): string {
  const name = `shopify_app_session_${createHash('sha256').update(config.apiKey).digest('hex').slice(0, 8)}`;
  return `${name}=${value}; ${name}.sig=${keys.sign(value, 'base64', 'cookie')}`;
}

export interface SetCookie {
  readonly name: string;
  readonly value: string;
  readonly attributes: readonly string[];
}

export function cookiesIn(headers: HeaderList | undefined): SetCookie[] {
  return (headers ?? [])
    .filter(([name]) => name === 'set-cookie')
    .map(([, text]) => {
      const [pair = '', ...attributes] = text.split('; ');
      const at = pair.indexOf('=');
      return { name: pair.slice(0, at), value: pair.slice(at + 1), attributes };
    });
}

export function headersOf(decision: {
  readonly headers?: HeaderList | undefined;
}): Record<string, string> {
  return Object.fromEntries(decision.headers ?? []);
}
