import { typedToken } from '../../core/binding.js';
import type { HostContext, PlatformOptions } from './platform.options.js';
import type { GivenStorage } from './storage-choice.js';

/** The options as the app passed them, in the names of `PlatformModule`. */
export const PLATFORM_OPTIONS = typedToken<PlatformOptions>('PLATFORM_OPTIONS');

/** In what the host of the app differs from others. */
export const HOST_CONTEXT = typedToken<HostContext>('HOST_CONTEXT');

/** The session storage as the app passed it, or had it made. */
export const GIVEN_STORAGE = typedToken<GivenStorage>('GIVEN_STORAGE');
