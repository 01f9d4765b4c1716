import { describe, expect, it } from '@jest/globals';

import { cookieName, readSignedCookies } from '../../lib/core/crypto/cookies.js';
import { resolveConfig } from '../../lib/core/config/config.schema.js';
import { PlatformPaths } from '../../lib/core/config/platform-config.js';
import { verifyProxyHmac } from '../../lib/core/crypto/proxy-signature.js';
import { verifyQueryHmac } from '../../lib/core/crypto/query-hmac.js';
import { SecretKeys } from '../../lib/core/crypto/secret-keys.js';
import {
  SessionTokenVerifier,
  bearerToken,
  sessionTokenOf,
} from '../../lib/auth/credentials/session-token.verifier.js';
import { systemClock } from '../../lib/core/time/clock.js';
import { withFrameAncestors } from '../../lib/core/http/content-security-policy.js';
import {
  inboundPath,
  inboundUrl,
  isFramed,
  queryShop,
  wantsDocument,
} from '../../lib/core/http/inbound-request.js';
import type { InboundRequest } from '../../lib/core/http/inbound-request.js';
import { retryAfter } from '../../lib/core/http/retries.js';
import { redactedContext } from '../../lib/core/log-facts.js';
import { redactedText, redactionOf } from '../../lib/core/redaction.js';
import { AuthScopes } from '../../lib/core/scopes.js';
import {
  decodeHost,
  legacyUrlToShopAdminUrl,
  sanitizeHost,
  sanitizeShop,
  shopAdminUrlToLegacyUrl,
  shopNamedBy,
  shopTyped,
  withoutTrailingSlashes,
} from '../../lib/core/shop-domain.js';
import { AuthUrls, hostFor, reloadableAddress } from '../../lib/auth/responses/auth-urls.js';
import { sessionInCookie } from '../../lib/auth/credentials/session-cookie.js';
import { reloadUrl, returnedChargeNumber, waitAgainUrl } from '../../lib/billing/billing-return.js';
import { boundaryOf } from '../../lib/graphql-client/multipart.reader.js';
import { pageInfoOf } from '../../lib/rest-client/page-info.js';
import { parseWithTextIds } from '../../lib/rest-client/rest-json.js';
import { subscriptionTo } from '../../lib/webhooks/subscriptions/webhook-subscription.js';
import { WebhookVerifier } from '../../lib/webhooks/deliveries/webhook.verifier.js';
import { normalizeTopic } from '../../lib/webhooks/handlers/webhook.registry.js';
import { appOptions, API_KEY, API_SECRET, SHOP } from '../support/app.js';
import { superLinearAt, takesLonger } from '../support/growth.js';

const config = resolveConfig(appOptions({ isEmbeddedApp: false }));
const keys = new SecretKeys([API_SECRET]);
const context = { config, keys, clock: systemClock };
const paths = new PlatformPaths();
const urls = new AuthUrls(config, keys, systemClock);
const tokens = new SessionTokenVerifier(keys, config, systemClock);
const verifier = new WebhookVerifier(keys);

function request(target: string, headers: Record<string, string> = {}): InboundRequest {
  const url = inboundUrl(target, config.appUrl);
  return {
    method: 'GET',
    url,
    path: url.pathname,
    header: (name) => headers[name],
    rawBody: async () => Buffer.alloc(0),
  };
}
/** A query in which the text stands for one value and, as it is, for further parameters. */
const asked = (text: string): InboundRequest =>
  request(
    `/page?shop=${text}&host=${text}&${text}&charge_id=${text}&id_token=${text}&redirectUri=${text}&shopify-reload=${text}`,
  );
const query = (text: string): URLSearchParams =>
  new URLSearchParams(
    `shop=${SHOP}&timestamp=${Math.floor(Date.now() / 1000)}&hmac=${'0'.repeat(64)}&${text}`,
  );
const isPage = (headers: Record<string, string>): boolean => wantsDocument(request('/', headers));

