import type { RegisteredResources, ResourceSet } from '../../rest-client/resources/resource-set.js';
import { WebIntegration } from '../web/web.integration.js';

/**
 * The toolkit for React Router as a framework. In a Nest app, `app.get(ReactRouterIntegration)`
 * gives the object over the app's own container.
 */
export class ReactRouterIntegration<
  Resources extends ResourceSet = RegisteredResources,
> extends WebIntegration<Resources> {}
