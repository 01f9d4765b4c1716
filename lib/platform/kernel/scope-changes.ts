import type { ScopesService } from '../../auth/scopes/scopes.service.js';
import { AuthenticationError } from '../../core/http/http.errors.js';
import type { RegisteredHandler } from '../../webhooks/handlers/webhook.registry.js';
import { DeliveryMethod } from '../../webhooks/subscriptions/webhook-subscription.js';

/**
 * What has to be registered to hear that a shop has granted other scopes. The delivery says no more
 * than that it is time to ask: what is stored is the platform's own word, so that one that is late,
 * comes twice or names a wrong shop does no harm.
 */
export function scopeChanges(scopes: ScopesService): RegisteredHandler {
  return {
    kind: 'handler',
    topic: 'APP_SCOPES_UPDATE',
    subscription: { deliveryMethod: DeliveryMethod.Http },
    name: 'change of scopes',
    // Without `admin` the token has expired for good.
    run: async ({ session, admin }) =>
      session && admin && scopes.sync({ session }).catch(ignoreRefusedToken),
  };
}

/**
 * A shop whose token is refused is asked when it comes with another: that one brings its scopes
 * along.
 */
function ignoreRefusedToken(error: unknown): void {
  if (!(error instanceof AuthenticationError)) throw error;
}
