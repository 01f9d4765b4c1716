import type { RegisteredResources, ResourceSet } from '../../rest-client/resources/resource-set.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import type { PosMember } from '../web/web-public.js';
import { WebIntegration } from '../web/web.integration.js';

/**
 * The toolkit for Remix, and for any other host that speaks web `Request` and `Response`. In a Nest
 * app, `app.get(RemixIntegration)` gives the object over the app's own container.
 */
export class RemixIntegration<
  Resources extends ResourceSet = RegisteredResources,
  Embedded extends boolean = boolean,
  Storage extends SessionStorage = SessionStorage,
> extends WebIntegration<Resources, Embedded, Storage> {
  declare readonly authenticate: WebIntegration<Resources, Embedded, Storage>['authenticate'] & {
    readonly public: PosMember;
  };
}
