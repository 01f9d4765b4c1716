import { decodedPairs } from './corpus.mjs';
import { otherShop, setHeader, setParam, value } from './mutations.support.mjs';
import {
  SHOPS,
  adminMessage,
  claimsOf,
  jwt,
  mac,
  proxyMessage,
  seconds,
  sessionCookie,
  signedCookies,
  stateCookie,
} from './platform.mjs';

/**
 * Signatures the platform itself made, of something else, or over something the sender had a say
 * in.
 */
export const SIGNATURES = {
  'sign the query as the admin does': (request, random) =>
    signQuery(request, 'hmac', adminMessage, random),
  'sign the query as an app proxy': (request, random) =>
    signQuery(request, 'signature', proxyMessage, random),
  'an old timestamp': (request) => setParam(request, 'timestamp', String(seconds() - 91)),
  'a timestamp of the future': (request) =>
    setParam(request, 'timestamp', String(seconds() + 3600)),
  'signed an hour ago': (request) => {
    setParam(request, 'timestamp', String(seconds() - 3600));
    signAgain(request);
  },
  'signed for another app': (request) => signAgain(request, 'the secret of another app'),
  'the state of another grant': (request, random) => {
    const shop = request.query.find(([name]) => name === 'shop')?.[1] ?? SHOPS.fresh[0];
    setHeader(request, 'Cookie', signedCookies(stateCookie(shop), random.hex(32)));
  },
  'the state in a cookie that nobody signed': (request, random) => {
    const [shop, state] = ['shop', 'state'].map(
      (wanted) => request.query.find(([name]) => name === wanted)?.[1] ?? 'a',
    );
    setHeader(
      request,
      'Cookie',
      signedCookies(stateCookie(shop), state, random.pick(['', 'a', 'the secret of another app'])),
    );
  },
  'the session in a cookie that nobody signed': (request, random) => {
    const value = `${seconds()}.offline_${random.pick(SHOPS.installed)}`;
    setHeader(
      request,
      'Cookie',
      signedCookies(sessionCookie(), value, 'the secret of another app'),
    );
  },
  'a session cookie of the day before yesterday': (request, random) =>
    setHeader(
      request,
      'Cookie',
      signedCookies(
        sessionCookie(),
        `${seconds() - 172_800}.offline_${random.pick(SHOPS.installed)}`,
      ),
    ),
  'sign with the other encoding': (request) => {
    const pair = request.query.find(([name]) => name === 'hmac' || name === 'signature');
    if (pair) pair[1] = Buffer.from(pair[1], 'hex').toString('base64url');
  },
  'write the signature in capitals': (request) => {
    const pair = request.query.find(([name]) => name === 'hmac' || name === 'signature');
    if (pair) pair[1] = pair[1].toUpperCase();
  },
  'cut the signature': (request, random) => {
    for (const pair of request.query)
      if (/hmac|signature|sig/.test(pair[0])) pair[1] = pair[1].slice(0, random.below(64));
  },
  'post a session token': (request) =>
    forge(request, jwt(claimsOf(SHOPS.attacker)).split('.').slice(0, 2).join('.')),
  'post a signed query': (request) =>
    forge(
      request,
      adminMessage(
        Object.entries({
          shop: SHOPS.attacker,
          code: '{',
          state: '0',
          timestamp: String(seconds()),
        }),
      ),
    ),
  'post a proxied query': (request, random) =>
    forge(
      request,
      proxyMessage(
        Object.entries({
          shop: SHOPS.attacker,
          path_prefix: '/apps/a',
          timestamp: String(seconds()),
          [random.pick(['a', '{', '[', '<?xml', ' {', '\t['])]: '1',
        }),
      ),
    ),
  'post what nobody signed': (request, random) =>
    (request.body = Buffer.from(JSON.stringify({ myshopify_domain: otherShop(random), shop: 1 }))),
  'sign with the other secret': (request) => {
    if (request.body)
      setHeader(
        request,
        'X-Shopify-Hmac-Sha256',
        mac(request.body, 'base64', 'no secret of the app'),
      );
  },
  'name another topic': (request, random) =>
    setHeader(
      request,
      'X-Shopify-Topic',
      random.pick([
        'app/uninstalled',
        'APP_UNINSTALLED',
        'app_subscriptions/update',
        'app/scopes_update',
        'orders/paid',
        value(random),
      ]),
    ),
  'name another shop': (request, random) =>
    setHeader(
      request,
      'X-Shopify-Shop-Domain',
      random.pick([otherShop(random), otherShop(random).toUpperCase(), value(random)]),
    ),
  'mix the families': (request, random) =>
    request.headers.push([
      `Shopify-${random.pick(['Hmac-Sha256', 'Topic', 'Shop-Domain'])}`,
      value(random),
    ]),
};

/** With the signature that fits what the query says now. */
function signAgain(request, secret) {
  const [name] = request.query.find(([other]) => other === 'hmac' || other === 'signature') ?? [
    'hmac',
  ];
  request.query = request.query.filter(([other]) => other !== name);
  const message = (name === 'hmac' ? adminMessage : proxyMessage)(decodedPairs(request.query));
  request.query.push([name, mac(message, 'hex', secret)]);
}

function signQuery(request, name, messageOf, random) {
  const shop = SHOPS.attacker;
  if (random.next() < 0.5) setParam(request, 'shop', shop);
  setParam(request, 'timestamp', String(seconds()));
  if (name === 'signature') setParam(request, 'path_prefix', '/apps/a');
  request.query = request.query.filter(([other]) => other !== 'hmac' && other !== 'signature');
  // The platform signs its own shop only: nobody is given a signature for another one, but for what
  // the visitor adds.
  const pairs = decodedPairs(request.query).map(([key, text]) =>
    key === 'shop' ? [key, shop] : [key, text],
  );
  request.query.push([name, mac(messageOf(pairs), 'hex')]);
}

/** A body that the platform signed as something else, with that signature. */
export function forge(request, text) {
  request.method = 'POST';
  request.body = Buffer.from(text);
  setHeader(request, 'X-Shopify-Hmac-Sha256', mac(text, 'base64'));
}
