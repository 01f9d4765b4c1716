import type { Binding } from '../../lib/core/binding.js';
import type { HostContext, PlatformOptions } from '../../lib/platform/kernel/platform.options.js';
import { createResolver } from '../../lib/platform/kernel/platform.providers.js';
import type { Resolver } from '../../lib/platform/kernel/resolver.js';
import { appOptions } from './app.js';

/**
 * An app of a test, none of whose objects is made yet.
 * @param others what takes the place of the app's own
 */
export function resolverOf(
  options: Partial<PlatformOptions> = {},
  others: readonly Binding[] = [],
  context: HostContext = {},
): Resolver {
  return createResolver(appOptions(options), context, others);
}
