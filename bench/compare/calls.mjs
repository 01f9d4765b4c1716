// Every function that is measured in process. Each throws unless what it is given is accepted.
import { randomUUID } from 'node:crypto';
import { ourExpressApp, ourRemixApp, theirApi, theirRemixApp } from './apps.mjs';
import { sessionOf, statusOf } from './checks.mjs';
import {
  APP_HOST,
  launchQuery,
  orderOf,
  pageHeaders,
  proxyQuery,
  SHOP,
  webhookHeaders,
} from './fixtures.mjs';

const ORDER = orderOf(1024);
const DELIVERIES = 1_000;
/** More than ours remembers. */
const TOKENS = 2_000;
/**
 * Milliseconds for which a signed query is used; the official package takes none that is older than
 * 90 seconds.
 */
const QUERY_LIFETIME = 30_000;

function accepted(condition) {
  if (!condition) throw new Error('A request that is valid was not accepted.');
}

/**
 * Answers a delivery as Node's server would hand it out, each with another id: made ahead, since
 * making one takes longer than a check of it.
 */
function deliveries(rawBody) {
  const signed = webhookHeaders(ORDER);
  const all = Array.from({ length: DELIVERIES }, () => {
    const headers = { ...signed, 'x-shopify-webhook-id': randomUUID() };
    return {
      rawBody,
      rawRequest: { method: 'POST', url: '/webhooks', originalUrl: '/webhooks', headers },
    };
  });
  let last = 0;
  return () => all[last++ % DELIVERIES];
}

function webDeliveries() {
  const next = deliveries(ORDER);
  return () => {
    const { rawBody: body, rawRequest } = next();
    return new Request(`https://${APP_HOST}/webhooks`, {
      method: 'POST',
      headers: rawRequest.headers,
      body,
    });
  };
}

/** @param tokens one for all requests, as App Bridge sends it for most of a minute, or many */
function pageCalls(tokens) {
  const all = Array.from({ length: tokens }, pageHeaders);
  const url = `https://${APP_HOST}/app/data?shop=${SHOP}&embedded=1&locale=en`;
  let last = 0;
  return () => new Request(url, { headers: all[last++ % tokens] });
}

/** A signed query, made anew before it gets too old. */
function fresh(make) {
  let query = make();
  let until = Date.now() + QUERY_LIFETIME;
  return () => {
    if (Date.now() > until) [query, until] = [make(), Date.now() + QUERY_LIFETIME];
    return query;
  };
}

/**
 * @param body as the hosts of that side read it: bytes of ours, text of the official packages,
 * which take no bytes
 */
const verifying = (verify, body) => {
  const next = deliveries(body);
  return async () => accepted((await verify(next())).valid);
};
const webhook = ({ authenticate }) => {
  const next = webDeliveries();
  return async () => accepted((await authenticate.webhook(next())).shop === SHOP);
};
const admin = ({ authenticate }, tokens = 1) => {
  const next = pageCalls(tokens);
  return async () => accepted((await authenticate.admin(next())).session.shop === SHOP);
};
const signature = ({ utils }, make, signator) => {
  const query = fresh(make);
  return async () => accepted(await utils.validateHmac(query(), { signator }));
};

export const CALLS = {
  'ours verify': async () => {
    const { api } = await ourExpressApp();
    return verifying((delivery) => api.webhooks.verify(delivery), Buffer.from(ORDER));
  },
  'official verify': async () => {
    const api = await theirApi();
    return verifying((delivery) => api.webhooks.validate(delivery), ORDER);
  },
  'ours authenticate.webhook': async () => webhook(await ourRemixApp()),
  'official authenticate.webhook': async () => webhook(await theirRemixApp()),
  'ours authenticate.admin': async () => admin(await ourRemixApp()),
  'official authenticate.admin': async () => admin(await theirRemixApp()),
  'ours authenticate.admin, a token each': async () => admin(await ourRemixApp(), TOKENS),
  'official authenticate.admin, a token each': async () => admin(await theirRemixApp(), TOKENS),
  'ours launch URL': async () => signature((await ourExpressApp()).api, launchQuery, 'admin'),
  'official launch URL': async () => signature(await theirApi(), launchQuery, 'admin'),
  'ours app proxy': async () => signature((await ourExpressApp()).api, proxyQuery, 'appProxy'),
  'official app proxy': async () => signature(await theirApi(), proxyQuery, 'appProxy'),

  'bare verify': async () => {
    const next = deliveries(Buffer.from(ORDER));
    return () => {
      const { rawBody, rawRequest } = next();
      accepted(statusOf(rawRequest.headers, rawBody) === 200);
    };
  },
  'bare authenticate.admin': async () => {
    const next = pageCalls(1);
    return () => accepted(sessionOf({ authorization: next().headers.get('authorization') }));
  },
};
