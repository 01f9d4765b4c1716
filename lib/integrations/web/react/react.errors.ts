import { PlatformError } from '../../../core/core.errors.js';

/**
 * A component for app proxy pages was rendered outside of an `AppProxyProvider`.
 * @remedy Render the component inside of an `AppProxyProvider`, also in error boundaries.
 */
export class MissingProviderError extends PlatformError {
  readonly code = 'ERR_APP_PROXY_PROVIDER_MISSING';

  /** @param component its name */
  constructor(component: string) {
    super(`${component} must be used within an AppProxyProvider component`);
  }
}
