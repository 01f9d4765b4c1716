import { createHmac } from 'node:crypto';

import { signedQuery, signedSessionToken } from '../../lib/dev-store/base/request-factories.js';
import { API_KEY, API_SECRET } from './app.js';

/**
 * Something the platform signed with the app's secret, as the body and the signature of a delivery.
 */
export interface Forgery {
  readonly body: string;
  /** Base64. */
  readonly hmac: string;
}

const OWN_SHOP = 'attacker.myshopify.com';
const sorted = (pairs: readonly string[]): string[] => [...pairs].sort();

function sessionToken(): Forgery {
  const [header, payload, signature] = signedSessionToken({
    apiKey: API_KEY,
    secret: API_SECRET,
    shop: OWN_SHOP,
  }).split('.');
  return {
    body: `${header}.${payload}`,
    hmac: Buffer.from(signature!, 'base64url').toString('base64'),
  };
}

function adminQuery(): Forgery {
  const query = signedQuery(
    { code: 'a-code', shop: OWN_SHOP, host: 'aG9zdA', state: '0', '<a>': '{' },
    API_SECRET,
  );
  const hmac = Buffer.from(query.get('hmac')!, 'hex').toString('base64');
  query.delete('hmac');
  query.sort();
  return { body: query.toString().replaceAll('+', '%20'), hmac };
}

/**
 * Sorted and joined as a proxied request is signed; `name` is a parameter that the visitor added.
 */
function proxyQuery(name: string): Forgery {
  const added = [
    'logged_in_customer_id=',
    'path_prefix=/apps/a',
    `shop=${OWN_SHOP}`,
    `timestamp=${Math.floor(Date.now() / 1000)}`,
  ];
  const body = sorted([...added, `${name}=1`]).join('');
  return { body, hmac: createHmac('sha256', API_SECRET).update(body).digest('base64') };
}

/**
 * What somebody who uses the app in a shop of their own can get hold of and post as a delivery
 * about another shop.
 */
export const FORGERIES: readonly (readonly [name: string, forge: () => Forgery])[] = [
  ['a session token', sessionToken],
  ['the query of an OAuth callback', adminQuery],
  ['the query of an app proxy', () => proxyQuery('a')],
  ['the query of an app proxy that starts like XML', () => proxyQuery('<?xml')],
  ['the query of an app proxy that starts like a list', () => proxyQuery('[')],
  ['the query of an app proxy that starts like JSON behind a space', () => proxyQuery(' {')],
];
