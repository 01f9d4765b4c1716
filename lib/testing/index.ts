/**
 * The test kit for Nest apps: an app over a simulated store, and sessions for its guards.
 * @module shopwright/testing
 */
export { PlatformTestingModule } from './platform-testing.module.js';
export type {
  DeliverOptions,
  InstallOptions,
  PlatformTestingOptions,
} from './platform-testing.options.js';
export { SessionGrantingGuard, grantSession } from './session-granting.guard.js';
export type { GrantedSession } from './session-granting.guard.js';
