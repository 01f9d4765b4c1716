import { denied } from '../../core/decision.js';
import type { DeniedDecision } from '../../core/decision.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import { QUERY } from '../../core/vendor.js';

/** Refuses a request for what `queryShop` found, or did not find. */
export function shopRefused(shop: null | undefined, status = 400): DeniedDecision {
  return shop === null
    ? denied(status, 'shop_invalid', 'The "shop" in the address is not the domain of a shop.')
    : denied(
        status,
        'shop_missing',
        'The address names no shop. Open the app from the admin of your shop.',
      );
}

/** True for a page that is being loaded inside the admin. */
export function isFramed(request: InboundRequest): boolean {
  const destination = request.header('sec-fetch-dest');
  return (
    request.url.searchParams.get(QUERY.embedded) === '1' ||
    destination === 'iframe' ||
    destination === 'frame'
  );
}
