import type { RegisteredResources, ResourceSet } from '../../rest-client/resources/resource-set.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import type { WebAppOptions } from '../web/web.options.js';

/** What {@link platformApp} takes. */
export interface RemixAppOptions<
  Resources extends ResourceSet = RegisteredResources,
> extends WebAppOptions<Resources> {
  readonly sessionStorage: SessionStorage;
}
