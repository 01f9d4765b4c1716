import { PlatformError } from '../../core/core.errors.js';

/**
 * A resource cannot be reached: an id that its path needs is missing, or the platform has no path
 * for it. Nothing was sent.
 */
export class RestResourceError extends PlatformError {
  readonly code = 'ERR_REST_RESOURCE';
}

/** A class was used as it was imported: it belongs to no app that could make a call. */
export class UnmountedResourceError extends PlatformError {
  readonly code = 'ERR_REST_RESOURCE_UNMOUNTED';
}
