import { Session } from '../../lib/sessions/session.js';
import type { SessionParams } from '../../lib/sessions/session.js';

/** The shop of {@link offlineSession}. */
export const SHOP = 'shop.myshopify.com';

/** A shop's session that never expires. */
export function offlineSession(params: Partial<SessionParams> = {}): Session {
  const common = {
    shop: SHOP,
    state: '',
    isOnline: false,
    scope: 'read_products',
    accessToken: 'token',
  };
  return new Session({ id: `offline_${SHOP}`, ...common, ...params });
}
