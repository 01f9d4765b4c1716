import { LazyContainer } from '../../platform/nest/lazy-container.js';
import { createKernel } from '../../platform/kernel/platform-kernel.js';
import type { PlatformKernel } from '../../platform/kernel/platform-kernel.js';
import type { RegisteredResources, ResourceSet } from '../../rest-client/resources/resource-set.js';
import { RemixIntegration } from './remix.integration.js';
import { remixNameOf, toPlatformOptions } from './remix.options.js';
import type { RemixAppOptions } from './remix.options.js';

/** The object together with the container behind it. */
export class RemixApp<
  Resources extends ResourceSet = RegisteredResources,
> extends RemixIntegration<Resources> {
  /** Resolves when the app has booted. @throws {BootError} */
  readonly ready: () => Promise<void>;
  /**
   * Refuses new deliveries, waits for what is in flight, and shuts the app down; what was passed
   * in, such as the session storage, stays open. To be called on SIGTERM.
   */
  readonly close: () => Promise<void>;

  /** @internal Use {@link platformApp}. */
  constructor(kernel: PlatformKernel, container: LazyContainer) {
    super(kernel, () => container.services());
    this.ready = () => container.ready();
    this.close = () => container.close();
  }
}

/**
 * Everything a Remix or React Router app for the platform's admin needs. Answers at once and boots
 * in the background; a boot that fails surfaces on first use and from `ready()`.
 * @throws {InvalidOptionsError} naming every problem in the options at once
 * @example
 * const app = platformApp({ apiVersion: ApiVersion.July26, scopes: ['write_products'], appUrl, sessionStorage });
 * export const { authenticate, login, addDocumentResponseHeaders } = app;
 */
export function platformApp<Resources extends ResourceSet = RegisteredResources>(
  options: RemixAppOptions<Resources>,
): RemixApp<Resources> {
  const kernel = createKernel(toPlatformOptions(options), {
    nameOf: remixNameOf,
    receivesWebhooks: false,
  });
  return new RemixApp(kernel, new LazyContainer(kernel, options.modules));
}
