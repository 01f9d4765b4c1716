import { randomBytes } from 'node:crypto';

import { SHOP_DOMAINS } from '../../core/vendor.js';
import { exchange, isLoopback } from '../exchange.js';
import type { Answer, Question } from '../exchange.js';

/** What the doctor is told about an app. */
export interface ExaminedAppOptions {
  /** Where the app is. */
  readonly url: URL;
  /** Its client id; without it, checks of session tokens that need it are left out. */
  readonly apiKey?: string | undefined;
  /** Its secret; without it, checks that need a good signature are left out. */
  readonly secret?: string | undefined;
  /** A shop that has not installed the app. @default a made-up one */
  readonly shop?: string | undefined;
  /** Path of a page inside the admin. @default '/' */
  readonly page?: string | undefined;
  /** Path that begins OAuth. @default '/auth' */
  readonly auth?: string | undefined;
  /** Path of the page that leaves the frame of the admin. @default '/exitiframe' */
  readonly exit?: string | undefined;
  /** Path that webhooks are posted to. @default '/webhooks' */
  readonly webhooks?: string | undefined;
  /** Path of the app's API, which is asked with GET. @default its checks are left out */
  readonly api?: string | undefined;
  /** Ends what is under way. */
  readonly signal?: AbortSignal | undefined;
}

/** Browsers call themselves so; crawlers, which apps may refuse, do not. */
const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/** How a browser asks for a page of its own window, for one in a frame, and for data. */
const FETCHES = {
  window: { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate', accept: 'text/html' },
  frame: {
    'sec-fetch-dest': 'iframe',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-site': 'cross-site',
    accept: 'text/html',
  },
  data: { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors', accept: 'application/json' },
} as const;

/** An app that is examined over HTTP, as a browser and the platform see it. */
export class ExaminedApp {
  readonly url: URL;
  readonly isLocal: boolean;
  readonly apiKey: string | undefined;
  readonly secret: string | undefined;
  readonly shop: string;
  readonly paths: Readonly<Record<'page' | 'auth' | 'exit' | 'webhooks', string>>;
  readonly api: string | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #answers: { readonly of: string; readonly answer: Answer }[] = [];

  constructor(options: ExaminedAppOptions) {
    const { url, apiKey, secret, api, signal } = options;
    const { page = '/', auth = '/auth', exit = '/exitiframe', webhooks = '/webhooks' } = options;
    this.url = url;
    this.isLocal = isLoopback(url);
    this.apiKey = apiKey;
    this.secret = secret;
    this.shop = options.shop ?? madeUpShop();
    this.paths = { page, auth, exit, webhooks };
    this.api = api;
    this.#signal = signal;
  }

  /** All that was answered so far. */
  get answers(): readonly { readonly of: string; readonly answer: Answer }[] {
    return this.#answers;
  }

  /** The address of a path of the app, below the address that was given. */
  at(path: string, query: Readonly<Record<string, string>> = {}): URL {
    const url = new URL(this.url.pathname.replace(/\/$/, '') + path, this.url.origin);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url;
  }

  /** Asks as a browser does. @throws the system's error when there is no answer */
  browse(
    url: URL,
    as: keyof typeof FETCHES,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    return this.send(url, { headers: { 'user-agent': BROWSER, ...FETCHES[as], ...headers } });
  }

  /** Sends anything. @throws the system's error when there is no answer */
  async send(url: URL, question: Question): Promise<Answer> {
    const answer = await exchange(url, { ...question, signal: this.#signal });
    this.#answers.push({ of: `${question.method ?? 'GET'} ${url.pathname}`, answer });
    return answer;
  }

  /** The page, as a frame or a window gets it: redirects within the app are followed. */
  async page(as: 'frame' | 'window', shop: string): Promise<Answer> {
    const query = { shop, host: hostOf(shop), ...(as === 'frame' && { embedded: '1' }) };
    let url = this.at(this.paths.page, query);
    for (let redirects = 0; ; redirects++) {
      const answer = await this.browse(url, as);
      const target = locationOf(answer, url);
      if (!target || target.origin !== this.url.origin || redirects === MOST_REDIRECTS)
        return answer;
      url = target;
    }
  }

  /** True for an address of the app, of the shop, or of the admin; or of a simulated store. */
  isFamiliar(target: URL, shop = this.shop): boolean {
    return (
      target.origin === this.url.origin ||
      isOfPlatform(target, shop) ||
      (this.isLocal && isLoopback(target))
    );
  }
}

const MOST_REDIRECTS = 5;
const ADMIN = /^(?:admin|accounts)\.shop(?:ify\.com|\.dev)$/;

/** True for an address of the shop, or of the admin. */
export function isOfPlatform(target: URL, shop: string): boolean {
  return target.protocol === 'https:' && (target.hostname === shop || ADMIN.test(target.hostname));
}

/** Nobody else has it, so that nothing is done to a shop. */
export function madeUpShop(): string {
  return `doctor-${randomBytes(8).toString('hex')}.${SHOP_DOMAINS[0]}`;
}

/** The `host` parameter of a shop. */
export function hostOf(shop: string): string {
  return Buffer.from(`${shop}/admin`).toString('base64url');
}

/** Where an answer redirects to. */
export function locationOf({ status, headers }: Answer, from: URL): URL | undefined {
  const { location } = headers;
  if (status < 300 || status > 399 || location === undefined) return undefined;
  return URL.canParse(location, from) ? new URL(location, from) : undefined;
}
