import { withoutTrailingSlashes } from '../shop-domain.js';

/** Where the toolkit answers by itself, as paths on the app's origin. */
export interface PathOptions {
  /** Start of the OAuth grant. @default '/auth' */
  readonly auth?: string | undefined;
  /** End of the OAuth grant. @default `<auth>/callback` */
  readonly authCallback?: string | undefined;
  /** The page that leaves the admin's frame. @default '/exitiframe' */
  readonly exitIframe?: string | undefined;
  /** The page that fetches a fresh session token and returns. @default `<auth>/session-token` */
  readonly sessionToken?: string | undefined;
  /** Where deliveries arrive. @default '/webhooks' */
  readonly webhooks?: string | undefined;
}

export type PathName = keyof PathOptions;

/**
 * The resolved paths. A host that mounts the app below a prefix (Nest's global prefix) says so once
 * with {@link mount}.
 */
export class PlatformPaths {
  readonly #paths: Readonly<Record<PathName, string>>;
  #mounted: (path: string, name: PathName) => string = (path) => path;

  constructor(options: PathOptions = {}) {
    const auth = tidy(options.auth ?? '/auth');
    this.#paths = {
      auth,
      authCallback: tidy(options.authCallback ?? `${auth}/callback`),
      exitIframe: tidy(options.exitIframe ?? '/exitiframe'),
      sessionToken: tidy(options.sessionToken ?? `${auth}/session-token`),
      webhooks: tidy(options.webhooks ?? '/webhooks'),
    };
  }

  /** From now on every path is what `mounted` makes of it. */
  mount(mounted: (path: string, name: PathName) => string): void {
    this.#mounted = mounted;
  }

  get auth(): string {
    return this.#mounted(this.#paths.auth, 'auth');
  }
  get authCallback(): string {
    return this.#mounted(this.#paths.authCallback, 'authCallback');
  }
  get exitIframe(): string {
    return this.#mounted(this.#paths.exitIframe, 'exitIframe');
  }
  get sessionToken(): string {
    return this.#mounted(this.#paths.sessionToken, 'sessionToken');
  }
  get webhooks(): string {
    return this.#mounted(this.#paths.webhooks, 'webhooks');
  }

  /**
   * Where a path is mounted at which a webhook handler gets its deliveries; a query stays as it is.
   */
  mountedWebhook(target: string): string {
    const [path = ''] = target.split('?', 1);
    return this.#mounted(path, 'webhooks') + target.slice(path.length);
  }

  /** Every path by name, before it is mounted anywhere. */
  entries(): [PathName, string][] {
    return Object.entries(this.#paths) as [PathName, string][];
  }

  /** Which of the paths this is, if any; a trailing slash makes no difference. */
  match(pathname: string): PathName | undefined {
    const path = tidy(pathname);
    return this.entries().find(([name]) => this[name] === path)?.[0];
  }
}

function tidy(path: string): string {
  const trimmed = withoutTrailingSlashes(path);
  return trimmed.startsWith('/') ? trimmed : `/${trimmed}`;
}
