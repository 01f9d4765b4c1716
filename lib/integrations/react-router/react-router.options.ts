import type { RegisteredResources, ResourceSet } from '../../rest-client/resources/resource-set.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import type { PolarisOption, WebAppOptions } from '../web/web.options.js';

/**
 * What {@link platformApp} takes. There is no `isEmbeddedApp`: these apps are embedded in the
 * admin, but for one that was made in the admin of a store.
 */
export interface ReactRouterAppOptions<Resources extends ResourceSet = RegisteredResources>
  extends Omit<WebAppOptions<Resources>, 'isEmbeddedApp'>, PolarisOption {
  readonly isEmbeddedApp?: never;
  readonly sessionStorage: SessionStorage;
}
