import { createHostApp } from '../../platform/host/host-app.js';
import type { HostApp } from '../../platform/host/host-app.js';
import { platformOptionsOf, problemsInApi } from '../../platform/api/api.options.js';
import type { ApiOptions } from '../../platform/api/api.options.js';
import { PlatformApi } from '../../platform/api/platform.api.js';
import type { PlatformOptions } from '../../platform/kernel/platform.options.js';
import type { RegisteredResources, ResourceSet } from '../../rest-client/resources/resource-set.js';

/** What {@link platformApi} takes. */
export interface PlatformApiOptions<Resources extends ResourceSet = RegisteredResources>
  extends
    ApiOptions<Resources>,
    Pick<
      PlatformOptions,
      'hooks' | 'sessionStorage' | 'lock' | 'installations' | 'inbox' | 'webhooks'
    > {}

/** The library as an app of its own. */
export interface PlatformApiApp<Resources extends ResourceSet = RegisteredResources>
  extends PlatformApi<Resources>, HostApp {}

const NAMES: Readonly<Record<string, string>> = { appUrl: 'hostName' };

/**
 * The library without a host, for apps that answer their requests by themselves. What they do not
 * store, such as the session of `auth.callback`, is stored nowhere.
 * @throws {InvalidOptionsError} naming every problem in the options at once
 * @example
 * const shopify = platformApi({ apiKey, apiSecretKey, hostName, apiVersion: ApiVersion.July26 });
 * const { session } = await shopify.auth.callback({ rawRequest: req, rawResponse: res });
 */
export function platformApi<Resources extends ResourceSet = RegisteredResources>(
  options: PlatformApiOptions<Resources>,
): PlatformApiApp<Resources> {
  const given: PlatformApiOptions<Resources> = options ?? {};
  return createHostApp<PlatformApi<ResourceSet>>({
    integration: PlatformApi,
    bindings: [],
    options: platformOptionsOf(given),
    context: {
      nameOf: (option) => NAMES[option] ?? option,
      problems: problemsInApi(given),
      receivesWebhooks: false,
      storesSessions: false,
    },
  }) as PlatformApiApp<Resources>;
}
