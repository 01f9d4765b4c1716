import type { RegisteredResources, ResourceSet } from '../../rest-client/resources/resource-set.js';
import type { PosMember } from '../web/web-public.js';
import { WebIntegration } from '../web/web.integration.js';

/**
 * The toolkit for Remix, and for any other host that speaks web `Request` and `Response`. In a Nest
 * app, `app.get(RemixIntegration)` gives the object over the app's own container.
 */
export class RemixIntegration<
  Resources extends ResourceSet = RegisteredResources,
> extends WebIntegration<Resources> {
  declare readonly authenticate: WebIntegration<Resources>['authenticate'] & {
    readonly public: PosMember;
  };
}
