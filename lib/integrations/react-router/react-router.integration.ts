import type { RegisteredResources, ResourceSet } from '../../rest-client/resources/resource-set.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import type { PosMember } from '../web/web-public.js';
import { WebIntegration } from '../web/web.integration.js';

/**
 * The toolkit for React Router as a framework. In a Nest app, `app.get(ReactRouterIntegration)`
 * gives the object over the app's own container.
 */
export class ReactRouterIntegration<
  Resources extends ResourceSet = RegisteredResources,
  Embedded extends boolean = boolean,
  Storage extends SessionStorage = SessionStorage,
> extends WebIntegration<Resources, Embedded, Storage> {
  declare readonly authenticate: WebIntegration<Resources, Embedded, Storage>['authenticate'] &
    PosMember;
}
