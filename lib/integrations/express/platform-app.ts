import { LazyContainer } from '../../platform/nest/lazy-container.js';
import { createKernel } from '../../platform/kernel/platform-kernel.js';
import type { PlatformKernel } from '../../platform/kernel/platform-kernel.js';
import type { RegisteredResources, ResourceSet } from '../../rest-client/resources/resource-set.js';
import { ExpressIntegration } from './express.integration.js';
import { expressNameOf, problemsInExpress, toPlatformOptions } from './express.options.js';
import type { ExpressAppOptions } from './express.options.js';

/** The bundle together with the container behind it. */
export class ExpressApp<
  Resources extends ResourceSet = RegisteredResources,
> extends ExpressIntegration<Resources> {
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
 * Everything an Express app for the platform's admin needs. Answers at once and boots in the
 * background; a boot that fails surfaces on first use and from `ready()`.
 * @throws {InvalidOptionsError} naming every problem in the options at once
 * @example
 * const shopify = platformApp({ api: { apiVersion: ApiVersion.July26, scopes: ['write_products'] }, sessionStorage });
 * app.use(shopify.routes());
 * app.use('/api', shopify.validateAuthenticatedSession());
 * app.get('/', shopify.ensureInstalledOnShop(), (req, res) => res.sendFile(page));
 */
export function platformApp<Resources extends ResourceSet = RegisteredResources>(
  options: ExpressAppOptions<Resources>,
): ExpressApp<Resources> {
  const given: ExpressAppOptions<Resources> = options ?? {};
  const kernel = createKernel(toPlatformOptions(given), {
    nameOf: expressNameOf,
    problems: problemsInExpress(given),
  });
  return new ExpressApp(kernel, new LazyContainer(kernel, given.modules));
}
