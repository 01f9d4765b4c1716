import type { Binding, Token } from '../../core/binding.js';
import { createHostApp } from '../../platform/host/host-app.js';
import type { HostApp } from '../../platform/host/host-app.js';
import type { ResourceSet } from '../../rest-client/resources/resource-set.js';
import type { RouteConventions } from './route-conventions.js';
import type { WebIntegration } from './web.integration.js';
import {
  pageConventions,
  problemsInConventions,
  toPlatformOptions,
  webNameOf,
} from './web.options.js';
import type { PolarisOption, WebAppOptions } from './web.options.js';

/** A host that speaks web `Request` and `Response`. */
interface WebHost<Integration extends WebIntegration<ResourceSet>> {
  /** The class of its object. */
  readonly integration: Token<Integration>;
  readonly bindings: readonly Binding[];
  readonly conventions: RouteConventions;
}

/**
 * Makes an app of such a host and starts it. Needs no Nest, unless there are `modules`.
 * @throws {InvalidOptionsError} naming every problem in the options at once
 */
export function createWebApp<Integration extends WebIntegration<ResourceSet>>(
  { integration, bindings, conventions }: WebHost<Integration>,
  given: (WebAppOptions<ResourceSet> & PolarisOption) | undefined,
): Integration & HostApp {
  const options = given ?? ({} as WebAppOptions<ResourceSet> & PolarisOption);
  return createHostApp({
    integration,
    bindings,
    options: toPlatformOptions(options, conventions),
    context: {
      nameOf: (option) => webNameOf(option, options),
      problems: problemsInConventions(options, conventions),
      // The paths of these hosts go by `authPathPrefix`: none that is given is read.
      unknownOptions: 'paths' in options && options.paths !== undefined ? ['paths'] : [],
      conventions: pageConventions(options, conventions),
      receivesWebhooks: false,
    },
    modules: options.modules,
  });
}