/** What reads text of a stranger's choice. */
const READERS: Record<string, (text: string) => unknown> = {
  withoutTrailingSlashes,
  'PlatformPaths.match': (text) => paths.match(`/${text}`),
  inboundUrl: (text) => inboundUrl(`/${text}`, config.appUrl),
  inboundPath: (text) => inboundPath(`/${text}`, config.appUrl),
  sanitizeShop,
  'sanitizeShop of a domain': (text) => sanitizeShop(`${text}.myshopify.com`),
  shopNamedBy,
  shopTyped,
  legacyUrlToShopAdminUrl,
  shopAdminUrlToLegacyUrl,
  sanitizeHost,
  decodeHost,
  'decodeHost of an address': (text) => decodeHost(Buffer.from(text).toString('base64')),
  'the Accept header': (text) => isPage({ accept: text }),
  'the Authorization header': (text) => isPage({ authorization: text }),
  bearerToken: (text) => [
    bearerToken(request('/', { authorization: text })),
    bearerToken(request('/', { authorization: `bearer ${text}` })),
  ],
  sessionTokenOf: (text) => sessionTokenOf(asked(text)),
  'SessionTokenVerifier.verify': (text) => tokens.verify(text),
  'SessionTokenVerifier.verify of parts': (text) => tokens.verify(`${text}.${text}.${text}`),
  readSignedCookies: (text) => readSignedCookies(text, 'a', keys),
  'the value of a signed cookie': (text) =>
    readSignedCookies(`a=${text}; a.sig=${text}`, 'a', keys),
  sessionInCookie: (text) => {
    const [name, value] = [cookieName('shopify_app_session', API_KEY), `1.${text}`];
    const signature = keys.sign(value, 'base64', 'cookie');
    return sessionInCookie(
      request('/', { cookie: `${name}=${value}; ${name}.sig=${signature}` }),
      context,
    );
  },
  'verifyQueryHmac of the admin': (text) => verifyQueryHmac(query(text), keys, new Date()),
  verifyProxyHmac: (text) =>
    verifyProxyHmac(query(`${text}&signature=${'0'.repeat(64)}`), keys, new Date()),
  queryShop: (text) => queryShop(asked(text)),
  isFramed: (text) => isFramed(asked(text)),
  hostFor: (text) => hostFor(asked(text), SHOP),
  reloadableAddress: (text) => reloadableAddress(asked(text).url),
  'AuthUrls.exitTarget': (text) => urls.exitTarget(asked(text), async () => true),
  'AuthUrls.reloadTarget': (text) => urls.reloadTarget(asked(text)),
  'AuthUrls.bounce': (text) => urls.bounce(asked(text), SHOP),
  'AuthUrls.embeddedApp': (text) => urls.embeddedApp(asked(text), SHOP, { keepPage: true }),
  'AuthUrls.resolve': (text) => urls.resolve(text),
  'the return from a charge': (text) => [
    returnedChargeNumber(asked(text)),
    reloadUrl(asked(text).url),
    waitAgainUrl(asked(text).url),
  ],
  'WebhookVerifier.precheck': (text) => verifier.precheck(() => text),
  'WebhookVerifier.verify': (text) => {
    const body = Buffer.from(`\t${text}`);
    const hmac = keys.sign(body, 'base64');
    return verifier.verify(body, (name) => (name.endsWith('hmac-sha256') ? hmac : text));
  },
  normalizeTopic,
  subscriptionTo,
  withFrameAncestors: (text) => withFrameAncestors(text, "frame-ancestors 'none';"),
  AuthScopes: (text) => new AuthScopes(text).toArray(),
  redactedText: (text) => redactedText(text, [API_SECRET]),
  redactedContext: (text) =>
    redactedContext({ path: text, more: { error: text } }, redactionOf([API_SECRET])),
  retryAfter: (text) => retryAfter(new Headers({ 'retry-after': text }), systemClock),
  pageInfoOf: (text) => pageInfoOf(new Headers({ link: text }), {}, '50'),
  boundaryOf,
  parseWithTextIds: (text) => parseWithTextIds(`{"id":"${text}"}`),
};

const PUMPS = [
  ...[
    '/',
    '/a',
    'a',
    '0',
    '.',
    '..',
    ' ',
    '\t',
    '=',
    ',',
    ';',
    '&',
    '&a',
    '&a=',
    '&shop=a',
    '%41',
    '%2f',
    '+',
    '-',
    '"',
    '\\"',
    '<',
    '>;',
  ],
  ...[
    '{',
    '[',
    'a=b;',
    'a.sig=b; ',
    'eyJaaaaaa-',
    'eyJaaaaaa.',
    'eyJaaaaaa.a.',
    'Bearer ',
    '?code=',
    '; code=a',
    'shpat_',
    'read_a,',
  ],
  ...[
    'frame-ancestors ',
    '; frame-ancestors a',
    'https://',
    'admin.',
    '.myshopify.com',
    '<a>;rel="next",',
    '"id":1',
    '"a_ids":[1,',
    '💥',
    'é',
  ],
];
/** Fits nothing that is read. */
const ENDING = '!';
/**
 * Characters at which quadratic time shows, and linear time does not: nothing is that long on a
 * line of HTTP.
 */
const SCREENED = 16_000;
/** What no reader takes for that many when it is linear, in milliseconds. */
const SUSPICIOUS = 5;

/** Refusing what it reads by throwing is a reader's right. */
function quietly(read: (text: string) => unknown, text: string): void {
  try {
    read(text);
  } catch {
    // Only the time counts.
  }
}

describe('what reads outside input takes time in proportion to its length', () => {
  it.each(Object.entries(READERS))('%s', (_name, read) => {
    const weak = PUMPS.filter((pump) => {
      const work = (size: number): void =>
        quietly(read, pump.repeat(Math.ceil(size / pump.length)) + ENDING);
      return (
        takesLonger(() => work(SCREENED), SUSPICIOUS) &&
        superLinearAt(work, 2 * SCREENED) !== undefined
      );
    });
    expect(weak).toEqual([]);
  });
});
