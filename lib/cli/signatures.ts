import { createHmac, randomUUID } from 'node:crypto';

/** What the platform signs a delivery with: an HMAC-SHA256 over its bytes, in base64. */
export function signatureOf(body: Buffer, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('base64');
}

/** What a session token says, and the secret that it is signed with. */
interface SessionTokenFacts {
  /** Client id of the app that it is for. */
  readonly apiKey: string;
  readonly shop: string;
  /** When it was issued; it is valid for a minute. */
  readonly now: Date;
  readonly secret: string;
}

/**
 * A session token of the form that the admin issues.
 * @see https://shopify.dev/docs/apps/build/authentication-authorization/session-tokens
 */
export function sessionTokenOf({ apiKey, shop, now, secret }: SessionTokenFacts): string {
  const seconds = Math.trunc(now.getTime() / 1000);
  const claims = {
    iss: `https://${shop}/admin`,
    dest: `https://${shop}`,
    aud: apiKey,
    sub: '1',
    exp: seconds + 60,
    nbf: seconds - 5,
    iat: seconds - 5,
    jti: randomUUID(),
    sid: randomUUID(),
  };
  const encoded = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const message = encoded.join('.');
  return `${message}.${createHmac('sha256', secret).update(message).digest('base64url')}`;
}
