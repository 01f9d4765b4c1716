import type {
  AppProxyOptions,
  ConfiguredWebhook,
  DeclaredDefinitions,
  DevApp,
} from '../../dev-store/index.js';
import { isRecord } from '../../core/json.js';
import { parseConfiguration, readAppConfiguration } from '../app-configuration.js';
import { UsageError } from '../cli.errors.js';

/** An app without its secret, which no configuration file holds. */
type ConfiguredApp = Omit<DevApp, 'apiSecretKey'>;

/**
 * The app that a configuration file describes, for a simulated store.
 * @param runsAt where it runs; what the file has at its `application_url` is looked for there
 * @throws {UsageError} when the file is not there or not valid, or names no address of the app
 * @see https://shopify.dev/docs/apps/build/cli-for-apps/app-configuration
 */
export async function readDevApp(path: string, runsAt?: string): Promise<ConfiguredApp> {
  const file = await parseConfiguration(path);
  const { subscriptions } = await readAppConfiguration(path);
  const text = (value: unknown): string | undefined =>
    typeof value === 'string' && value !== '' ? value : undefined;
  const written = text(file['application_url']);
  const appUrl = runsAt ?? written;
  if (appUrl === undefined || !/^https?:\/\//.test(appUrl) || !URL.canParse(appUrl))
    throw new UsageError(
      `${path} has no application_url with its scheme: say --app-url <url>, such as http://localhost:3000.`,
    );
  const moved = (url: string): string => atAppUrl(url, written, appUrl);
  const scopes = tableIn(file, 'access_scopes');
  const webhooks = tableIn(file, 'webhooks');
  const redirectUrls = tableIn(file, 'auth')['redirect_urls'];
  const required = scopesIn(scopes['scopes']);
  return {
    apiKey: text(file['client_id']) ?? 'dev-store-app',
    name: text(file['name']) ?? 'Your app',
    appUrl,
    embedded: file['embedded'] !== false,
    scopes: required,
    optionalScopes: scopesIn(scopes['optional_scopes']),
    managedInstallation: required.length > 0 && scopes['use_legacy_install_flow'] !== true,
    ...(Array.isArray(redirectUrls) && { redirectUrls: redirectUrls.map(String).map(moved) }),
    ...proxyIn(tableIn(file, 'app_proxy'), moved),
    definitions: file as DeclaredDefinitions,
    webhooks: subscriptions.map(({ topic, uri, includeFields }): ConfiguredWebhook => {
      const apiVersion = text(webhooks['api_version']);
      return {
        ...{ topic, uri: moved(uri) },
        ...(includeFields && { includeFields }),
        ...(apiVersion !== undefined && { apiVersion }),
      };
    }),
  };
}

function tableIn(file: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
  const table = file[name];
  return isRecord(table) ? table : {};
}

/** Scopes are written in one text, and optional ones in a list. */
function scopesIn(value: unknown): string[] {
  const parts = Array.isArray(value) ? value.map(String) : String(value ?? '').split(',');
  return parts.map((scope) => scope.trim()).filter(Boolean);
}

function proxyIn(
  { url, subpath, prefix }: Record<string, unknown>,
  moved: (url: string) => string,
): { appProxy?: AppProxyOptions } {
  if (typeof url !== 'string' || typeof subpath !== 'string') return {};
  const first = typeof prefix === 'string' ? { prefix: prefix as never } : {};
  return { appProxy: { url: moved(url), subpath, ...first } };
}

/** An address below the app's URL of the file, below the one where the app runs. */
function atAppUrl(url: string, written: string | undefined, appUrl: string): string {
  if (written === undefined || !URL.canParse(url) || !URL.canParse(written)) return url;
  const { origin, href } = new URL(url);
  if (origin !== new URL(written).origin) return url;
  return new URL(appUrl).origin + href.slice(origin.length);
}
