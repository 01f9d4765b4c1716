import { parseScopes } from './access-scopes.js';
import { proxyOf, type RegisteredProxy } from './app-proxy.js';
import type { DevApp } from './dev-app.js';

/** A registered app with every default filled in. */
export interface RegisteredApp extends Readonly<
  Required<Omit<DevApp, 'redirectUrls' | 'scopes' | 'appProxy'>>
> {
  /** The app's number on the platform. */
  readonly id: number;
  /** The client secret before the last rotation, if it still counts. */
  readonly previousSecret: string | undefined;
  readonly scopes: readonly string[] | undefined;
  readonly origin: string;
  readonly proxy: RegisteredProxy | undefined;
  mayRedirectTo(url: URL): boolean;
}

const FIRST_ID = 7_000_000_001;

/** The apps of one simulated platform, by API key. */
export class AppRegistry {
  private readonly apps = new Map<string, RegisteredApp>();

  /**
   * @throws TypeError when a key, the secret or the app's URL is missing, a scope or the app proxy
   * is malformed, or the API key or the proxy's address is taken
   */
  add(app: DevApp): RegisteredApp {
    if (!app.apiKey || !app.apiSecretKey)
      throw new TypeError('An app of the dev store needs an apiKey and an apiSecretKey.');
    if (this.apps.has(app.apiKey))
      throw new TypeError(`The dev store already knows an app with the API key "${app.apiKey}".`);
    if (!/^https?:\/\//.test(app.appUrl) || !URL.canParse(app.appUrl)) {
      throw new TypeError(
        `The appUrl of the app "${app.apiKey}" must be an http or https URL, got "${app.appUrl}".`,
      );
    }
    const { origin } = new URL(app.appUrl);
    const allowed = app.redirectUrls?.map((url) => new URL(url).href);
    const proxy = proxyOf(app);
    if (proxy && this.all().some((other) => other.proxy?.prefix === proxy.prefix))
      throw new TypeError(`Two apps of the dev store proxy ${proxy.prefix}.`);
    const registered: RegisteredApp = {
      id: FIRST_ID + this.apps.size,
      apiKey: app.apiKey,
      apiSecretKey: app.apiSecretKey,
      previousSecret: undefined,
      appUrl: app.appUrl.replace(/(?<!\/)\/+$/, ''),
      name: app.name ?? 'Your app',
      embedded: app.embedded ?? true,
      clientCredentials: app.clientCredentials ?? false,
      managedInstallation: app.managedInstallation ?? false,
      webhooks: app.webhooks ?? [],
      definitions: app.definitions ?? {},
      scopes: app.scopes && scopesOf(app, app.scopes),
      optionalScopes: scopesOf(app, app.optionalScopes ?? []),
      origin,
      proxy,
      mayRedirectTo: (url) => (allowed ? allowed.includes(url.href) : url.origin === origin),
    };
    this.apps.set(app.apiKey, registered);
    return registered;
  }

  /** @throws TypeError when no app has the key, or the secret is empty */
  rotateSecret(apiKey: string, secret: string, keepsPrevious: boolean): void {
    const app = this.require(apiKey);
    if (!secret) throw new TypeError('The new client secret of an app must not be empty.');
    const previousSecret = keepsPrevious ? app.apiSecretKey : undefined;
    this.apps.set(apiKey, { ...app, apiSecretKey: secret, previousSecret });
  }

  get(apiKey: string): RegisteredApp | undefined {
    return this.apps.get(apiKey);
  }

  /** @throws TypeError when no app has the key */
  require(apiKey: string): RegisteredApp {
    const app = this.apps.get(apiKey);
    if (!app)
      throw new TypeError(
        `The dev store knows no app with the API key "${apiKey}": name it in DevStore.open({ apps }) or addApp().`,
      );
    return app;
  }

  all(): RegisteredApp[] {
    return [...this.apps.values()];
  }
}

function scopesOf({ apiKey }: DevApp, scopes: readonly string[]): readonly string[] {
  const parsed = parseScopes(scopes.join(','));
  if (!parsed)
    throw new TypeError(
      `The scopes of the app "${apiKey}" look like "read_products" or "write_orders", got "${scopes.join()}".`,
    );
  return parsed;
}
