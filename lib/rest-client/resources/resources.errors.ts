import { PlatformError } from '../../core/core.errors.js';

/**
 * A resource has no path for a call: a required id is missing, or the platform offers none. Nothing
 * was sent.
 * @remedy Pass the ids that the message names, or use an operation that the platform has.
 */
export class RestResourceError extends PlatformError {
  readonly code = 'ERR_REST_RESOURCE';
}

/**
 * A call was made on a class that belongs to no app, and so has no client.
 * @remedy Pass `restResources` in the options of the app, and use the classes of `api.rest` or
 * `admin.rest.resources`.
 */
export class UnmountedResourceError extends PlatformError {
  readonly code = 'ERR_REST_RESOURCE_UNMOUNTED';
}
