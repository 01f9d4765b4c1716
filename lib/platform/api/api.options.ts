import type { BillingOptions } from '../../billing/billing.options.js';
import { AppDistribution } from '../../core/config/config.options.js';
import type { ConfigOptions } from '../../core/config/config.options.js';
import type { OptionProblem } from '../../core/core.errors.js';
import type { RestClientOptions } from '../../rest-client/rest-client.options.js';
import type { RegisteredResources, ResourceSet } from '../../rest-client/resources/resource-set.js';
import type { PlatformOptions } from '../kernel/platform.options.js';

/** What apps of the library say otherwise, or beside their `api`. */
type ConfigElsewhere =
  'appUrl' | 'paths' | 'useOnlineTokens' | 'webhookBodyLimit' | 'webhookBodyMemoryLimit';

/** The app itself, under the names the platform's own library knows. */
export interface ApiOptions<Resources extends ResourceSet = RegisteredResources>
  extends Omit<ConfigOptions, ConfigElsewhere>, RestClientOptions<Resources>, BillingOptions {
  /**
   * Public host of the app, such as `app.example.com`. @default environment `HOST`,
   * `PLATFORM_APP_URL`, `SHOPIFY_APP_URL`
   */
  readonly hostName?: string | undefined;
  /** Scheme that goes with `hostName`. @default 'https' */
  readonly hostScheme?: 'http' | 'https' | undefined;
  /**
   * The app was created in the admin of one store; the same as
   * `distribution: AppDistribution.PlatformAdmin`. @default false
   */
  readonly isCustomStoreApp?: boolean | undefined;
}

/** The same options as every other part of the toolkit reads them. */
export function platformOptionsOf({
  hostName,
  hostScheme,
  isCustomStoreApp,
  ...config
}: ApiOptions): PlatformOptions {
  return {
    ...config,
    appUrl:
      hostName &&
      `${hostScheme === 'http' ? 'http' : 'https'}://${withoutScheme(String(hostName))}`,
    distribution:
      config.distribution ?? (isCustomStoreApp ? AppDistribution.PlatformAdmin : undefined),
  };
}

/** What is wrong with what only these options know, each by its own name. */
export function problemsInApi({
  hostScheme = 'https',
  hostName = '',
}: Partial<ApiOptions>): OptionProblem[] {
  return [
    ...(/^https?$/.test(hostScheme)
      ? []
      : [{ option: 'hostScheme', message: 'must be "https" or "http"' }]),
    ...(typeof hostName !== 'string' || /[\s/]/.test(withoutScheme(hostName).replace(/\/$/, ''))
      ? [{ option: 'hostName', message: 'must be a host, such as "app.example.com"' }]
      : []),
  ];
}

function withoutScheme(address: string): string {
  return address.replace(/^https?:\/\//i, '');
}
