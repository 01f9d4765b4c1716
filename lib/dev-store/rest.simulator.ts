import { authenticate, mayUse } from './admin-api.access.js';
import type { DevShop } from './dev-shop.js';
import { notFound, selectFields, type RestEndpoint } from './rest.endpoint.js';
import { REST_PRODUCTS } from './rest.products.js';
import { REST_WEBHOOKS } from './rest.webhooks.js';
import { shopPayload } from './shop-payload.js';
import { findEndpoint, jsonReply, type StoreReply, type StoreRequest } from './store-request.js';

const REST_SHOP: RestEndpoint = {
  method: 'GET',
  pattern: /^shop$/,
  answer: ({ shop }, { url }) => jsonReply(200, { shop: selectFields(shopPayload(shop), url) }),
};

const ENDPOINTS: readonly RestEndpoint[] = [REST_SHOP, ...REST_PRODUCTS, ...REST_WEBHOOKS];

/**
 * Answers a call of the Admin REST interface; `path` is what follows the version.
 * @throws Refusal when the call is not authenticated or its method is not served
 */
export function answerRest(shop: DevShop, request: StoreRequest, version: string, path: string): StoreReply {
  const call = authenticate(shop, request, version);
  if (!path.endsWith('.json')) return jsonReply(406, { errors: 'Not Acceptable' });
  const found = findEndpoint(ENDPOINTS, request.method, path.slice(0, -'.json'.length));
  if (!found) return notFound();
  const { endpoint, params } = found;
  if (endpoint.scope && !mayUse(call, endpoint.scope)) {
    return jsonReply(403, { errors: `[API] This action requires merchant approval for ${endpoint.scope} scope.` });
  }
  return endpoint.answer(call, request, Number(params[0]));
}
