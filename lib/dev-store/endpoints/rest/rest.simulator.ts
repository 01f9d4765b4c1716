import type { ApiBucket } from '../../base/api-limits.js';
import { HEADERS } from '../../base/vendor.js';
import {
  findEndpoint,
  jsonReply,
  replyOrThrownReply,
  type StoreReply,
  type StoreRequest,
} from '../../http/store-request.js';
import { shopPayload } from '../../state/shop/shop-payload.js';
import { authenticate, mayUse } from '../admin-api/admin-api-access.js';
import {
  notFound,
  selectFields,
  type RestCall,
  type RestEndpoint,
  type RestShop,
} from './rest.endpoint.js';
import { REST_PRODUCTS } from './rest-products.js';
import { REST_WEBHOOKS } from './rest-webhooks.js';

const REST_SHOP: RestEndpoint = {
  method: 'GET',
  pattern: /^shop$/,
  answer: ({ shop }, { url }) => jsonReply(200, { shop: selectFields(shopPayload(shop), url) }),
};

const ENDPOINTS: readonly RestEndpoint[] = [REST_SHOP, ...REST_PRODUCTS, ...REST_WEBHOOKS];

/**
 * Responds to a call of the Admin REST API; `path` is the part after the version.
 * @throws StoreReplyError when the call is not authenticated
 */
export async function answerRest(
  shop: RestShop,
  request: StoreRequest,
  version: string,
  path: string,
): Promise<StoreReply> {
  const call = { ...authenticate(shop.tokens, request, version), shop };
  const bucket = shop.buckets.of('rest', call.token.apiKey);
  const reply = bucket.take(1)
    ? await replyOrThrownReply(() => answerCall(call, request, path))
    : throttled(bucket);
  const used = bucket.capacity - bucket.available;
  return {
    ...reply,
    headers: { ...reply.headers, [HEADERS.callLimit]: `${used}/${bucket.capacity}` },
  };
}

function answerCall(call: RestCall, request: StoreRequest, path: string): StoreReply {
  if (!path.endsWith('.json')) return jsonReply(406, { errors: 'Not Acceptable' });
  const found = findEndpoint(ENDPOINTS, request.method, path.slice(0, -'.json'.length));
  if (!found) return notFound();
  const { endpoint, params } = found;
  if (endpoint.scope && !mayUse(call, endpoint.scope)) {
    return jsonReply(403, {
      errors: `[API] This action requires merchant approval for ${endpoint.scope} scope.`,
    });
  }
  return endpoint.answer(call, request, Number(params[0]));
}

function throttled(bucket: ApiBucket): StoreReply {
  const errors = `Exceeded ${bucket.restoreRate} calls per second for api client. Reduce request rates to resume uninterrupted service.`;
  const retryAfter = (Math.ceil(bucket.secondsUntil(1) * 10) / 10).toFixed(1);
  const note = `throttled: ${bucket.capacity} calls used up, retry after ${retryAfter} s`;
  return { ...jsonReply(429, { errors }, { 'Retry-After': retryAfter }), note, throttled: true };
}
