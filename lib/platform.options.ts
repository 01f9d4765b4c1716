import type { AuthOptions } from './auth/auth.options.js';
import type { ConfigOptions } from './core/config/config.options.js';
import type { SessionsOptions } from './sessions/sessions.options.js';
import type { WebhooksOptions } from './webhooks/webhooks.options.js';

/** Everything an app can be configured with; each room owns its part. */
export interface PlatformOptions extends ConfigOptions, SessionsOptions, AuthOptions, WebhooksOptions {}
